"""Rows of an ended game: scores, ranks, and values of the log."""

from __future__ import annotations

from balance.foundation.compiling import compiled_entry


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank.

    The winner ranks first, the others by the positions of their markers; in a draw (END-2) all are equal.
    """
    for p in range(state.players):
        row = seats[p]
        row.score = state.position[p]
        row.rank = 1
        for other in range(state.players):
            row.rank += state.over == 1 and state.position[other] > state.position[p]
        row.markers = row.taken.sum()
        row.dice_seen = log.dice_seen[p] / max(1, row.own_turns)
    game.turns = state.turns
