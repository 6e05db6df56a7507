"""Hidden information of a seat (DEC-4): others' face-down tokens, the order of the stack, future chance."""

from __future__ import annotations

from balance.contract.records import forget_chance, redraw_chance
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import draw_below, shuffle
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import has_troops_of, holder_of
from balance.games.korona_piastow.kernel.orders import (
    comes_later,
    count_allowed,
    count_left,
    has_turn,
    is_waiting,
    lay_token,
    legal_kinds,
    remove_tokens,
    seat_at,
)
from balance.games.korona_piastow.rules.tables import ORDERS

_ANY = (1 << len(ORDERS)) - 1  # all kinds of order, as bits
_USUAL = (10, 1, 2, 8, 1, 2, 1, 1, 1, 1)
"""How often each kind of order is expected face down, about as often as the champion gives it."""


@compiled_entry
def is_secret(rules, state):
    """Return whether the legal actions of the seat depend on face-down tokens (DEC-4)."""
    phase = state.phase
    of_tokens = phase == s.ASK_TURN or phase == s.ASK_REVENGE or phase == s.ASK_DAMAGE
    return of_tokens or _are_orders_given(state)


@compiled
def _are_orders_given(state):
    """Return whether the seat to move gives orders face down (ORD-2): then it sees no token of others."""
    return state.phase == s.ASK_FIEF or state.phase == s.ASK_ORDER


@compiled
def _find_unknown(state, scratch, seat):
    """Record another ruler's tokens that the seat to move hasn't seen."""
    count = 0
    for i in range(state.token_count[seat]):
        if state.token_fief[seat, i] != state.spied[state.seat]:
            scratch.unknown[count] = i
            count += 1
    scratch.unknown_count = count


@compiled
def _must_turn(state, scratch, seat):
    """Return whether an unknown token must be of a kind that its ruler turns up, because no known token is."""
    if not has_turn(state, seat):
        return False
    for i in range(state.token_count[seat]):
        known = state.token_fief[seat, i] == state.spied[state.seat]
        if known and not is_waiting(state.token_kind[seat, i]):
            return False
    return scratch.unknown_count > 0


@compiled
def _sort_tokens(state, seat):
    """Sort the tokens of one fief by kind."""
    for i in range(1, state.token_count[seat]):
        fief, kind = state.token_fief[seat, i], state.token_kind[seat, i]
        hole = i
        while hole > 0 and comes_later(state, seat, hole - 1, fief, kind):
            state.token_kind[seat, hole] = state.token_kind[seat, hole - 1]
            hole -= 1
        state.token_kind[seat, hole] = kind


@compiled_entry
def conceal(rules, state, scratch):
    """Remove, in place, all information that the seat to move can't see.

    The stack is sorted and streams of chance become 0. While orders are given, others' orders are removed; later,
    unknown orders become `defend`, and the first becomes `muster` if one must be of a kind that is turned up.
    """
    state.stack[: state.stack_count].sort()
    forget_chance(state)
    giving = _are_orders_given(state)
    for seat in range(state.players):
        if seat == state.seat:
            continue
        if giving:
            remove_tokens(state, seat)
            continue
        _find_unknown(state, scratch, seat)
        turning = _must_turn(state, scratch, seat)
        for i in range(scratch.unknown_count):
            state.token_kind[seat, scratch.unknown[i]] = s.DEFEND
        if turning:
            state.token_kind[seat, scratch.unknown[0]] = s.MUSTER
        _sort_tokens(state, seat)


@compiled
def _expect(state, seat, fief, kind):
    """Return the weight of a kind of order in a fief; in a fief without units an invasion has the lowest weight."""
    idle = kind == s.INVADE and not has_troops_of(state, fief, seat)
    return 1 if idle else _USUAL[kind]


@compiled
def _pick_kind(state, seat, fief, kinds, streams, index):
    """Return one of the kinds in a bit set, sampled by its weight; NOTHING from an empty set."""
    total = 0
    for kind in range(len(_USUAL)):
        if (kinds >> kind) & 1:
            total += _expect(state, seat, fief, kind)
    if total == 0:
        return s.NOTHING
    pick = draw_below(streams, index, total)
    for kind in range(len(_USUAL)):
        if (kinds >> kind) & 1:
            pick -= _expect(state, seat, fief, kind)
            if pick < 0:
                return kind
    return s.NOTHING


