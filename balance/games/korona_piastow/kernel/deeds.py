"""Quests (QST-1), tithes (TTH-1), spies (SPY-1), and diversions against spies (DIV-1)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import draw_fate
from balance.games.korona_piastow.kernel.court import count_bag, gain_magnate
from balance.games.korona_piastow.kernel.land import (
    count_active,
    has_troops_of,
    holder_of,
    is_diocese,
    is_own,
    owner_of,
)
from balance.games.korona_piastow.kernel.tokens import count_tokens_at, seek_seat, turn_up


@compiled
def has_knight(state, fief, seat):
    return has_troops_of(state, fief, seat) and state.units[fief, s.KNIGHT] > 0


@compiled
def do_quest(rules, state, log):
    """Carry out a quest; the sum of both numbers of a fate card decides its result."""
    seat = state.seat
    log.seats[seat].quests += 1
    card = draw_fate(rules, state, log, a.FATE_QUEST)
    total = rules.fate_attack[card] + rules.fate_defence[card]
    found = _found_by_quest(rules, state, total)
    denars = rules.quest_denars if found == a.FOUND_DENARS else 0
    record_outcome(state, log, a.QUEST, seat, state.fief, total, found, denars)
    if found == a.KNIGHT_LOST:
        state.units[state.fief, s.KNIGHT] -= 1
    elif found == a.FOUND_DENARS:
        state.denars[seat] += rules.quest_denars
    elif found == a.FOUND_MAGNATE:
        gain_magnate(state, log, seat)
    elif found == a.FOUND_RELIC:
        state.relics[seat] += 1
    state.phase = s.END_ORDER


@compiled
def _found_by_quest(rules, state, total):
    """Return what a quest finds; an empty bag has no magnate."""
    if total <= rules.quest_lost:
        return a.KNIGHT_LOST
    if total <= rules.quest_nothing:
        return a.FOUND_NOTHING
    if total <= rules.quest_money:
        return a.FOUND_DENARS
    if total <= rules.quest_magnate:
        return a.FOUND_MAGNATE if count_bag(state) > 0 else a.FOUND_NOTHING
    return a.FOUND_RELIC


@compiled
def allows_tithe(rules, state, seat, fief):
    """Return whether a tithe is possible in a fief (TTH-1)."""
    if state.devastated[fief] or not is_own(rules, state, fief, seat):
        return False
    return is_diocese(rules, state, rules.district_of[fief]) and (
        count_active(rules, state, seat, s.CATHEDRAL) > 0
    )


@compiled
def take_tithe(rules, state, log):
    state.denars[state.seat] += rules.tithe
    log.seats[state.seat].tithes += 1
    state.phase = s.END_ORDER


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
