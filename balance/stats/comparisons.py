"""Differences: verdicts corrected for a family of comparisons, the games that a verdict needs, and shrunk estimates.

A verdict says that a difference is shown, or is within a threshold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from balance.foundation.language import N_
from balance.stats.intervals import Interval, Number, student_quantile, student_tail

ALPHA = 0.05  # probability of any false verdict in a family, or on a page with several families
NEXT_LOOK = 0.5  # factor of the error rate for each extension of a run, see `Plan.look_families`
LEAST_DECKS = 5
TOO_FEW, UNDECIDED = N_("too few deals"), N_("undecided")
EQUAL = N_("equal")
"""Verdict on a difference that is 0 in every pair of games."""
SAME = N_("same")
"""The verdict on a difference that is shown to be within the threshold, and not shown to differ from 0."""
PLAYERS_DIFFER = N_("players differ")
"""The verdict that stays open however many games are played: equally strong networks disagree."""
SHOWN = (N_("higher"), N_("lower"), N_("slightly higher"), N_("slightly lower"))
"""Verdicts of differences that are shown not to be 0, see `Verdicts`."""
INSIDE, UNDER, OVER = PLACES = "in", "under", "over"
"""Where an interval lies, see `place_in_bands`."""


def p_value(difference: Interval) -> Number:
    """Return the two-sided p-value of no difference (Student's t with the difference's degrees of freedom).

    A difference of exactly 0 in every cluster, or with unknown spread, is no evidence: p = 1. The same difference in
    every cluster is judged by the sign test: by chance, k clusters agree in sign with probability ``2 / 2^k``.
    """
    error, value = np.asarray(difference.error, float), np.asarray(difference.value, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * student_tail(difference.freedom, -np.abs(value) / error)
    alike = np.where(value == 0, 1.0, 0.5 ** (np.asarray(difference.clusters, float) - 1))
    p = np.where(error == 0, alike, p)
    return np.where(np.isfinite(p), p, 1.0)[()]


def widen_alike(difference: Interval) -> Interval:
    """Return differences (arrays) with infinite intervals if too few clusters all have the same value.

    The same difference in few clusters says nothing about its spread (see `p_value`).
    """
    unknown = (difference.error == 0) & (difference.value != 0) & (p_value(difference) >= ALPHA)
    low, high = (np.where(unknown, end, at) for end, at in ((-np.inf, difference.low), (np.inf, difference.high)))
    return replace(difference, low=low, high=high)


def p_within(difference: Interval, threshold: Number) -> Number:
    """Return the p-value for "within the threshold of 0": both ends of an interval lie inside.

    Two one-sided tests (Schuirmann 1987), the larger p doubled: p is below alpha exactly if the two-sided interval at
    level 1 - alpha lies inside, so that each interval has one p. NaN if there is no threshold.
    """
    value, threshold = np.asarray(difference.value, float), np.asarray(threshold, float)
    room = threshold - np.abs(value)
    p = p_value(replace(difference, value=np.maximum(room, 0)))
    return np.where(np.isnan(threshold), np.nan, np.where(room > 0, p, 1.0))[()]


def place_in_bands(
    found: Interval, of_networks: Interval, least: Number, most: Number, words: Sequence[str] = PLACES
) -> np.ndarray:
    """Return the word for where intervals lie: inside a band, under or over it; otherwise what is missing to say so.

    That is `TOO_FEW` deals; `PLAYERS_DIFFER`: the interval would include an edge from any number of games; `UNDECIDED`.

    Parameters
    ----------
    of_networks : Interval
        The intervals that any number of games would leave, see `balance.stats.intervals.Interval.of_networks`.
    words : sequence of str
        The words for inside, under and over.
    """
    shown, lasting = (
        [(each.low >= least) & (each.high <= most), each.high < least, each.low > most] for each in (found, of_networks)
    )
    differ = (np.asarray(found.apart) > 0) & ~np.any(lasting, axis=0)
    places = [np.asarray(found.clusters) < LEAST_DECKS, *shown, differ]
    return np.select(places, [TOO_FEW, *words, PLAYERS_DIFFER], UNDECIDED)


def networks_disagree(difference: Interval, threshold: Number, level: Number) -> Number:
    """Return whether networks differ by so much that no number of games decides a difference at this level.

    With any number of games, the difference would be shown neither to differ from 0 nor to lie within the threshold
    (NaN for none).
    """
    lasting = difference.of_networks
    shown = (p_value(lasting) < level) | (p_within(lasting, threshold) < level)
    return (np.asarray(difference.apart) > 0) & ~shown


def adjust(different: np.ndarray, within: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return adjusted p-values of a family of rows, each with two null hypotheses that can't both be true.

    A row's "no difference" and "a difference beyond the threshold" exclude each other, so at most m null hypotheses of
    m rows are true. All p-values are sorted together, the smallest first, and each is multiplied by the number of rows
    that may still have a true null hypothesis (Shaffer 1986, "Modified sequentially rejective multiple test
    procedures"). Rejecting those below alpha keeps the probability of any false verdict, of either kind, at alpha or
    less. Without thresholds this is Holm's procedure (1979).

    Parameters
    ----------
    different, within : float arrays (rows,)
        p-values of the two hypotheses; `within` is NaN if a row has no threshold.

    Returns
    -------
    tuple of float arrays (rows,)
        Adjusted, at most 1; NaN where `within` is NaN.
    """
    p = np.stack([np.asarray(different, float), np.asarray(within, float)])
    adjusted = np.full(p.shape, np.nan)
    waiting = np.isfinite(p).sum(axis=0)
    largest = 0.0
    for place in np.argsort(p, axis=None)[: int(waiting.sum())]:
        kind, row = np.unravel_index(place, p.shape)
        largest = max(largest, float(p[kind, row]) * int(np.count_nonzero(waiting)))
        adjusted[kind, row] = min(1.0, largest)
        waiting[row] -= 1
    return adjusted[0], adjusted[1]


