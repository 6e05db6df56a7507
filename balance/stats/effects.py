"""What goes with winning: effects of early choices among seats that are otherwise alike."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from balance.stats.intervals import LEVEL, Interval


def within_effects(
    data: pd.DataFrame, outcome: str, causes: list[str], same: list[str], cluster: str
) -> dict[str, Interval]:
    """Effects of causes on an outcome among observations that are otherwise alike.

    Least squares with a fixed effect of every combination of `same` (the within estimator: all
    columns less their group's mean) and cluster-robust errors (Liang and Zeger 1986) with the small-sample
    factor of Cameron and Miller 2015, equation 12, and t of as many degrees of freedom as there are clusters
    less one. All causes are in one model, so each effect is with the others held.

    Parameters
    ----------
    data : DataFrame
    outcome : str
    causes : list of str
        Numeric columns.
    same : list of str
        Columns that are alike among those compared, e.g. strategy and seat.
    cluster : str
        Column of the independent units (decks).

    Returns
    -------
    dict of Interval
        By cause, the change of the outcome for one more; causes that never vary are left out, and all are
        where the data can't tell them apart.
    """
    columns = [outcome, *causes]
    numbers = data[columns].astype(float)
    within = numbers - numbers.groupby([data[name] for name in same]).transform("mean")
    usable = [cause for cause in causes if within[cause].std() > 1e-9]
    clusters = int(data[cluster].nunique())
    if not usable or clusters < 3 or np.linalg.matrix_rank(within[usable].to_numpy()) < len(usable):
        return {}
    effects, errors = _fit(within[outcome].to_numpy(), within[usable].to_numpy(), data[cluster])
    reach = stats.t.isf((1 - LEVEL) / 2, clusters - 1) * errors
    return {
        cause: Interval(
            float(effects[i]),
            float(effects[i] - reach[i]),
            float(effects[i] + reach[i]),
            len(data),
            clusters,
            float(errors[i]),
        )
        for i, cause in enumerate(usable)
    }


def _fit(y: np.ndarray, x: np.ndarray, cluster: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Least squares of y on x, and cluster-robust standard errors."""
    bread = np.linalg.inv(x.T @ x)
    effects = bread @ (x.T @ y)
    groups, names = pd.factorize(cluster)
    scores = x * (y - x @ effects)[:, None]
    sums = np.column_stack([np.bincount(groups, column) for column in scores.T])
    n, k, count = *x.shape, len(names)
    factor = count / (count - 1) * (n - 1) / (n - k)
    return effects, np.sqrt(factor * np.diag(bread @ (sums.T @ sums) @ bread))
