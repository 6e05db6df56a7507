"""Carrying out orders: who turns up which order (EXE-1, EXE-2), and the end of the phase."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.building import list_builds
from balance.games.korona_piastow.kernel.combat import list_sieges
from balance.games.korona_piastow.kernel.deeds import allows_tithe, do_quest, has_knight, take_tithe
from balance.games.korona_piastow.kernel.invading import begin_invasion, list_targets
from balance.games.korona_piastow.kernel.tokens import (
    has_turn,
    is_waiting,
    remove_all_tokens,
    seat_at,
    turn_up,
)
from balance.games.korona_piastow.kernel.units import (
    begin_muster,
    begin_regroup,
    list_musters,
    list_regroups,
)


@compiled
def begin_turns(state):
    state.offset = 0
    state.step = 0
    state.phase = s.TURN


@compiled
def seek_turn(rules, state):
    """Find the ruler who turns up the next order; return False when no order is left (EXE-1)."""
    if rules.orders_per_turn > 0 and state.step == rules.orders_per_turn:
        _pass_turn(state)
    for _ in range(state.players):
        seat = seat_at(state, state.offset)
        if has_turn(state, seat):
            state.seat = seat
            state.phase = s.ASK_TURN
            return True
        _pass_turn(state)
    _end_turns(rules, state)
    return False


@compiled
def _pass_turn(state):
    state.offset = (state.offset + 1) % state.players
    state.step = 0


@compiled
def _end_turns(rules, state):
    """Remove all tokens, and end `defend`."""
    remove_all_tokens(state)
    for fief in range(rules.fief_count):
        state.defended[fief] = 0
    state.offset = 0
    state.step = 0
    state.left = 0
    state.phase = s.COURT


@compiled
def _can_be_done(rules, state, fief, kind, codes, count):
    """Return whether an order is possible (EXE-2); uses the space behind the list of actions to test it."""
    if kind == s.MUSTER:
        return list_musters(rules, state, fief, codes, count) > count
    if kind == s.REGROUP:
        return list_regroups(rules, state, fief, codes, count) > count
    if kind == s.BUILD:
        return list_builds(rules, state, fief, codes, count) > count
    if kind == s.INVADE:
        return list_targets(rules, state, fief, codes, count) > count
    if kind == s.SIEGE:
        return list_sieges(rules, state, fief, codes, count) > count
    if kind == s.QUEST:
        return has_knight(state, fief, state.seat)
    return allows_tithe(rules, state, state.seat, fief)


@compiled
def list_turns(rules, state, codes):
    seat = state.seat
    count = 0
    for i in range(state.token_count[seat]):
        fief, kind = state.token_fief[seat, i], state.token_kind[seat, i]
        again = i > 0 and state.token_fief[seat, i - 1] == fief and state.token_kind[seat, i - 1] == kind
        if again or is_waiting(kind):
            continue
        if _can_be_done(rules, state, fief, kind, codes, count):
            codes[count] = a.encode(s.ASK_TURN, a.DO, a.pack(fief, kind))
            count += 1
        codes[count] = a.encode(s.ASK_TURN, a.DROP, a.pack(fief, kind))
        count += 1
    return count


@compiled
def take_turn(rules, state, log, code):
    """Turn up an order, and begin it or give it up."""
    fief, kind = a.first_of(code), a.second_of(code)
    turn_up(state, state.seat, fief, kind)
    state.step += 1
    state.fief = fief
    if a.verb_of(code) == a.DROP:
        log.seats[state.seat].dropped += 1
        state.phase = s.TURN
    elif kind == s.MUSTER:
        begin_muster(rules, state)
    elif kind == s.REGROUP:
        begin_regroup(rules, state)
    elif kind == s.BUILD:
        state.phase = s.ASK_BUILD
    elif kind == s.INVADE:
        begin_invasion(state)
    elif kind == s.SIEGE:
        state.phase = s.ASK_SIEGE
    elif kind == s.QUEST:
        do_quest(rules, state, log)
    else:
        take_tithe(rules, state, log)
