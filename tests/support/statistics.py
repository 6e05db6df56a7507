"""Sums of clusters by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd

from balance.stats.intervals import Between, Moments


def moments(totals: np.ndarray, sizes: np.ndarray) -> Moments:
    return Moments(
        len(totals),
        float(sizes.sum()),
        float(totals.sum()),
        float((totals**2).sum()),
        float((totals * sizes).sum()),
        float((sizes**2).sum()),
    )


def stratified(sums: pd.DataFrame) -> Moments:
    """Return the same for clusters in strata: a frame with ``sum`` and ``count``, indexed by stratum first."""
    lines = sums.groupby(level=0).agg(s=("sum", "sum"), n=("count", "sum"), k=("count", "size"))
    s, n, k = (lines[name].to_numpy(float) for name in "snk")
    between = Between(len(k), *(each.sum() for each in (k * k, s * s / k, s * n / k, n * n / k)))
    return replace(moments(sums["sum"].to_numpy(), sums["count"].to_numpy()), between=between)
