"""SQL for the sums that an interval needs, in named columns, and intervals from such columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.errors import BalanceError
from balance.log.folder import RunFolder
from balance.stats.intervals import Between, Interval, Moments, cluster_interval, share_interval

_SUMS = {
    "clusters": "count_if({count} > 0)::DOUBLE",
    "n": "sum({count})",
    "s": "sum({total})",
    "ss": "sum({total} * {total})",
    "sn": "sum({total} * {count})",
    "nn": "sum({count} * {count})",
}


STRATUM = "stratum"
"""The column of a question's sums that says of which line-up they are (see `balance.analysis.question.Question`)."""
_BETWEEN = ("strata", "kk", "between ss", "between sn", "between nn")


def literal(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def column(name: str, part: str = "") -> str:
    """A column's name as SQL writes it; `part` says what of it, e.g. ``"score.total"``."""
    whole = f"{name}.{part}" if part else name
    return '"' + whole.replace('"', '""') + '"'


def tally(name: str, value: str) -> str:
    """Columns ``NAME.count`` and ``NAME.total`` of an SQL expression, NULL not counted."""
    return (
        f"count({value})::DOUBLE AS {column(name, 'count')}, "
        f"coalesce(sum(({value})::DOUBLE), 0) AS {column(name, 'total')}"
    )


def moments(name: str, total: str = "", count: str = "") -> str:
    """The sums of `Moments` over rows that are clusters, as columns ``NAME.clusters`` to ``NAME.nn``.

    `total` and `count` are SQL expressions; the columns that `tally` made unless given.
    """
    total, count = total or column(name, "total"), count or column(name, "count")
    return ", ".join(
        f"{sql.format(total=total, count=count)} AS {column(name, part)}" for part, sql in _SUMS.items()
    )


def join_strata(sums: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Sums by `keys` and stratum as those of all strata, with what `balance.stats.intervals.Between` needs.

    Parameters
    ----------
    sums : DataFrame
        Columns that `moments` made, of any names.
    """
    names = [name.removesuffix(".clusters") for name in sums if name.endswith(".clusters")]
    added: dict[str, pd.Series] = {}
    for name in names:
        k, n, s = (sums[f"{name}.{part}"] for part in ("clusters", "n", "s"))
        each = k.where(k > 0, 1.0)  # a stratum without clusters has no totals
        values = ((k > 0).astype(float), k * k, s * s / each, s * n / each, n * n / each)
        added |= dict(zip((f"{name}.{part}" for part in _BETWEEN), values, strict=True))
    whole = pd.concat([sums.drop(columns=STRATUM), pd.DataFrame(added)], axis=1)
    return whole.groupby(list(keys), as_index=False, sort=False, dropna=False).sum()


def intervals_of(frame: pd.DataFrame, name: str, top: float | None = None) -> Interval:
    """Intervals, as arrays, from the columns that `moments` made.

    `top` is the value that stands for all where the values are a share (1, or 100 in percent); None
    where they are no share.
    """
    found = Moments(*(frame[f"{name}.{part}"].to_numpy(float) for part in _SUMS))
    if f"{name}.{_BETWEEN[0]}" in frame:
        between = Between(*(frame[f"{name}.{part}"].to_numpy(float) for part in _BETWEEN))
        found = replace(found, between=between)
    plain = cluster_interval(found)
    return plain if top is None else scale(share_interval(scale(plain, 1 / top)), top)


def scale(found: Interval, factor: float) -> Interval:
    """An interval in another unit."""
    low, high, error = (factor * each for each in (found.low, found.high, found.error))
    return replace(found, value=factor * found.value, low=low, high=high, error=error)


def interval_columns(found: Interval) -> dict[str, object]:
    """An interval of arrays as columns of a frame."""
    return {name: getattr(found, name) for name in _INTERVAL}


_INTERVAL = ("value", "low", "high", "n", "clusters", "error")


def interval_of(row: object) -> Interval:
    """The interval in a row of such a frame, as `itertuples` gives it."""
    return Interval(*(getattr(row, name) for name in _INTERVAL))


def interval_of_frame(frame: pd.DataFrame) -> Interval:
    """The intervals of all rows, as arrays."""
    return Interval(*(frame[name].to_numpy() for name in _INTERVAL))


def require_spread(run: RunFolder, clusters: pd.Series) -> None:
    """Refuse to judge where no group has two decks: without a spread there is no interval.

    Raises
    ------
    BalanceError
        Says so.
    """
    if (clusters < 2).all():
        raise BalanceError(
            f"{run.path} has too few games for an interval, which takes finished ones of two decks; play more games"
        )
