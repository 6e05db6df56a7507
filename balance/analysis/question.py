"""Questions: what is summed over the decks of a run. Equal questions are asked once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from balance.analysis.sums import (
    STRATUM,
    column,
    interval_columns,
    intervals_of,
    join_strata,
    moments,
    tally,
)
from balance.contract.measure import Measure


class Question(ABC):
    """Sums over the decks of a run; a frozen dataclass, so that two that ask the same are equal."""

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """Columns that name a group; all others are added up over chunks."""

    @property
    @abstractmethod
    def sql(self) -> str:
        """A query over a chunk's tables.

        `seat_rows`: a row a game and seat of the games that ended: the columns of seats and games, and
        `number`, the game's in its cell, a `half` and `tenth` that its deck falls into by lot, and whether
        it `is_winner`, alone or with others; and `stratum`, a number for the line-up that was drawn for its deal, or 0
        where line-ups are too many.
        `played_rows`: the same, games that were broken off included.
        `round_rows`, if it has `needs_rounds`: a row a game, round and seat, with `players`, `variant`,
        `strategy`, `deck_seed`, `stratum`, `number`, `tenth`, `rounds`, `is_winner`, `win_share` and `final_score`,
        and the columns of rounds.
        `luck_rows`, if it has `needs_luck`: a row a game, source and seat of games played again, where both
        ended: the columns of `seat_rows`, `source`, and `other_strategy`, `other_score`, `other_rank` and
        `other_win_share` of the game with that source re-seeded.
        """

    @property
    def needs_rounds(self) -> bool:
        """Whether the table `round_rows` is wanted."""
        return False

    @property
    def needs_luck(self) -> bool:
        """Whether the table `luck_rows` is wanted; chunks without it are passed over."""
        return False

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        """The answer, from the sums of all chunks."""
        return sums


@dataclass(frozen=True)
class Means(Question):
    """Means of several values in every group, with intervals, the decks being the clusters and line-ups the strata.

    Answered by a frame with the columns `by`, ``measure``, ``value``, ``low``, ``high``, ``n``,
    ``clusters``, ``error``.

    Attributes
    ----------
    values : tuple of (str, str)
        Name and SQL expression; games where it is NULL don't count.
    by : tuple of str
        Columns to group by.
    tops : tuple of (float or None)
        Of each value what stands for all, where it is a share (100 in percent); empty if none is.
    """

    values: tuple[tuple[str, str], ...]
    by: tuple[str, ...]
    where: str = "true"
    table: str = "seat_rows"
    tops: tuple[float | None, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.by, STRATUM)

    @property
    def needs_rounds(self) -> bool:
        return self.table == "round_rows"

    @property
    def sql(self) -> str:
        by = ", ".join(map(column, self.by))
        inner = ", ".join(tally(name, value) for name, value in self.values)
        outer = ", ".join(moments(name) for name, _ in self.values)
        return f"""
            WITH decks AS (
                SELECT {by}, {STRATUM}, deck_seed, {inner} FROM {self.table} WHERE {self.where} GROUP BY ALL
            )
            SELECT {by}, {STRATUM}, {outer} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        sums = join_strata(sums, self.by)
        parts = [
            sums[list(self.by)].assign(measure=name, **interval_columns(intervals_of(sums, name, top)))
            for (name, _), top in zip(self.values, self.tops or [None] * len(self.values), strict=True)
        ]
        columns = [*self.by, "measure", "value", "low", "high", "n", "clusters", "error"]
        return pd.concat(parts, ignore_index=True)[columns]


def means(
    values: Mapping[str, str],
    by: Sequence[str],
    where: str = "true",
    table: str = "seat_rows",
    top: float | None = None,
) -> Means:
    """The question for means of `values`, name to SQL expression, see `Means`.

    `top` is given where all of them are shares: 100 for percent.
    """
    return Means(tuple(values.items()), tuple(by), where, table, (top,) * len(values))


def measure_means(measures: Sequence[Measure], by: Sequence[str], where: str = "true") -> Means:
    """Means of measures that are split alike, in the units shown."""
    (per_game,) = {measure.per_game for measure in measures}
    where = f"{where} AND seat = 0" if per_game else where
    tops = tuple(measure.scale if measure.is_share else None for measure in measures)
    return Means(tuple((m.name, m.scaled) for m in measures), tuple(by), where, tops=tops)
