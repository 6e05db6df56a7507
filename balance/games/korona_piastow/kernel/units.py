"""Muster (MUS-1, MUS-2) and regroup (REG-1, REG-2)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import (
    add_unit,
    free_fiefs,
    has_room,
    has_troops_of,
    holder_of,
    is_own,
    is_usable,
    units_in,
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
    """Return whether a unit may be mustered in a fief (MUS-2)."""
    if kind == s.KNIGHT:
        return is_own(rules, state, fief, seat) and free_fiefs(rules, state, seat) > 0
    return kind != s.ENGINE or has_troops_of(state, fief, seat)


@compiled
def muster(rules, state, log, scratch, code):
    """Muster a unit, or end the order; the order also ends when nothing more is possible."""
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


@compiled
def begin_regroup(rules, state):
    state.left = rules.regroup_moves
    state.more = 0
    state.move_count = 0
    state.phase = s.ASK_REGROUP


@compiled
def list_regroups(rules, state, fief, codes, count):
    """Append the moves out of a fief and into it, by adjoining fief."""
    for i in range(rules.degree[fief]):
        other = rules.neighbours[fief, i]
        count = _list_moves(rules, state, fief, other, codes, count)
        count = _list_moves(rules, state, other, fief, codes, count)
    return count


@compiled
def _list_moves(rules, state, source, target, codes, count):
    seat = state.seat
    if not has_troops_of(state, source, seat) or holder_of(rules, state, target) != seat:
        return count
    for kind in range(state.units.shape[1]):
        if kind == s.ENGINE or state.units[source, kind] == 0:
            continue
        if kind != s.FOREIGN or has_troops_of(state, target, seat):
            codes[count] = a.encode(s.ASK_REGROUP, a.MOVE, a.pack(a.pack(source, target), kind))
            count += 1
    return count


@compiled
def regroup(rules, state, scratch, code):
    """Move a unit, or end the order; the order also ends when nothing more is possible."""
    if a.verb_of(code) == a.DONE:
        _end_regroup(rules, state)
        return
    kind = a.second_of(code)
    source, target = a.first_of(a.first_of(code)), a.second_of(a.first_of(code))
    state.units[source, kind] -= 1
    add_unit(state, target, kind, state.seat)
    i = state.move_count
    state.move_from[i] = source
    state.move_to[i] = target
    state.move_unit[i] = kind
    state.move_count += 1
    state.left -= 1
    state.more = 1
    if state.left == 0 or list_regroups(rules, state, state.fief, scratch.codes, 0) == 0:
        _end_regroup(rules, state)


@compiled
def _is_over(rules, state, fief):
    """Return whether a fief or one of its neighbours is over its limit."""
    over = units_in(state, fief) > rules.fief_limit
    for i in range(rules.degree[fief]):
        over |= units_in(state, rules.neighbours[fief, i]) > rules.fief_limit
    return over


@compiled
def _end_regroup(rules, state):
    """End the order; if a fief is over its limit, take all moves back (REG-2)."""
    if _is_over(rules, state, state.fief):
        for i in range(state.move_count - 1, -1, -1):
            kind = state.move_unit[i]
            state.units[state.move_to[i], kind] -= 1
            add_unit(state, state.move_from[i], kind, state.seat)
    state.move_count = 0
    state.phase = s.END_ORDER
