"""The meta-game: which mixture of strategies no other strategy beats."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

_DRAWS = 200
_ALIVE = 0.01  # a share below this is none


@dataclass(frozen=True)
class Equilibrium:
    """A mixture of strategies, and how sure it is.

    Attributes
    ----------
    mixture : float array (strategies,)
        Shares that add up to 1.
    low, high : float arrays (strategies,)
        The 2.5 % and 97.5 % points over draws of the matrix from its errors.
    alive : float array (strategies,)
        Share of the draws in which the strategy has a part.
    draws : int
    """

    mixture: np.ndarray
    low: np.ndarray
    high: np.ndarray
    alive: np.ndarray
    draws: int


def nash(advantage: np.ndarray) -> np.ndarray:
    """The symmetric equilibrium of a zero-sum game, by linear programming (nashpy).

    Parameters
    ----------
    advantage : float array (k, k)
        Row's gain from meeting column; skew-symmetric.
    """
    import nashpy

    with warnings.catch_warnings():  # nashpy's own, of degenerate games
        warnings.simplefilter("ignore")
        row, column = nashpy.Game(advantage).linear_program()
    mixture: np.ndarray = np.clip((np.asarray(row) + np.asarray(column)) / 2, 0, None)
    return np.asarray(mixture / mixture.sum())


def equilibrium(value: np.ndarray, error: np.ndarray, seed: int = 0) -> Equilibrium:
    """The equilibrium of a head-to-head matrix and its spread.

    Parameters
    ----------
    value : float array (k, k)
        Share of meetings in which row ends above column, ties counting half; ``value + value.T == 1``.
    error : float array (k, k)
        Standard errors, symmetric.
    """
    rng = np.random.default_rng(seed)
    count = len(value)
    upper = np.triu_indices(count, 1)
    advantage = value - value.T
    drawn = []
    for _ in range(_DRAWS):
        noise = np.zeros((count, count))
        noise[upper] = rng.normal(0, 2 * error[upper])
        drawn.append(nash(advantage + noise - noise.T))
    mixtures = np.array(drawn)
    low, high = np.quantile(mixtures, [0.025, 0.975], axis=0)
    mixture = nash(advantage)
    return Equilibrium(
        mixture,
        np.minimum(low, mixture),
        np.maximum(high, mixture),
        (mixtures > _ALIVE).mean(axis=0),
        _DRAWS,
    )


def dominated(value: np.ndarray, error: np.ndarray, alpha: float = 0.05) -> dict[int, int]:
    """Strategies that another does better than against every opponent, with one that does.

    Each of the k differences of a pair must be above 0 at level alpha / (number of ordered pairs): all
    have to be, so a pair needs no further correction (intersection-union test, Berger 1982).
    """
    from scipy import stats

    count = len(value)
    bound = stats.norm.isf(alpha / max(1, count * (count - 1)))
    found: dict[int, int] = {}
    for row in range(count):
        for other in range(count):
            spread = np.sqrt(error[row] ** 2 + error[other] ** 2)
            if other != row and np.all(value[other] - value[row] > bound * spread):
                found.setdefault(row, other)
    return found
