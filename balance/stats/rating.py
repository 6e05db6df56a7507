"""How strong strategies are: Plackett and Luce's strengths from who ended above whom, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from balance.stats.intervals import LEVEL

ELO = 400 / math.log(10)
"""Points of a log-odds of 1: who is 400 points stronger ends above the other 10 times as often as below."""
ANCHORED_AT = 1500.0
_DRAWS = 400
_VIRTUAL_GAME = 1.0  # of each strategy against all others together, half won


@dataclass(frozen=True)
class Ratings:
    """Strengths on Elo's scale; the anchor's is `ANCHORED_AT`.

    Attributes
    ----------
    value, low, high : float arrays (strategies,)
        `value` is infinite where no chain of meetings won leads from the anchor to the strategy, or none back:
        then one end of the interval alone is known. NaN where neither is.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


def strengths(won: np.ndarray) -> np.ndarray:
    """Log-strengths (k,) of Plackett's and Luce's model, their mean being 0.

    Rankings are broken into all their pairs, whose chances by the model are those of Bradley and Terry: full
    breaking, which is consistent (Azari Soufiani, Chen, Parkes and Xia 2013, "Generalized method-of-moments for
    rank aggregation"). The fit is choix's spectral one (Maystre and Grossglauser 2015).

    Parameters
    ----------
    won : float array (k, k)
        Meetings in which row ended above column, ties half; above 0 off the diagonal.
    """
    from choix import ilsr_pairwise_dense

    return np.asarray(ilsr_pairwise_dense(won, max_iter=1000))


def rate(won: np.ndarray, anchor: int, seed: int = 0, draws: int = _DRAWS) -> Ratings:
    """Ratings with 95 % intervals, by a bootstrap over bags of decks.

    Each strategy is as if it had played one game more against all others together and won half of it, so that a
    strength is finite; in the bootstrap both halves are gamma variates of that mean, as of Jeffreys' prior: what
    never lost in n meetings may lose once in a few n.

    Parameters
    ----------
    won : float array (bags, k, k)
        Meetings won by row against column, ties half, in bags of decks that fell into them by lot.
    anchor : int
        The strategy that the others are set against.
    """
    count = won.shape[1]
    won = won[won.any(axis=(1, 2))]
    bags = len(won)
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(bags, np.full(bags, 1 / bags), draws)
    half = _VIRTUAL_GAME / 2 / max(1, count - 1)
    virtual = rng.gamma(half, size=(draws, count, count))
    drawn = np.tensordot(weights, won, 1) + np.maximum(virtual, 1e-9)
    fitted = np.array([strengths(each) for each in [won.sum(axis=0) + half, *drawn]])
    points = ANCHORED_AT + ELO * (fitted - fitted[:, anchor, None])
    tail = _expanded_tail(bags)
    low, high = np.quantile(points[1:], [tail, 1 - tail], axis=0, method="weibull")
    return _with_open_ends(Ratings(points[0], low, high), won.sum(axis=0), anchor)


def _expanded_tail(bags: int) -> float:
    """What is cut off at each end of the draws, less than 2.5 % as draws of few bags spread too little.

    The expanded percentile interval (Hesterberg 2015, "What teachers should know about the bootstrap").
    """
    reach = stats.t.isf((1 - LEVEL) / 2, bags - 1) * math.sqrt(bags / (bags - 1))
    return float(stats.norm.sf(reach))


def _with_open_ends(found: Ratings, won: np.ndarray, anchor: int) -> Ratings:
    """No end of an interval where no meeting sets one."""
    from scipy.sparse.csgraph import shortest_path

    beats = np.isfinite(shortest_path(won > 0, unweighted=True))  # along a chain of meetings
    at_least, at_most = beats[:, anchor], beats[anchor]
    value = np.where(
        at_least, np.where(at_most, found.value, np.inf), np.where(at_most, -np.inf, np.nan)
    )
    return Ratings(value, np.where(at_least, found.low, -np.inf), np.where(at_most, found.high, np.inf))
