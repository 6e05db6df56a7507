"""The audit's table: error rates of each statistical rule before and after its replacement. Prints Markdown.

    python tools/audit

Both columns are simulated here with a known truth; "before" is an implementation of the replaced rule.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from balance.analysis.holdout import estimate_on_holdout, is_significant
from balance.stats.comparisons import adjust, judge, p_value, p_within
from balance.stats.intervals import Interval, Moments, cluster_interval, confidence_sequence, share_interval, share_p
from balance.stats.metagame import crusher, draw_matrices, equilibrium, nash

REPEATS = 2_000
Row = tuple[str, str]
"""Before and now."""


def clusters(totals: np.ndarray, size: float) -> Interval:
    """Return plain intervals of many repetitions: `totals` is (repetitions, deals), each deal of `size` games."""
    sizes = np.full(totals.shape, size)
    sums = (sizes, totals, totals**2, totals * sizes, sizes**2)
    return cluster_interval(Moments(np.full(len(totals), totals.shape[1]), *(each.sum(axis=1) for each in sums)))


def percent(*shares: float) -> str:
    return " / ".join(f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.1f} %" for share in shares)


def rare_coverage() -> Row:
    rng, found = np.random.default_rng(1), []
    for decks in (20, 50):
        plain = clusters(rng.binomial(4, 0.0085, (REPEATS, decks)).astype(float), 4)
        score = share_interval(plain)
        found.append([np.mean((i.low <= 0.0085) & (i.high >= 0.0085)) for i in (plain, score)])
    before, after = zip(*found, strict=True)
    return percent(*before), percent(*after)


def rare_bound() -> Row:
    rng, found = np.random.default_rng(2), []
    for games in (20, 40, 80, 200):
        plain = clusters(rng.binomial(4, 0.0085, (REPEATS, games // 4)).astype(float), 4)
        found.append([np.mean(i.high <= 0.005) for i in (plain, share_interval(plain))])
    before, after = zip(*found, strict=True)
    return percent(*before), percent(*after)


def fair_seats() -> Row:
    rng, found = np.random.default_rng(4), []
    for games in (5, 8, 12, 30):
        winners = rng.integers(4, size=(REPEATS, games))
        seats = [clusters((winners == seat).astype(float), 1) for seat in range(4)]
        wald = np.array([_no_spread_is_sure(seat) for seat in seats])
        score = np.array([share_p(seat, 0.25) for seat in seats])
        found.append([_any_called(p) for p in (wald, score)])
    before, after = zip(*found, strict=True)
    return percent(*before), percent(*after)


def _no_spread_is_sure(seat: Interval) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.t.sf(np.abs(seat.value - 0.25) / seat.error, seat.clusters - 1)
    return np.where(seat.error == 0, 0.0, p)


def _any_called(p: np.ndarray) -> float:
    none = np.full(len(p), np.nan)
    return float(np.mean([(adjust(column, none)[0] < 0.05).any() for column in p.T]))


def false_balance() -> Row:
    rng, old, new = np.random.default_rng(21), 0, 0
    for _ in range(REPEATS):
        value = rng.normal(6.0, 1, 36)
        found = Interval(value, value - 1.96, value + 1.96, *(np.full(36, at) for at in (500, 500, 1.0)))
        old += bool((np.maximum(np.abs(found.low), np.abs(found.high)) <= 6.0).any())
        words = judge(found, p_value(found), p_within(found, np.full(36, 6.0))).words
        new += any(word == "same" or word.startswith("slightly") for word in words)
    return percent(old / REPEATS), percent(new / REPEATS)


def page_error() -> Row:
    rng, found = np.random.default_rng(22), np.zeros(2)
    none = np.full(10, np.nan)
    for _ in range(5 * REPEATS):
        families = rng.random((5, 10))
        adjusted = np.array([adjust(p, none)[0] for p in families])
        found += [(adjusted < 0.05).any(), (5 * adjusted < 0.05).any()]
    before, after = found / (5 * REPEATS)
    return percent(before), percent(after)


def largest_effect() -> Row:
    rng, found = np.random.default_rng(14), []
    for noise in (1.5, 1.0, 0.5):
        old, new = [], []
        for _ in range(1_000):
            truth = rng.normal(0, 1, 40)
            halves = truth + rng.normal(0, noise * np.sqrt(2), (2, 40))
            whole = halves.mean(axis=0)
            first = int(np.argmax(np.abs(whole)))
            old.append(np.array([whole[first], truth[first]]) * np.sign(whole[first]))
            new += _chosen_on_half(halves, truth, noise * np.sqrt(2))
        found.append([_overstated(each) for each in (old, new)])
    before, after = zip(*found, strict=True)
    old_text, new_text = (" / ".join(f"{ratio:.1f}" for ratio in each) for each in (before, after))
    return old_text, new_text


def _chosen_on_half(halves: np.ndarray, truth: np.ndarray, noise: float) -> list[np.ndarray]:
    table = pd.DataFrame({"cell": 0, "name": [*range(40)] * 2, "half": np.repeat([0, 1], 40)})
    table = table.assign(value=halves.ravel(), low=0, high=0, n=200, clusters=200, error=noise)
    size = table["value"].abs().where(is_significant(table))
    rows = estimate_on_holdout(table.assign(size=size), ["cell"], ["name"]).itertuples()
    return [np.array([row.value, truth[row.name]]) * np.sign(row.chosen_value) for row in rows]


def _overstated(pairs: list[np.ndarray]) -> float:
    quoted, true = np.sum(pairs, axis=0)
    return float(quoted / true)


def sole_survivor() -> Row:
    rng, old, new = np.random.default_rng(9), 0, 0
    for _ in range(200):
        totals, counts = _equal_strategies(rng)
        with np.errstate(invalid="ignore"):
            value = totals.sum(axis=0) / counts.sum(axis=0)
        np.fill_diagonal(value, 0.5)
        drawn = draw_matrices(totals, counts, draws=100)
        old += (nash(value - value.T) > 0.01).sum() == 1
        new += crusher(value, drawn) is not None
    return percent(old / 200), percent(new / 200)


def _equal_strategies(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    bag, row = rng.integers(100, size=840), rng.integers(7, size=840)
    column = (row + 1 + rng.integers(6, size=840)) % 7
    won = rng.binomial(2, 0.5, 840).astype(float)
    totals, counts = np.zeros((100, 7, 7)), np.zeros((100, 7, 7))
    for at, share in (((bag, row, column), won), ((bag, column, row), 2 - won)):
        np.add.at(totals, at, share)
        np.add.at(counts, at, 2.0)
    return totals, counts


def excluded_survivor() -> Row:
    rng, new = np.random.default_rng(10), 0
    for _ in range(100):
        new += (equilibrium(draw_matrices(*_equal_strategies(rng), draws=100)).alive <= 0.05).any()
    return "–", percent(new / 100)


def stop_rule() -> Row:
    rng, found = np.random.default_rng(3), []
    for truth in (0.265, 0.25):
        decided: list[list[float]] = [[], []]
        for _ in range(20):
            decks = rng.binomial(4, truth, (3_000, 10)) / 4
            n, s, ss = np.full(3_000, 10.0), decks.sum(axis=1), (decks**2).sum(axis=1)
            looks = confidence_sequence(n, s, ss, 0.03, 0.0125)
            for games, (low, high) in zip(decided, (_fixed_bets(n, s, ss), (looks.low, looks.high)), strict=True):
                games.append(_games(low - 0.25, high - 0.25))
        found.append([np.median(games) for games in decided])
    before, after = zip(*found, strict=True)
    old, new = (" / ".join("> 120,000" if n == np.inf else f"{n:,.0f}" for n in each) for each in (before, after))
    return old, new


def _fixed_bets(n: np.ndarray, s: np.ndarray, ss: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    known, total = np.cumsum(n) - n + 3, np.cumsum(s) - s + 1.5
    guess = total / known
    variance = np.maximum((np.cumsum(ss) - ss + 0.875) / known - guess**2, 1e-6)
    bet = np.minimum(0.5, 0.03 / variance)
    penalty = np.cumsum((-np.log1p(-bet) - bet) * (ss - 2 * guess * s + n * guess**2))
    stakes = np.cumsum(bet * n)
    centre, reach = np.cumsum(bet * s) / stakes, (np.log(2 / 0.0125) + penalty) / stakes
    return np.maximum.accumulate(centre - reach), np.minimum.accumulate(centre + reach)


def _games(low: np.ndarray, high: np.ndarray) -> float:
    decided = (low > 0.03) | (high < -0.03) | (np.maximum(np.abs(low), np.abs(high)) <= 0.03)
    return float((np.argmax(decided) + 1) * 40) if decided.any() else np.inf


ROWS = {
    "a rare event (0.85 %) is covered by its 95 % interval, 20 / 50 deals": rare_coverage,
    "0.85 % passes a bound of 0.5 %, 20 / 40 / 80 / 200 games": rare_bound,
    "a fair seat of four called unfair, 5 / 8 / 12 / 30 games": fair_seats,
    "36 rows on the threshold: a table with a false verdict of being alike": false_balance,
    "five families of ten true nulls: a page with a false verdict": page_error,
    "the largest of 40 effects, shrunk / true (sums), noise 1.5 / 1 / 0.5 times their spread": largest_effect,
    "seven equal strategies, 840 deals: a sole survivor is named": sole_survivor,
    "the same: one of them is called out of the equilibrium": excluded_survivor,
    "stop rule, 3 points matter: games until a seat is decided, 1.5 points from fair / fair": stop_rule,
}


def main() -> None:
    print("| | before | now |\n|---|---:|---:|")
    for text, row in ROWS.items():
        print(f"| {text} | {' | '.join(row())} |", flush=True)


if __name__ == "__main__":
    main()
