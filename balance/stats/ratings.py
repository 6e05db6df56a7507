"""Ratings of strategies: Plackett-Luce strengths, OpenSkill ratings, and the gain from a doubled search budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from balance.stats.intervals import LEVEL, Interval, effective_n, student_quantile

ELO = 400 / math.log(10)
"""Points for a log-odds of 1: a strategy 400 points stronger finishes above the other 10 times as often as below."""
ANCHORED_AT = 1500.0
DRAWS = 400
_VIRTUAL_GAME = 1.0  # virtual game of each strategy against all others together, half won


@dataclass(frozen=True)
class Ratings:
    """Strengths on the Elo scale; the anchor's is `ANCHORED_AT`.

    Attributes
    ----------
    value, low, high : float arrays (strategies,)
        `value` is infinite if no chain of wins leads from the anchor to the strategy, or none back: then only one end
        of the interval is known. NaN if neither end is known.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


def strengths(won: np.ndarray) -> np.ndarray:
    """Return log-strengths (k,) of the Plackett-Luce model, with mean 0.

    Rankings are broken into all their pairs, whose probabilities in the model are those of Bradley and Terry: full
    breaking, which is consistent (Azari Soufiani, Chen, Parkes and Xia 2013, "Generalized method-of-moments for
    rank aggregation"). The fit is the spectral one of choix (Maystre and Grossglauser 2015).

    Parameters
    ----------
    won : float array (k, k)
        Meetings in which row finished above column, ties count half; above 0 off the diagonal.
    """
    from choix import ilsr_pairwise_dense

    return np.asarray(ilsr_pairwise_dense(won, max_iter=1000))


def rate(won: np.ndarray, anchor: int, seed: int = 0, draws: int = DRAWS) -> Ratings:
    """Return ratings with 95 % intervals, by a bootstrap over bags of deals.

    Each strategy gets one virtual game against all others together, half of it won, so that its strength is finite. In
    the bootstrap both halves are gamma variates with that mean, as in Jeffreys' prior: a strategy that never lost in n
    meetings may lose once in a few n.

    Parameters
    ----------
    won : float array (bags, k, k)
        Meetings won by row against column, ties count half, in bags of randomly assigned deals.
    anchor : int
        The strategy with the fixed rating.
    """
    bags = int(won.any(axis=(1, 2)).sum())
    points = draw_ratings(won, anchor, seed, draws)
    tail = _expanded_tail(bags)
    low, high = np.quantile(points[1:], [tail, 1 - tail], axis=0, method="weibull")
    return _with_open_ends(Ratings(points[0], low, high), won.sum(axis=0), anchor)


