"""Fitted curves: the logistic curve, the conditional logit, and effects of early choices on winning."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import expit, logit, softmax

from balance.stats.intervals import LEVEL, Interval, student_quantile

_STEPS, _SETTLED = 50, 1e-9


def fit_logistic(x: np.ndarray, n: np.ndarray, wins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fit level and slope of ``logit(chance) = level + slope * x`` by maximum likelihood, for each sample.

    Newton's method (McCullagh and Nelder, *Generalized Linear Models*, 2nd ed., section 4.4). A jackknife fits
    hundreds of samples with the same `x`: this takes milliseconds, while one model object per sample takes seconds.

    Parameters
    ----------
    n : float array (samples, points)
        Trials at each point.
    wins : float array (samples, points)
        Wins among the trials; shared wins count in part.

    Returns
    -------
    level, slope : float array (samples,)
        NaN if a sample has no maximum: no or all trials are won, or one value of x separates wins from losses.
    """
    centre = np.average(x, weights=n.sum(axis=0))
    x = x - centre
    level, slope = np.zeros(len(n)), np.zeros(len(n))
    with np.errstate(all="ignore"):
        for _ in range(_STEPS):
            chance = expit(level[:, None] + slope[:, None] * x)
            rest, weight = wins - n * chance, n * chance * (1 - chance)
            a, b, c = weight.sum(axis=1), weight @ x, weight @ (x * x)
            first, second = rest.sum(axis=1), rest @ x
            determinant = a * c - b * b
            steps = np.array([c * first - b * second, a * second - b * first]) / determinant
            level, slope = level + steps[0], slope + steps[1]
            if not (np.abs(steps) > _SETTLED).any():
                break
    settled = (np.abs(steps) <= 1e-6).all(axis=0)
    level, slope = np.where(settled, level, np.nan), np.where(settled, slope, np.nan)
    return level - slope * centre, slope


def where_chance_is(chance: float, level: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Return the x at which the curves have this chance."""
    found: np.ndarray = (logit(chance) - level) / slope
    return found


def stage_shares(progress: np.ndarray, stages: int) -> np.ndarray:
    """Return the weight of each stage for each position: linear between two neighbouring stages.

    Parameters
    ----------
    progress : float array (n,)
        From 0 (start) to 1 (end).

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
    """Return win chances (n, seats): a softmax of the weighted features, by the shares of `stage_shares`."""
    worth = np.einsum("npf,ns,sf->np", features, shares, weights, optimize=True)
    return np.asarray(softmax(worth, axis=1))


def fit_choice(
    features: np.ndarray, shares: np.ndarray, won: np.ndarray, penalty: float = 1e-3, start: np.ndarray | None = None
) -> np.ndarray:
    """Fit the weights of a conditional logit (McFadden 1974), by penalised maximum likelihood.

    Parameters
    ----------
    features, shares : arrays
        As for `win_chances`.
    won : float array (n, seats)
        Final win share of each seat, adding up to 1.
    penalty : float
        Factor of the sum of squared weights of the standardised features.
    start : float array (stages, features) or None
        Weights near the result, from which it is found sooner.

    Returns
    -------
    float array (stages, features)
    """
    from scipy import optimize  # slow to import, and reports do not need it

    spread = features.std(axis=(0, 1)) + 1e-9
    seats, size = won.shape[1], shares.shape[1] * features.shape[2]
    by_stage = shares[:, None, :, None] * (features / spread)[:, :, None, :]
    rows = by_stage.reshape(-1, size)  # a row for each position and seat

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        chances = softmax((rows @ weights).reshape(-1, seats), axis=1)
        lost = -(won * np.log(chances + 1e-12)).sum(axis=1).mean()
        slope = rows.T @ ((chances - won) / len(won)).ravel()
        return lost + penalty * (weights**2).sum(), slope + 2 * penalty * weights

    first = np.zeros(size) if start is None else (start * spread).ravel()
    # As exact as with 10 corrections, the default, in a fifth fewer steps.
    found = optimize.minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxcor": 30})
    return np.asarray(found.x.reshape(shares.shape[1], -1) / spread)


def brier(chances: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the Brier score (1950) of each position: squared differences of chances and win shares, over seats."""
    return np.asarray(((chances - won) ** 2).sum(axis=1))


def within_effects(
    data: pd.DataFrame, outcome: str, causes: list[str], same: list[str], cluster: str
) -> dict[str, Interval]:
    """Return effects of causes on an outcome among observations that are otherwise alike.

    Least squares with a fixed effect for every combination of `same` (the within estimator: all columns minus their
    group's mean) and cluster-robust errors (Liang and Zeger 1986) with the small-sample factor of Cameron and Miller
    2015, equation 12, and Student's t with clusters - 1 degrees of freedom. All causes are in one model, so each effect
    is adjusted for the others.

    Parameters
    ----------
    causes : list of str
        Numeric columns.
    same : list of str
        Columns that are equal among the compared observations, e.g. strategy and seat.
    cluster : str
        Column of the independent units (deals).

    Returns
    -------
    dict of Interval
        By cause, the change of the outcome for one unit more. Causes that never vary are left out; all are left out if
        the data can't separate them.
    """
    clusters = int(data[cluster].nunique())
    if clusters < 3:
        return {}
    groups = data.groupby(same, sort=False).ngroup().to_numpy()
    y, *x = (_within(data[name].to_numpy(float), groups) for name in (outcome, *causes))
    varying = {cause: column for cause, column in zip(causes, x, strict=True) if column.std() > 1e-9}
    if not varying:
        return {}
    features = np.column_stack(list(varying.values()))
    if np.linalg.matrix_rank(features) < len(varying):
        return {}
    effects, errors = _fit(y, features, data[cluster])
    reach = student_quantile(clusters - 1, (1 + LEVEL) / 2) * errors
    found = zip(varying, *map(list, (effects, effects - reach, effects + reach, errors)), strict=True)
    return {
        cause: Interval(float(value), float(low), float(high), len(data), clusters, float(error))
        for cause, value, low, high, error in found
    }


def _within(column: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return a column minus its mean in each group, the groups numbered from 0."""
    means = np.bincount(groups, column) / np.maximum(1, np.bincount(groups))
    return np.asarray(column - means[groups])


def _fit(y: np.ndarray, x: np.ndarray, cluster: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Return the least-squares fit of y on x, and cluster-robust standard errors."""
    bread = np.linalg.inv(x.T @ x)
    effects = bread @ (x.T @ y)
    groups, names = pd.factorize(cluster)
    scores = x * (y - x @ effects)[:, None]
    sums = np.column_stack([np.bincount(groups, column) for column in scores.T])
    n, k, count = *x.shape, len(names)
    factor = count / (count - 1) * (n - 1) / (n - k)
    return effects, np.sqrt(factor * np.diag(bread @ (sums.T @ sums) @ bread))
