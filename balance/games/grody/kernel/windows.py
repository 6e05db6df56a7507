"""Card phases: who may play next, and that two declines in a row end them (CRD-1)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.kernel import state as s


@compiled
def open_window(state, window):
    """Begin a card phase; A has priority."""
    state.window = window
    state.declines = 0
    state.seat = state.active
    state.phase = s.ASK_CARD


@compiled
def decline(state):
    """The other may play; True if both have declined in a row, which ends the phase."""
    state.declines += 1
    state.seat = 1 - state.seat
    return state.declines == s.SEATS
