"""Giving orders face down (ORD-1 to ORD-3)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.deeds import allows_tithe, has_knight
from balance.games.korona_piastow.kernel.land import count_active, has_fortress, holder_of
from balance.games.korona_piastow.kernel.tokens import lay_token, seek_seat

# Kinds that may be given in every fief.
_ALWAYS = (1 << s.MUSTER) | (1 << s.REGROUP) | (1 << s.BUILD) | (1 << s.INVADE) | (1 << s.DEFEND)


@compiled
def note_kinds(rules, state):
    """Record the kinds that may be given this round, anywhere and in each fief (ORD-3)."""
    for seat in range(rules.players):
        kinds = _ALWAYS
        if state.out_round[seat] == 0:
            kinds |= has_fortress(rules, state, seat) << s.SIEGE
            kinds |= (count_active(rules, state, seat, s.CLOTH_HALL) > 0) << s.DIVERSION
            kinds |= (count_active(rules, state, seat, s.CASTLE) > 0) << s.REVENGE
        state.open_kinds[seat] = kinds
    for fief in range(rules.fief_count):
        kinds = 0
        seat = holder_of(rules, state, fief)
        if seat >= 0:
            quest = rules.legendary[fief] == 1 and has_knight(state, fief, seat)
            kinds |= quest << s.QUEST
            kinds |= allows_tithe(rules, state, seat, fief) << s.TITHE
        state.fief_kinds[fief] = kinds


@compiled
def begin_giving(rules, state):
    """Begin phase 2, in which rulers give orders."""
    note_kinds(rules, state)
    for seat in range(rules.players):
        state.spied[seat] = s.NOTHING
        for kind in range(state.shown.shape[1]):
            state.shown[seat, kind] = 0
    state.offset = 0
    state.phase = s.GIVE


@compiled
def count_allowed(rules, state, seat):
    """Return the number of tokens of a ruler (ORD-1)."""
    halls = count_active(rules, state, seat, s.TOWN_HALL)
    return min(rules.orders_max, rules.orders + halls * rules.townhall_orders)


@compiled
def _unused_kinds(rules, state, seat):
    """Return the kinds of which the seat may give another (ORD-3), as bits."""
    kinds = 0
    for kind in range(state.shown.shape[1]):
        given = state.shown[seat, kind]
        for i in range(state.token_count[seat]):
            given += state.token_kind[seat, i] == kind
        if given < rules.same_kind:
            kinds |= 1 << kind
    return kinds


@compiled
def legal_kinds(rules, state, seat, fief):
    """Return the kinds that the seat may give in a fief, as bits."""
    return (state.open_kinds[seat] | state.fief_kinds[fief]) & _unused_kinds(rules, state, seat)


@compiled
def seek_giver(rules, state):
    """Find the next ruler to give orders; return False when all have."""
    if not seek_seat(state):
        return False
    state.left = count_allowed(rules, state, state.seat)
    state.phase = s.ASK_FIEF
    return True


@compiled
def list_fiefs(rules, state, codes):
    codes[0] = a.encode(s.ASK_FIEF, a.DONE, 0)
    count = 1
    unused = _unused_kinds(rules, state, state.seat)
    anywhere = state.open_kinds[state.seat] & unused
    for fief in range(rules.fief_count):
        kinds = anywhere | (state.fief_kinds[fief] & unused)
        if kinds != 0 and holder_of(rules, state, fief) == state.seat:
            codes[count] = a.encode(s.ASK_FIEF, a.FIEF, fief)
            count += 1
    return count


@compiled
def list_kinds(rules, state, codes):
    kinds = legal_kinds(rules, state, state.seat, state.fief)
    count = 0
    for kind in range(state.shown.shape[1]):
        if (kinds >> kind) & 1:
            codes[count] = a.encode(s.ASK_ORDER, a.ORDER, kind)
            count += 1
    return count


@compiled
def choose_fief(state, code):
    """Choose the fief of the next order, or go to the next ruler."""
    if a.verb_of(code) == a.DONE:
        _end_giving(state)
    else:
        state.fief = a.number_of(code)
        state.phase = s.ASK_ORDER


@compiled
def give_order(state, log, code):
    lay_token(state, state.seat, state.fief, a.number_of(code))
    log.seats[state.seat].orders_given += 1
    state.left -= 1
    state.phase = s.ASK_FIEF
    if state.left == 0:
        _end_giving(state)


@compiled
def _end_giving(state):
    state.offset += 1
    state.phase = s.GIVE
