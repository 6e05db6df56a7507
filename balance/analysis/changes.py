"""What a variant changes that matters: shown, and beyond a threshold or to another verdict."""

from __future__ import annotations

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
    OPEN_WORDS,
    RUNAWAY,
    SEATS,
    SHORT,
    STRATEGIES,
    by_place,
    place_of,
)
from balance.plan.thresholds import Thresholds
from balance.stats.comparisons import ALPHA
from balance.stats.fair import fair_share
from balance.stats.intervals import LEVEL, t_ratio
from balance.stats.shrinkage import shrink

ROW_OF = {
    "seat_win_share": SEATS, "strategy_win_share": STRATEGIES, "comeback": COMEBACKS, "minutes": LENGTH,
}  # fmt: skip
"""The measures that are judged. A change of any other is shown, and is no finding: nothing says what it is good
for, and many follow from the rule itself, as a higher bonus raises the points owed."""
_SHOWN = ("higher", "lower")
_OUTSIDE = {RUNAWAY: 1, SHORT: 1, LATE: -1, LONG: -1}
"""Where comebacks and length lie outside their band, the sign of an effect that leads towards it."""
COLUMNS = [
    "row", "players", "variant", "measure", "group", "unit", "baseline", "level", "effect", "low", "high", "n", "decks",
    "size", "better",
]  # fmt: skip


def judged_effects(effects: pd.DataFrame, thresholds: Thresholds, families: int) -> pd.DataFrame:
    """Return the effects on the measures that are judged, with all that a claim about them needs.

    Parameters
    ----------
    effects : DataFrame
        Of `balance.analysis.compare.read_pairs`: all that were compared together.
    families : int
        How many families of verdicts stand on the page.

    Returns
    -------
    DataFrame
        The columns of `effects` and ``row``; ``limit`` (the smallest effect that matters); ``low`` and ``high``,
        widened so that all that were compared hold at once; ``quoted``, the effect as it is to be quoted where it was
        selected for its size (`balance.stats.shrinkage.shrink`); ``level``, where that leads to; ``size`` (how many
        times its limit the quoted effect is); ``nearer``: 1 where it is shown to lead nearer to a fair share, -1
        farther from it, 0 neither (of comebacks and length, which have no fair share, always 0).
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
        Of `judged_effects`.
    cells : DataFrame
        Of `balance.analysis.verdicts`.

    Returns
    -------
    DataFrame
        `COLUMNS`: ``effect`` and ``level`` are shrunk, ``low`` and ``high`` belong to the effect and hold for all
        that were compared at once, ``better`` is 1, -1 or 0 (not shown to be either). The largest ``size`` first.
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
    """Whether a word that is shown became another that is shown: close and unsure are none."""
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
    """Whether verdicts show that a cell is better (1) or worse (-1) than the baseline's, or neither (0).

    Good against not good, both shown; or, where comebacks or length stay outside their band, a shown step towards
    it or away.
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
    """Whether a cell that `changes` are about is shown to be better (1) or worse (-1) than the baseline's.

    Its verdicts decide, else its changes where they do not contradict each other.
    """
    signs = set(changes["better"]) - {0}
    return better_by_words(before, after, 0.0) or (int(signs.pop()) if len(signs) == 1 else 0)
