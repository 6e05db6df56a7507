"""The sources of an outcome's variance: strategies, seats, deals, and each source of chance.

Total effects of a source that is drawn again: M. J. W. Jansen, "Analysis of variance designs for model output"
(Computer Physics Communications 117, 1999); A. Saltelli et al., "Variance based sensitivity analysis of model output"
(Computer Physics Communications 181, 2010), equation (f) of table 2. Span of win rates: J. Goodman,
D. Perez-Liebana and S. Lucas, "Measuring randomness in tabletop games" (2025).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from balance.stats.intervals import (
    LEVEL,
    NO_SPREAD,
    Interval,
    jackknife_error,
    ratio_interval,
    share_interval,
    student_quantile,
)

FIXED = ("strategy", "seat", "strategy x seat")
RANDOM = ("deck x seat", "deck x strategy", "rest")
TOGETHER = "deck and rest"


def variance_sources(players: int) -> tuple[str, ...]:
    """Return the sources among which the variance of games with this player count is divided."""
    return (*FIXED, *(RANDOM if players > 2 else (TOGETHER,)))


@dataclass(frozen=True)
class DealSums:
    """Sums over deals for every line-up (first axis), strategy (second) and seat (third)."""

    deals: np.ndarray
    y: np.ndarray  # (line-ups, P, P): sum of the outcome of a strategy in a seat
    yy: np.ndarray  # (line-ups, P, P): sum of its squares
    strategy: np.ndarray  # (line-ups, P): sum of squares of a deal's mean outcome of a strategy
    seat: np.ndarray  # (line-ups, P): the same of a seat

    def __sub__(self, other: DealSums) -> DealSums:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return DealSums(*(mine - theirs for mine, theirs in pairs))

    def between_deals(self) -> tuple[float, float, float]:
        """Return the variance between deals, pooled over line-ups: of outcomes, of means by strategy, by seat."""
        means = self.y / self.deals[:, None, None]

        def pool(squares: np.ndarray, of: np.ndarray) -> float:
            count = self.deals.reshape(-1, *[1] * (of.ndim - 1))
            return float((squares - count * of**2).sum() / ((self.deals - 1).sum() * of[0].size))

        return (pool(self.yy, means), pool(self.strategy, means.mean(axis=2)), pool(self.seat, means.mean(axis=1)))


def variance_shares(sums: DealSums) -> np.ndarray:
    """Return shares of the variance by `variance_sources`, adding up to 1.

    Unbiased except for the division by the total: if a source has no effect, its share is as often slightly below 0 as
    above. NaN if nothing varies.
    """
    kept = sums.deals > 1
    sums = DealSums(*(array[kept] for array in vars(sums).values()))
    each, by_strategy, by_seat = sums.between_deals()
    deals, p = sums.deals.sum(), sums.y.shape[1]
    # A mean of n deals has 1/n of the variance between deals; this part does not belong to the strategy.
    noise = len(sums.deals) / deals
    weights = sums.deals / deals
    y = sums.y / sums.deals[:, None, None]
    y = y - weights @ y.mean(axis=(1, 2))
    fixed = weights @ (y**2).mean(axis=(1, 2)) - each * noise
    strategy = weights @ (y.mean(axis=2) ** 2).mean(axis=1) - by_strategy * noise
    seat = ((weights @ y.mean(axis=1)) ** 2).mean() - by_seat / deals
    found = [strategy, seat, fixed - strategy - seat]
    if p > 2:
        rest = (each - by_strategy - by_seat) / (1 - 2 / p)
        found += [by_seat - rest / p, by_strategy - rest / p, rest]
    else:
        found += [each]
    total = fixed + each
    return np.array(found) / total if total > NO_SPREAD else np.full(len(found), np.nan)


def add_up(groups: Iterable[DealSums]) -> DealSums:
    """Return the sums over the deals of all groups."""
    arrays = zip(*(vars(group).values() for group in groups), strict=True)
    return DealSums(*(sum(each) for each in arrays))


def jackknife(groups: Sequence[DealSums], statistic: Callable[[DealSums], np.ndarray]) -> list[Interval]:
    """Return intervals of shares by leaving out one group of deals after another.

    See `balance.stats.intervals.jackknife_error`. Shares and bounds are cut at 0 and 1.
    """
    whole = add_up(groups)
    value = statistic(whole)
    error, reach = jackknife_error(np.array([statistic(whole - group) for group in groups]))
    low, shown, high = (np.clip(each, 0, 1) for each in (value - reach, value, value + reach))
    deals = int(whole.deals.sum())
    n = deals * whole.y.shape[1] ** 2
    return [
        Interval(float(v), float(a), float(b), n, deals, float(e))
        for v, a, b, e in zip(shown, low, high, error, strict=True)
    ]


MIDDLE = 0.9  # of the deals, in `Span`


def total_effect(change: np.ndarray, spread: np.ndarray, n: int) -> Interval:
    """Return the share of an outcome's variance that depends on one source, alone or together with others.

    ``E[(y - y')^2] / (2 Var(y))``, where y' is the outcome with this source drawn again and everything else unchanged
    (Jansen 1999). Interactions count for each of their sources: total effects may add up to more than 1. The interval
    is that of a ratio of deal totals, limited to 0 to 1; if nothing ever changes, it is the exact interval of a share
    with one trial per deal.

    Parameters
    ----------
    change : float array (deals,)
        Sum over games and seats of ``(y - y')^2``.
    spread : float array (deals,)
        Sum over games and seats of ``(y - the seat's mean)^2``.
    n : int
        Games.
    """
    found = replace(ratio_interval(change / 2, spread), n=n)
    if found.value == 0:
        return share_interval(found)
    value, low, high = (float(np.clip(each, 0, 1)) for each in (found.value, found.low, found.high))
    return replace(found, value=value, low=low, high=high)


@dataclass(frozen=True)
class Span:
    """The variation of a seat's win rate between deals."""

    deviation: Interval  # standard deviation over deals of the chance to win, given deal and seat
    lowest: float  # limit of the win rate in `MIDDLE` of the deals, assuming a beta distribution
    highest: float  # the other limit


def win_rate_span(own: np.ndarray, other: np.ndarray, games: int) -> Span:
    """Return the span of win rates over deals, from two line-ups that played the same deals.

    Because the line-ups of a deal are drawn independently, the covariance of their outcomes in the same seat is the
    variance over deals of E[win | deal, seat], whatever the other sources of chance do. It is pooled over seats, each
    around its own mean; its error is that of a mean of products, with Student's t. A win rate is not normally
    distributed: it lies within 0 and 1.

    Parameters
    ----------
    own, other : float arrays (deals, players)
        Mean win share of a seat in the games of a deal, of the first line-ups and of the others.
    games : int
        Number of games to report.
    """
    deals, players = own.shape
    products = ((own - own.mean(axis=0)) * (other - other.mean(axis=0))).mean(axis=1)
    variance = float(products.sum() / (deals - 1))
    error = float(products.std(ddof=1) / np.sqrt(deals))
    reach = student_quantile(deals - 1, (1 + LEVEL) / 2) * error
    value, low, high = np.sqrt(np.maximum([variance, variance - reach, variance + reach], 0))
    deviation = Interval(float(value), float(low), float(high), games, deals)
    return Span(deviation, *_middle(1 / players, variance))


def _middle(mean: float, variance: float) -> tuple[float, float]:
    """Return the limits of the middle part of a beta distribution with this mean and variance."""
    if variance <= 0:
        return mean, mean
    size = mean * (1 - mean) / variance - 1
    if size <= 0:  # the deal decides everything
        return 0.0, 1.0
    edges = scipy.special.betaincinv(mean * size, (1 - mean) * size, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2])
    return float(edges[0]), float(edges[1])
