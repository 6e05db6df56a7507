"""Intervals of win shares and means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

LEVEL = 0.95
Number = Any
"""A float, or an array of floats where many intervals are made at once."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval; or arrays, many of them.

    Attributes
    ----------
    value, low, high : float or array
    n : int or array
        Observations.
    clusters : int or array
        Independent clusters among them (decks); equal to `n` where all are independent.
    error : float or array
        Standard error of `value`.
    """

    value: Number
    low: Number
    high: Number
    n: Number
    clusters: Number
    error: Number = np.nan

    @property
    def half_width(self) -> Number:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Moments:
    """Sums over clusters of n (observations) and s (their total), all that an interval needs."""

    clusters: Number
    n: Number
    s: Number
    ss: Number  # sum of s * s
    sn: Number  # sum of s * n
    nn: Number  # sum of n * n


def cluster_interval(moments: Moments, level: float = LEVEL) -> Interval:
    """Interval of a mean whose observations are alike within clusters.

    The linearised variance of a ratio of cluster totals (Cochran, *Sampling Techniques*, 3rd ed.,
    section 6.3), with Student's t on clusters - 1 degrees of freedom. With one cluster nothing is
    known of the spread: the interval is infinite. With no observation everything is NaN.
    """
    n = np.asarray(moments.n, float)
    clusters = np.asarray(moments.clusters, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(n > 0, moments.s / n, np.nan)
        squares = moments.ss - 2 * mean * moments.sn + mean * mean * moments.nn
        error = np.sqrt(np.maximum(squares, 0) * clusters / (clusters - 1)) / n
        reach = stats.t.ppf((1 + level) / 2, clusters - 1) * error
    reach = np.where((n > 0) & (clusters < 2), np.inf, reach)
    error = np.where((n > 0) & (clusters < 2), np.inf, error)
    low, high = mean - reach, mean + reach
    return Interval(
        *(array[()] for array in (mean, low, high, n.astype(int), clusters.astype(int), error))
    )


def wilson_interval(share: Number, n: Number, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a proportion of independent trials (Wilson 1927); for arrays too.

    A shared victory counts in part, which makes the interval wider than it need be, never narrower.
    """
    share, n = np.asarray(share, float), np.asarray(n, float)
    z = stats.norm.isf((1 - level) / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    found = (
        share,
        centre - reach,
        centre + reach,
        n.astype(int),
        n.astype(int),
        np.sqrt(share * (1 - share) / n),
    )
    return Interval(*(array[()] for array in found))


def difference_of(first: Interval, second: Interval, level: float = LEVEL) -> Interval:
    """First less second, estimated from independent clusters (Welch's degrees of freedom)."""
    a, b = first.error**2, second.error**2
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = (a + b) ** 2 / (a**2 / (first.clusters - 1) + b**2 / (second.clusters - 1))
        error = np.sqrt(a + b)
        reach = stats.t.ppf((1 + level) / 2, freedom) * error
    value = first.value - second.value
    n = first.n + second.n
    return Interval(
        value, value - reach, value + reach, n, np.minimum(first.clusters, second.clusters), error
    )