@dataclass(frozen=True)
class Verdicts:
    """The verdicts on the rows of a family.

    Attributes
    ----------
    words : list of str
        ``higher``, ``lower``; ``same``: shown to be within the threshold; ``slightly higher``, ``slightly
        lower``: both, shown to differ from 0 and to be within the threshold; ``undecided``; `PLAYERS_DIFFER`; `TOO_FEW`
        (to judge).
    p : float array (rows,)
        Adjusted p-value of the verdict shown, which is given if p is below `ALPHA`. It is the larger of both if both
        hypotheses are rejected, the smaller if neither is.
    level : float
        Level at which the undecided rows were tested.
    """

    words: list[str]
    p: np.ndarray
    level: float


def judge(
    difference: Interval,
    different: np.ndarray,
    within: np.ndarray | None = None,
    families: int = 1,
    threshold: Number = np.nan,
) -> Verdicts:
    """Return verdicts on differences, corrected together (see `adjust`).

    Parameters
    ----------
    different, within : float arrays (rows,)
        p-values of the two hypotheses, see `p_value` and `p_within`; `within` is None if no row has a threshold.
    families : int
        Number of families of verdicts on the page, which share its `ALPHA` evenly.
    threshold : float or array (rows,)
        That of `within`; NaN for none.
    """
    within = np.full(len(different), np.nan) if within is None else within
    first, second = (np.minimum(1.0, families * p) for p in adjust(different, within))
    apart, close = first < ALPHA, second < ALPHA
    words = np.where(np.asarray(difference.value) > 0, "higher", "lower").astype(object)
    words = np.where(close, np.where(apart, "slightly " + words, SAME), words)
    still = int(np.count_nonzero(~(apart & (close | np.isnan(second)))))
    level = ALPHA / families / max(1, still)
    unsettled = np.where(networks_disagree(difference, threshold, level), PLAYERS_DIFFER, UNDECIDED)
    words = np.where(apart | close, words, unsettled)
    words = np.where(np.asarray(difference.clusters) < LEAST_DECKS, TOO_FEW, words)
    p = np.where(apart & close, np.fmax(first, second), np.fmin(first, second))
    return Verdicts(list(words), p, level)


