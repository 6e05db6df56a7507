"""Intervals of win shares and means, fair shares, the delete-a-group jackknife, and confidence sequences."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import scipy


def fair_share(players: Any) -> Any:
    """Return the fair win share of a seat, in percent; works on arrays too."""
    return 100 / players


def student_quantile(freedom: Any, probability: Any) -> Any:
    """Return a quantile of Student's t; works on arrays too, also on columns of whole numbers or of objects."""
    return scipy.special.stdtrit(np.asarray(freedom, float), probability)


def student_tail(freedom: Any, value: Any) -> Any:
    """Return the probability that Student's t is at most `value`; see `student_quantile`."""
    return scipy.special.stdtr(np.asarray(freedom, float), np.asarray(value, float))


def jackknife_error(left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the standard error and the half-width of an interval, for one or several estimates.

    Kott 2001, "The delete-a-group jackknife"; Student's t with (groups - 1) degrees of freedom.

    Parameters
    ----------
    left : float array (groups, ...)
        The estimates, each without one of the groups.

    Returns
    -------
    error, reach : float arrays (...)
    """
    count = len(left)
    error = np.sqrt((count - 1) / count * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    return error, student_quantile(count - 1, (1 + LEVEL) / 2) * error


LEVEL = 0.95
RARE = 10  # with fewer successes or failures, the interval of a share is the exact one
NO_SPREAD = 1e-12  # a smaller spread is only rounding
Number = Any
"""A float, or an array of floats for many intervals at once."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval, or arrays of them."""

    value: Number
    low: Number
    high: Number
    n: Number  # observations
    clusters: Number  # independent clusters of observations (deals); equal to `n` if all are independent
    error: Number = np.nan  # standard error of `value`
    networks: Number = 0  # networks whose differences the error includes; 0 if it is over clusters alone
    apart: Number = 0.0  # the part of the error that more clusters can't lower, because networks differ

    @property
    def half_width(self) -> Number:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    @property
    def freedom(self) -> Number:
        """Degrees of freedom of the error: of networks if it includes their differences, else of clusters."""
        networks = np.asarray(self.networks, float)
        return np.where(networks > 0, networks, np.asarray(self.clusters, float)) - 1

    @property
    def of_networks(self) -> Interval:
        """The same estimate from any number of games: its error is the part by which networks differ."""
        return replace(self, error=self.apart)

    @property
    def range_of_networks(self) -> tuple[Number, Number]:
        """The values of the lowest and the highest network, without the chance of their games.

        The expected extremes of normal values with the spread between the networks (Blom 1958).
        """
        count = np.maximum(np.asarray(self.networks, float), 1)
        extreme = scipy.special.ndtri((count - 0.375) / (count + 0.25))
        reach = extreme * np.sqrt(count) * self.apart
        return self.value - reach, self.value + reach


@dataclass(frozen=True)
class Moments:
    """Sums over clusters of n (observations) and s (their total), from which an interval is computed."""

    clusters: Number
    n: Number
    s: Number
    ss: Number  # sum of s * s
    sn: Number  # sum of s * n
    nn: Number  # sum of n * n
    between: Between | None = None  # for clusters in strata
    networks: Number = 0  # strata that are networks, a sample of many; 0 if the strata are no sample


@dataclass(frozen=True)
class Between:
    """Sums over strata in addition to `Moments`; a stratum has k clusters with totals n and s."""

    strata: Number  # number of strata with clusters
    kk: Number  # sum of k * k over strata
    ss: Number  # sum of s * s / k over strata
    sn: Number  # sum of s * n / k
    nn: Number  # sum of n * n / k


LEAST_IN_STRATUM = 5  # with fewer clusters per stratum on average, strata are not used


def cluster_interval(moments: Moments) -> Interval:
    """Return the interval of a mean whose observations are correlated within clusters.

    The linearised variance of a ratio of cluster totals (Cochran, *Sampling Techniques*, 3rd ed., section 6.3), and
    Student's t with clusters - 1 degrees of freedom. With one cluster the spread is unknown and the interval is
    infinite. Without observations everything is NaN.

    If clusters are distributed evenly over strata, differences between strata are not random: see `_stratified`. If the
    strata are networks, they are: see `_over_networks`.
    """
    n = np.asarray(moments.n, float)
    clusters = np.asarray(moments.clusters, float)
    networks, apart = np.zeros(np.shape(n), int), np.zeros(np.shape(n))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(n > 0, moments.s / n, np.nan)
        squares = np.maximum(_squares(moments, mean), 0)
        spread = np.sqrt(squares / (clusters - 1))
        if moments.between is not None:
            spread = _stratified(moments.between, clusters, mean, squares, spread)
        error = spread * np.sqrt(clusters) / n
        if moments.between is not None and np.any(moments.networks):
            networks = np.asarray(moments.networks).astype(int)
            error, apart = _over_networks(moments, mean, error)
    unknown = (n > 0) & ((clusters < 2) | (networks == 1))
    error = np.where(unknown, np.inf, error)
    found = Interval(mean, mean, mean, n.astype(int), clusters.astype(int), error, networks, apart)
    with np.errstate(invalid="ignore"):
        reach = np.where(unknown, np.inf, student_quantile(found.freedom, (1 + LEVEL) / 2) * error)
    ends = replace(found, low=mean - reach, high=mean + reach)
    return Interval(*(getattr(ends, field.name)[()] for field in fields(ends)))


def _squares(sums: Moments | Between, mean: Number) -> Number:
    """Return the sum of squares of s - mean n."""
    return sums.ss - 2 * mean * sums.sn + mean * mean * sums.nn


def _stratified(sums: Between, clusters: Number, mean: Number, squares: Number, plain: Number) -> Number:
    """Return the effective standard deviation of clusters: within strata, and between strata as far as k varies.

    Strata with equal numbers of clusters k add nothing to the error of the mean (Cochran, section 5.3). If k varies, at
    random or because of an incomplete pass, a part of the variance between strata counts: that of the mean of strata
    weighted by k, var(k) / mean(k), which is 1 if all clusters are drawn at random. The plain spread is used if strata
    have fewer than `LEAST_IN_STRATUM` clusters on average, or if all clusters within strata are equal.

    The spread has clusters - strata degrees of freedom; because intervals use clusters - 1, it is widened by the ratio
    of both t values at 95 %.
    """
    strata = np.asarray(sums.strata, float)
    freedom = clusters - strata
    between = _squares(sums, mean)
    within = (squares - between) / freedom
    apart = np.maximum(between - (strata - 1) * within, 0) / clusters
    uneven = np.clip(np.asarray(sums.kk, float) / clusters - clusters / strata, 0, 1)
    tail = (1 - LEVEL) / 2
    wider = student_quantile(freedom, tail) / student_quantile(clusters - 1, tail)
    known = (clusters >= LEAST_IN_STRATUM * strata) & (squares - between > NO_SPREAD * squares)
    return np.where(known & (strata > 1), np.sqrt(within + uneven * apart) * wider, plain)


def _over_networks(moments: Moments, mean: Number, inside: Number) -> tuple[Number, Number]:
    """Return the error of a mean over networks as a sample of many, and the part of it that games can't lower.

    Networks are the units of the sample (Cochran, section 11: the variance between the means of primary units includes
    what is random within them): no model of how they differ, on any scale, and no estimate from other rows. So each
    row has networks - 1 degrees of freedom, and coverage is exact if the means are normal. By chance the networks may
    lie closer than their own games allow; the error is then that over clusters, and the interval too wide, not too
    narrow. `inside` is the error over clusters, for clusters - 1 degrees of freedom.

    Where `moments.networks` is 0 the error is `inside`.
    """
    between = moments.between
    assert between is not None
    networks, clusters = np.asarray(moments.networks, float), np.asarray(moments.clusters, float)
    squares = np.maximum(_squares(between, mean), 0)  # of the means of networks, times their clusters
    means = np.sqrt(squares * clusters / (networks - 1)) / moments.n
    tail = (1 - LEVEL) / 2
    least = inside * student_quantile(clusters - 1, tail) / student_quantile(networks - 1, tail)
    apart = np.sqrt(np.maximum(means**2 - inside**2, 0))
    sampled = networks > 1
    return np.where(sampled, np.maximum(means, least), inside), np.where(sampled, apart, 0.0)


def t_ratio(level: float, units: Number, shown: float = LEVEL) -> Number:
    """Return the ratio of the widths of a mean's interval at `level` and at the level shown.

    `units` are its clusters, or its networks: one more than its degrees of freedom.
    """
    freedom = np.asarray(units, float) - 1
    return student_quantile(freedom, (1 - level) / 2) / student_quantile(freedom, (1 - shown) / 2)


def ratio_interval(part: np.ndarray, whole: np.ndarray) -> Interval:
    """Return the interval of a ratio of totals, from arrays (clusters,) of the totals of each cluster."""
    squares = ((part * part).sum(), (part * whole).sum(), (whole * whole).sum())
    return cluster_interval(Moments(len(part), whole.sum(), part.sum(), *squares))


def effective_n(share: Number, error: Number, clusters: Number) -> Number:
    """Return the number of independent trials with the same precision: ``share (1 - share) / error^2``.

    If all clusters are equal, the spread is unknown and each cluster counts as one trial.
    """
    share, error = np.asarray(share, float), np.asarray(error, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = share * (1 - share) / error**2
    return np.where(error > NO_SPREAD, found, np.asarray(clusters, float))


def share_error(share: Number, error: Number, clusters: Number) -> Number:
    """Return the standard error of a share (0 to 1); if all clusters are equal, that of one trial per cluster."""
    share = np.asarray(share, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(share * (1 - share) / effective_n(share, error, clusters))


def share_interval(plain: Interval, level: Number = LEVEL) -> Interval:
    """Turn an interval of `cluster_interval` into one for a share (values between 0 and 1).

    It uses the effective number of trials: Wilson's score interval (1927) with Student's t with the interval's degrees
    of freedom; with fewer than `RARE` expected successes or failures the exact interval (Clopper and Pearson 1934, for
    clusters Korn and Graubard 1998). It lies within 0 and 1, also for a count of zero. With one cluster it is 0 to 1.
    """
    share = np.clip(np.asarray(plain.value, float), 0, 1)
    clusters = np.asarray(plain.clusters, float)
    n = effective_n(share, plain.error, clusters)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = -student_quantile(plain.freedom, (1 - level) / 2)
        centre = (share + t**2 / (2 * n)) / (1 + t**2 / n)
        reach = t / (1 + t**2 / n) * np.sqrt(share * (1 - share) / n + t**2 / (4 * n**2))
        k, m = _exact_counts(share, n, plain.freedom)
        low = np.where(k > 0, scipy.special.betaincinv(k, m + 1, (1 - level) / 2), 0.0)
        high = np.where(m > 0, scipy.special.betainccinv(k + 1, m, (1 - level) / 2), 1.0)
    rare = _is_rare(share, n)
    low, high = np.where(rare, low, centre - reach), np.where(rare, high, centre + reach)
    known = (plain.freedom > 0) & np.isfinite(share)
    low, high = np.where(known, low, plain.low), np.where(known, high, plain.high)
    return replace(plain, low=low[()], high=high[()])


def share_p(share: Interval, expected: Number) -> Number:
    """Return the two-sided p-value for a share of `expected`, by the test that `share_interval` inverts.

    `share` and `expected` lie between 0 and 1. With one cluster p = 1.
    """
    value, clusters = np.clip(np.asarray(share.value, float), 0, 1), np.asarray(share.clusters, float)
    expected = np.asarray(expected, float)
    n = effective_n(value, share.error, clusters)
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.abs(value - expected) / np.sqrt(expected * (1 - expected) / n)
        p = 2 * student_tail(share.freedom, -score)
        k, m = _exact_counts(value, n, share.freedom)
        above = np.where(k > 0, scipy.special.betainc(k, m + 1, expected), 1.0)
        below = np.where(m > 0, scipy.special.betaincc(k + 1, m, expected), 1.0)
    p = np.where(_is_rare(value, n), np.minimum(1.0, 2 * np.minimum(above, below)), p)
    return np.where((share.freedom > 0) & np.isfinite(p), p, 1.0)[()]


def share_p_within(share: Interval, low: Number, high: Number) -> Number:
    """Return the p-value for "the share lies between `low` and `high`", see `comparisons.p_within`."""
    value = np.asarray(share.value, float)
    below = np.where(value > low, share_p(share, low), 1.0)
    above = np.where(value < high, share_p(share, high), 1.0)
    return np.maximum(np.where(np.asarray(low) <= 0, 0.0, below), np.where(np.asarray(high) >= 1, 0.0, above))


def share_p_beyond(share: Interval, low: Number, high: Number) -> Number:
    """Return the p-value for "the share lies below `low` or above `high`": 1 if the estimate lies between."""
    value = np.asarray(share.value, float)
    below = np.where(value < low, share_p(share, low), 1.0)
    return np.minimum(below, np.where(value > high, share_p(share, high), 1.0))


def _is_rare(share: Number, n: Number) -> Number:
    return n * np.minimum(share, 1 - share) < RARE


def _exact_counts(share: Number, n: Number, freedom: Number) -> tuple[Number, Number]:
    """Return successes and failures among the effective trials, reduced if there are few degrees of freedom."""
    fewer = (scipy.special.ndtri(0.025) / student_quantile(freedom, 0.025)) ** 2
    return n * fewer * share, n * fewer * (1 - share)


def difference_of(first: Interval, second: Interval, level: float = LEVEL) -> Interval:
    """Return first minus second, estimated from independent clusters (Welch's degrees of freedom)."""
    a, b = first.error**2, second.error**2
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = (a + b) ** 2 / (a**2 / first.freedom + b**2 / second.freedom)
        error = np.sqrt(a + b)
        reach = student_quantile(freedom, (1 + level) / 2) * error
    value = first.value - second.value
    return _between(first, second, value - reach, value + reach, error)


def difference_from_ends(first: Interval, second: Interval) -> Interval:
    """Return first minus second of independent estimates, from the ends of their 95 % intervals.

    The half-width on each side combines that of the first on this side and of the second on the other side, as the root
    of the sum of squares (Newcombe 1998 for shares, method 10; Zou and Donner 2008 for any estimate). So a share of 0
    or 1 is not treated as certain, as it would be by its standard error. The error is that of the larger half-width.
    """
    reach_low = np.hypot(first.value - first.low, second.high - second.value)
    reach_high = np.hypot(first.high - first.value, second.value - second.low)
    value = first.value - second.value
    found = _between(first, second, value - reach_low, value + reach_high, np.nan)
    with np.errstate(invalid="ignore"):
        error = np.maximum(reach_low, reach_high) / -student_quantile(found.freedom, (1 - LEVEL) / 2)
    return replace(found, error=error)


def _between(first: Interval, second: Interval, low: Number, high: Number, error: Number) -> Interval:
    """Return the difference of two intervals with these ends; it has the clusters and networks of the fewer."""
    clusters = np.minimum(first.clusters, second.clusters)
    one, other = np.asarray(first.networks), np.asarray(second.networks)
    networks = np.where((one > 0) & (other > 0), np.minimum(one, other), np.maximum(one, other))
    apart = np.hypot(first.apart, second.apart)
    return Interval(first.value - second.value, low, high, first.n + second.n, clusters, error, networks[()], apart)


_LARGEST_BET = 0.5


@dataclass(frozen=True)
class Looks:
    """A confidence sequence."""

    low: np.ndarray  # float (passes,): after each pass
    high: np.ndarray  # float (passes,)


def confidence_sequence(n: np.ndarray, s: np.ndarray, ss: np.ndarray, resolution: float, alpha: float = 0.05) -> Looks:
    """Return bounds of a mean that hold after all passes together with probability 1 - alpha or more.

    The empirical-Bernstein confidence sequence of Waudby-Smith and Ramdas ("Estimating means of
    bounded random variables by betting", JRSS B 2024, theorem 2) with its plug-in bets, for observations
    that come in passes: a pass plays every line-up once, each on its own deal, in any order. Bet and
    guess are fixed at the beginning of a pass, using only earlier passes. With x in [0, 1], bet b and guess g,

        exp(b (x - m) - psi(b) (x - g)^2) <= exp(b (g - m)) (1 + b (x - g)),   psi(b) = -log(1 - b) - b

    (Fan, Grama and Liu 2015); the expectations of a whole pass multiply to at most exp(b (sum of the
    line-ups' means - n m)) = 1 for the mean m over all line-ups. So the product is a supermartingale
    at the ends of passes, and Ville's inequality bounds it over all of them, without any assumption
    of large samples and although line-ups differ and are drawn evenly. The bets fall with the
    observations t so far, b = sqrt(2 log(2 / alpha) / (variance t log(1 + t))), so that the bounds converge;
    early bets are limited to resolution / variance, which is more efficient if the truth is fair.

    Parameters
    ----------
    n, s, ss : arrays (passes,)
        Observations of each pass, their sum, the sum of their squares. Observations (means over the
        games of a deal) lie in [0, 1] and are independent.
    resolution : float
        Smallest difference that matters, in the unit of the observations. The sequence is valid for any value.

    Returns
    -------
    Looks
        The intersection of all intervals so far, from pass to pass.
    """
    n, s, ss = (np.asarray(each, float) for each in (n, s, ss))
    # The information before a pass; the prior observations 1/4, 1/2 and 3/4 keep the first bets small.
    known = np.concatenate([[0.0], np.cumsum(n)[:-1]]) + 3
    total = np.concatenate([[0.0], np.cumsum(s)[:-1]]) + 1.5
    squares = np.concatenate([[0.0], np.cumsum(ss)[:-1]]) + 0.875
    guess = np.clip(total / known, 0, 1)
    variance = np.maximum(squares / known - guess**2, 1e-6)
    plug_in = np.sqrt(2 * np.log(2 / alpha) / (variance * known * np.log1p(known)))
    bet = np.minimum(np.minimum(_LARGEST_BET, resolution / variance), plug_in)
    penalty = (-np.log1p(-bet) - bet) * (ss - 2 * guess * s + n * guess**2)
    stakes = np.cumsum(bet * n)
    centre = np.cumsum(bet * s) / stakes
    reach = (np.log(2 / alpha) + np.cumsum(penalty)) / stakes
    low = np.maximum.accumulate(np.maximum(centre - reach, 0))
    high = np.minimum.accumulate(np.minimum(centre + reach, 1))
    return Looks(low, high)
