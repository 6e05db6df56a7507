"""Giving orders face down: turn order (RND-1), tokens on the map, and kinds of orders (ORD-1 to ORD-3)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import (
    allows_tithe,
    count_active,
    has_active,
    has_fortress,
    has_knight,
    holder_of,
)


@compiled
def seat_at(state, offset):
    """Return the seat `offset` places clockwise from the first beginner of this round, in the game or out."""
    return (state.rounds_before + state.round_number - 1 + offset) % state.players


@compiled
def beginner(state):
    """Return the seat that begins this round: the first that isn't out; NOTHING if all are."""
    for offset in range(state.players):
        seat = seat_at(state, offset)
        if state.out_round[seat] == 0:
            return seat
    return s.NOTHING


@compiled
def seek_seat(state):
    """Set `seat` to the next seat from `offset` on that isn't out; return False when all have had their turn."""
    while state.offset < state.players:
        seat = seat_at(state, state.offset)
        if state.out_round[seat] == 0:
            state.seat = seat
            return True
        state.offset += 1
    return False


@compiled
def lay_token(state, seat, fief, kind):
    """Place a token; tokens are sorted by fief and kind, so their order gives no information."""
    i = state.token_count[seat]
    while i > 0 and comes_later(state, seat, i - 1, fief, kind):
        state.token_fief[seat, i] = state.token_fief[seat, i - 1]
        state.token_kind[seat, i] = state.token_kind[seat, i - 1]
        i -= 1
    state.token_fief[seat, i] = fief
    state.token_kind[seat, i] = kind
    state.token_count[seat] += 1


@compiled
def comes_later(state, seat, i, fief, kind):
    if state.token_fief[seat, i] != fief:
        return state.token_fief[seat, i] > fief
    return state.token_kind[seat, i] > kind


@compiled
def remove_token(state, seat, i):
    """Remove a token; the others keep their order, and its slot is cleared."""
    state.token_count[seat] -= 1
    last = state.token_count[seat]
    for j in range(i, last):
        state.token_fief[seat, j] = state.token_fief[seat, j + 1]
        state.token_kind[seat, j] = state.token_kind[seat, j + 1]
    state.token_fief[seat, last] = s.NOTHING
    state.token_kind[seat, last] = s.NOTHING


@compiled
def remove_tokens(state, seat):
    """Remove all tokens of a seat."""
    state.token_fief[seat, :] = s.NOTHING
    state.token_kind[seat, :] = s.NOTHING
    state.token_count[seat] = 0


@compiled
def find_token(state, seat, fief, kind):
    """Return the index of a matching token among the seat's, or NOTHING."""
    for i in range(state.token_count[seat]):
        if state.token_fief[seat, i] == fief and state.token_kind[seat, i] == kind:
            return i
    return s.NOTHING


@compiled
def turn_up(state, seat, fief, kind):
    """Show a token of a kind and remove it."""
    remove_token(state, seat, find_token(state, seat, fief, kind))
    state.shown[seat, kind] += 1


@compiled
def count_tokens_at(state, fief, kind, seat):
    """Return the number of a seat's tokens of a kind in a fief."""
    count = 0
    for i in range(state.token_count[seat]):
        count += state.token_fief[seat, i] == fief and state.token_kind[seat, i] == kind
    return count


@compiled
def is_waiting(kind):
    """Return whether an order waits for others' actions: `defend`, `diversion`, `revenge` (EXE-1)."""
    return kind == s.DEFEND or kind == s.DIVERSION or kind == s.REVENGE


@compiled
def has_turn(state, seat):
    """Return whether a seat still has a token to turn up (EXE-1)."""
    found = False
    for i in range(state.token_count[seat]):
        found |= not is_waiting(state.token_kind[seat, i])
    return found


@compiled
def clear_fief(state, fief):
    """Remove all tokens in a fief (CMB-3)."""
    for seat in range(state.players):
        for i in range(state.token_count[seat] - 1, -1, -1):
            if state.token_fief[seat, i] == fief:
                remove_token(state, seat, i)


# Kinds that may be given in every fief.
_ALWAYS = (1 << s.MUSTER) | (1 << s.REGROUP) | (1 << s.BUILD) | (1 << s.INVADE) | (1 << s.DEFEND)


@compiled
def _note_kinds(rules, state):
    """Record the kinds that may be given this round, anywhere and in each fief (ORD-3)."""
    for seat in range(rules.players):
        kinds = _ALWAYS
        if state.out_round[seat] == 0:
            kinds |= has_fortress(rules, state, seat) << s.SIEGE
            kinds |= has_active(rules, state, seat, s.CLOTH_HALL) << s.DIVERSION
            kinds |= has_active(rules, state, seat, s.CASTLE) << s.REVENGE
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
    _note_kinds(rules, state)
    for seat in range(rules.players):
        state.spied[seat] = s.NOTHING
        state.shown[seat, :] = 0
    state.offset = 0
    state.phase = s.GIVE


@compiled
def count_allowed(rules, state, seat):
    """Return the number of tokens of a ruler (ORD-1)."""
    halls = count_active(rules, state, seat, s.TOWN_HALL)
    return min(rules.orders_max, rules.orders + halls * rules.townhall_orders)


@compiled
def count_left(rules, state, seat, kind):
    """Return how many more tokens of a kind a seat may give this round (ORD-3)."""
    given = state.shown[seat, kind]
    for i in range(state.token_count[seat]):
        given += state.token_kind[seat, i] == kind
    return max(0, rules.same_kind - given)


@compiled
def _unused_kinds(rules, state, seat):
    """Return the kinds of which the seat may give another, as bits."""
    kinds = 0
    for kind in range(state.shown.shape[1]):
        kinds |= (count_left(rules, state, seat, kind) > 0) << kind
    return kinds


@compiled
def legal_kinds(rules, state, seat, fief):
    """Return the kinds that the seat may give in a fief, as bits."""
    return (state.open_kinds[seat] | state.fief_kinds[fief]) & _unused_kinds(rules, state, seat)


@compiled
def seek_giver(rules, state):
    """Find the next ruler to give orders; return False when all have."""
    if not seek_seat(state):
        state.offset = 0
        state.phase = s.SPY
        return False
    state.left = count_allowed(rules, state, state.seat)
    state.phase = s.ASK_FIEF
    return True


@compiled
def list_fiefs(rules, state, codes):
    count = a.append(codes, 0, s.ASK_FIEF, a.DONE, 0)
    unused = _unused_kinds(rules, state, state.seat)
    anywhere = state.open_kinds[state.seat] & unused
    for fief in range(rules.fief_count):
        kinds = anywhere | (state.fief_kinds[fief] & unused)
        if kinds != 0 and holder_of(rules, state, fief) == state.seat:
            count = a.append(codes, count, s.ASK_FIEF, a.FIEF, fief)
    return count


@compiled
def list_kinds(rules, state, codes):
    kinds = legal_kinds(rules, state, state.seat, state.fief)
    count = 0
    for kind in range(state.shown.shape[1]):
        if (kinds >> kind) & 1:
            count = a.append(codes, count, s.ASK_ORDER, a.ORDER, kind)
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
