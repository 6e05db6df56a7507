"""Conditional logit: who of several wins, from features of each, with weights that change as the game goes."""

from __future__ import annotations

import numpy as np
from scipy import optimize


def stage_shares(progress: np.ndarray, stages: int) -> np.ndarray:
    """How far each position belongs to each stage: linear between two neighbours.

    Parameters
    ----------
    progress : float array (n,)
        From 0, the beginning, to 1, the end.

    Returns
    -------
    float array (n, stages)
        Rows add up to 1.
    """
    at = np.clip(progress, 0, 0.999999) * (stages - 1)
    stage = at.astype(int)
    shares = np.zeros((len(at), stages))
    rows = np.arange(len(at))
    shares[rows, stage] = 1 - (at - stage)
    shares[rows, stage + 1] = at - stage
    return shares


def win_chances(weights: np.ndarray, features: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Win chances of every seat: a softmax of the weighted features.

    Parameters
    ----------
    weights : float array (stages, features)
    features : float array (n, seats, features)
    shares : float array (n, stages)
        Of `stage_shares`.

    Returns
    -------
    float array (n, seats)
    """
    worth = np.einsum("npf,ns,sf->np", features, shares, weights, optimize=True)
    chances = np.exp(worth - worth.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def fit_choice(
    features: np.ndarray, shares: np.ndarray, won: np.ndarray, penalty: float = 1e-3
) -> np.ndarray:
    """Weights of a conditional logit (McFadden 1974), by penalised maximum likelihood.

    Parameters
    ----------
    features, shares : arrays
        As for `win_chances`.
    won : float array (n, seats)
        What each seat won in the end, adding up to 1.
    penalty : float
        Of the sum of squared weights, features taken in their standard deviations.

    Returns
    -------
    float array (stages, features)
    """
    spread = features.std(axis=(0, 1)) + 1e-9
    scaled = features / spread
    shape = (shares.shape[1], features.shape[2])

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(shape)
        chances = win_chances(weights, scaled, shares)
        lost = -(won * np.log(chances + 1e-12)).sum(axis=1).mean()
        slope = np.einsum("np,ns,npf->sf", (chances - won) / len(won), shares, scaled, optimize=True)
        return lost + penalty * (flat**2).sum(), (slope + 2 * penalty * weights).ravel()

    found = optimize.minimize(loss, np.zeros(shape[0] * shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x.reshape(shape) / spread)


def brier(chances: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Brier's score of each position (1950): squared distance of the chances from what was won, over seats."""
    return np.asarray(((chances - won) ** 2).sum(axis=1))
