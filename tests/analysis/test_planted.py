"""Every method against a planted truth: coverage, A/A tests, power, equilibria and effects."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.runs import play
from support.statistics import moments

from balance.analysis.gather import gather
from balance.analysis.holdout import estimate_on_holdout, is_significant
from balance.analysis.question import interval_of
from balance.analysis.shares import judge_shares, remeasure_best
from balance.analysis.spread import cell_questions
from balance.analysis.sweeps import fairest_points
from balance.experiments.measures import measures_of
from balance.runs.folder import RunFolder
from balance.stats.comparisons import games_needed, games_to_balance, judge, more_needed, more_to_place, p_value
from balance.stats.intervals import Interval, Moments, cluster_interval, difference_of, fair_share
from balance.stats.metagame import crusher, dominated, draw_matrices, equilibrium, nash
from balance.stats.regression import within_effects

REPETITIONS = 2_000


def seat_share(share: float, decks: int, rng: np.random.Generator) -> Interval:
    """Return a seat's win share in four games per deal, with deals that differ: a beta-binomial truth."""
    luck = rng.beta(8 * share, 8 * (1 - share), decks)
    return cluster_interval(moments(rng.binomial(4, luck).astype(float), np.full(decks, 4.0)))


def test_intervals_cover_a_known_truth():
    """94 to 96 % of the intervals of clustered win shares contain the truth."""
    rng = np.random.default_rng(3)
    found = [seat_share(0.25, 400, rng) for _ in range(4_000)]
    covered = np.mean([each.low <= 0.25 <= each.high for each in found])
    assert 0.94 <= covered <= 0.96


def test_differences_of_independent_groups_cover():
    """Welch's intervals cover for groups of different size and spread."""
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(REPETITIONS):
        groups = [
            cluster_interval(moments(rng.normal(mean, spread, size), np.ones(size)))
            for mean, spread, size in ((1.0, 1.0, 40), (0.5, 3.0, 25))
        ]
        found = difference_of(*groups)
        covered += found.low <= 0.5 <= found.high
    assert 0.94 <= covered / REPETITIONS <= 0.96


def test_the_planned_number_of_games_finds_a_point():
    """A seat that wins 26 % instead of 25 % is found with the planned number of games."""
    rng = np.random.default_rng(6)
    games = games_needed(1.0, 100 * math.sqrt(0.25 * 0.75), power=0.8)
    wins = rng.binomial(games, 0.26, 1_000)
    found = [p_value(cluster_interval(moments_of_wins(each, games))) < 0.05 for each in (wins - 0.25 * games)]
    assert np.mean(found) > 0.8 - 3 * math.sqrt(0.8 * 0.2 / 1_000)
    assert np.mean(found) < 0.9  # and not by far too many games


def moments_of_wins(extra: float, games: int):
    """Return the moments of independent games, from wins less a quarter of the games."""
    wins = extra + 0.25 * games
    squares = wins * 0.75**2 + (games - wins) * 0.25**2
    return Moments(games, games, extra, squares, extra, games)


def test_the_planned_number_of_games_shows_balance():
    """At least 80 % of repetitions show that a fair seat lies within a point."""
    rng = np.random.default_rng(7)
    games = games_to_balance(1.0, 100 * math.sqrt(0.25 * 0.75), power=0.8)
    extra = rng.binomial(games, 0.25, 1_000) - 0.25 * games
    found = [cluster_interval(moments_of_wins(each, games)) for each in extra]
    inside = np.mean([max(abs(each.low), abs(each.high)) <= 0.01 for each in found])
    assert 0.8 - 3 * math.sqrt(0.8 * 0.2 / 1_000) < inside < 0.9


