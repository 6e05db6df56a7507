"""What each variant is better and worse at than the baseline, and whether one can be advised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from balance.analysis.changes import better_by_words
from balance.analysis.verdicts import GOOD, NONE, Place, by_place, place_of


@dataclass(frozen=True)
class Tradeoff:
    """What a variant is shown to gain and to cost.

    Attributes
    ----------
    variant : str
    gains, costs : list of rows
        Of `balance.analysis.changes.judged_effects`: what is shown to be better, and worse, the largest first.
    undecided : int
        Rows that may be better or worse by as much as matters: no interval excludes it.
    rows : int
        All rows about the variant that have a verdict.
    """

    variant: str
    gains: list[Any] = field(default_factory=list)
    costs: list[Any] = field(default_factory=list)
    undecided: int = 0
    rows: int = 0

    @property
    def is_better(self) -> bool:
        """Whether it gains something, and every other row is shown not to be worse by as much as matters."""
        return bool(self.gains) and not self.costs and not self.undecided

    @property
    def is_worse(self) -> bool:
        """Whether it costs something, and every other row is shown not to be better by as much as matters."""
        return bool(self.costs) and not self.gains and not self.undecided


def find_tradeoffs(judged: pd.DataFrame, cells: pd.DataFrame, baseline: str) -> list[Tradeoff]:
    """Return the trade-off of each variant, in the order of the table.

    A row is shown not to be worse where it is shown to be better, where its effect is shown to be smaller than
    matters, or where variant and baseline are both shown to be good. What has no verdict, as a length without a time
    to fit, is neither.

    Parameters
    ----------
    judged : DataFrame
        Of `balance.analysis.changes.judged_effects`.
    cells : DataFrame
        Of `balance.analysis.verdicts`.
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
            continue  # shown to be neither better nor worse by as much as matters
        found[better].append(row)
    return Tradeoff(variant, found[1], found[-1], len(found[0]), asked)
