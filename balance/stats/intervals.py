"""Intervals of win shares and means."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import stats

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval.

    Attributes
    ----------
    value, low, high : float
    n : int
        Observations.
    clusters : int
        Independent clusters among them (decks); equal to `n` where all are independent.
    error : float
        Standard error of `value`.
    """

    value: float
    low: float
    high: float
    n: int
    clusters: int
    error: float = math.nan

    @property
    def half_width(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Moments:
    """Sums over clusters of n (observations) and s (their total), all that an interval needs."""

    clusters: int
    n: float
    s: float
    ss: float  # sum of s * s
    sn: float  # sum of s * n
    nn: float  # sum of n * n


def cluster_interval(moments: Moments, level: float = LEVEL) -> Interval:
    """Interval of a mean whose observations are alike within clusters.

    The linearised variance of a ratio of cluster totals (Cochran, *Sampling Techniques*, 3rd ed.,
    section 6.3), with Student's t on clusters - 1 degrees of freedom. With one cluster nothing is
    known of the spread: the interval is infinite. With no observation everything is NaN.
    """
    if moments.n <= 0:
        return Interval(math.nan, math.nan, math.nan, 0, 0)
    mean = moments.s / moments.n
    n, g = int(moments.n), moments.clusters
    if g < 2:
        return Interval(mean, -math.inf, math.inf, n, g)
    squares = moments.ss - 2 * mean * moments.sn + mean * mean * moments.nn
    error = math.sqrt(max(0.0, squares) * g / (g - 1)) / moments.n
    reach = float(stats.t.ppf((1 + level) / 2, g - 1)) * error
    return Interval(mean, mean - reach, mean + reach, n, g, error)


def wilson_interval(successes: int, n: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a proportion of independent trials (Wilson 1927)."""
    found = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    return Interval(successes / n, float(found.low), float(found.high), n, n)