OBSERVED = 500  # observations, each with a spread of 50 points
ERROR = 50 / math.sqrt(OBSERVED)
QUESTIONS = {  # what decides an estimate with this reach of its interval, and who says how many more it takes
    "differs from 0": (lambda size, reach: size > reach, lambda now, level: more_needed(now, math.nan, level)),
    "differs, or lies within 3 points": (
        lambda size, reach: (size > reach) | (size + reach < 3),
        lambda now, level: more_needed(now, 3.0, level),
    ),
    "lies within 3 points, or beyond": (
        lambda size, reach: np.abs(size - 3) > reach,
        lambda now, level: more_to_place(now, 3.0, level),
    ),
}


@pytest.mark.parametrize("family", [1, 12])
@pytest.mark.parametrize("question", list(QUESTIONS))
def test_as_many_more_games_as_are_named_decide_in_four_of_five(question, family):
    """Of truths from -20 to 20 points, undecided rows are extended: 80 % are decided, for any first estimate."""
    decided, ask = QUESTIONS[question]
    rng, level = np.random.default_rng(8), 0.05 / family
    truth = rng.uniform(-20, 20, 60_000)
    seen = truth + rng.normal(0, ERROR, truth.size)
    z = stats.norm.isf(level / 2)
    truth, seen = (each[~decided(np.abs(seen), z * ERROR)] for each in (truth, seen))
    count, error = np.full(seen.size, OBSERVED), np.full(seen.size, ERROR)
    more = ask(Interval(seen, seen, seen, count, count, error), level)
    assert (more > 0).all()
    added = rng.normal(truth, 50 / np.sqrt(more))
    means = (OBSERVED * seen + more * added) / (OBSERVED + more)
    found = decided(np.abs(means), z * 50 / np.sqrt(OBSERVED + more))
    for region in (slice(None), np.abs(seen) < 1, np.abs(np.abs(seen) - 3) < 1, np.abs(seen) > 4):
        there = found[region]
        if there.size:
            assert there.mean() == pytest.approx(0.8, abs=4 * math.sqrt(0.8 * 0.2 / there.size))


def test_many_rows_are_asked_at_once():
    """Each row has its own answer; without a spread there is none."""
    values, errors = np.array([0.0, 1.0, 2.9, 5.0, 1.0]), np.array([1.0, 1.5, 1.0, 2.0, 0.0])
    counts = np.full(5, 200)
    rows = Interval(values, values, values, counts, counts, errors)
    alone = [
        more_to_place(Interval(value, value, value, 200, 200, error), 3.0, 0.01)
        for value, error in zip(values, errors, strict=True)
    ]
    assert list(more_to_place(rows, 3.0, 0.01)) == alone
    assert alone[-1] == 0
    assert more_needed(Interval(0.0, -math.inf, math.inf, 4, 1, math.inf), 1.0, 0.05) == 0


def test_what_is_undecided_is_asked_at_the_level_of_the_rows_that_are_left():
    """Two of four rows are answered: the others share the error; a p cut at 1 keeps its level."""
    p, none = np.array([0.04, 0.001, 0.6, 0.002]), np.full(4, np.nan)
    rows = Interval(*(np.full(4, at) for at in (1.0, 0.0, 2.0, 90, 90, 0.5)))
    found = judge(rows, p, none)
    assert found.words == ["undecided", "higher", "undecided", "higher"]
    assert found.level == pytest.approx(0.05 / 2)
    assert judge(rows, p, none, families=5).level == pytest.approx(0.01 / 2)


