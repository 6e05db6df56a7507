"""Luck and skill: how much of the variance of scores decks, seats and strategies explain.

Every line-up is rotated through all seats on one deck, so each deck holds each strategy in each seat
once. A score is modelled as

    y = (strategy among these opponents) + (seat) + deck + deck x seat + deck x strategy + rest

with the last four random and of mean 0, estimated by the method of moments (Searle, Casella and
McCulloch, *Variance Components*, 1992, chapter 4). The seats and strategies at a table are all that there
are, so deck x seat adds up to 0 over the seats of a deck, and deck x strategy over its strategies. The
rest is how all three meet, and chance that has nothing to do with the deck. Where two players share a
fixed sum, that chance can't be told from the deck's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from balance.stats.intervals import LEVEL, Interval

SOURCES = ("strategy", "seat", "deck", "deck x seat", "deck x strategy", "rest")


@dataclass(frozen=True)
class DeckSums:
    """Sums over decks for every line-up (first axis), strategy (second) and seat (third).

    Attributes
    ----------
    decks : array (line-ups,)
    y, yy : arrays (line-ups, P, P)
        Sum and sum of squares of the score of a strategy in a seat.
    strategy, seat : arrays (line-ups, P)
        Sum of squares of a deck's mean score of a strategy, of a seat.
    deck : array (line-ups,)
        Sum of squares of a deck's mean score.
    """

    decks: np.ndarray
    y: np.ndarray
    yy: np.ndarray
    strategy: np.ndarray
    seat: np.ndarray
    deck: np.ndarray

    def __sub__(self, other: DeckSums) -> DeckSums:
        return DeckSums(
            *(
                mine - theirs
                for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)
            )
        )


def variance_shares(sums: DeckSums) -> np.ndarray:
    """Shares of the variance of scores by `SOURCES`, adding up to 1; the rest is what is left."""
    kept = sums.decks > 1
    decks = sums.decks[kept]
    y = sums.y[kept] / decks[:, None, None]
    p = y.shape[1]

    def spread(squares: np.ndarray, means: np.ndarray) -> float:
        """Variance between decks, pooled over line-ups."""
        count = decks.reshape(-1, *[1] * (means.ndim - 1))
        scatter = squares[kept] - count * means**2
        return float(scatter.sum() / ((decks - 1).sum() * means[0].size))

    each = spread(sums.yy, y)
    by_strategy = spread(sums.strategy, y.mean(axis=2))
    by_seat = spread(sums.seat, y.mean(axis=1))
    by_deck = spread(sums.deck, y.mean(axis=(1, 2)))
    rest = max(0.0, each - by_strategy - by_seat + by_deck) / (1 - 1 / p) ** 2
    deck = by_deck - rest / p**2
    deck_strategy = by_strategy - by_deck - rest * (1 / p - 1 / p**2)
    deck_seat = by_seat - by_deck - rest * (1 / p - 1 / p**2)
    weights = decks / decks.sum()
    means = y.mean(axis=2)
    grand = float(weights @ means.mean(axis=1))
    strategy = (
        float(weights @ ((means - grand) ** 2).mean(axis=1)) - by_strategy * len(decks) / decks.sum()
    )
    seats = weights @ y.mean(axis=1)
    seat = float(((seats - seats.mean()) ** 2).mean()) - by_seat / decks.sum()
    total = strategy + seat + each
    if total <= 0:
        return np.full(len(SOURCES), np.nan)
    found = np.maximum([strategy, seat, deck, deck_seat, deck_strategy], 0) / total
    return np.append(found, 1 - found.sum())


def jackknife(
    whole: DeckSums, groups: list[DeckSums], statistic: Callable[[DeckSums], np.ndarray]
) -> list[Interval]:
    """Intervals of a statistic by leaving out one group of decks after another.

    The delete-a-group jackknife (Kott 2001, "The delete-a-group jackknife"), Student's t on one less
    than the number of groups.
    """
    value = statistic(whole)
    count = len(groups)
    left = np.array([statistic(whole - group) for group in groups])
    error = np.sqrt((count - 1) / count * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    reach = stats.t.ppf((1 + LEVEL) / 2, count - 1) * error
    decks = int(whole.decks.sum())
    n = decks * whole.y.shape[1] ** 2
    return [
        Interval(float(v), float(max(v - r, 0)), float(min(v + r, 1)), n, decks, float(e))
        for v, r, e in zip(value, reach, error, strict=True)
    ]
