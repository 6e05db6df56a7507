"""Questions: sums over the deals of a run, in SQL, and intervals from them. Equal questions run only once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd

from balance.contract.analytics import Measure
from balance.engine.networks import DEAL_SHIFT
from balance.experiments.experiment import MOST_GAMES
from balance.stats.intervals import Between, Interval, Moments, cluster_interval, share_interval

_SUMS = {
    "clusters": "count_if({count} > 0)::DOUBLE",
    "n": "sum({count})",
    "s": "sum({total})",
    "ss": "sum({total} * {total})",
    "sn": "sum({total} * {count})",
    "nn": "sum({count} * {count})",
}


MOST_ROUND_GAMES = 20_000
"""First games of each cell of which rounds are read: their table is the largest, no verdict is by round, and a share of
20,000 games is known to 0.7 percentage points."""
STRATUM = "stratum"
"""The column of a question's sums with the number of the line-up (see `balance.analysis.question.Question`)."""
_NETWORKS = "networks"
_BETWEEN = ("strata", "kk", "between ss", "between sn", "between nn")


def column(name: str, part: str = "") -> str:
    """Return a quoted column name for SQL, optionally with a part, such as ``"score.total"``."""
    whole = f"{name}.{part}" if part else name
    return '"' + whole.replace('"', '""') + '"'


def tally(name: str, value: str) -> str:
    """Return SQL for the columns ``NAME.count`` and ``NAME.total`` of an expression; NULL does not count."""
    return (
        f"count({value})::DOUBLE AS {column(name, 'count')}, "
        f"coalesce(sum(({value})::DOUBLE), 0) AS {column(name, 'total')}"
    )


def moments(name: str, total: str = "", count: str = "") -> str:
    """Return SQL for the sums of `Moments` over rows that are clusters, as columns ``NAME.clusters`` to ``NAME.nn``.

    `total` and `count` are SQL expressions; the default is the columns of `tally`.
    """
    total, count = total or column(name, "total"), count or column(name, "count")
    return ", ".join(f"{sql.format(total=total, count=count)} AS {column(name, part)}" for part, sql in _SUMS.items())


def deal_sums(keys: Mapping[str, str], values: Mapping[str, str], source: str, deal: str = "deal_seed") -> str:
    """Return SQL for the `moments` of values (name to expression) by keys, with deals as the clusters."""
    named = {column(name): key for name, key in keys.items()}
    # A column as an alias of itself would get another message where it does not exist.
    groups = ", ".join(key if key == name else f"{key} AS {name}" for name, key in named.items())
    tallies = ", ".join(tally(name, value) for name, value in values.items())
    names, sums = ", ".join(named), ", ".join(map(moments, values))
    return f"""
        WITH decks AS (SELECT {groups}, {deal}, {tallies} FROM {source} GROUP BY ALL)
        SELECT {names}, {sums} FROM decks GROUP BY ALL
    """


def stratum_of_network(deal: str, networks: int | str) -> str:
    """Return SQL for the network that plays a deal, as a stratum below 0; both arguments may be SQL."""
    return f"-1 - (({deal} >> {DEAL_SHIFT}) % ({networks}))::INT"


