"""An additive model of what changes do: effects of several changes at once, from noisy measurements of some of them.

A response surface of first order (Box & Wilson 1951, "On the experimental attainment of optimum conditions") with
normal priors, fitted to each response apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_LEAST_ERROR = 1e-3  # of the median error: exact measurements get a weight that is finite
LEAST_INTERACTION = 0.1  # of the standard deviation of single effects


@dataclass(frozen=True)
class ResponseSurface:
    """A fitted model.

    Attributes
    ----------
    means : float array (columns, responses)
        Effect of one unit of each column.
    covariances : float array (responses, columns, columns)
        Of these effects.
    interaction : float array (responses,)
        Standard deviation of what the sum of single effects does not explain, for each change after the first unit.
    """

    means: np.ndarray
    covariances: np.ndarray
    interaction: np.ndarray

    def estimate(self, design: np.ndarray, effects: np.ndarray, errors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return estimates and their errors (n, responses) of measured designs, from model and measurement.

        The model is certain but for its coefficients and the interaction. NaN measurements count for nothing.
        """
        predicted = design @ self.means
        variance = np.maximum(np.einsum("ni,rij,nj->nr", design, self.covariances, design), 0.0)
        more = np.maximum(design.sum(1) - 1, 0)[:, None] * self.interaction**2
        known = np.isfinite(effects) & np.isfinite(errors)
        noise = np.where(known, errors, 1.0) ** 2
        trust = np.where(known, more / np.maximum(more + noise, 1e-300), 0.0)
        estimate = predicted + trust * (np.where(known, effects, 0.0) - np.where(known, predicted, 0.0))
        left = np.where(known, more * noise / np.maximum(more + noise, 1e-300), more)
        return estimate, np.sqrt(left + (1 - trust) ** 2 * variance)

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw effects (columns, responses) from their distribution."""
        columns, responses = self.means.shape
        found = np.empty((columns, responses))
        for response in range(responses):
            root = np.linalg.cholesky(self.covariances[response])
            found[:, response] = self.means[:, response] + root @ rng.standard_normal(columns)
        return found


def fit_surface(design: np.ndarray, effects: np.ndarray, errors: np.ndarray) -> ResponseSurface:
    """Fit the model to measured effects.

    Effects of columns have a normal prior around 0 with the variance of the measured effects of single units, less that
    of their errors.

    Parameters
    ----------
    design : float array (n, columns)
        Units of each column, none below 0.
    effects, errors : float arrays (n, responses)
        Measured effects, and their standard errors; NaN for what was not measured.
    """
    measured = np.isfinite(effects) & np.isfinite(errors)
    effects, errors = np.where(measured, effects, 0.0), np.where(measured, errors, np.inf)
    floor = _LEAST_ERROR * np.array([_median(each) for each in errors.T])
    errors = np.maximum(errors, np.maximum(floor, 1e-12))
    single = design.sum(1) == 1
    prior = np.array([_spread(effects[single, r], errors[single, r]) for r in range(effects.shape[1])])
    plain = _fit(design, effects, errors, prior, np.zeros(effects.shape[1]))
    several = design.sum(1) > 1
    more = (design[several].sum(1) - 1)[:, None]
    missed = (effects[several] - design[several] @ plain[0]) ** 2 - errors[several] ** 2
    weight = np.where(np.isfinite(errors[several]), more, 0.0)
    missed = np.where(np.isfinite(missed), missed, 0.0)
    with np.errstate(invalid="ignore"):
        excess = np.where(weight.sum(0) > 0, missed.sum(0) / weight.sum(0), 0.0)
    interaction = np.sqrt(np.maximum(excess, LEAST_INTERACTION**2 * prior))
    return ResponseSurface(*_fit(design, effects, errors, prior, interaction), interaction)


def _median(errors: np.ndarray) -> float:
    known = errors[np.isfinite(errors) & (errors > 0)]
    return float(np.median(known)) if len(known) else 1.0


def _spread(effects: np.ndarray, errors: np.ndarray) -> float:
    """Return the variance of true effects around 0; of the errors' order where nothing was measured."""
    known = np.isfinite(errors)
    if not known.any():
        return 1.0
    noise = float(np.mean(errors[known] ** 2))
    return max(float(np.mean(effects[known] ** 2)) - noise, 0.05 * noise)


def _fit(
    design: np.ndarray, effects: np.ndarray, errors: np.ndarray, prior: np.ndarray, interaction: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return means (columns, responses) and covariances (responses, columns, columns) of the effects."""
    columns, responses = design.shape[1], effects.shape[1]
    means, covariances = np.empty((columns, responses)), np.empty((responses, columns, columns))
    more = np.maximum(design.sum(1) - 1, 0)
    for response in range(responses):
        weights = 1 / (errors[:, response] ** 2 + more * interaction[response] ** 2)
        precision = (design.T * weights) @ design + np.eye(columns) / prior[response]
        covariances[response] = np.linalg.inv(precision)
        means[:, response] = covariances[response] @ (design.T @ (weights * effects[:, response]))
    return means, covariances
