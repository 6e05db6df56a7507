"""Verdicts on differences: p-values, Holm's correction, equivalence within a threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from balance.stats.intervals import Interval


def p_value(difference: Interval) -> float:
    """Two-sided p-value of no difference (Student's t on clusters - 1 degrees of freedom).

    A difference of exactly 0 in every cluster is no evidence at all: 1. NaN where there is no error.
    """
    if difference.error == 0:
        return 1.0 if difference.value == 0 else 0.0
    return float(2 * stats.t.sf(abs(difference.value) / difference.error, difference.clusters - 1))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Adjusted p-values of a family (Holm 1979, "A simple sequentially rejective test procedure").

    Rejecting those below alpha keeps the chance of any false rejection at alpha or less.
    """
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p)
    steps = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def judge(difference: Interval, adjusted_p: float, threshold: float | None, alpha: float = 0.05) -> str:
    """A difference in a word: ``higher``, ``lower``, ``same`` or ``undecided``.

    ``same`` means shown to be so: the whole interval lies within `threshold` of 0. A difference that
    is both certain and within the threshold is ``same``: it is too small to matter.
    """
    if threshold is not None and max(abs(difference.low), abs(difference.high)) <= threshold:
        return "same"
    if adjusted_p < alpha:
        return "higher" if difference.value > 0 else "lower"
    return "undecided"
