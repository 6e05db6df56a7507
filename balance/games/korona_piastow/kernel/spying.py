"""Spies (SPY-1) and the diversions that meet them (DIV-1)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import count_active, holder_of, owner_of
from balance.games.korona_piastow.kernel.tokens import count_tokens_at, turn_up
from balance.games.korona_piastow.kernel.turn_order import seek_seat


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
    """Go on to the next ruler who may spy; False when all have had their turn."""
    while seek_seat(state):
        seat = state.seat
        able = state.denars[seat] >= rules.spy_cost
        if able and count_active(rules, state, seat, s.CLOTH_HALL) > 0:
            for fief in range(rules.fief_count):
                if _has_tokens_of_others(state, fief, seat):
                    state.phase = s.ASK_SPY
                    return True
        state.offset += 1
    return False


@compiled
def list_spies(rules, state, codes):
    codes[0] = a.encode(s.ASK_SPY, a.NONE, 0)
    count = 1
    for fief in range(rules.fief_count):
        if _has_tokens_of_others(state, fief, state.seat):
            codes[count] = a.encode(s.ASK_SPY, a.SPY, fief)
            count += 1
    return count


@compiled
def spy(rules, state, log, code):
    """Pay and see; then come the diversions of the fief's holder, if there are any."""
    state.phase = s.SPY
    state.offset += 1
    if a.verb_of(code) == a.NONE:
        return
    fief, seat = a.number_of(code), state.seat
    state.denars[seat] -= rules.spy_cost
    state.spied[seat] = fief
    log.spies[seat] += 1
    holder = holder_of(rules, state, fief)
    state.left = count_tokens_at(state, fief, s.DIVERSION, holder)
    state.fief = fief
    state.target = seat
    state.seat = holder
    state.phase = s.DIVERT


@compiled
def seek_diversion(state):
    """Carry out the next diversion in the fief spied on; False when there is none left."""
    if state.left == 0:
        state.phase = s.SPY
        return False
    state.left -= 1
    turn_up(state, state.seat, state.fief, s.DIVERSION)
    state.phase = s.ASK_DAMAGE
    return True


@compiled
def list_damages(rules, state, codes):
    """Finished buildings in the spy's state, or where its units are."""
    codes[0] = a.encode(s.ASK_DAMAGE, a.NONE, 0)
    count = 1
    for fief in range(rules.fief_count):
        if state.building[fief] == s.NOTHING:
            continue
        if owner_of(rules, state, fief) == state.target or (
            holder_of(rules, state, fief) == state.target
        ):
            codes[count] = a.encode(s.ASK_DAMAGE, a.DAMAGE, fief)
            count += 1
    return count


@compiled
def do_damage(state, code):
    if a.verb_of(code) == a.DAMAGE:
        state.damage[a.number_of(code)] += 1
    state.phase = s.DIVERT
