"""Who comes when: the beginner of a round and the seats in turn (RND-1)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import state as s


@compiled
def seat_at(state, offset):
    """The seat so far clockwise from the one that begins this round, out or not."""
    return (state.round_number - 1 + offset) % state.players


@compiled
def beginner(state):
    """The seat that begins this round: the first that isn't out; NOTHING if all are."""
    for offset in range(state.players):
        seat = seat_at(state, offset)
        if state.out_round[seat] == 0:
            return seat
    return s.NOTHING


@compiled
def seek_seat(state):
    """Set `seat` to the next in turn from `offset` on that isn't out; False when all have had their turn."""
    while state.offset < state.players:
        seat = seat_at(state, state.offset)
        if state.out_round[seat] == 0:
            state.seat = seat
            return True
        state.offset += 1
    return False
