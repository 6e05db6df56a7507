"""Winners from the ranks of a game's seats."""

from __future__ import annotations

from balance.foundation.compiling import compiled


@compiled
def count_winners(seats, players):
    """Return how many seats share the first rank; fill the win share of each, in place."""
    winners = 0
    for p in range(players):
        winners += seats[p].rank == 1
    for p in range(players):
        seats[p].win_share = 1.0 / winners if seats[p].rank == 1 else 0.0
    return winners
