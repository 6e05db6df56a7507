"""Counts in ten groups of decks, from which medians, quartiles and fitted curves get their intervals.

A game's decks fall into tenths by lot. What is counted in each tenth adds up over chunks, and how the tenths differ
tells how well the whole is known: they are ten clusters.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from balance.analysis.sums import column
from balance.stats.intervals import Moments

TENTHS = 10


def by_tenth(name: str, value: str) -> str:
    """SQL for the columns ``NAME.0`` to ``NAME.9``: an expression, added up over the rows of each tenth."""
    return ", ".join(
        f"coalesce(sum({value}) FILTER (tenth = {tenth}), 0)::DOUBLE AS {column(name, str(tenth))}"
        for tenth in range(TENTHS)
    )


def tenths_of(sums: pd.DataFrame, name: str) -> np.ndarray:
    """The columns that `by_tenth` made: float64 (rows, 10)."""
    found: np.ndarray = sums[[f"{name}.{tenth}" for tenth in range(TENTHS)]].to_numpy(float)
    return found


def tenth_moments(part: np.ndarray, whole: np.ndarray) -> Moments:
    """What the interval of a ratio of totals needs, the tenths being the clusters; both (rows, 10)."""
    return Moments(
        (whole > 0).sum(axis=1),
        whole.sum(axis=1),
        part.sum(axis=1),
        (part * part).sum(axis=1),
        (part * whole).sum(axis=1),
        (whole * whole).sum(axis=1),
    )
