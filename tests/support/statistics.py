"""Sums of clusters, by hand."""

from __future__ import annotations

import numpy as np

from balance.stats.intervals import Moments


def moments(totals: np.ndarray, sizes: np.ndarray) -> Moments:
    return Moments(
        len(totals),
        float(sizes.sum()),
        float(totals.sum()),
        float((totals**2).sum()),
        float((totals * sizes).sum()),
        float((sizes**2).sum()),
    )
