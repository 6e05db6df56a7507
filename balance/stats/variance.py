"""What the variance of an outcome within games comes from: strategies, seats, decks, and all else.

Every line-up is rotated through all seats on one deck, so that the P games of a deck are a Latin square:
each of P strategies in each of P seats once. The outcome is one that adds up to the same in every game (win
shares, scores less their game's mean): what a game does to all alike is no part of it. It is modelled as

    y = strategy among these opponents + seat + strategy x seat + deck x seat + deck x strategy + rest

The first three are fixed, the last three random and of mean 0, estimated by the method of moments
(Searle, Casella and McCulloch, *Variance Components*, 1992, chapter 4) within line-ups.

Assumed: decks are independent; deck x seat adds up to 0 over the seats of a deck, and deck x strategy over
its strategies; the rest adds up to 0 over a game and is independent between the games of a deck. The rest is
what chance outside the deck does, and how deck, seat and strategy meet.

With two players a game is one number, and a deck two: deck x seat, deck x strategy and rest leave no degree
of freedom to tell them apart, and are one row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.stats.intervals import NO_SPREAD, Interval
from balance.stats.jackknife import jackknife_error

FIXED = ("strategy", "seat", "strategy x seat")
RANDOM = ("deck x seat", "deck x strategy", "rest")
TOGETHER = "deck and rest"


def variance_sources(players: int) -> tuple[str, ...]:
    """What the variance of games of that many players is divided among."""
    return (*FIXED, *(RANDOM if players > 2 else (TOGETHER,)))


@dataclass(frozen=True)
class DeckSums:
    """Sums over decks for every line-up (first axis), strategy (second) and seat (third).

    Attributes
    ----------
    decks : array (line-ups,)
    y, yy : arrays (line-ups, P, P)
        Sum and sum of squares of the outcome of a strategy in a seat.
    strategy, seat : arrays (line-ups, P)
        Sum of squares of a deck's mean outcome of a strategy, of a seat.
    """

    decks: np.ndarray
    y: np.ndarray
    yy: np.ndarray
    strategy: np.ndarray
    seat: np.ndarray

    def __sub__(self, other: DeckSums) -> DeckSums:
        return DeckSums(
            *(
                mine - theirs
                for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)
            )
        )

    def between_decks(self) -> tuple[float, float, float]:
        """Variance between decks, pooled over line-ups: of outcomes, of means by strategy, by seat."""
        means = self.y / self.decks[:, None, None]

        def pool(squares: np.ndarray, of: np.ndarray) -> float:
            count = self.decks.reshape(-1, *[1] * (of.ndim - 1))
            return float((squares - count * of**2).sum() / ((self.decks - 1).sum() * of[0].size))

        return (
            pool(self.yy, means),
            pool(self.strategy, means.mean(axis=2)),
            pool(self.seat, means.mean(axis=1)),
        )


def variance_shares(sums: DeckSums) -> np.ndarray:
    """Shares of the variance by `variance_sources`, adding up to 1.

    Unbiased but for the division by the total: where there is nothing to find, a share is as often a
    little below 0 as above. NaN where nothing varies.
    """
    kept = sums.decks > 1
    sums = DeckSums(*(array[kept] for array in vars(sums).values()))
    each, by_strategy, by_seat = sums.between_decks()
    decks, p = sums.decks.sum(), sums.y.shape[1]
    # A mean of n decks varies by 1/n of what decks do: that much of its spread is none of the strategy's.
    noise = len(sums.decks) / decks
    weights = sums.decks / decks
    y = sums.y / sums.decks[:, None, None]
    y = y - weights @ y.mean(axis=(1, 2))
    fixed = weights @ (y**2).mean(axis=(1, 2)) - each * noise
    strategy = weights @ (y.mean(axis=2) ** 2).mean(axis=1) - by_strategy * noise
    seat = ((weights @ y.mean(axis=1)) ** 2).mean() - by_seat / decks
    found = [strategy, seat, fixed - strategy - seat]
    if p > 2:
        rest = (each - by_strategy - by_seat) / (1 - 2 / p)
        found += [by_seat - rest / p, by_strategy - rest / p, rest]
    else:
        found += [each]
    total = fixed + each
    return np.array(found) / total if total > NO_SPREAD else np.full(len(found), np.nan)


def jackknife(
    whole: DeckSums, groups: list[DeckSums], statistic: Callable[[DeckSums], np.ndarray]
) -> list[Interval]:
    """Intervals of shares by leaving out one group of decks after another.

    See `balance.stats.jackknife.jackknife_error`. Shares and bounds are cut at 0 and 1.
    """
    value = statistic(whole)
    error, reach = jackknife_error(np.array([statistic(whole - group) for group in groups]))
    low, shown, high = (np.clip(each, 0, 1) for each in (value - reach, value, value + reach))
    decks = int(whole.decks.sum())
    n = decks * whole.y.shape[1] ** 2
    return [
        Interval(float(v), float(a), float(b), n, decks, float(e))
        for v, a, b, e in zip(shown, low, high, error, strict=True)
    ]
