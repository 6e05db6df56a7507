"""Intervals of win shares and means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

LEVEL = 0.95
RARE = 10  # successes or failures, below which an interval of a share is the exact one
NO_SPREAD = 1e-12  # of what is the same everywhere but for rounding
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
    between: Between | None = None  # of clusters that fall into strata


@dataclass(frozen=True)
class Between:
    """What sums over strata add to `Moments`; a stratum has k clusters, whose totals are n and s.

    Attributes
    ----------
    strata : number or array
        Those that have clusters.
    kk : number or array
        Sum of k * k over strata.
    ss, sn, nn : number or array
        Sums of s * s / k, s * n / k and n * n / k over strata.
    """

    strata: Number
    kk: Number
    ss: Number
    sn: Number
    nn: Number


LEAST_IN_STRATUM = 5  # clusters, on average, below which strata are not used


def cluster_interval(moments: Moments, level: float = LEVEL) -> Interval:
    """Interval of a mean whose observations are alike within clusters.

    The linearised variance of a ratio of cluster totals (Cochran, *Sampling Techniques*, 3rd ed.,
    section 6.3), with Student's t on clusters - 1 degrees of freedom. With one cluster nothing is
    known of the spread: the interval is infinite. With no observation everything is NaN.

    Where clusters fall evenly into strata, what lies between strata is no chance: see `_stratified`.
    """
    n = np.asarray(moments.n, float)
    clusters = np.asarray(moments.clusters, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(n > 0, moments.s / n, np.nan)
        squares = np.maximum(_squares(moments, mean), 0)
        spread = np.sqrt(squares / (clusters - 1))
        if moments.between is not None:
            spread = _stratified(moments.between, clusters, mean, squares, spread)
        error = spread * np.sqrt(clusters) / n
        reach = stats.t.ppf((1 + level) / 2, clusters - 1) * error
    reach = np.where((n > 0) & (clusters < 2), np.inf, reach)
    error = np.where((n > 0) & (clusters < 2), np.inf, error)
    low, high = mean - reach, mean + reach
    return Interval(
        *(array[()] for array in (mean, low, high, n.astype(int), clusters.astype(int), error))
    )


def _squares(sums: Moments | Between, mean: Number) -> Number:
    """The sum of squares of s - mean n."""
    return sums.ss - 2 * mean * sums.sn + mean * mean * sums.nn


def _stratified(sums: Between, clusters: Number, mean: Number, squares: Number, plain: Number) -> Number:
    """The standard deviation of clusters that counts: within strata, and between them as far as they are uneven.

    Strata that are all given the same number of clusters add nothing to the error of the mean (Cochran, section
    5.3). Where the numbers of clusters k vary, by lot or for an incomplete pass, a part of the variance between strata
    does: that of the mean of strata weighted by k, var(k) / mean(k), which is 1 where all clusters are drawn by lot.

    The plain spread is kept where strata have fewer than `LEAST_IN_STRATUM` clusters on average, and where clusters are
    all alike within them. The spread has clusters - strata degrees of freedom; as intervals count clusters - 1, it is
    widened by the ratio of both t of 95 %.
    """
    strata = np.asarray(sums.strata, float)
    freedom = clusters - strata
    between = _squares(sums, mean)
    within = (squares - between) / freedom
    apart = np.maximum(between - (strata - 1) * within, 0) / clusters
    uneven = np.clip(np.asarray(sums.kk, float) / clusters - clusters / strata, 0, 1)
    wider = stats.t.isf((1 - LEVEL) / 2, freedom) / stats.t.isf((1 - LEVEL) / 2, clusters - 1)
    known = (clusters >= LEAST_IN_STRATUM * strata) & (squares - between > NO_SPREAD * squares)
    return np.where(known & (strata > 1), np.sqrt(within + uneven * apart) * wider, plain)


def t_ratio(level: float, clusters: Number, shown: float = LEVEL) -> Number:
    """How many times as wide an interval of a mean is at `level` as at the level that is shown."""
    freedom = np.asarray(clusters, float) - 1
    return stats.t.isf((1 - level) / 2, freedom) / stats.t.isf((1 - shown) / 2, freedom)


def ratio_interval(part: np.ndarray, whole: np.ndarray) -> Interval:
    """The interval of a ratio of totals, from arrays (clusters,) of what each cluster has of both."""
    squares = ((part * part).sum(), (part * whole).sum(), (whole * whole).sum())
    return cluster_interval(Moments(len(part), whole.sum(), part.sum(), *squares))


def effective_n(share: Number, error: Number, clusters: Number) -> Number:
    """How many independent trials would know a share as well: ``share (1 - share) / error^2``.

    Where all clusters are alike nothing is known of the spread, and a cluster counts as one trial.
    """
    share, error = np.asarray(share, float), np.asarray(error, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = share * (1 - share) / error**2
    return np.where(error > NO_SPREAD, found, np.asarray(clusters, float))


def share_error(share: Number, error: Number, clusters: Number) -> Number:
    """The standard error of a share (values between 0 and 1); where all clusters are alike, that of so many trials."""
    share = np.asarray(share, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(share * (1 - share) / effective_n(share, error, clusters))


def share_interval(plain: Interval, level: float = LEVEL) -> Interval:
    """The interval of `cluster_interval` as that of a share (values between 0 and 1).

    On the effective number of trials: Wilson's score interval (1927) with Student's t on clusters - 1
    degrees of freedom; where fewer than `RARE` successes or failures are expected, the exact one
    (Clopper and Pearson 1934, for clusters Korn and Graubard 1998). It lies within 0 and 1, and a count
    of zero has one. With one cluster nothing is known.
    """
    share = np.clip(np.asarray(plain.value, float), 0, 1)
    clusters = np.asarray(plain.clusters, float)
    n = effective_n(share, plain.error, clusters)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = stats.t.isf((1 - level) / 2, clusters - 1)
        centre = (share + t**2 / (2 * n)) / (1 + t**2 / n)
        reach = t / (1 + t**2 / n) * np.sqrt(share * (1 - share) / n + t**2 / (4 * n**2))
        k, m = _exact_counts(share, n, clusters)
        low = np.where(k > 0, stats.beta.ppf((1 - level) / 2, k, m + 1), 0.0)
        high = np.where(m > 0, stats.beta.isf((1 - level) / 2, k + 1, m), 1.0)
    rare = _is_rare(share, n)
    low, high = np.where(rare, low, centre - reach), np.where(rare, high, centre + reach)
    known = (clusters > 1) & np.isfinite(share)
    low, high = np.where(known, low, plain.low), np.where(known, high, plain.high)
    return Interval(plain.value, low[()], high[()], plain.n, plain.clusters, plain.error)


def share_p(share: Interval, expected: Number) -> Number:
    """Two-sided p-value of a share being `expected`, by the test whose inversion `share_interval` is.

    `share` and `expected` lie between 0 and 1. With one cluster nothing is known: 1.
    """
    value, clusters = np.clip(np.asarray(share.value, float), 0, 1), np.asarray(share.clusters, float)
    expected = np.asarray(expected, float)
    n = effective_n(value, share.error, clusters)
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.abs(value - expected) / np.sqrt(expected * (1 - expected) / n)
        p = 2 * stats.t.sf(score, clusters - 1)
        k, m = _exact_counts(value, n, clusters)
        above = np.where(k > 0, stats.beta.cdf(expected, k, m + 1), 1.0)
        below = np.where(m > 0, stats.beta.sf(expected, k + 1, m), 1.0)
    p = np.where(_is_rare(value, n), np.minimum(1.0, 2 * np.minimum(above, below)), p)
    return np.where((clusters > 1) & np.isfinite(p), p, 1.0)[()]


def share_p_within(share: Interval, low: Number, high: Number) -> Number:
    """The p-value that belongs to "the share lies between `low` and `high`", see `comparisons.p_within`."""
    value = np.asarray(share.value, float)
    below = np.where(value > low, share_p(share, low), 1.0)
    above = np.where(value < high, share_p(share, high), 1.0)
    return np.maximum(
        np.where(np.asarray(low) <= 0, 0.0, below), np.where(np.asarray(high) >= 1, 0.0, above)
    )


def share_p_beyond(share: Interval, low: Number, high: Number) -> Number:
    """The p-value that belongs to "the share lies below `low` or above `high`": 1 where it seems to lie between."""
    value = np.asarray(share.value, float)
    below = np.where(value < low, share_p(share, low), 1.0)
    return np.minimum(below, np.where(value > high, share_p(share, high), 1.0))


def _is_rare(share: Number, n: Number) -> Number:
    return n * np.minimum(share, 1 - share) < RARE


def _exact_counts(share: Number, n: Number, clusters: Number) -> tuple[Number, Number]:
    """Successes and failures among the effective trials, fewer where few clusters tell of the spread."""
    fewer = (stats.norm.isf(0.025) / stats.t.isf(0.025, clusters - 1)) ** 2
    return n * fewer * share, n * fewer * (1 - share)


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


def difference_from_ends(first: Interval, second: Interval) -> Interval:
    """First less second of independent estimates, from the ends of their 95 % intervals.

    The reach to a side is that of the first to this side and of the second to the other, their squares added up
    (Newcombe 1998 of shares, method 10; Zou and Donner 2008 of any estimate). So what is known of a share of 0 or
    of 1 is not taken for certain, which its error would do. The error is that of the longer reach.
    """
    reach_low = np.hypot(first.value - first.low, second.high - second.value)
    reach_high = np.hypot(first.high - first.value, second.value - second.low)
    clusters = np.minimum(first.clusters, second.clusters)
    value = first.value - second.value
    with np.errstate(invalid="ignore"):
        error = np.maximum(reach_low, reach_high) / stats.t.isf((1 - LEVEL) / 2, clusters - 1)
    return Interval(value, value - reach_low, value + reach_high, first.n + second.n, clusters, error)
