"""Changes that matter: shown effects of variants, and what each variant gains and costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from balance.analysis.verdicts import (
    COMEBACKS,
    GOOD,
    LATE,
    LENGTH,
    LONG,
    NONE,
    OPEN_WORDS,
    RUNAWAY,
    SEATS,
    SHORT,
    STRATEGIES,
    Place,
    by_place,
    place_of,
)
from balance.experiments.targets import Thresholds
from balance.stats.comparisons import ALPHA, shrink
from balance.stats.intervals import LEVEL, fair_share, t_ratio

ROW_OF = {
    "seat_win_share": SEATS, "strategy_win_share": STRATEGIES, "comeback": COMEBACKS, "minutes": LENGTH,
}  # fmt: skip
"""The measures that are judged. Changes of other measures are listed but are no findings: there is no standard for
them, and many follow from the rule itself, as a higher bonus raises the points owed."""
_SHOWN = ("higher", "lower")
_OUTSIDE = {RUNAWAY: 1, SHORT: 1, LATE: -1, LONG: -1}
"""For comebacks and length outside their band, the sign of an effect towards the band."""
COLUMNS = [
    "row", "players", "variant", "measure", "group", "unit", "baseline", "level", "effect", "low", "high", "n", "decks",
    "size", "better",
]  # fmt: skip


def judged_effects(effects: pd.DataFrame, thresholds: Thresholds, families: int) -> pd.DataFrame:
    """Return the effects on the judged measures, with the columns that findings need.

    Parameters
    ----------
    effects : DataFrame
        All effects of one family of comparisons, from `balance.analysis.compare.read_pairs`.
    families : int
        The number of families of verdicts on the page.

    Returns
    -------
    DataFrame
        The columns of `effects` and ``row``; ``limit`` (the smallest effect that matters); ``low`` and ``high``,
        widened so that all comparisons hold together; ``quoted``, the effect shrunk for selection by size
        (`balance.stats.comparisons.shrink`); ``level``, the baseline plus the quoted effect; ``size``, the quoted
        effect divided by its limit; ``nearer``: 1 if the effect is shown to lead nearer to a fair share, -1 if
        farther from it, 0 for neither (always 0 for comebacks and length, which have no fair share).
    """
    found = effects[effects["measure"].isin(ROW_OF)].copy()
    level = 1 - ALPHA / families / max(1, len(effects))
    decks = found["decks"].to_numpy()
    found["row"] = found["measure"].map(ROW_OF)
    found["limit"] = _limits(found, thresholds)
    ratio = t_ratio(level, decks, LEVEL)
    found["low"], found["high"] = (
        found["effect"] + ratio * (found[end] - found["effect"]) for end in ("low", "high")
    )
    found["quoted"] = shrink(found["effect"].to_numpy(float), found["error"].to_numpy(float))
    found["level"] = found["baseline"] + found["quoted"]
    found["size"] = (found["quoted"] / found["limit"]).abs()
    found["nearer"] = _nearer_to_fair(found, stats.t.isf((1 - level) / 2, decks - 1))
    return found


def _nearer_to_fair(effects: pd.DataFrame, reach: np.ndarray) -> np.ndarray:
    """Return whether shares are shown to be nearer to fair (1) or farther from it (-1) than the baseline's.

    With base share b, variant share v and fair share f, |v - f| < |b - f| is the same as (v - b)(v + b - 2f) < 0. So
    both the effect and the midpoint of the two shares must be shown to lie on a side; both must hold, so neither
    needs a correction for the other (intersection-union test, Berger 1982).
    """
    fair = fair_share(effects["players"].to_numpy())
    middle = effects["baseline"] + effects["effect"] / 2 - fair
    arms = effects["baseline_error"] ** 2 + effects["level_error"] ** 2
    error = np.sqrt(np.maximum(2 * arms - effects["error"] ** 2, 0)) / 2
    shown = effects["verdict"].isin(_SHOWN) & (middle.abs() > reach * error)
    nearer: np.ndarray = -np.sign(effects["effect"] * middle).to_numpy()
    return np.where(shown & effects["row"].isin([SEATS, STRATEGIES]), nearer, 0).astype(int)


def find_changes(judged: pd.DataFrame, cells: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Return the effects that are shown and large enough to matter, or that change a shown verdict of `cells`.

    Parameters
    ----------
    judged : DataFrame
        From `judged_effects`.
    cells : DataFrame
        From `balance.analysis.verdicts`.

    Returns
    -------
    DataFrame
        `COLUMNS`: ``effect`` and ``level`` are shrunk; ``low`` and ``high`` are the ends of the effect's interval,
        and hold for all comparisons together; ``better`` is 1, -1 or 0 (neither is shown). The largest ``size`` is
        first.
    """
    shown = judged[judged["verdict"].isin(_SHOWN)].copy()
    if shown.empty:
        return pd.DataFrame(columns=COLUMNS)
    words = by_place(cells)
    pairs = [
        (words.get((row.row, row.players, baseline)), words.get(place_of(row)))
        for row in shown.itertuples()
    ]
    turned = np.array([_is_reversal(*pair) for pair in pairs], bool)
    shown["better"] = [
        row.nearer or better_by_words(*pair, row.effect)
        for row, pair in zip(shown.itertuples(), pairs, strict=True)
    ]
    shown["effect"] = shown["quoted"]
    kept = shown[turned | (shown["size"] >= 1).to_numpy()]
    return kept.sort_values("size", ascending=False, kind="stable", ignore_index=True)[COLUMNS]


