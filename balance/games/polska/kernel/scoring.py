"""The score after each round, and the result (END-1, END-2)."""

from __future__ import annotations

from balance.contract.records import rank_seats, set_standing
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.polska.kernel import state as s


@compiled
def keep_round(state, log):
    if not log.keep_rounds:
        return
    for p in range(state.players):
        row = log.history[state.round_number - 1, p]
        row.score = state.position[p]
        row.hand = state.hand_size[p]
        taken = 0
        for order in range(s.SET_SIZE):
            taken += log.seats[p].taken[order]
        row.taken = taken


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank.

    The winner ranks first, the others by the positions of their markers; in a draw (END-2) all are equal.
    """
    for p in range(state.players):
        row = seats[p]
        row.score = state.position[p]
        set_standing(scratch, p, state.position[p] if state.over == 1 else 0)
        row.markers = row.taken.sum()
        row.dice_seen = log.dice_seen[p] / max(1, row.own_turns)
    rank_seats(state, scratch, seats)
    game.turns = state.turns
