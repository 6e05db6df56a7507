"""Distributions: means in every cell, frequencies of values, medians and quartiles, ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.holdout import by_tenth, tenth_moments, tenths_of
from balance.analysis.question import Means, Question, column, means, measure_means
from balance.contract.analytics import Measure, literal
from balance.experiments.experiment import MOST_GAMES
from balance.foundation.language import N_
from balance.stats.intervals import cluster_interval

CELL_COLUMNS = ("players", "variant", "measure", "value", "low", "high", "n", "decks")


def cell_questions(measures: Sequence[Measure]) -> list[Means]:
    """Return the questions about the means of measures that are not split, such as by seat."""
    whole = [measure for measure in measures if not measure.by]
    kinds = [[m for m in whole if m.per_game == per_game] for per_game in (True, False)]
    return [measure_means(kind, ["players", "variant"]) for kind in kinds if kind]


def read_cell_means(answers: Answers, asked: Sequence[Measure], shown: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the answers to `cell_questions` on `asked` as one table with the columns `CELL_COLUMNS`.

    `shown` are the names of the measures to return, in order; None for all of `asked`.
    """
    found = [answers[question] for question in cell_questions(asked)]
    table = pd.concat(found, ignore_index=True).rename(columns={"clusters": "decks"})
    order = [measure.name for measure in asked] if shown is None else list(shown)
    table = table[table["measure"].isin(order)]
    cells = table.groupby(["players", "variant"], sort=False).ngroup()
    places = table.assign(cell=cells, place=table["measure"].map(order.index))
    ordered = places.sort_values(["cell", "place"], kind="stable", ignore_index=True)
    return ordered[list(CELL_COLUMNS)]


SHARED, BROKEN = N_("best score shared"), N_("decided by a tie-break")
JOINT = N_("victory shared")


def ties_question() -> Means:
    """Return the question about shared best scores, in percent of the games that were won, by kind."""
    values = {
        SHARED: "100 * (margin = 0)::INT",
        BROKEN: "100 * (margin = 0 AND winners = 1)::INT",
        JOINT: "100 * (winners > 1)::INT",
    }
    return means(values, ["players", "variant"], "seat = 0 AND status = 'finished'", top=100)


ENDS = {"least": 0.05, "lower": 0.25, "upper": 0.75, "most": 0.95}
"""Quantiles of a distribution other than the median."""


@dataclass(frozen=True)
class Spread(Question):
    """How often each value occurs in every group, in tenths of the deals."""

    values: tuple[tuple[str, str], ...]  # name and SQL expression; rows where it is NULL don't count
    by: tuple[str, ...]  # columns to group by
    where: str = "true"
    table: str = "seat_rows"
    games: int = MOST_GAMES  # only this number of first games of a cell count

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.by, "measure", "level")

    @property
    def first_games(self) -> int:
        return min(self.games, super().first_games)

    @property
    def needs_rounds(self) -> bool:
        return self.table == "round_rows"

    @property
    def sql(self) -> str:
        by = ", ".join(map(column, self.by))
        counted = " UNION ALL ".join(
            f"SELECT {by}, tenth, {literal(name)} AS measure, ({value})::DOUBLE AS level, count(*) AS found "
            f"FROM {self.table} WHERE {self.where} AND number < {self.games} AND ({value}) IS NOT NULL GROUP BY ALL"
            for name, value in self.values
        )
        return f"SELECT {by}, measure, level, {by_tenth('n', 'found')} FROM ({counted}) GROUP BY ALL"


def spread(
    values: Mapping[str, str], by: Sequence[str], where: str = "true", table: str = "seat_rows", games: int = MOST_GAMES
) -> Spread:
    """Return the question about the distribution of `values` (name to SQL expression), see `Spread`."""
    return Spread(tuple(values.items()), tuple(by), where, table, games)


def quartiles(sums: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return the median, the quartiles and the 5th and 95th percentile of each group, from the sums of `Spread`.

    A quantile is the smallest value with at least that part of the values at or below it. The median's interval is
    Woodruff's (1952): the interval of the share at or below the median, converted back to values; the interval of the
    share is cluster-robust on tenths of the deals.

    Returns
    -------
    DataFrame
        The columns `by`, ``measure``, ``value`` (the median), ``low``, ``high``, `ENDS` and ``n``. With only one
        tenth the interval is infinite.
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
    """The distribution functions of many groups, concatenated.

    Parameters
    ----------
    values : float array (rows,)
        Increasing within each group.
    counts : float array (rows, 10)
        The frequency of each value in each tenth.
    starts : int array (groups,)
        The first row of each group.
    """

    def __init__(self, values: np.ndarray, counts: np.ndarray, starts: np.ndarray) -> None:
        self.values, self._starts = values, starts
        self._sizes = np.diff(np.append(starts, len(values)))
        running = counts.cumsum(axis=0)
        before = np.vstack([np.zeros(counts.shape[1]), running])[starts]
        self.below = running - before.repeat(self._sizes, axis=0)
        """For each row, the number of values of each tenth that are at most its value: (rows, 10)."""
        self.whole = self.below[starts + self._sizes - 1]
        """For each group, the number of values in each tenth: (groups, 10)."""
        self._share = self.below.sum(axis=1) / self.whole.sum(axis=1).repeat(self._sizes)

    def index(self, part: float | np.ndarray) -> np.ndarray:
        """Return the first row of each group with at least that part of its values at or below; at most its last."""
        wanted = np.broadcast_to(part, self._starts.shape).repeat(self._sizes)
        steps = np.add.reduceat((self._share < wanted - 1e-12).astype(np.int64), self._starts)
        found: np.ndarray = self._starts + np.minimum(steps, self._sizes - 1)
        return found
