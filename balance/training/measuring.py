"""How much a row of weights wins, on fresh seeds, with its interval."""

from __future__ import annotations

import numpy as np

from balance.stats.intervals import Interval, Moments, cluster_interval, share_interval
from balance.training.arena import Arena


def share_of(arena: Arena, row: np.ndarray, games: int, seed: int) -> Interval:
    """Win share of a row against the arena's strategies, each as likely as the others, in every seat.

    The interval is that of shares (`balance.stats.intervals.share_interval`), clustered on decks.
    """
    others = len(arena.strategies)
    chances, none = np.full(others, 1 / others), row[None][:0]
    seats = arena.face(row[None], none, chances, max(2, games // arena.players), seed)[0]
    return interval_of(seats.win_share)


def interval_of(shares: np.ndarray) -> Interval:
    """Interval of the mean of shares (decks, games on a deck)."""
    sums, each = shares.sum(1, dtype=float), shares.shape[1]
    decks = len(sums)
    moments = Moments(
        decks, shares.size, sums.sum(), (sums**2).sum(), each * sums.sum(), each**2 * decks
    )
    return share_interval(cluster_interval(moments))


def write_share(share: Interval) -> str:
    """A share in percent, in words."""
    low, high = 100 * float(share.low), 100 * float(share.high)
    return f"{100 * float(share.value):.1f} ({low:.1f} to {high:.1f}) %, n = {int(share.n):,}"