def drawn_meetings(truth: np.ndarray, decks: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a head-to-head matrix found on deals of two meetings each, and draws of it."""
    k, bag = len(truth), rng.integers(100, size=decks)
    row = rng.integers(k, size=decks)
    column = (row + 1 + rng.integers(k - 1, size=decks)) % k
    won = rng.binomial(2, truth[row, column]).astype(float)
    totals, counts = np.zeros((100, k, k)), np.zeros((100, k, k))
    for at, share in (((bag, row, column), won), ((bag, column, row), 2 - won)):
        np.add.at(totals, at, share)
        np.add.at(counts, at, 2.0)
    value = totals.sum(axis=0) / np.maximum(counts.sum(axis=0), 1)
    np.fill_diagonal(value, 0.5)
    return value, draw_matrices(totals, counts, draws=100)


def test_equilibrium_of_known_games():
    """Rock, paper, scissors has the even mix; a strategy that beats all has everything."""
    rng = np.random.default_rng(9)
    cycle = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])
    assert nash(cycle - cycle.T) == pytest.approx([1 / 3] * 3, abs=1e-6)
    value, drawn = drawn_meetings(cycle, 20_000, rng)
    found = equilibrium(drawn)
    assert found.mixture == pytest.approx([1 / 3] * 3, abs=0.05)
    assert (found.alive == 1).all()
    assert ((found.low < 1 / 3) & (found.high > 1 / 3)).all()
    assert dominated(value, drawn) == {}
    assert crusher(value, drawn) is None
    king = np.array([[0.5, 0.6, 0.65], [0.4, 0.5, 0.55], [0.35, 0.45, 0.5]])
    value, drawn = drawn_meetings(king, 20_000, rng)
    assert equilibrium(drawn).mixture == pytest.approx([1, 0, 0], abs=1e-3)
    assert crusher(value, drawn) == 0
    assert dominated(value, drawn) == {1: 0, 2: 0}


def test_equal_strategies_are_not_told_apart():
    """Of seven equal strategies on 840 deals none is called the sole survivor, dominated or out."""
    rng = np.random.default_rng(10)
    alone, beaten, excluded = 0, 0, 0
    for _ in range(40):
        value, drawn = drawn_meetings(np.full((7, 7), 0.5), 840, rng)
        alone += crusher(value, drawn) is not None
        beaten += bool(dominated(value, drawn))
        excluded += bool((equilibrium(drawn).alive <= 0.05).any())
    limit = 0.05 + 3 * math.sqrt(0.05 * 0.95 / 40)
    assert alone == 0
    assert beaten / 40 < limit
    assert excluded / 40 < limit


def test_what_lives_is_not_called_dead():
    """In 40 random games of seven, few call a true survivor out, and none names a wrong survivor."""
    rng = np.random.default_rng(11)
    excluded, wrong = 0, 0
    for _ in range(40):
        skill, taste = rng.normal(0, 0.4, 7), rng.normal(0, 0.5, (7, 7))
        truth = 1 / (1 + np.exp(-(skill[:, None] - skill + taste - taste.T)))
        alive = nash(truth - truth.T) > 0.01
        value, drawn = drawn_meetings(truth, 840, rng)
        excluded += bool((alive & (equilibrium(drawn).alive <= 0.05)).any())
        best = crusher(value, drawn)
        wrong += best is not None and (alive.sum() > 1 or not alive[best])
    assert excluded / 40 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 40)
    assert wrong == 0


def test_effects_of_choices_are_found_within_strategies():
    """A strategy that both chooses a move and wins more would bias a raw correlation."""
    rng = np.random.default_rng(10)
    n = 6_000
    strategy = rng.integers(0, 3, n)
    helpers = rng.poisson(1 + strategy)
    ducats = rng.poisson(2, n)
    win = 10 * strategy + 2.0 * helpers + 0.0 * ducats + rng.normal(0, 5, n)
    data = pd.DataFrame({"strategy": strategy, "helpers": helpers, "ducats": ducats, "win": win})
    data["deck"] = np.arange(n) // 4
    found = within_effects(data, "win", ["helpers", "ducats"], ["strategy"], "deck")
    assert found["helpers"].low < 2.0 < found["helpers"].high
    assert found["helpers"].half_width < 0.2
    assert found["ducats"].low < 0 < found["ducats"].high
    assert np.polyfit(helpers, win, 1)[0] > 4  # the raw slope
    assert within_effects(data.assign(helpers=1), "win", ["helpers"], ["strategy"], "deck") == {}
    twins = data.assign(twin=2 * data["helpers"])
    assert within_effects(twins, "win", ["helpers", "twin"], ["strategy"], "deck") == {}


def test_the_best_of_many_is_measured_again():
    """Of ten equal strategies the best looks better on the deals that chose it, and not on held-out deals."""
    rng = np.random.default_rng(11)
    chosen, fresh = [], []
    names = {"strategy": [f"s{i}" for i in range(10)] * 2, "half": [0] * 10 + [1] * 10}
    ends = {"players": 4, "variant": "base", "low": 23.0, "high": 27.0, "n": 1_000}
    for _ in range(120):
        halves = pd.DataFrame(names).assign(value=rng.normal(25, 1, 20), **ends)
        row = remeasure_best(halves, "strategy").iloc[0]
        chosen.append(row["chosen_value"])
        fresh.append(row["value"])
    assert np.mean(chosen) > 26
    assert abs(np.mean(fresh) - 25) < 3 / math.sqrt(120)


@pytest.mark.parametrize("noise", [1.0, pytest.param(0.3, marks=pytest.mark.long)])
def test_the_largest_effect_is_measured_again(noise):
    """Of forty measures moved by about 1, the largest is overstated where chosen, and not on held-out deals."""
    rng = np.random.default_rng(14)
    ratios, overstated, wrong = [], [], []
    for _ in range(150):
        truth = rng.normal(0, 1, 40)
        value = np.concatenate([truth, truth]) + rng.normal(0, noise, 80)
        table = pd.DataFrame({"cell": 0, "name": [*range(40)] * 2, "half": np.repeat([0, 1], 40)})
        table = table.assign(value=value, low=value, high=value, n=200, clusters=200, error=noise)
        size = table["value"].abs().where(is_significant(table))
        for row in estimate_on_holdout(table.assign(size=size), ["cell"], ["name"]).itertuples():
            ratios.append(row.value / truth[row.name])
            overstated.append(row.chosen_value / truth[row.name])
            wrong.append(row.value * truth[row.name] < 0)
    assert np.median(overstated) > 1.05
    assert np.median(ratios) == pytest.approx(1, abs=0.1)
    assert np.mean(wrong) < 0.05


@pytest.mark.parametrize(("second", "tied"), [(3.0, "second"), (1.0, "")])
def test_the_next_largest_is_named_unless_it_is_shown_to_be_smaller(second, tied):
    """Values of -3.05 and 3.0 with intervals of ± 0.3 are no order; -3.05 and 1.0 are one."""
    value = [-3.05, second, 0.2] * 2
    table = pd.DataFrame({"cell": 0, "name": ["first", "second", "third"] * 2, "half": [0] * 3 + [1] * 3})
    table = table.assign(value=value, low=np.array(value) - 0.3, high=np.array(value) + 0.3)
    (row,) = estimate_on_holdout(table.assign(size=np.abs(value)), ["cell"], ["name"]).itertuples()
    assert (row.name, row.tied) == ("first", tied)


def fair_seats(rng: np.random.Generator, variants: list[str]) -> pd.DataFrame:
    """Return win shares of four fair seats in both halves of the deals, with noise of one point."""
    keys = [(variant, half, seat) for variant in variants for half in (0, 1) for seat in range(4)]
    frame = pd.DataFrame(keys, columns=["variant", "half", "seat"]).assign(players=4, n=1_000)
    frame["value"] = rng.normal(25, 1, len(frame))
    return frame.assign(low=frame["value"] - 2, high=frame["value"] + 2)


def test_the_furthest_seat_is_measured_again():
    """The furthest of four fair seats is over a point away where chosen, and fair on held-out deals."""
    rng = np.random.default_rng(12)
    rows = []
    for _ in range(120):
        halves = fair_seats(rng, ["base"])
        sized = halves.assign(size=(halves["value"] - 25).abs())
        rows.append(estimate_on_holdout(sized, ["players", "variant"], ["seat"]).iloc[0])
    chosen = np.array([row["chosen_value"] - 25 for row in rows])
    fresh = np.array([row["value"] - 25 for row in rows]) * np.sign(chosen)
    assert np.abs(chosen).mean() > 1.2
    assert abs(fresh.mean()) < 3 / math.sqrt(120)


def swept_seats(rng: np.random.Generator, truths: list[list[float]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return judged win shares of four seats at each point, of all deals and by half: 4,000 games on 1,000 deals."""
    keys = [(f"p{point}", seat) for point in range(len(truths)) for seat in range(4)]
    frame = pd.DataFrame(keys, columns=["variant", "seat"]).assign(players=4)
    true = np.array(truths).ravel()

    def half(number: int) -> pd.DataFrame:
        value = true + rng.normal(0, 1, len(true))
        ends = {"low": value - 2, "high": value + 2, "n": 2_000, "clusters": 500, "error": 1.0}
        return frame.assign(half=number, value=value, **ends)

    first, second = half(0), half(1)
    value = (first["value"] + second["value"]) / 2
    ends = {"low": value - 1.4, "high": value + 1.4, "n": 4_000, "clusters": 1_000, "error": 0.5**0.5}
    return judge_shares(frame.assign(value=value, **ends), "seat", 1.0), pd.concat([first, second])


def swept_plan(points):
    """Return the plan of a sweep with four players, in which no point is known to have the games of another."""
    names = [f"p{i}" for i in range(points)]
    return SimpleNamespace(
        points={name: {"start.ducats": i} for i, name in enumerate(names)},
        first_variant=SimpleNamespace(name=names[0]),
        experiment=SimpleNamespace(players=[4]),
        tier=SimpleNamespace(is_prepared=True),
        fair_share=fair_share,
    )


@pytest.mark.long
def test_of_like_points_none_is_called_fairer():
    """In at least 95 % of sweeps over five equal points, all points are named together."""
    rng = np.random.default_rng(13)
    plan = swept_plan(5)
    for seats in ([25.0] * 4, [29.0, 27.0, 23.0, 21.0]):
        found = [fairest_points(plan, *swept_seats(rng, [seats] * 5)) for _ in range(100)]
        assert np.mean([table["fairest"].all() for table in found]) >= 0.95


def test_the_fairest_point_is_found_and_its_furthest_seat_is_quoted():
    """One fair point among far ones is named alone; the distance quoted is that of its furthest seat."""
    rng = np.random.default_rng(14)
    plan = swept_plan(4)
    far, fair = [33.0, 25.0, 25.0, 17.0], [25.0, 27.0, 25.0, 23.0]
    found = [fairest_points(plan, *swept_seats(rng, [far, far, fair, far])) for _ in range(60)]
    assert np.mean([list(table[table["fairest"]]["point"]) == ["start.ducats=2"] for table in found]) > 0.9
    rows = pd.concat([table[table["n"] > 0] for table in found])
    # Never less than the furthest seat on average, whichever it was before.
    assert rows["value"].mean() > 2
    assert ((rows["low"] <= 2) & (rows["high"] >= 2)).mean() >= 0.93


@pytest.mark.slow
def test_a_real_aa_on_the_game(tmp_path):
    """The same rules with other seeds show no effect in the whole table of measures."""
    keys = {"players": [3], "strategies": ["generalist", "treasurer", "quartermaster"], "log": "rounds"}
    runs = [RunFolder.open(play(tmp_path / str(seed), workers=2, games=1_500, seed=seed, **keys)) for seed in (1, 2)]
    chosen = [measure for measure in measures_of(runs[0].plan) if not measure.by]
    tables = [pd.concat(gather(run, cell_questions(chosen)).values()) for run in runs]
    pairs = zip(*(table.sort_values("measure").itertuples() for table in tables), strict=True)
    p = [float(p_value(difference_of(interval_of(a), interval_of(b)))) for a, b in pairs]
    assert len(p) == len(chosen)
    assert min(p) * len(p) > 0.05  # Bonferroni
