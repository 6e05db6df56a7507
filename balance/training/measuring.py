"""How much a row of weights wins, on fresh seeds, with its interval."""

from __future__ import annotations

import numpy as np

from balance.stats.intervals import Interval, ratio_interval, share_interval
from balance.training.arena import Arena


def share_of(arena: Arena, row: np.ndarray, games: int, seed: int) -> Interval:
    """Win share of a row against the arena's strategies, each as likely as the others, in every seat.

    The interval is that of shares (`balance.stats.intervals.share_interval`), clustered on decks.
    """
    seats = arena.face_all(row[None], max(2, games // arena.players), seed)
    return interval_of(seats[0].win_share)


def interval_of(shares: np.ndarray) -> Interval:
    """Interval of the mean of shares (decks, games on a deck)."""
    counts = np.full(len(shares), float(shares.shape[1]))
    return share_interval(ratio_interval(shares.sum(1, dtype=float), counts))


def write_share(share: Interval) -> str:
    """A share in percent, in words."""
    low, high = 100 * float(share.low), 100 * float(share.high)
    return f"{100 * float(share.value):.1f} ({low:.1f} to {high:.1f}) %, n = {int(share.n):,}"