def _is_reversal(before: Any, after: Any) -> bool:
    """Return whether a shown word became another shown word; close and unsure do not count as shown."""
    return (
        bool(before and after)
        and before.word != after.word
        and not {before.word, after.word} & OPEN_WORDS
    )


def _limits(effects: pd.DataFrame, thresholds: Thresholds) -> pd.Series:
    """Return the smallest effect that matters, in the unit of each row."""
    limits = {
        SEATS: thresholds.seats,
        STRATEGIES: thresholds.strategies,
        COMEBACKS: thresholds.comeback_change,
    }
    parts = thresholds.length_change / 100 * effects["baseline"].abs()
    return effects["row"].map(limits).fillna(parts)


def better_by_words(before: Any, after: Any, effect: float) -> int:
    """Return whether verdicts show that a cell is better (1) or worse (-1) than the baseline's, or neither (0).

    One is shown to be good and the other not; or comebacks or length stay outside their band and move towards it or
    away from it.
    """
    if not before or not after or {before.word, after.word} & OPEN_WORDS:
        return 0
    good = (before.kind == GOOD, after.kind == GOOD)
    if good[0] != good[1]:
        return 1 if good[1] else -1
    if before.word == after.word and before.word in _OUTSIDE:
        return int(_OUTSIDE[before.word] * np.sign(effect))
    return 0


def direction(before: Any, after: Any, changes: pd.DataFrame) -> int:
    """Return whether a cell with `changes` is shown to be better (1) or worse (-1) than the baseline's; else 0.

    Its verdicts decide first, then its changes if they do not contradict each other.
    """
    signs = set(changes["better"]) - {0}
    return better_by_words(before, after, 0.0) or (int(signs.pop()) if len(signs) == 1 else 0)


@dataclass(frozen=True)
class Tradeoff:
    """The shown gains and costs of a variant.

    Attributes
    ----------
    variant : str
    gains, costs : list of rows
        Rows of `judged_effects` that are shown to be better, and worse; the largest first.
    undecided : int
        The number of rows whose interval does not exclude a change that matters.
    rows : int
        The number of rows about the variant with a verdict.
    """

    variant: str
    gains: list[Any] = field(default_factory=list)
    costs: list[Any] = field(default_factory=list)
    undecided: int = 0
    rows: int = 0

    @property
    def is_better(self) -> bool:
        """Whether it has gains, and all other rows are shown not to be worse by more than their limit."""
        return bool(self.gains) and not self.costs and not self.undecided

    @property
    def is_worse(self) -> bool:
        """Whether it has costs, and all other rows are shown not to be better by more than their limit."""
        return bool(self.costs) and not self.gains and not self.undecided


def find_tradeoffs(judged: pd.DataFrame, cells: pd.DataFrame, baseline: str) -> list[Tradeoff]:
    """Return the trade-off of each variant, in the order of the table.

    A row is shown not to be worse if it is shown to be better, if its effect is shown to be smaller than its limit,
    or if variant and baseline are both shown to be good. Rows without a verdict, such as a length without a stated
    time, are left out.

    Parameters
    ----------
    judged : DataFrame
        From `judged_effects`.
    cells : DataFrame
        From `balance.analysis.verdicts`.
    """
    words = by_place(cells)
    return [
        _tradeoff(str(variant), rows, words, baseline)
        for variant, rows in judged.groupby("variant", sort=False)
    ]


def _tradeoff(variant: str, rows: pd.DataFrame, words: Mapping[Place, Any], baseline: str) -> Tradeoff:
    found: dict[int, list[Any]] = {1: [], -1: [], 0: []}
    asked = 0
    for row in rows.sort_values("size", ascending=False, kind="stable").itertuples():
        before, after = words.get((row.row, row.players, baseline)), words.get(place_of(row))
        if not before or not after or NONE in (before.kind, after.kind):
            continue
        asked += 1
        shown = row.verdict in ("higher", "lower", "slightly higher", "slightly lower")
        better = row.nearer or (better_by_words(before, after, row.effect) if shown else 0)
        small = max(abs(row.low), abs(row.high)) <= row.limit
        if small or (not better and before.kind == after.kind == GOOD):
            continue  # shown to be neither better nor worse by more than its limit
        found[better].append(row)
    return Tradeoff(variant, found[1], found[-1], len(found[0]), asked)
