"""What thinking twice as long is worth: gains in log-odds over fair, and their mean over doublings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from balance.stats.intervals import LEVEL, Interval, effective_n
from balance.stats.rating import ELO


def gain_of(share: Interval, players: int) -> Interval:
    """How much stronger one is than the others at its table, in points of Elo's scale, from its win share.

    By Luce's model one of strength e^d among N - 1 of strength 1 wins with probability e^d / (e^d + N - 1), so that
    d = log(p / (1 - p)) + log(N - 1). On the effective number of games n*, with half a win and half a loss
    added (Haldane 1956; Gart and Zweifel 1967), d has the variance 1 / (wins + 1/2) + 1 / (losses + 1/2).

    Parameters
    ----------
    share : Interval
        Between 0 and 1.
    """
    trials = float(effective_n(share.value, share.error, share.clusters))
    won, lost = trials * share.value + 0.5, trials * (1 - share.value) + 0.5
    value, error = float(np.log(won / lost) + np.log(players - 1)), float(np.sqrt(1 / won + 1 / lost))
    return _around(value, error, float(share.clusters) - 1, share)


def depth_of(gains: Sequence[Interval], ratios: Sequence[float]) -> Interval:
    """Points of Elo's scale that a doubling of the budget is worth, as the mean over the doublings played.

    The sum of the gains over the number of doublings. The gains are of games of their own each, so variances add
    up; Student's t with Welch's and Satterthwaite's degrees of freedom.

    Parameters
    ----------
    gains : sequence of Interval
        Of `gain_of`, each budget against the one below.
    ratios : sequence of float
        Of each budget to the one below: 2, or a little more where it is odd.
    """
    doublings = float(np.log2(ratios).sum())
    value = sum(gain.value for gain in gains) / doublings / ELO
    errors = np.array([gain.error for gain in gains]) / doublings / ELO
    error = float(np.sqrt((errors**2).sum()))
    freedom = error**4 / sum(
        e**4 / max(1, gain.clusters - 1) for e, gain in zip(errors, gains, strict=True)
    )
    n, clusters = (sum(int(getattr(gain, name)) for gain in gains) for name in ("n", "clusters"))
    return _around(value, error, freedom, Interval(value, 0, 0, n, clusters))


def _around(value: float, error: float, freedom: float, of: Interval) -> Interval:
    """The interval of log-odds on Elo's scale; endless where one deck tells nothing of the spread."""
    reach = float(stats.t.isf((1 - LEVEL) / 2, freedom)) * error if freedom >= 1 else np.inf
    low, high = ELO * (value - reach), ELO * (value + reach)
    return Interval(ELO * value, low, high, of.n, of.clusters, ELO * error)
