"""What goes with winning: effects of early choices among seats that are otherwise alike."""

from __future__ import annotations

import numpy as np
import pandas as pd

from balance.stats.intervals import LEVEL, Interval


def within_effects(
    data: pd.DataFrame, outcome: str, causes: list[str], same: list[str], cluster: str
) -> dict[str, Interval]:
    """Effects of causes on an outcome among observations that are otherwise alike.

    Least squares with a fixed effect of every combination of `same` (the within estimator: all
    columns less their group's mean) and cluster-robust errors (statsmodels). All causes are in one
    model, so each effect is with the others held.

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
    import statsmodels.api as sm

    columns = [outcome, *causes]
    numbers = data[columns].astype(float)
    within = numbers - numbers.groupby([data[name] for name in same]).transform("mean")
    usable = [cause for cause in causes if within[cause].std() > 1e-9]
    clusters = int(data[cluster].nunique())
    if not usable or clusters < 3 or np.linalg.matrix_rank(within[usable].to_numpy()) < len(usable):
        return {}
    groups = pd.factorize(data[cluster])[0]
    fitted = sm.OLS(within[outcome].to_numpy(), within[usable].to_numpy()).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    bounds = np.asarray(fitted.conf_int(1 - LEVEL))
    return {
        cause: Interval(
            float(fitted.params[i]),
            float(bounds[i, 0]),
            float(bounds[i, 1]),
            len(data),
            clusters,
            float(fitted.bse[i]),
        )
        for i, cause in enumerate(usable)
    }
