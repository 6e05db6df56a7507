"""The meta-game: the mixture of strategies that no other strategy beats, with its uncertainty."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy

_DRAWS = 200
_ALIVE = 0.01  # a smaller share counts as 0
_MOST_TRIED = 9  # most strategies for which all supports are tried: 256
_NOTHING = 1e-9  # a smaller gain is only rounding


@dataclass(frozen=True)
class Equilibrium:
    """A mixture of strategies with its uncertainty."""

    # float (strategies,): shares that add up to 1: the mean over the draws, in which indistinguishable strategies
    # share.
    mixture: np.ndarray
    low: np.ndarray  # float (strategies,): 2.5 % point over the draws
    high: np.ndarray  # float (strategies,): 97.5 % point
    # float (strategies,): share of the draws in which the strategy has a positive share.
    alive: np.ndarray


def nash(advantage: np.ndarray) -> np.ndarray:
    """Return a symmetric equilibrium of a zero-sum game, by linear programming (nashpy); of several, an arbitrary one.

    Parameters
    ----------
    advantage : float array (k, k)
        Row's gain from meeting column; skew-symmetric.
    """
    from nashpy.linalg.minimax import linear_program  # the other player's game is the same

    with warnings.catch_warnings():  # nashpy's warnings about degenerate games
        warnings.simplefilter("ignore")
        mixture: np.ndarray = np.clip(linear_program(advantage), 0, None)
    return np.asarray(mixture / mixture.sum())


def draw_matrices(totals: np.ndarray, counts: np.ndarray, seed: int = 0, draws: int = _DRAWS) -> np.ndarray:
    """Return head-to-head matrices of resampled deals: a cluster bootstrap (Efron and Tibshirani 1993, chapter 8).

    Parameters
    ----------
    totals, counts : float arrays (bags, k, k)
        Meetings won by row against column, and meetings, in bags of randomly assigned deals. Whole bags are drawn with
        replacement, so that entries that share deals vary together.

    Returns
    -------
    float array (draws, k, k)
        Shares won, 0.5 on the diagonal; for a pair without meetings in a draw, the share over all bags.
    """
    bags = len(totals)
    weights = np.random.default_rng(seed).multinomial(bags, np.full(bags, 1 / bags), draws)
    won, met = (np.tensordot(weights, sums, 1) for sums in (totals, counts))
    with np.errstate(invalid="ignore"):
        drawn = np.where(met > 0, won / met, totals.sum(axis=0) / counts.sum(axis=0))
    own = np.arange(totals.shape[1])
    drawn[:, own, own] = 0.5
    return np.asarray(drawn)


def equilibrium(drawn: np.ndarray) -> Equilibrium:
    """Return the equilibrium of a head-to-head matrix, averaged over draws of it.

    With equal strategies the equilibrium of one matrix is an arbitrary corner; over the draws each strategy gets a
    share.

    Parameters
    ----------
    drawn : float array (draws, k, k)
        From `draw_matrices`: the share of meetings in which row finishes above column, ties counting half.
    """
    advantages = drawn - drawn.transpose(0, 2, 1)
    mixtures = nash_of_many(advantages)
    for i in np.flatnonzero(np.isnan(mixtures[:, 0])):
        mixtures[i] = nash(advantages[i])
    low, high = np.quantile(mixtures, [0.025, 0.975], axis=0)
    return Equilibrium(mixtures.mean(axis=0), low, high, (mixtures > _ALIVE).mean(axis=0))


def nash_of_many(advantages: np.ndarray) -> np.ndarray:
    """Return equilibria of many symmetric zero-sum games (games, k, k) at once, NaN where this method finds none.

    A generic equilibrium has an odd support, on which every strategy gains nothing against the mixture (Kaplansky
    1945); each support is tried on all games. Linear programming for each game takes fifty times as long.
    """
    games, k = advantages.shape[:2]
    found = np.full((games, k), np.nan)
    if k > _MOST_TRIED:
        return found
    supports = (each for size in range(1, k + 1, 2) for each in combinations(range(k), size))
    for support in map(list, supports):
        left = np.flatnonzero(np.isnan(found[:, 0]))
        against = advantages[left][:, :, support]
        inside = against[:, support]
        try:
            shares = np.linalg.solve(inside + 1.0, np.ones((len(left), len(support), 1)))[:, :, 0]
        except np.linalg.LinAlgError:  # equal strategies in some game: left to `nash`
            continue
        gains = (against @ shares[:, :, None])[:, :, 0]
        good = (shares > 0).all(axis=1) & (gains < _NOTHING).all(axis=1)
        mixtures = np.zeros((int(good.sum()), k))
        mixtures[:, support] = shares[good]
        found[left[good]] = mixtures
    return found


def crusher(value: np.ndarray, drawn: np.ndarray, alpha: float = 0.05) -> int | None:
    """Return the strategy that is shown to win more than half against every other one; None if there is none.

    This strategy alone is then the equilibrium. All its k - 1 advantages must be above 0 at level alpha / k.
    Because all must be, they need no further correction among themselves (intersection-union test, Berger 1982); the k
    candidate strategies share alpha.
    """
    count = len(value)
    bound = -scipy.special.ndtri(alpha / count)
    sure = value - 0.5 > bound * drawn.std(axis=0, ddof=1)
    np.fill_diagonal(sure, True)
    found = np.flatnonzero(sure.all(axis=1))
    return int(found[0]) if count > 1 and len(found) else None


def dominated(value: np.ndarray, drawn: np.ndarray, alpha: float = 0.05) -> dict[int, int]:
    """Return strategies that another one outperforms against every opponent, each with one such strategy.

    Each of the k differences of a pair must be above 0 at level alpha / (number of ordered pairs), an
    intersection-union test as in `crusher`.
    """
    count = len(value)
    bound = -scipy.special.ndtri(alpha / max(1, count * (count - 1)))
    found: dict[int, int] = {}
    for row in range(count):
        for other in range(count):
            spread = (drawn[:, other] - drawn[:, row]).std(axis=0, ddof=1)
            if other != row and np.all(value[other] - value[row] > bound * spread):
                found.setdefault(row, other)
    return found
