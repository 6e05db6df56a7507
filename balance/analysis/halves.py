"""Chosen on one half of the decks, measured on the other: for all that is called most, largest or best.

The largest of many looks larger than it is where it was chosen (the winner's curse). The other half's
decks and seeds had no part in the choice.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from balance.analysis.sums import interval_of_frame
from balance.stats.comparisons import judge, p_value

WHOLE = -1  # in the place of a half: all decks


def with_all_decks(sums: pd.DataFrame, cell: Sequence[str]) -> pd.DataFrame:
    """Sums of the two halves, and below them those of all decks, added up in each `cell`."""
    whole = sums.groupby(list(cell), as_index=False, sort=False).sum().assign(half=WHOLE)
    return pd.concat([sums, whole], ignore_index=True)


def of_all_decks(table: pd.DataFrame) -> pd.DataFrame:
    """The rows about all decks, without the column ``half``."""
    return table[table["half"] == WHOLE].drop(columns="half").reset_index(drop=True)


def remeasure(table: pd.DataFrame, cell: Sequence[str], names: Sequence[str]) -> pd.DataFrame:
    """The row of the largest size in each cell of the first half, as the second half measures it.

    Parameters
    ----------
    table : DataFrame
        ``half`` (0 or 1, by the last bit of the deck's seed; other rows are ignored), the columns `cell`
        and `names`, ``size`` to choose by (NaN: not to be chosen), ``value`` and whatever else.
    cell : sequence of str
        One row is chosen for each combination of these.
    names : sequence of str
        What names a row of a cell.

    Returns
    -------
    DataFrame
        Rows of the second half, with ``chosen_value`` beside. Cells without a row to choose, or without
        the same row on the second half, are left out.
    """
    first, second = (table[table["half"] == half] for half in (0, 1))
    first = first[first["size"].notna()]
    chosen = first.loc[first.groupby(list(cell), sort=False)["size"].idxmax()]
    keys = [*cell, *names]
    return chosen[[*keys, "value"]].rename(columns={"value": "chosen_value"}).merge(second, on=keys)


def differs_for_sure(table: pd.DataFrame) -> pd.Series:
    """Whether a row's value differs from 0, corrected over all rows of the first half; False elsewhere."""
    first = table[table["half"] == 0]
    effects = interval_of_frame(first)
    words = judge(effects, p_value(effects)).words
    sure = pd.Series(False, index=table.index)
    sure[first.index] = np.isin(words, ["higher", "lower"])
    return sure
