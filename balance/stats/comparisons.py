"""Verdicts on differences: p-values, Holm's correction, equivalence within a threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import stats

from balance.stats.intervals import Interval, Number


def fair_share(players: Number) -> Number:
    """The share of wins, in percent, of a seat where all are alike; for arrays too."""
    return 100 / players


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


def more_needed(difference: Interval, threshold: float | None, p: float, adjusted_p: float) -> int:
    """About how many more observations would decide an undecided difference, if it stays as it is.

    The half width falls as 1 / sqrt(n). It must fall to the difference (then 0 is outside) or, if
    there is a threshold, to what the difference leaves of it (then all is inside), whichever comes
    first: with a threshold that is never more than to half of it. Where the interval leaves 0 out and
    only the correction for many comparisons stands in the way, it must fall as far as that asks for.
    Returns 0 where nothing can be said (no spread known, or no difference and no threshold).
    """
    half, size = difference.half_width, abs(difference.value)
    if not math.isfinite(half) or half == 0:
        return 0
    stretch = 1.0
    if 0 < p < adjusted_p:  # the same evidence, asked for at the corrected level
        level = 0.05 * p / adjusted_p
        stretch = stats.norm.isf(level / 2) / stats.norm.isf(0.025)
    goals = [size / stretch] + ([threshold - size] if threshold is not None else [])
    goal = max(goals)
    return math.ceil(difference.n * max(0.0, (half / goal) ** 2 - 1)) if goal > 0 else 0
