"""Verdicts on differences: p-values, Holm's correction, equivalence within a threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

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


LEAST_DECKS = 5
TOO_FEW = "too few decks"


def judge(difference: Interval, adjusted_p: float, threshold: float | None, alpha: float = 0.05) -> str:
    """A difference in a word: ``higher``, ``lower``, ``same``, ``undecided`` or `TOO_FEW` (to judge).

    ``same`` means shown to be so: the whole interval lies within `threshold` of 0. A difference that
    is both certain and within the threshold is ``same``: it is too small to matter.
    """
    if difference.clusters < LEAST_DECKS:
        return TOO_FEW
    if threshold is not None and max(abs(difference.low), abs(difference.high)) <= threshold:
        return "same"
    if adjusted_p < alpha:
        return "higher" if difference.value > 0 else "lower"
    return "undecided"


def holm_levels(p_values: Sequence[float], alpha: float = 0.05) -> np.ndarray:
    """The level at which Holm's procedure asks each of a family, the smallest p first: alpha / k, ..."""
    order = np.argsort(np.asarray(p_values, dtype=float), kind="stable")
    levels = np.empty(len(order))
    levels[order] = alpha / np.arange(len(order), 0, -1)
    return levels


def more_needed(difference: Interval, threshold: float | None, level: float, power: float = 0.8) -> int:
    """How many more observations would decide an undecided difference with a chance of `power`.

    If it stays as it is: a difference of d with error e, which falls as 1 / sqrt(n), is told from 0 at
    `level` where ``d = (z(1 - level / 2) + z(power)) e``, and shown to lie within a threshold where both
    ends of its 95 % interval stay inside (normal approximation; see `balance.stats.power`). Whichever
    comes first.

    Parameters
    ----------
    level : float
        At which a difference is asked for, see `holm_levels`.

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
        wanted.append(1 / _precision_to_fit(threshold, size, power))
    goal = max(wanted)
    return math.ceil(difference.n * max(0.0, (error / goal) ** 2 - 1)) if goal > 0 else 0


def _precision_to_fit(threshold: float, size: float, power: float) -> float:
    """1 / error at which the 95 % interval of a difference lies within a threshold with that chance."""
    z = stats.norm.isf(0.025)

    def shortfall(precision: float) -> float:
        sides = [(threshold + sign * size) * precision - z for sign in (-1, 1)]
        return float(sum(stats.norm.cdf(sides)) - 1 - power)

    return float(optimize.brentq(shortfall, z / (threshold + size), (z + 9) / (threshold - size)))
