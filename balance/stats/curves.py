"""Curves of an effect by the strength of play, and how well they predict a stronger level.

An effect is in log-odds (shares) or in logs (means). Three kinds of curves are fitted to the effects: constant, linear
in the rating, and levelling off; each to all levels, and to the strongest. Curves are weighted by how well they
predicted the strongest levels from those below.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.linalg import helmert
from scipy.special import softmax
from scipy.stats import norm

from balance.foundation.language import N_
from balance.stats.intervals import LEVEL

KINDS = (N_("constant"), N_("linear"), N_("levelling off"))
LEAST_LEVELS = 6  # where curves are weighted, the strongest two are left out
_HELD_OUT = 3  # levels by which curves are weighted
STRONGEST = 6
_SPANS = (slice(None), slice(-STRONGEST, None))  # a curve is fitted to all levels, or to the strongest
_SCALES = np.geomspace(50, 1600, 12)  # rating points in which a curve levels off by 63 %
_TINY = 1e-6  # variance of an effect that is the same in all games, such as a fixed length
_SCATTERS = np.concatenate([[0.0], np.geomspace(1e-6, 1.0, 60)])  # variances in log-odds


def log_ratios(counts: np.ndarray) -> np.ndarray:
    """Return shares as effects: log-ratios (..., k - 1) of counts (..., k), each with half a count added.

    The coordinates are orthonormal (isometric log-ratios: Egozcue and others 2003), so that no option is special.
    """
    return np.asarray(np.log(counts + 0.5) @ helmert(counts.shape[-1]).T)


def shares(effects: np.ndarray) -> np.ndarray:
    """Return the shares (..., k) of effects (..., k - 1): a softmax of one effect for each option, which sum to 0."""
    return np.asarray(softmax(effects @ helmert(effects.shape[-1] + 1), axis=-1))


@dataclass(frozen=True)
class Levels:
    """Levels of play, the strongest last; row 0 holds estimates, the other rows are bootstrap draws.

    All levels of a draw have the same resampled deals.

    Attributes
    ----------
    ratings : float array (rows, levels)
    effects : float array (rows, levels, effects)
    """

    ratings: np.ndarray
    effects: np.ndarray

    @property
    def below(self) -> Levels:
        """The levels without the strongest."""
        return self.within(slice(-1))

    def within(self, span: slice) -> Levels:
        """Return some of the levels."""
        return Levels(self.ratings[:, span], self.effects[:, span])


@dataclass(frozen=True)
class Forecast:
    """Effects of levels that were not used for the fit.

    Attributes
    ----------
    weights : float array (3,)
        Of the `KINDS` of curves, over all levels and the strongest together.
    value : float array (places, effects)
    draws : float array (draws, places, effects)
        Each of a curve drawn by weight, fitted to resampled deals, with a scatter of levels around the curve.
    """

    weights: np.ndarray
    value: np.ndarray
    draws: np.ndarray


def forecast(levels: Levels, at: np.ndarray, seed: int = 0) -> Forecast:
    """Predict the effects of levels with these ratings (rows, places) by the weighted curves.

    The curves are weighted by the strongest levels, which each predicts from the levels below, and then fitted with
    these levels too. To test the method, let it predict a measured level from the levels below.
    """
    rng = np.random.default_rng(seed)
    weights = _weigh(levels, rng)
    found = _predict_each(levels, at, rng)
    chosen = rng.choice(len(found), size=len(at) - 1, p=weights)
    draws = found[chosen, np.arange(1, len(at))]
    value = np.tensordot(weights, found[:, 0], 1)
    return Forecast(weights.reshape(len(_SPANS), -1).sum(axis=0), value, draws)


def measured_again(found: Forecast, effects: np.ndarray) -> np.ndarray:
    """Return the draws of a forecast of a level that was measured with these effects (rows, effects), at one place.

    They include the noise of the measurement, on the same resampled deals as the fit.
    """
    return np.asarray(found.draws[:, 0] - (effects[1:] - effects[0]))


def interval(draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the middle 95 % of draws along the first axis."""
    low, high = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low, high


