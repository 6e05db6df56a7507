"""Muster (MUS-1, MUS-2)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import (
    add_unit,
    free_fiefs,
    has_room,
    has_troops_of,
    is_own,
    is_usable,
)


@compiled
def begin_muster(rules, state):
    state.left = rules.muster_units
    state.more = 0
    state.phase = s.ASK_MUSTER


@compiled
def list_musters(rules, state, fief, codes, count):
    """Append the units that may be mustered in a fief."""
    seat = state.seat
    if not has_room(rules, state, fief) or not is_usable(state, fief):
        return count
    for kind in range(s.FOREIGN):
        if state.denars[seat] >= rules.cost[kind] and _may_muster(rules, state, seat, fief, kind):
            codes[count] = a.encode(s.ASK_MUSTER, a.MUSTER, kind)
            count += 1
    return count


@compiled
def _may_muster(rules, state, seat, fief, kind):
    """MUS-2."""
    if kind == s.KNIGHT:
        return is_own(rules, state, fief, seat) and free_fiefs(rules, state, seat) > 0
    return kind != s.ENGINE or has_troops_of(state, fief, seat)


@compiled
def muster(rules, state, log, scratch, code):
    """Raise a unit, or be done; the order ends when nothing more is possible."""
    if a.verb_of(code) == a.DONE:
        state.phase = s.END_ORDER
        return
    kind = a.number_of(code)
    state.denars[state.seat] -= rules.cost[kind]
    add_unit(state, state.fief, kind, state.seat)
    log.mustered[state.seat, kind] += 1
    state.left -= 1
    state.more = 1
    if state.left == 0 or list_musters(rules, state, state.fief, scratch.codes, 0) == 0:
        state.phase = s.END_ORDER
