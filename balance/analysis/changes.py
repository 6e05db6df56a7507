"""What a variant changes that matters: sure, and beyond a threshold or to another word."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.verdicts import (
    COMEBACKS,
    LENGTH,
    OPEN_WORDS,
    SEATS,
    STRATEGIES,
    WORSE,
    by_place,
    place_of,
)
from balance.plan.thresholds import Thresholds
from balance.stats.comparisons import ALPHA
from balance.stats.fair import fair_share
from balance.stats.intervals import LEVEL, t_ratio

ROW_OF = {
    "seat_win_share": SEATS, "strategy_win_share": STRATEGIES, "comeback": COMEBACKS, "minutes": LENGTH,
}  # fmt: skip
"""The measures that are judged. A change of any other is shown, and is no finding: nothing says what it is good
for, and many follow from the rule itself, as a higher bonus raises the points owed."""
COLUMNS = [
    "row", "players", "variant", "measure", "group", "unit", "baseline", "level", "effect", "low", "high", "n",
    "size", "better",
]  # fmt: skip


def find_changes(
    effects: pd.DataFrame, cells: pd.DataFrame, baseline: str, thresholds: Thresholds, families: int
) -> pd.DataFrame:
    """The effects that are sure and large enough to matter, or that turn a word of `cells`.

    Parameters
    ----------
    effects : DataFrame
        Of `balance.analysis.compare.read_pairs`: all that were compared together.
    cells : DataFrame
        Of `balance.analysis.verdicts`.
    families : int
        How many families of verdicts stand on the page.

    Returns
    -------
    DataFrame
        `COLUMNS`: ``level`` is the variant's, ``low`` and ``high`` belong to the effect and hold for all that were
        compared at once, ``size`` is how many times its threshold the effect is, ``better`` is 1, -1 or 0 (neither).
        The largest first.
    """
    tries = families * len(effects)
    sure = effects[effects["verdict"].isin(["higher", "lower"]) & effects["measure"].isin(ROW_OF)].copy()
    if sure.empty:
        return pd.DataFrame(columns=COLUMNS)
    sure["row"] = sure["measure"].map(ROW_OF)
    sure["level"] = sure["baseline"] + sure["effect"]
    ratio = t_ratio(1 - ALPHA / tries, sure["decks"].to_numpy(), LEVEL)
    sure["low"], sure["high"] = (
        sure["effect"] + ratio * (sure[end] - sure["effect"]) for end in ("low", "high")
    )
    sure["size"] = (sure["effect"] / _matters(sure, thresholds)).abs()
    words = by_place(cells)
    pairs = [
        (words.get((row.row, row.players, baseline)), words.get(place_of(row)))
        for row in sure.itertuples()
    ]
    turned = np.array([_has_turned(a, b) for a, b in pairs], bool)
    sure["better"] = [_better(row, *pair) for row, pair in zip(sure.itertuples(), pairs, strict=True)]
    kept = sure[turned | (sure["size"] >= 1).to_numpy()]
    return kept.sort_values("size", ascending=False, kind="stable", ignore_index=True)[COLUMNS]


def _has_turned(before: Any, after: Any) -> bool:
    """Whether a word that is shown became another that is shown: close and unsure are none."""
    return (
        bool(before and after)
        and before.word != after.word
        and not {before.word, after.word} & OPEN_WORDS
    )


def _matters(effects: pd.DataFrame, thresholds: Thresholds) -> pd.Series:
    """What each effect is measured by."""
    limits = {
        SEATS: thresholds.seats,
        STRATEGIES: thresholds.strategies,
        COMEBACKS: thresholds.comeback_change,
    }
    parts = thresholds.length_change / 100 * effects["baseline"].abs()
    return effects["row"].map(limits).fillna(parts)


def _better(row: Any, before: Any, after: Any) -> int:
    """Whether a change is for the better (1) or the worse (-1)."""
    if row.row == COMEBACKS:
        return int(np.sign(row.effect))
    if row.row == LENGTH:
        kinds = [WORSE[each.kind] for each in (before, after) if each and each.kind in WORSE]
        return int(np.sign(kinds[0] - kinds[1])) if len(kinds) == 2 else 0
    fair = fair_share(row.players)
    return int(np.sign(abs(row.baseline - fair) - abs(row.level - fair)))


def direction(before: Any, after: Any, changes: pd.DataFrame) -> int:
    """Whether a cell that `changes` speak of is better (1) or worse (-1) than the baseline's.

    Its word decides, else how far it is off.
    """
    if before.kind in WORSE and after.kind in WORSE and before.kind != after.kind:
        return int(np.sign(WORSE[before.kind] - WORSE[after.kind]))
    if before.row in (SEATS, STRATEGIES):
        fair = fair_share(before.players)
        return int(np.sign(round(abs(before.value - fair) - abs(after.value - fair), 6)))
    return int(changes["better"].iloc[0])