def more_needed(difference: Interval, threshold: Number, level: float) -> Number:
    """Return how many more observations would decide undecided differences with probability `POWER`.

    A difference is decided if it differs from 0 at `level`, or if both ends of its interval at 1 - `level` lie within
    the threshold. See `_until` for this probability.

    Parameters
    ----------
    threshold : float or array (rows,)
        NaN if there is none.
    level : float
        Level at which the rows are tested, see `Verdicts`.

    Returns
    -------
    int or array (rows,)
        0 if the spread is unknown.
    """
    return _until(difference, 0.0, threshold, level)


def more_to_place(difference: Interval, threshold: Number, level: Number) -> Number:
    """Return how many more observations would show whether differences lie within a threshold or beyond it.

    As `more_needed`, for the question on which side of the threshold a difference lies.
    """
    return _until(difference, threshold, threshold, level)


POWER = 0.8  # of a forecast, that it decides a difference
# Numbers of further observations tried, in multiples of the existing ones.
_STEPS = np.geomspace(1e-3, 1e5, 161)
_HALVINGS = 16  # of the step in which the probability is reached


def _until(difference: Interval, beyond: Number, within: Number, level: Number) -> Number:
    """Return the fewest further observations that decide differences with probability `POWER`.

    The true difference is not assumed to equal the estimate: given an estimate d with standard error e from n
    observations, it is distributed around d with standard deviation e. After m more observations the estimate has the
    error e sqrt(r), r = n / (n + m), and is distributed, given the first n, around d with variance (1 - r) e². So the
    power is averaged over the estimate's own interval (Spiegelhalter and Freedman 1986; also called assurance or
    predictive power; normal approximation). A difference counts as decided if it is more than `beyond` + z e sqrt(r)
    from 0, or less than `within` - z e sqrt(r). The part of the error by which networks differ stays as it is, and z is
    then a quantile of Student's t.
    """
    n, apart = np.asarray(difference.n, float), np.asarray(difference.apart, float)
    error = np.sqrt(np.maximum(np.asarray(difference.error, float) ** 2 - apart**2, 0))
    known = np.isfinite(error) & (error > 0) & np.isfinite(difference.value)
    error = np.where(known, error, 1.0)
    lasting = (apart / error) ** 2
    size, beyond, within = (np.where(known, np.abs(each), 0.0) / error for each in (difference.value, beyond, within))
    few = -student_quantile(np.maximum(difference.freedom, 1), level / 2)
    z = np.where(np.asarray(difference.networks) > 0, few, -scipy.special.ndtri(level / 2))

    def chance(more: np.ndarray) -> np.ndarray:
        """Return the probability with `more` observations, in multiples of the existing ones: (..., rows)."""
        root, spread = z * np.sqrt(1 / (1 + more) + lasting), np.sqrt(more / (1 + more))
        far, near = beyond + root, np.maximum(within - root, 0)
        outside = scipy.special.ndtr((size - far) / spread) + scipy.special.ndtr((-size - far) / spread)
        inside = scipy.special.ndtr((near - size) / spread) - scipy.special.ndtr((-near - size) / spread)
        return np.where(far <= near, 1.0, outside + np.nan_to_num(inside))

    reached = chance(_STEPS.reshape(-1, *[1] * size.ndim)) >= POWER
    first = reached.argmax(axis=0)
    low, high = np.where(first > 0, _STEPS[first - 1], 0.0), _STEPS[first]
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        enough = chance(middle) >= POWER
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    more = np.where(known & reached.any(axis=0), np.ceil(n * high), 0)
    return more.astype(np.int64)[()]


