"""Carrying out orders: spies (SPY-1), diversions (DIV-1), and who turns up which order (EXE-1, EXE-2)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import invading, peaceful
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import allows_tithe, has_active, has_knight, holder_of, owner_of
from balance.games.korona_piastow.kernel.orders import (
    count_tokens_at,
    has_turn,
    is_waiting,
    remove_tokens,
    seat_at,
    seek_seat,
    turn_up,
)


@compiled
def _has_tokens_of_others(state, fief, seat):
    for other in range(state.players):
        if other != seat:
            for i in range(state.token_count[other]):
                if state.token_fief[other, i] == fief:
                    return True
    return False


@compiled
def seek_spy(rules, state):
    """Find the next ruler who may spy; return False when all have had their turn."""
    while seek_seat(state):
        seat = state.seat
        able = state.denars[seat] >= rules.spy_cost
        if able and has_active(rules, state, seat, s.CLOTH_HALL):
            for fief in range(rules.fief_count):
                if _has_tokens_of_others(state, fief, seat):
                    state.phase = s.ASK_SPY
                    return True
        state.offset += 1
    state.offset = 0
    state.step = 0
    state.phase = s.TURN
    return False


@compiled
def list_spies(rules, state, codes):
    count = a.append(codes, 0, s.ASK_SPY, a.NONE, 0)
    for fief in range(rules.fief_count):
        if _has_tokens_of_others(state, fief, state.seat):
            count = a.append(codes, count, s.ASK_SPY, a.SPY, fief)
    return count


@compiled
def spy(rules, state, log, code):
    """Pay and see the fief; then the diversions of its holder follow."""
    state.phase = s.SPY
    state.offset += 1
    if a.verb_of(code) == a.NONE:
        return
    fief, seat = a.number_of(code), state.seat
    state.denars[seat] -= rules.spy_cost
    state.spied[seat] = fief
    log.seats[seat].spies += 1
    holder = holder_of(rules, state, fief)
    state.left = count_tokens_at(state, fief, s.DIVERSION, holder)
    state.fief = fief
    state.target = seat
    state.seat = holder
    state.phase = s.DIVERT


@compiled
def seek_diversion(state):
    """Carry out the next diversion in the fief spied on; return False when none is left."""
    if state.left == 0:
        state.phase = s.SPY
        return False
    state.left -= 1
    turn_up(state, state.seat, state.fief, s.DIVERSION)
    state.phase = s.ASK_DAMAGE
    return True


@compiled
def list_damages(rules, state, codes):
    """List finished buildings in the spy's state, or in fiefs with its units."""
    count = a.append(codes, 0, s.ASK_DAMAGE, a.NONE, 0)
    for fief in range(rules.fief_count):
        owner, holder = owner_of(rules, state, fief), holder_of(rules, state, fief)
        theirs = owner == state.target or holder == state.target
        if theirs and state.building[fief] != s.NOTHING:
            count = a.append(codes, count, s.ASK_DAMAGE, a.DAMAGE, fief)
    return count


@compiled
def do_damage(state, code):
    if a.verb_of(code) == a.DAMAGE:
        state.damage[a.number_of(code)] += 1
    state.phase = s.DIVERT


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
    _end_turns(state)
    return False


@compiled
def _pass_turn(state):
    state.offset = (state.offset + 1) % state.players
    state.step = 0


@compiled
def _end_turns(state):
    """Remove all tokens, and end `defend`."""
    for seat in range(state.players):
        remove_tokens(state, seat)
    state.defended[:] = 0
    state.offset = 0
    state.step = 0
    state.left = 0
    state.phase = s.COURT


@compiled
def _can_be_done(rules, state, fief, kind, codes, count):
    """Return whether an order is possible (EXE-2); uses the space behind the list of actions to test it."""
    if kind == s.MUSTER:
        return peaceful.list_musters(rules, state, fief, codes, count) > count
    if kind == s.REGROUP:
        return peaceful.list_regroups(rules, state, fief, codes, count) > count
    if kind == s.BUILD:
        return peaceful.list_builds(rules, state, fief, codes, count) > count
    if kind == s.INVADE:
        return invading.list_targets(rules, state, fief, codes, count) > count
    if kind == s.SIEGE:
        return invading.list_sieges(rules, state, fief, codes, count) > count
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
            count = a.append(codes, count, s.ASK_TURN, a.DO, a.pack(fief, kind))
        count = a.append(codes, count, s.ASK_TURN, a.DROP, a.pack(fief, kind))
    if rules.orders_per_turn == s.ANY_NUMBER and state.step > 0:
        count = a.append(codes, count, s.ASK_TURN, a.DONE, 0)
    return count


@compiled
def take_turn(rules, state, log, code):
    """Turn up an order, and begin it or give it up; or leave the turn to the next ruler."""
    if a.verb_of(code) == a.DONE:
        _pass_turn(state)
        state.phase = s.TURN
        return
    fief, kind = a.first_of(code), a.second_of(code)
    turn_up(state, state.seat, fief, kind)
    state.step += 1
    state.fief = fief
    if a.verb_of(code) == a.DROP:
        log.seats[state.seat].dropped += 1
        state.phase = s.TURN
    elif kind == s.MUSTER:
        peaceful.begin_muster(rules, state)
    elif kind == s.REGROUP:
        peaceful.begin_regroup(rules, state)
    elif kind == s.BUILD:
        state.phase = s.ASK_BUILD
    elif kind == s.INVADE:
        invading.begin_invasion(state)
    elif kind == s.SIEGE:
        state.phase = s.ASK_SIEGE
    elif kind == s.QUEST:
        peaceful.do_quest(rules, state, log)
    else:
        peaceful.take_tithe(rules, state, log)
