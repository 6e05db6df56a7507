"""Sample sizes: how many games a question needs."""

from __future__ import annotations

import math

from scipy import stats


def games_needed(
    effect: float, spread: float, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1
) -> int:
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

    Raises
    ------
    ValueError
        `effect` or `spread` is not above 0, or `power` or `alpha` not between 0 and 1.
    """
    if effect <= 0 or spread <= 0 or not 0 < power < 1 or not 0 < alpha < 1 or comparisons < 1:
        raise ValueError("effect and spread must be above 0, power and alpha between 0 and 1")
    z = stats.norm.isf(alpha / (2 * comparisons)) + stats.norm.ppf(power)
    return math.ceil(float(z * spread / effect) ** 2)


def games_to_balance(
    threshold: float, spread: float, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1
) -> int:
    """Return the number of observations that shows a true difference of 0 to lie within `threshold`.

    The whole two-sided interval must lie inside, so
    ``threshold = (z(1 - alpha / 2k) + z((1 + power) / 2)) * spread / sqrt(n)``.
    """
    if threshold <= 0 or spread <= 0:
        raise ValueError("threshold and spread must be above 0")
    z = stats.norm.isf(alpha / (2 * comparisons)) + stats.norm.ppf((1 + power) / 2)
    return math.ceil(float(z * spread / threshold) ** 2)
