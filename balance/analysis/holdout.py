"""Estimates on held-out deals: choose the largest or best on one half of the deals, measure it on the other.

The largest of many estimates is too large on the deals where it was chosen (the winner's curse). The other half of
the deals is independent of the choice. Medians, quartiles and fitted curves get their intervals from ten groups of
deals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from balance.analysis.question import column, interval_of_frame
from balance.stats.comparisons import judge, p_value
from balance.stats.intervals import Moments

TENTHS = 10


def by_tenth(name: str, value: str) -> str:
    """Return SQL for the columns ``NAME.0`` to ``NAME.9``: the sum of an expression over the rows of each tenth."""
    return ", ".join(
        f"coalesce(sum({value}) FILTER (tenth = {tenth}), 0)::DOUBLE AS {column(name, str(tenth))}"
        for tenth in range(TENTHS)
    )


def tenths_of(sums: pd.DataFrame, name: str) -> np.ndarray:
    """Return the columns of `by_tenth`: float64 (rows, 10)."""
    found: np.ndarray = sums[[f"{name}.{tenth}" for tenth in range(TENTHS)]].to_numpy(float)
    return found


def tenth_moments(part: np.ndarray, whole: np.ndarray) -> Moments:
    """Return the moments for the interval of a ratio of totals, with tenths as clusters; both (rows, 10)."""
    each = (whole > 0, whole, part, part * part, part * whole, whole * whole)
    return Moments(*(values.sum(axis=1) for values in each))


WHOLE = -1  # a value of ``half``: all deals


def with_all_decks(sums: pd.DataFrame, cell: Sequence[str]) -> pd.DataFrame:
    """Append to the sums of the two halves the sums of all deals in each `cell`."""
    whole = sums.groupby(list(cell), as_index=False, sort=False).sum().assign(half=WHOLE)
    return pd.concat([sums, whole], ignore_index=True)


def of_all_decks(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows about all deals, without the column ``half``."""
    return table[table["half"] == WHOLE].drop(columns="half").reset_index(drop=True)


def estimate_on_holdout(table: pd.DataFrame, cell: Sequence[str], names: Sequence[str]) -> pd.DataFrame:
    """Choose the row with the largest size in each cell on the first half, and return its second-half estimate.

    Parameters
    ----------
    table : DataFrame
        ``half`` (0 or 1, by the last bit of the deal's seed; other rows are ignored), the columns `cell`
        and `names`, ``size`` to choose by (NaN: never chosen), ``value`` and any other columns.
    cell : sequence of str
        Columns; one row is chosen for each combination of their values.
    names : sequence of str
        Columns that name a row within a cell.

    Returns
    -------
    DataFrame
        The chosen rows of the second half, with ``chosen_value`` from the first. ``tied`` is the last of `names` of the
        second-largest row where the second half does not show its absolute value to be smaller, otherwise "". Cells
        without a row to choose, or without the same row on the second half, are left out.
    """
    first, second = (table[table["half"] == half] for half in (0, 1))
    first = first[first["size"].notna()].sort_values("size", ascending=False, kind="stable")
    keys, ranks = [*cell, *names], first.groupby(list(cell), sort=False).cumcount()
    best, next_best = (
        first.loc[first.index[ranks == rank], [*keys, "value"]]
        .rename(columns={"value": "chosen_value"})
        .merge(second, on=keys)
        for rank in (0, 1)
    )
    pairs = best[[*cell]].merge(next_best, on=list(cell), how="left")
    order = table[list(cell)].drop_duplicates()
    return order.merge(best.assign(tied=_tied(best, pairs, names[-1])), on=list(cell))


def _tied(best: pd.DataFrame, next_best: pd.DataFrame, name: str) -> list[str]:
    """Return the name of each second-largest row that is not shown to be smaller than the largest; otherwise ""."""
    sizes = [rows["value"] * np.sign(rows["chosen_value"]) for rows in (best, next_best)]
    reach = [(rows["high"] - rows["low"]) / 2 for rows in (best, next_best)]
    tied = sizes[0] - sizes[1] < np.hypot(*reach)  # False without a second row
    return [str(each) if is_tied else "" for each, is_tied in zip(next_best[name], tied, strict=True)]


def is_significant(table: pd.DataFrame) -> pd.Series:
    """Return whether each row of the first half differs from 0, corrected over these rows; False elsewhere."""
    first = table[table["half"] == 0]
    effects = interval_of_frame(first)
    words = judge(effects, p_value(effects)).words
    significant = pd.Series(False, index=table.index)
    significant[first.index] = np.isin(words, ["higher", "lower"])
    return significant