def join_strata(sums: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Add up sums by `keys` over the strata, and add the columns for `balance.stats.intervals.Between`.

    `sums` has columns of `moments`, for any names. Strata with a number below 0 are networks: each row has their number
    in a column ``NAME.networks``, and its interval includes how far they differ.
    """
    names = [name.removesuffix(".clusters") for name in sums if name.endswith(".clusters")]
    added: dict[str, pd.Series] = {}
    for name in names:
        k, n, s = (sums[f"{name}.{part}"] for part in ("clusters", "n", "s"))
        each = k.where(k > 0, 1.0)  # a stratum without clusters has no totals
        there = (k > 0).astype(float)
        values = (there, k * k, s * s / each, s * n / each, n * n / each, there.where(sums[STRATUM] < 0, 0.0))
        added |= dict(zip((f"{name}.{part}" for part in (*_BETWEEN, _NETWORKS)), values, strict=True))
    whole = pd.concat([sums.drop(columns=STRATUM), pd.DataFrame(added)], axis=1)
    return whole.groupby(list(keys), as_index=False, sort=False, dropna=False).sum()


def intervals_of(frame: pd.DataFrame, name: str, top: float | None = None) -> Interval:
    """Return intervals, as arrays, from the columns of `moments`.

    `top` is the value of a whole if the values are shares (1, or 100 in percent); None if they are not.
    """
    plain = cluster_interval(_moments_of(frame, name))
    return plain if top is None else scale(share_interval(scale(plain, 1 / top)), top)


def _moments_of(frame: pd.DataFrame, name: str) -> Moments:
    def sums(parts: Iterable[str]) -> list[np.ndarray]:
        return [frame[f"{name}.{part}"].to_numpy(float) for part in parts]

    clusters, n, s, *squares = sums(_SUMS)
    found = Moments(clusters, n, s, squares[0], squares[1], squares[2])
    if f"{name}.{_BETWEEN[0]}" in frame:
        found = replace(found, between=Between(*sums(_BETWEEN)), networks=sums([_NETWORKS])[0])
    return found


def scale(found: Interval, factor: float) -> Interval:
    """Return an interval in another unit."""
    return replace(found, **{name: factor * getattr(found, name) for name in _SCALED})


_SCALED = ("value", "low", "high", "error", "apart")
_INTERVAL = tuple(field.name for field in fields(Interval))


def interval_columns(found: Interval) -> dict[str, object]:
    """Return an interval of arrays as columns of a frame."""
    return {name: getattr(found, name) for name in _INTERVAL}


def estimates(
    sums: pd.DataFrame, keys: Sequence[str], name: str, top: float | None = None, **labels: str
) -> pd.DataFrame:
    """Return the columns `keys`, columns with one label each, and the intervals of `intervals_of`."""
    return sums[list(keys)].assign(**labels, **interval_columns(intervals_of(sums, name, top)))


def estimates_of(sums: pd.DataFrame, keys: Sequence[str], tops: Mapping[str, float | None]) -> pd.DataFrame:
    """Return the `estimates` of all names in `tops`, one after the other, with the name as ``measure``."""
    parts = [estimates(sums, keys, name, top, measure=name) for name, top in tops.items()]
    return pd.concat(parts, ignore_index=True)


def interval_of(row: object) -> Interval:
    """Return the interval in a row from `itertuples` of a frame with `interval_columns`."""
    return Interval(**{name: getattr(row, name) for name in _INTERVAL if hasattr(row, name)})


def interval_of_frame(frame: pd.DataFrame) -> Interval:
    """Return the intervals of all rows, as arrays."""
    return Interval(**{name: frame[name].to_numpy() for name in _INTERVAL if name in frame})


def range_at(table: pd.DataFrame, number: int, top: float | None) -> tuple[float, float]:
    """Return between which values equally strong networks lie, in a row of a table of intervals.

    Values are from 0 to `top`, or have no upper end if it is None. See
    `balance.stats.intervals.Interval.range_of_networks`.
    """
    value, networks, apart = (float(table[name].iloc[number]) for name in ("value", "networks", "apart"))
    found = Interval(value, value, value, 0, 0, apart, networks, apart)
    low, high = (float(np.clip(end, 0, top)) for end in found.range_of_networks)
    return low, high


def sort_rows(table: pd.DataFrame, by: Sequence[str], variants: pd.Series) -> pd.DataFrame:
    """Return rows sorted by columns, ``variant`` as `variants` first lists them; equal rows keep their order."""
    order = list(variants.unique())

    def rank(column: pd.Series) -> pd.Series:
        return column.map(order.index) if column.name == "variant" else column

    return table.sort_values(list(by), key=rank, kind="stable", ignore_index=True)


class Question(ABC):
    """Sums over the deals of a run; subclasses are frozen dataclasses, so that equal questions compare equal."""

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """Columns that name a group; all other columns are added up over chunks."""

    @property
    @abstractmethod
    def sql(self) -> str:
        """A query over a chunk's tables.

        `seat_rows`: a row for each game that ended and seat, without repeats of a game
        (`balance.analysis.row_tables.declare_repeats`), with the columns of seats and games, the `number` of the
        game in its cell, `field` (the sorted strategies of its line-up), the random `half` and `tenth` of its deal,
        whether the seat `is_winner` (alone or shared), and `stratum`: a number for the line-up that was drawn for its
        deal (0 if there are too many line-ups), or a number below 0 for the network that played it, if all seats have
        the same strategy of several networks.
        `ended_rows`: the same with repeats, and the column `is_repeat`. `played_rows`: truncated games too.
        `round_rows`, with `needs_rounds`: a row for each of the first `MOST_ROUND_GAMES` games of a cell, each round
        and seat, with the columns of rounds, and with
        `players`, `variant`, `strategy`, `deal_seed`, `stratum`, `number`, `tenth`, `rounds`, `is_winner`, `win_share`
        and `final_score`; only columns that a query names are there.
        `luck_rows`, with `needs_luck`: a row for each replayed game, source and seat, if both games ended, with the
        columns of `seat_rows`, `source`, and `other_strategy`, `other_score`, `other_rank` and `other_win_share` of
        the game with that source re-seeded.
        """

    @property
    def needs_rounds(self) -> bool:
        """Whether the query needs the table `round_rows`."""
        return False

    @property
    def needs_luck(self) -> bool:
        """Whether the query needs the table `luck_rows`; chunks without it are skipped."""
        return False

    @property
    def first_games(self) -> int:
        """The number of a cell's first games beyond which the query selects no rows; later chunks are skipped."""
        return MOST_ROUND_GAMES if self.needs_rounds else MOST_GAMES

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        """Return the answer, from the sums of all chunks."""
        return sums


@dataclass(frozen=True)
class Means(Question):
    """Means of several values in every group, with intervals; deals are the clusters, line-ups the strata.

    The answer has the columns `by`, ``measure``, ``value``, ``low``, ``high``, ``n``, ``clusters``, ``error``.
    """

    values: tuple[tuple[str, str], ...]  # name and SQL expression; games where it is NULL don't count
    by: tuple[str, ...]  # columns to group by
    where: str = "true"
    table: str = "seat_rows"
    # For each value, the value of a whole if it is a share (100 in percent); empty if none is a share.
    tops: tuple[float | None, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.by, STRATUM)

    @property
    def needs_rounds(self) -> bool:
        return self.table == "round_rows"

    @property
    def sql(self) -> str:
        keys = {name: column(name) for name in self.keys}
        return deal_sums(keys, dict(self.values), f"{self.table} WHERE {self.where}")

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        names = [name for name, _ in self.values]
        tops = dict(zip(names, self.tops or [None] * len(names), strict=True))
        return estimates_of(join_strata(sums, self.by), self.by, tops)


def means(
    values: Mapping[str, str],
    by: Sequence[str],
    where: str = "true",
    table: str = "seat_rows",
    top: float | None = None,
) -> Means:
    """Return the question about means of `values` (name to SQL expression), see `Means`.

    Give `top` if all values are shares: 100 for percent.
    """
    return Means(tuple(values.items()), tuple(by), where, table, (top,) * len(values))


def measure_means(measures: Sequence[Measure], by: Sequence[str]) -> Means:
    """Return the question about means of measures with the same split, in the units shown."""
    (per_game,) = {measure.per_game for measure in measures}
    where = "seat = 0" if per_game else "true"
    tops = tuple(measure.scale if measure.is_share else None for measure in measures)
    return Means(tuple((m.name, m.scaled) for m in measures), tuple(by), where, tops=tops)