def _weigh(levels: Levels, rng: np.random.Generator) -> np.ndarray:
    """Return the weights of the curves: how likely each found the strongest levels, given those below.

    Pseudo-Bayesian model averaging (Yao, Vehtari, Simpson and Gelman 2018) by leaving the future out (Bürkner, Gabry
    and Vehtari 2020).
    """
    logs = np.zeros(len(_SPANS) * len(KINDS))
    for _ in range(min(_HELD_OUT, levels.ratings.shape[1] - LEAST_LEVELS + 2)):
        place, held, levels = levels.ratings[:, -1:], levels.effects[:, -1], levels.below
        misses = _predict_each(levels, place, rng)[:, :, 0] - held
        spread = np.maximum((misses[:, 1:] - misses[:, :1]).std(axis=1), _TINY)
        logs += norm.logpdf(misses[:, 0], scale=spread).sum(axis=-1)
    return np.asarray(softmax(logs))


def _predict_each(levels: Levels, at: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return effects (curves, rows, places, effects) of every kind of curve in every span of levels."""
    every = product(_SPANS, range(len(KINDS)))
    return np.array([_predict(kind, levels.within(span), at, rng) for span, kind in every])


def _predict(kind: int, levels: Levels, at: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return effects (rows, places, effects) of one curve; all rows but the first include the scatter of levels."""
    rows, count, size = levels.effects.shape
    noise = np.maximum(levels.effects[1:].var(axis=0).mean(axis=-1), _TINY)  # of each level
    misfit = np.array([_misfit(kind, levels, 1 / (noise + each)) for each in _SCATTERS])
    freedom = size * (count - 1 - (kind > 0)) - (kind == 2)
    # The scatter that explains the misfit, for misfits of every likely size (Viechtbauer 2007: Q-profile).
    wanted = np.concatenate([[freedom], rng.chisquare(freedom, rows - 1)])
    scatter = np.interp(wanted, misfit[::-1], _SCATTERS[::-1])
    apart = np.sqrt(scatter)[:, None, None] * rng.standard_normal((rows, count + 1, size))
    apart[0] = 0
    weights = np.broadcast_to(1 / (noise + scatter[0]), (rows, count))
    fitted = _fit(kind, levels.ratings, levels.effects + apart[:, :count], weights, at)
    return np.asarray(fitted + apart[:, count:])


def _misfit(kind: int, levels: Levels, weights: np.ndarray) -> float:
    """Return the weighted sum of squares by which the estimates miss their curve."""
    ratings, effects = levels.ratings[:1], levels.effects[:1]
    fitted = _fit(kind, ratings, effects, weights[None], ratings)
    return float((weights[None, :, None] * (effects - fitted) ** 2).sum())


def _fit(kind: int, ratings: np.ndarray, effects: np.ndarray, weights: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the values (rows, places, effects) at ratings (rows, places) of curves fitted by weighted least squares.

    A curve that levels off has one scale for all effects of a row, the best of `_SCALES`.
    """
    if kind == 0:
        return _line(np.zeros_like(ratings), effects, weights, np.zeros_like(at))
    if kind == 1:
        return _line(ratings, effects, weights, at)
    start = ratings.min(axis=1, keepdims=True)
    best, least = np.zeros((*at.shape, effects.shape[2])), np.full(len(ratings), np.inf)
    for scale in _SCALES:
        known, new = (np.exp(-(each - start) / scale) for each in (ratings, at))
        missed = effects - _line(known, effects, weights, known)
        squares = (weights[:, :, None] * missed**2).sum(axis=(1, 2))
        better = squares < least
        best[better] = _line(known, effects, weights, new)[better]
        least = np.minimum(least, squares)
    return best


def _line(x: np.ndarray, y: np.ndarray, weights: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the values of lines, one for each row and effect; a mean if all `x` are equal."""
    share = weights / weights.sum(axis=1, keepdims=True)
    middle, level = (share * x).sum(axis=1), (share[:, :, None] * y).sum(axis=1)
    away = x - middle[:, None]
    width = (share * away**2).sum(axis=1)
    lean = np.einsum("rl,rle->re", share * away, y)
    slope = np.divide(lean, width[:, None], out=np.zeros_like(lean), where=width[:, None] > 1e-12)
    return np.asarray(level[:, None] + slope[:, None] * (at - middle[:, None])[:, :, None])
