"""Confidence sequences: intervals that hold at all interim analyses together, so that one may stop at any of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_LARGEST_BET = 0.5


@dataclass(frozen=True)
class Looks:
    """A confidence sequence.

    Attributes
    ----------
    low, high : float array (passes,)
        The interval after each pass; all of them hold together with the stated confidence.
    """

    low: np.ndarray
    high: np.ndarray


def confidence_sequence(
    n: np.ndarray, s: np.ndarray, ss: np.ndarray, resolution: float, alpha: float = 0.05
) -> Looks:
    """Return bounds of a mean that hold after all passes together with probability 1 - alpha or more.

    The empirical-Bernstein confidence sequence of Waudby-Smith and Ramdas ("Estimating means of
    bounded random variables by betting", JRSS B 2024, theorem 2) with its plug-in bets, for observations
    that come in passes: a pass plays every line-up once, each on its own deal, in any order. Bet and
    guess are fixed at the beginning of a pass, using only earlier passes. With x in [0, 1], bet b and guess g,

        exp(b (x - m) - psi(b) (x - g)^2) <= exp(b (g - m)) (1 + b (x - g)),   psi(b) = -log(1 - b) - b

    (Fan, Grama and Liu 2015); the expectations of a whole pass multiply to at most exp(b (sum of the
    line-ups' means - n m)) = 1 for the mean m over all line-ups. So the product is a supermartingale
    at the ends of passes, and Ville's inequality bounds it over all of them, without any assumption
    of large samples and although line-ups differ and are drawn evenly. The bets fall with the
    observations t so far, b = sqrt(2 log(2 / alpha) / (variance t log(1 + t))), so that the bounds converge;
    early bets are limited to resolution / variance, which is more efficient if the truth is fair.

    Parameters
    ----------
    n, s, ss : arrays (passes,)
        Observations of each pass, their sum, the sum of their squares. Observations (means over the
        games of a deal) lie in [0, 1] and are independent.
    resolution : float
        Smallest difference that matters, in the unit of the observations. The sequence is valid for any value.

    Returns
    -------
    Looks
        The intersection of all intervals so far, from pass to pass.
    """
    n, s, ss = (np.asarray(each, float) for each in (n, s, ss))
    # The information before a pass; the prior observations 1/4, 1/2 and 3/4 keep the first bets small.
    known = np.concatenate([[0.0], np.cumsum(n)[:-1]]) + 3
    total = np.concatenate([[0.0], np.cumsum(s)[:-1]]) + 1.5
    squares = np.concatenate([[0.0], np.cumsum(ss)[:-1]]) + 0.875
    guess = np.clip(total / known, 0, 1)
    variance = np.maximum(squares / known - guess**2, 1e-6)
    plug_in = np.sqrt(2 * np.log(2 / alpha) / (variance * known * np.log1p(known)))
    bet = np.minimum(np.minimum(_LARGEST_BET, resolution / variance), plug_in)
    penalty = (-np.log1p(-bet) - bet) * (ss - 2 * guess * s + n * guess**2)
    stakes = np.cumsum(bet * n)
    centre = np.cumsum(bet * s) / stakes
    reach = (np.log(2 / alpha) + np.cumsum(penalty)) / stakes
    low = np.maximum.accumulate(np.maximum(centre - reach, 0))
    high = np.minimum.accumulate(np.minimum(centre + reach, 1))
    return Looks(low, high)
