"""How values are spread: how often each occurs; median and quartiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.question import Question
from balance.analysis.sums import column, literal
from balance.analysis.tenths import by_tenth, tenth_moments, tenths_of
from balance.stats.intervals import cluster_interval

ENDS = {"least": 0.05, "lower": 0.25, "upper": 0.75, "most": 0.95}
"""What else is told of a spread beside its median: which part of the values lies at or below it."""


@dataclass(frozen=True)
class Spread(Question):
    """How often each value occurs in every group, in tenths of the decks.

    Attributes
    ----------
    values : tuple of (str, str)
        Name and SQL expression; rows where it is NULL don't count.
    by : tuple of str
        Columns to group by.
    """

    values: tuple[tuple[str, str], ...]
    by: tuple[str, ...]
    where: str = "true"
    table: str = "seat_rows"

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.by, "measure", "level")

    @property
    def needs_rounds(self) -> bool:
        return self.table == "round_rows"

    @property
    def sql(self) -> str:
        by = ", ".join(map(column, self.by))
        counted = " UNION ALL ".join(
            f"SELECT {by}, tenth, {literal(name)} AS measure, ({value})::DOUBLE AS level, count(*) AS found "
            f"FROM {self.table} WHERE {self.where} AND ({value}) IS NOT NULL GROUP BY ALL"
            for name, value in self.values
        )
        return f"SELECT {by}, measure, level, {by_tenth('n', 'found')} FROM ({counted}) GROUP BY ALL"


def spread(
    values: Mapping[str, str], by: Sequence[str], where: str = "true", table: str = "seat_rows"
) -> Spread:
    """The question for how `values`, name to SQL expression, are spread, see `Spread`."""
    return Spread(tuple(values.items()), tuple(by), where, table)


def quartiles(sums: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Median, quartiles and what all but a tenth of the values lie between, for each group.

    A quantile is the smallest value at or below which that part of the values lies. The median's interval
    is Woodruff's (1952): the interval of the share at or below the median, read off the values again; the share's
    is cluster-robust on tenths of the decks.

    Parameters
    ----------
    sums : DataFrame
        Of `Spread`.
    by : sequence of str
        The question's `by`.

    Returns
    -------
    DataFrame
        The columns `by`, ``measure``, ``value`` (the median), ``low``, ``high``, `ENDS` and ``n``. With one tenth
        alone the interval is infinite.
    """
    cell = [*by, "measure"]
    ordered = sums.groupby(cell, sort=False)
    sums = sums.assign(group=ordered.ngroup()).sort_values(["group", "level"], ignore_index=True)
    starts = np.flatnonzero(np.diff(sums["group"], prepend=-1))
    ladder = _Ladder(sums["level"].to_numpy(float), tenths_of(sums, "n"), starts)
    middle = ladder.index(0.5)
    share = cluster_interval(tenth_moments(ladder.below[middle], ladder.whole))
    known, reach = np.isfinite(share.half_width), np.nan_to_num(share.half_width, posinf=1.0)
    low, high = (ladder.values[ladder.index(0.5 + sign * reach)] for sign in (-1, 1))
    table = sums.loc[starts, cell].reset_index(drop=True)
    table["value"] = ladder.values[middle]
    table["low"], table["high"] = np.where(known, low, -np.inf), np.where(known, high, np.inf)
    for name, part in ENDS.items():
        table[name] = ladder.values[ladder.index(part)]
    return table.assign(n=share.n)


class _Ladder:
    """The distribution functions of many groups, one below the other.

    Parameters
    ----------
    values : float array (rows,)
        Rising within each group.
    counts : float array (rows, 10)
        How often each occurs in each tenth.
    starts : int array (groups,)
        The first row of each group.
    """

    def __init__(self, values: np.ndarray, counts: np.ndarray, starts: np.ndarray) -> None:
        self.values, self._starts = values, starts
        self._sizes = np.diff(np.append(starts, len(values)))
        running = counts.cumsum(axis=0)
        before = np.vstack([np.zeros(counts.shape[1]), running])[starts]
        self.below = running - before.repeat(self._sizes, axis=0)
        """Of each row how many values of each tenth are no larger: (rows, 10)."""
        self.whole = self.below[starts + self._sizes - 1]
        """Of each group how many values each tenth has: (groups, 10)."""
        self._share = self.below.sum(axis=1) / self.whole.sum(axis=1).repeat(self._sizes)

    def index(self, part: float | np.ndarray) -> np.ndarray:
        """The row of each group at or below which that part of its values lies first; its last at most."""
        wanted = np.broadcast_to(part, self._starts.shape).repeat(self._sizes)
        steps = np.add.reduceat((self._share < wanted - 1e-12).astype(np.int64), self._starts)
        found: np.ndarray = self._starts + np.minimum(steps, self._sizes - 1)
        return found
