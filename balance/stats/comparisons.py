"""Verdicts on differences: different or within a threshold, both corrected for all that are asked together."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize, stats

from balance.stats.intervals import Interval, Number


def p_value(difference: Interval) -> Number:
    """Two-sided p-value of no difference (Student's t on clusters - 1 degrees of freedom).

    A difference of exactly 0 in every cluster is no evidence at all: 1; and so is one with no
    spread to set it against. The same difference in every cluster is judged by the sign test: by
    chance alone k clusters agree in sign with probability ``2 / 2^k``.
    """
    error, value = np.asarray(difference.error, float), np.asarray(difference.value, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.t.sf(np.abs(value) / error, np.asarray(difference.clusters) - 1)
    alike = np.where(value == 0, 1.0, 0.5 ** (np.asarray(difference.clusters, float) - 1))
    p = np.where(error == 0, alike, p)
    return np.where(np.isfinite(p), p, 1.0)[()]


def widen_alike(difference: Interval, alpha: float = 0.05) -> Interval:
    """Differences, as arrays, with no end to intervals where all of too few clusters were alike.

    The same difference in so few clusters says nothing of its spread (see `p_value`).
    """
    unknown = (difference.error == 0) & (difference.value != 0) & (p_value(difference) >= alpha)
    low, high = (
        np.where(unknown, end, at) for end, at in ((-np.inf, difference.low), (np.inf, difference.high))
    )
    return replace(difference, low=low, high=high)


def p_within(difference: Interval, threshold: Number) -> Number:
    """The p-value that belongs to "within the threshold of 0": both ends of an interval lie inside.

    Two one-sided tests (Schuirmann 1987), the larger p doubled: it is below alpha just where the
    two-sided interval at level 1 - alpha lies inside, so that one interval goes with one p. NaN where
    there is no threshold.
    """
    value, threshold = np.asarray(difference.value, float), np.asarray(threshold, float)
    room = threshold - np.abs(value)
    p = p_value(replace(difference, value=np.maximum(room, 0)))
    return np.where(np.isnan(threshold), np.nan, np.where(room > 0, p, 1.0))[()]


def adjust(different: np.ndarray, within: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Adjusted p-values of a family of rows, each asked two questions that can't both be answered no.

    A row's "no difference" and "a difference beyond the threshold" exclude each other, so of m rows at
    most m null hypotheses are true. All questions are taken together, the smallest p first, and each p is
    multiplied by the number of rows of which a null may still be true (Shaffer 1986, "Modified
    sequentially rejective multiple test procedures"). Rejecting those below alpha keeps the chance of any
    false verdict, of either kind, at alpha or less. Without thresholds it is Holm's procedure (1979).

    Parameters
    ----------
    different, within : float arrays (rows,)
        p-values of the two questions; `within` is NaN where a row has no threshold.

    Returns
    -------
    tuple of float arrays (rows,)
        Adjusted, at most 1; NaN where `within` was.
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


ALPHA = 0.05  # the chance of any false verdict in a family, or on a page of several
NEXT_LOOK = 0.5  # what is left of the error when a run was made longer, see `Plan.look_families`
LEAST_DECKS = 5
TOO_FEW = "too few decks"


@dataclass(frozen=True)
class Verdicts:
    """What is said of each row of a family.

    Attributes
    ----------
    words : list of str
        ``higher``, ``lower``; ``same``: shown to be within the threshold; ``slightly higher``, ``slightly
        lower``: both, different for sure and too little to matter; ``undecided``; `TOO_FEW` (to judge).
    p : float array (rows,)
        That of the verdict shown, adjusted: a verdict is given where it is below `ALPHA`. Of both
        questions the larger where both were answered, the smaller where none was.
    level : float
        At which the rows that are left undecided were asked.
    """

    words: list[str]
    p: np.ndarray
    level: float


def judge(
    difference: Interval, different: np.ndarray, within: np.ndarray | None = None, families: int = 1
) -> Verdicts:
    """Verdicts on differences, corrected together (see `adjust`).

    Parameters
    ----------
    difference : Interval of arrays (rows,)
    different, within : float arrays (rows,)
        p-values of the two questions, see `p_value` and `p_within`; `within` is None where no row has a
        threshold.
    families : int
        How many families of verdicts stand on the page: they share its `ALPHA` evenly.
    """
    within = np.full(len(different), np.nan) if within is None else within
    first, second = (np.minimum(1.0, families * p) for p in adjust(different, within))
    apart, close = first < ALPHA, second < ALPHA
    words = np.where(np.asarray(difference.value) > 0, "higher", "lower").astype(object)
    words = np.where(close, np.where(apart, "slightly " + words, "same"), words)
    words = np.where(apart | close, words, "undecided")
    words = np.where(np.asarray(difference.clusters) < LEAST_DECKS, TOO_FEW, words)
    p = np.where(apart & close, np.fmax(first, second), np.fmin(first, second))
    still = int(np.count_nonzero(~(apart & (close | np.isnan(second)))))
    return Verdicts(list(words), p, ALPHA / families / max(1, still))


def more_needed(difference: Interval, threshold: float | None, level: float, power: float = 0.8) -> int:
    """How many more observations would decide an undecided difference with a chance of `power`.

    If it stays as it is: a difference of d with error e, which falls as 1 / sqrt(n), is told from 0 at
    `level` where ``d = (z(1 - level / 2) + z(power)) e``, and shown to lie within a threshold where both
    ends of its interval at 1 - `level` stay inside (normal approximation; see `balance.stats.power`).
    Whichever comes first.

    Parameters
    ----------
    level : float
        At which the row is asked, see `Verdicts`.

    Returns
    -------
    int
        0 where nothing can be said: no spread known, or no difference and no threshold.
    """
    error, size = float(difference.error), abs(float(difference.value))
    if not math.isfinite(error) or error == 0:
        return 0
    reach = stats.norm.ppf(power)
    wanted = [size / (stats.norm.isf(level / 2) + reach)]
    if threshold is not None and size < threshold:
        wanted.append(1 / _precision_to_fit(threshold, size, power, level))
    return _until(difference, max(wanted))


def more_to_place(difference: Interval, threshold: float, level: float, power: float = 0.8) -> int:
    """How many more observations would show a difference to lie within a threshold, or beyond it.

    As `more_needed`, where the question is on which side of the threshold it lies and not whether it is 0.
    """
    error, size = float(difference.error), abs(float(difference.value))
    if not math.isfinite(error) or error == 0 or size == threshold:
        return 0
    if size > threshold:
        return more_needed(replace(difference, value=size - threshold), None, level, power)
    return _until(difference, 1 / _precision_to_fit(threshold, size, power, level))


def _until(difference: Interval, goal: float) -> int:
    """Observations until the error is `goal`; 0 where that is never."""
    ratio = float(difference.error) / goal if goal > 0 else 0.0
    return math.ceil(float(difference.n) * max(0.0, ratio**2 - 1))


def _precision_to_fit(threshold: float, size: float, power: float, level: float) -> float:
    """1 / error at which the interval of a difference lies within a threshold with that chance."""
    z = stats.norm.isf(level / 2)

    def shortfall(precision: float) -> float:
        sides = [(threshold + sign * size) * precision - z for sign in (-1, 1)]
        return float(sum(stats.norm.cdf(sides)) - 1 - power)

    return float(optimize.brentq(shortfall, z / (threshold + size), (z + 9) / (threshold - size)))
