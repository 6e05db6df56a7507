"""How much of an outcome each source of chance decides, from games played again with one source re-seeded.

Total effects: M. J. W. Jansen, "Analysis of variance designs for model output" (Computer Physics
Communications 117, 1999); A. Saltelli et al., "Variance based sensitivity analysis of model output" (Computer
Physics Communications 181, 2010), equation (f) of table 2. Span of win rates: J. Goodman, D. Perez-Liebana and
S. Lucas, "Measuring randomness in tabletop games" (2025).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from balance.stats.intervals import LEVEL, Interval, ratio_interval, share_interval

MIDDLE = 0.9  # of the deals, in `Span`


def change_share(changed: np.ndarray, games: np.ndarray) -> Interval:
    """The share of games in which something changes; arrays (decks,), the decks being the clusters."""
    return share_interval(ratio_interval(changed, games))


def total_effect(change: np.ndarray, spread: np.ndarray, n: int) -> Interval:
    """The share of an outcome's variance that hangs on one source, alone or together with others.

    ``E[(y - y')^2] / (2 Var(y))``, where y' is the outcome with that source drawn anew and all else as it
    was (Jansen 1999). Sources that act together are counted with each: total effects may add up to more
    than 1. The interval is that of a ratio of deck totals, cut at 0 and 1; where nothing ever changes, it
    is the exact one of a share with a trial a deck.

    Parameters
    ----------
    change : float array (decks,)
        Sum over games and seats of ``(y - y')^2``.
    spread : float array (decks,)
        Sum over the same of ``(y - the seat's mean)^2``.
    n : int
        Games.
    """
    found = replace(ratio_interval(change / 2, spread), n=n)
    if found.value == 0:
        return share_interval(found)
    value, low, high = (float(np.clip(each, 0, 1)) for each in (found.value, found.low, found.high))
    return replace(found, value=value, low=low, high=high)


@dataclass(frozen=True)
class Span:
    """How far a seat's chance to win moves from deal to deal.

    Attributes
    ----------
    deviation : Interval
        Standard deviation over deals of the chance to win, given deal and seat.
    lowest, highest : float
        Between which the chance lies in `MIDDLE` of the deals, if it is spread as a beta distribution.
    """

    deviation: Interval
    lowest: float
    highest: float


def win_rate_span(own: np.ndarray, other: np.ndarray, games: int) -> Span:
    """The span of win rates over deals, from two line-ups that played the same deals.

    The line-ups of a deal being drawn independently, the covariance of their outcomes in the same seat is
    the variance over deals of E[win | deal, seat], whatever else is left to chance. It is pooled over
    seats, each around its own mean; its error is that of a mean of products, Student's t. A chance to win
    has no normal distribution: it lies within 0 and 1.

    Parameters
    ----------
    own, other : float arrays (decks, players)
        Mean win share of a seat in the games of a deck, of the first line-ups and of the others.
    games : int
        Games to state.
    """
    decks, players = own.shape
    products = ((own - own.mean(axis=0)) * (other - other.mean(axis=0))).mean(axis=1)
    variance = float(products.sum() / (decks - 1))
    error = float(products.std(ddof=1) / np.sqrt(decks))
    reach = stats.t.ppf((1 + LEVEL) / 2, decks - 1) * error
    value, low, high = np.sqrt(np.maximum([variance, variance - reach, variance + reach], 0))
    deviation = Interval(float(value), float(low), float(high), games, decks)
    return Span(deviation, *_middle(1 / players, variance))


def _middle(mean: float, variance: float) -> tuple[float, float]:
    """Where the middle of a beta distribution with this mean and variance lies."""
    if variance <= 0:
        return mean, mean
    size = mean * (1 - mean) / variance - 1
    if size <= 0:  # the deal decides all
        return 0.0, 1.0
    edges = stats.beta.ppf([(1 - MIDDLE) / 2, (1 + MIDDLE) / 2], mean * size, (1 - mean) * size)
    return float(edges[0]), float(edges[1])