@compiled
def _sample_orders(rules, state, seat, streams, index):
    """Sample the orders that a ruler may have given: all its tokens, each in any of its fiefs."""
    remove_tokens(state, seat)
    for _ in range(count_allowed(rules, state, seat)):
        count = 0
        for fief in range(rules.fief_count):
            count += _may_give(rules, state, seat, fief)
        if count == 0:
            return
        pick = draw_below(streams, index, count)
        for fief in range(rules.fief_count):
            if _may_give(rules, state, seat, fief):
                if pick == 0:
                    kinds = legal_kinds(rules, state, seat, fief)
                    kind = _pick_kind(state, seat, fief, kinds, streams, index)
                    lay_token(state, seat, fief, kind)
                    break
                pick -= 1


@compiled
def _may_give(rules, state, seat, fief):
    return holder_of(rules, state, fief) == seat and legal_kinds(rules, state, seat, fief) != 0


@compiled
def _is_enough(rules, state, scratch, seat, first):
    """Return whether all unknown tokens from `first` on can still have an allowed kind.

    Only quests and tithes depend on the fief, so it is enough to count the tokens that may have these kinds.
    """
    common, quests, tithes = 0, 0, 0
    for kind in range(state.shown.shape[1]):
        left = count_left(rules, state, seat, kind) if (scratch.allowed >> kind) & 1 else 0
        if kind == s.QUEST:
            quests = left
        elif kind == s.TITHE:
            tithes = left
        elif (state.open_kinds[seat] >> kind) & 1:
            common += left
    only_quest, only_tithe, either = 0, 0, 0
    for i in range(first, scratch.unknown_count):
        special = state.fief_kinds[state.token_fief[seat, scratch.unknown[i]]]
        quest, tithe = (special >> s.QUEST) & 1, (special >> s.TITHE) & 1
        only_quest += quest & (1 - tithe)
        only_tithe += tithe & (1 - quest)
        either += quest & tithe
    used = min(only_quest, quests) + min(only_tithe, tithes)
    more = max(0, quests - only_quest) + max(0, tithes - only_tithe)
    return scratch.unknown_count - first <= common + used + min(either, more)


@compiled
def _able_kinds(rules, state, scratch, seat, token):
    """Return the kinds that a token may have, as bits."""
    able = 0
    here = state.open_kinds[seat] | state.fief_kinds[state.token_fief[seat, token]]
    for kind in range(state.shown.shape[1]):
        if ((scratch.allowed & here) >> kind) & 1 and count_left(rules, state, seat, kind) > 0:
            able |= 1 << kind
    return able


@compiled
def _sample_kind(rules, state, scratch, seat, place, kinds, streams, index):
    """Give the unknown token at `place` one of `kinds` that leaves enough for the others; False if none does."""
    token = scratch.unknown[place]
    able = kinds & _able_kinds(rules, state, scratch, seat, token)
    while able != 0:
        kind = _pick_kind(state, seat, state.token_fief[seat, token], able, streams, index)
        state.token_kind[seat, token] = kind
        if _is_enough(rules, state, scratch, seat, place + 1):
            return True
        able &= ~(1 << kind)
    state.token_kind[seat, token] = s.NOTHING
    return False


@compiled
def _sample_kinds(rules, state, scratch, seat, streams, index):
    """Sample the kinds of a ruler's tokens that the seat to move hasn't seen."""
    _find_unknown(state, scratch, seat)
    turning = _must_turn(state, scratch, seat)
    scratch.allowed = _ANY if has_turn(state, seat) else s.WAITING
    shuffle(scratch.unknown, scratch.unknown_count, streams, index)
    for place in range(scratch.unknown_count):
        state.token_kind[seat, scratch.unknown[place]] = s.NOTHING
    for place in range(scratch.unknown_count):
        if turning and _sample_kind(rules, state, scratch, seat, place, _ANY & ~s.WAITING, streams, index):
            turning = False
        else:
            _sample_kind(rules, state, scratch, seat, place, _ANY, streams, index)
    _sort_tokens(state, seat)


@compiled_entry
def determinize(rules, state, scratch, streams, index):
    """Sample, in place, what the seat to move can't see, drawing only from ``streams[index]``."""
    shuffle(state.stack, state.stack_count, streams, index)
    redraw_chance(state, streams, index)
    if _are_orders_given(state):
        for offset in range(state.offset):
            seat = seat_at(state, offset)
            if state.out_round[seat] == 0:
                _sample_orders(rules, state, seat, streams, index)
        return
    for seat in range(state.players):
        if seat != state.seat:
            _sample_kinds(rules, state, scratch, seat, streams, index)