def games_needed(effect: float, spread: float, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1) -> int:
    """Return the number of observations that finds a mean difference of `effect` with the wanted power.

    ``n = ((z(1 - alpha / 2k) + z(power)) * spread / effect)^2`` (normal approximation of a two-sided
    test; Chow, Shao and Wang, *Sample Size Calculations in Clinical Research*, section 3.1).

    Parameters
    ----------
    effect : float
        Smallest difference worth finding.
    spread : float
        Standard deviation of an observation, in the unit of `effect`; for pairs, of the difference within a pair.
    comparisons : int
        Number of comparisons corrected together (Bonferroni's bound, which Holm's first step meets).
    """
    if effect <= 0 or spread <= 0 or not 0 < power < 1 or not 0 < alpha < 1 or comparisons < 1:
        raise ValueError("effect and spread must be above 0, power and alpha between 0 and 1")
    return math.ceil((_detectable(power, alpha, comparisons) * spread / effect) ** 2)


def smallest_effect(n: int, spread: float, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1) -> float:
    """Return the smallest mean difference that `n` observations find with the wanted power, see `games_needed`."""
    return _detectable(power, alpha, comparisons) * spread / math.sqrt(n)


def _detectable(power: float, alpha: float, comparisons: int) -> float:
    """Return the difference found with this power, in standard errors."""
    return float(scipy.special.ndtri(power) - scipy.special.ndtri(alpha / (2 * comparisons)))


def games_to_balance(
    threshold: float, spread: float, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1
) -> int:
    """Return the number of observations that shows a true difference of 0 to lie within `threshold`.

    The whole two-sided interval must lie inside, so
    ``threshold = (z(1 - alpha / 2k) + z((1 + power) / 2)) * spread / sqrt(n)``.
    """
    if threshold <= 0 or spread <= 0:
        raise ValueError("threshold and spread must be above 0")
    z = scipy.special.ndtri((1 + power) / 2) - scipy.special.ndtri(alpha / (2 * comparisons))
    return math.ceil(float(z * spread / threshold) ** 2)


_SCALES = 20  # standard deviations tried for the true effects
_EM_STEPS = 200  # of the EM algorithm; later steps change no factor by a thousandth


def shrink(estimates: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return posterior means of many effects of one kind (adaptive shrinkage, empirical Bayes).

    The largest of many estimates exceeds its true value on average, and so does an estimate that is reported because it
    is significant. A posterior mean does not, however it was selected (Efron 2011, "Tweedie's formula and selection
    bias"). The prior is a mixture of normal distributions around 0, fitted to all estimates by maximum likelihood
    (Stephens 2017, "False discovery rates: a new deal", with standardised effects): if most effects are small and
    a few are large, the small ones are shrunk and the large ones hardly at all.

    Parameters
    ----------
    estimates, errors : float arrays (rows,)
        Effects and their standard errors. A row without a finite, positive error is ignored and returned unchanged.

    Returns
    -------
    float array (rows,)
        Between 0 and the estimate.
    """
    estimates, errors = np.asarray(estimates, float), np.asarray(errors, float)
    known = np.isfinite(estimates) & np.isfinite(errors) & (errors > 0)
    shrunk = estimates.copy()
    if known.any():
        shrunk[known] *= _factors(estimates[known] / errors[known])
    return shrunk


def _factors(z: np.ndarray) -> np.ndarray:
    """Return the shrinkage factor of each standardised effect, between 0 and 1."""
    widest = max(1.0, float(np.abs(z).max()))
    variances = np.concatenate([[0.0], np.geomspace(0.1, 2 * widest, _SCALES) ** 2])
    total = variances + 1.0  # variance of an estimate, whose own error is 1
    log_density = -0.5 * (z[:, None] ** 2 / total + np.log(total))
    density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
    weights = np.full(len(total), 1 / len(total))
    for _ in range(_EM_STEPS):
        parts = density * weights
        parts /= parts.sum(axis=1, keepdims=True)
        weights = parts.mean(axis=0)
    factors: np.ndarray = (parts * (variances / total)).sum(axis=1)
    return factors
