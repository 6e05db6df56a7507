"""Shrink estimates that were selected for their size, so that they are unbiased on average."""

from __future__ import annotations

import numpy as np

_SCALES = 20  # standard deviations tried for the true effects
_STEPS = 200  # of the EM algorithm; later steps change no factor by a thousandth


def shrink(estimates: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return posterior means of many effects of one kind (adaptive shrinkage, empirical Bayes).

    The largest of many estimates exceeds its true value on average, and so does an estimate that is reported because it
    is significant. A posterior mean does not, however it was selected (Efron 2011, "Tweedie's formula and selection
    bias"). The prior is a mixture of normal distributions around 0, fitted to all estimates by maximum likelihood
    (Stephens 2017, "False discovery rates: a new deal", with standardised effects): if most effects are small and
    a few are large, the small ones are shrunk and the large ones hardly at all.

    Parameters
    ----------
    estimates, errors : float arrays (rows,)
        Effects and their standard errors. A row without a finite, positive error is ignored and returned unchanged.

    Returns
    -------
    float array (rows,)
        Between 0 and the estimate.
    """
    estimates, errors = np.asarray(estimates, float), np.asarray(errors, float)
    known = np.isfinite(estimates) & np.isfinite(errors) & (errors > 0)
    shrunk = estimates.copy()
    if known.any():
        shrunk[known] *= _factors(estimates[known] / errors[known])
    return shrunk


def _factors(z: np.ndarray) -> np.ndarray:
    """Return the shrinkage factor of each standardised effect, between 0 and 1."""
    widest = max(1.0, float(np.abs(z).max()))
    variances = np.concatenate([[0.0], np.geomspace(0.1, 2 * widest, _SCALES) ** 2])
    total = variances + 1.0  # variance of an estimate, whose own error is 1
    log_density = -0.5 * (z[:, None] ** 2 / total + np.log(total))
    density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
    weights = np.full(len(total), 1 / len(total))
    for _ in range(_STEPS):
        parts = density * weights
        parts /= parts.sum(axis=1, keepdims=True)
        weights = parts.mean(axis=0)
    factors: np.ndarray = (parts * (variances / total)).sum(axis=1)
    return factors