def draw_ratings(won: np.ndarray, anchor: int, seed: int = 0, draws: int = DRAWS) -> np.ndarray:
    """Return ratings (draws + 1, k), the estimates first, then those of the bootstrap; otherwise as `rate`.

    A strategy gets a rating even if no chain of wins bounds it: the virtual game does.
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
    return np.asarray(ANCHORED_AT + ELO * (fitted - fitted[:, anchor, None]))


def _expanded_tail(bags: int) -> float:
    """Return the tail cut off at each end of the draws: less than 2.5 %, because draws of few bags spread too little.

    The expanded percentile interval (Hesterberg 2015, "What teachers should know about the bootstrap").
    """
    reach = student_quantile(bags - 1, (1 + LEVEL) / 2) * math.sqrt(bags / (bags - 1))
    return float(special.ndtr(-reach))


def _with_open_ends(found: Ratings, won: np.ndarray, anchor: int) -> Ratings:
    """Return ratings without an interval end where no meeting bounds it."""
    from scipy.sparse.csgraph import shortest_path

    beats = np.isfinite(shortest_path(won > 0, unweighted=True))  # along a chain of meetings
    at_least, at_most = beats[:, anchor], beats[anchor]
    value = np.where(at_least, np.where(at_most, found.value, np.inf), np.where(at_most, -np.inf, np.nan))
    return Ratings(value, np.where(at_least, found.low, -np.inf), np.where(at_most, found.high, np.inf))


ORDERS = 5


@dataclass(frozen=True)
class LineRatings:
    """OpenSkill ratings: means over several random orders of the same games."""

    mu: np.ndarray  # float (strategies,): level, as defined by openskill; 25 for a new player
    sigma: np.ndarray  # float (strategies,): uncertainty; 25 / 3 for a new player
    spread: np.ndarray  # float (strategies,): standard deviation of `mu` over the orders


def rate_in_line(lineups: np.ndarray, ranks: np.ndarray, count: int) -> LineRatings:
    """Rate by the Plackett-Luce model of Weng and Lin (2011), as implemented in the package openskill.

    Such a rating gives more weight to the latest games. So the games are sorted and then rated in `ORDERS` random
    orders: the result does not depend on their original order.

    Parameters
    ----------
    lineups : int array (games, players)
        Strategies by seat; no strategy twice in a game.
    ranks : int array (games, players)
        1 is best; tied seats have the same rank.
    count : int
        Number of strategies.
    """
    rows = np.concatenate([lineups, ranks], axis=1)
    rows = rows[np.lexsort(rows.T)]
    rng = np.random.default_rng(0)
    found = np.array([_rate_once(rng.permutation(rows), count) for _ in range(ORDERS)])
    mu, sigma = found[:, :, 0], found[:, :, 1]
    return LineRatings(mu.mean(axis=0), sigma.mean(axis=0), mu.std(axis=0, ddof=1))


def _rate_once(rows: np.ndarray, count: int) -> np.ndarray:
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in range(count)]
    seats = rows.shape[1] // 2
    for row in rows.tolist():
        lineup = row[:seats]
        rated = model.rate([[ratings[number]] for number in lineup], ranks=row[seats:])
        for number, (own,) in zip(lineup, rated, strict=True):
            ratings[number] = own
    return np.array([[rating.mu, rating.sigma] for rating in ratings])


def gain_of(share: Interval, players: int) -> Interval:
    """Return how much stronger a strategy is than the others at its table, in Elo points, from its win share, 0 to 1.

    In Luce's model a strategy of strength e^d among N - 1 of strength 1 wins with probability e^d / (e^d + N - 1), so
    d = log(p / (1 - p)) + log(N - 1). With the effective number of games n*, and half a win and half a loss added
    (Haldane 1956; Gart and Zweifel 1967), d has the variance 1 / (wins + 1/2) + 1 / (losses + 1/2).
    """
    trials = float(effective_n(share.value, share.error, share.clusters))
    won, lost = trials * share.value + 0.5, trials * (1 - share.value) + 0.5
    value, error = float(np.log(won / lost) + np.log(players - 1)), float(np.sqrt(1 / won + 1 / lost))
    return _around(value, error, float(share.clusters) - 1, share)


def depth_of(gains: Sequence[Interval], ratios: Sequence[float]) -> Interval:
    """Return the gain from doubling the budget in Elo points, as the mean over the doublings played.

    It is the sum of the gains divided by the number of doublings. Each gain comes from separate games, so variances add
    up; Student's t with Welch-Satterthwaite degrees of freedom.

    Parameters
    ----------
    gains : sequence of Interval
        From `gain_of`, each budget against the one below.
    ratios : sequence of float
        Ratio of each budget to the one below: 2, or slightly more if it is odd.
    """
    doublings = float(np.log2(ratios).sum())
    value = sum(gain.value for gain in gains) / doublings / ELO
    errors = np.array([gain.error for gain in gains]) / doublings / ELO
    error = float(np.sqrt((errors**2).sum()))
    freedom = error**4 / sum(e**4 / max(1, gain.clusters - 1) for e, gain in zip(errors, gains, strict=True))
    n, clusters = (sum(int(getattr(gain, name)) for gain in gains) for name in ("n", "clusters"))
    return _around(value, error, freedom, Interval(value, 0, 0, n, clusters))


def _around(value: float, error: float, freedom: float, of: Interval) -> Interval:
    """Return the interval of log-odds on the Elo scale; infinite for a single deal, which has no known spread."""
    reach = float(student_quantile(freedom, (1 + LEVEL) / 2)) * error if freedom >= 1 else np.inf
    low, high = ELO * (value - reach), ELO * (value + reach)
    return Interval(ELO * value, low, high, of.n, of.clusters, ELO * error)
