"""Regroup (REG-1, REG-2)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import add_unit, has_troops_of, holder_of, units_in


@compiled
def begin_regroup(rules, state):
    state.left = rules.regroup_moves
    state.more = 0
    state.move_count = 0
    state.phase = s.ASK_REGROUP


@compiled
def list_regroups(rules, state, fief, codes, count):
    """Append the moves out of a fief and into it, one adjoining fief after another."""
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
    """Move a unit, or be done; the order ends when nothing more is possible."""
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
    """Whether a fief or one that adjoins it is over its limit."""
    over = units_in(state, fief) > rules.fief_limit
    for i in range(rules.degree[fief]):
        over |= units_in(state, rules.neighbours[fief, i]) > rules.fief_limit
    return over


@compiled
def _end_regroup(rules, state):
    """REG-2: too many somewhere, and all moves are taken back."""
    if _is_over(rules, state, state.fief):
        for i in range(state.move_count - 1, -1, -1):
            kind = state.move_unit[i]
            state.units[state.move_to[i], kind] -= 1
            add_unit(state, state.move_from[i], kind, state.seat)
    state.move_count = 0
    state.phase = s.END_ORDER
