"""The delete-a-group jackknife: how well a figure is known, from what it is without each group of decks."""

from __future__ import annotations

import numpy as np
from scipy import stats

from balance.stats.intervals import LEVEL


def jackknife_error(left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard error, and half the width of an interval, of a figure or of several.

    Kott 2001, "The delete-a-group jackknife"; Student's t on one less than the number of groups.

    Parameters
    ----------
    left : float array (groups, ...)
        The figures with one group left out after another.

    Returns
    -------
    error, reach : float arrays (...)
    """
    count = len(left)
    error = np.sqrt((count - 1) / count * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    return error, stats.t.ppf((1 + LEVEL) / 2, count - 1) * error
