"""What a seat can't see (DEC-4): others' tokens face down, the order of the stack, what chance will bring."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.compiling.streams import draw_below, next_word, shuffle
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import has_troops_of, holder_of
from balance.games.korona_piastow.kernel.orders import count_allowed, legal_kinds
from balance.games.korona_piastow.kernel.tokens import has_turn, is_waiting, lay_token, remove_tokens
from balance.games.korona_piastow.kernel.turn_order import seat_at
from balance.games.korona_piastow.rules.vocabulary import ORDERS

_ANY = (1 << len(ORDERS)) - 1  # all kinds of order, as bits
_USUAL = (10, 1, 2, 8, 1, 2, 1, 1, 1, 1)
"""How often each kind of order is expected face down, about as often as the champion gives it."""


@compiled_entry
def is_secret(rules, state):
    """Whether what the seat may do hangs on tokens that lie face down (DEC-4)."""
    phase = state.phase
    of_tokens = phase == s.ASK_TURN or phase == s.ASK_REVENGE or phase == s.ASK_DAMAGE
    return of_tokens or _are_orders_given(state)


@compiled
def _are_orders_given(state):
    """Whether the seat to choose gives orders face down (ORD-2): then nobody sees any of another's."""
    return state.phase == s.ASK_FIEF or state.phase == s.ASK_ORDER


@compiled
def _find_unknown(state, scratch, seat):
    """Note which of another's tokens the seat to choose hasn't seen."""
    count = 0
    for i in range(state.token_count[seat]):
        if state.token_fief[seat, i] != state.spied[state.seat]:
            scratch.unknown[count] = i
            count += 1
    scratch.unknown_count = count


@compiled
def _must_turn(state, scratch, seat):
    """Whether one of the unknown tokens, and no known one, must be such as its ruler turns up."""
    if not has_turn(state, seat):
        return False
    for i in range(state.token_count[seat]):
        known = state.token_fief[seat, i] == state.spied[state.seat]
        if known and not is_waiting(state.token_kind[seat, i]):
            return False
    return scratch.unknown_count > 0


@compiled
def _sort_tokens(state, seat):
    """Tokens of one fief in the order of their kinds."""
    for i in range(1, state.token_count[seat]):
        fief, kind = state.token_fief[seat, i], state.token_kind[seat, i]
        hole = i
        while (
            hole > 0
            and state.token_fief[seat, hole - 1] == fief
            and state.token_kind[seat, hole - 1] > kind
        ):
            state.token_kind[seat, hole] = state.token_kind[seat, hole - 1]
            hole -= 1
        state.token_kind[seat, hole] = kind


@compiled_entry
def conceal(rules, state, scratch):
    """Forget, in place, what the seat to choose can't see: what is left says nothing of it.

    The stack is sorted, streams of chance set to 0. Others' orders are taken back while they are given;
    afterwards unknown ones become `defend`, the first of them `muster` where one must be such as is turned up.
    """
    state.stack[: state.stack_count].sort()
    for source in range(state.chance.shape[0]):
        state.chance[source] = 0
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
    """Weight of a kind of order in a fief; where nobody stands an invasion is as rare as the rarest."""
    idle = kind == s.INVADE and not has_troops_of(state, fief, seat)
    return 1 if idle else _USUAL[kind]


@compiled
def _pick_kind(state, seat, fief, kinds, streams, index):
    """One of the kinds that are set as bits, as likely as it is expected; NOTHING if there is none."""
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
def _give_anew(rules, state, seat, streams, index):
    """Orders that a ruler may have given: all its tokens, each in a fief of its own choice."""
    remove_tokens(state, seat)
    for _ in range(count_allowed(rules, state, seat)):
        count = 0
        for fief in range(rules.fief_count):
            if _may_give(rules, state, seat, fief):
                count += 1
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
def _left_of(rules, state, seat, kind):
    """How many more tokens of a kind the seat may have given (ORD-3)."""
    given = state.shown[seat, kind]
    for i in range(state.token_count[seat]):
        given += state.token_kind[seat, i] == kind
    return max(0, rules.same_kind - given)


@compiled
def _is_enough(rules, state, scratch, seat, first):
    """Whether the unknown tokens from `first` on can all still have a kind that they are allowed.

    Quests and tithes alone hang on the fief, so that it is enough to count who may have those.
    """
    common, quests, tithes = 0, 0, 0
    for kind in range(state.shown.shape[1]):
        left = _left_of(rules, state, seat, kind) if (scratch.allowed >> kind) & 1 else 0
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
    """Kinds that a token may be, as bits."""
    able = 0
    here = state.open_kinds[seat] | state.fief_kinds[state.token_fief[seat, token]]
    for kind in range(state.shown.shape[1]):
        if ((scratch.allowed & here) >> kind) & 1 and _left_of(rules, state, seat, kind) > 0:
            able |= 1 << kind
    return able


@compiled
def _deal_kind(rules, state, scratch, seat, place, kinds, streams, index):
    """Make the unknown token at `place` one of `kinds` that leaves enough for the others; False if none does."""
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
def _turn_face_down_anew(rules, state, scratch, seat, streams, index):
    """Deal the kinds of the tokens of a ruler that the seat to choose hasn't seen."""
    _find_unknown(state, scratch, seat)
    turning = _must_turn(state, scratch, seat)
    scratch.allowed = _ANY if has_turn(state, seat) else s.WAITING
    shuffle(scratch.unknown, scratch.unknown_count, streams, index)
    for place in range(scratch.unknown_count):
        state.token_kind[seat, scratch.unknown[place]] = s.NOTHING
    for place in range(scratch.unknown_count):
        if turning and _deal_kind(rules, state, scratch, seat, place, _ANY & ~s.WAITING, streams, index):
            turning = False
        else:
            _deal_kind(rules, state, scratch, seat, place, _ANY, streams, index)
    _sort_tokens(state, seat)


@compiled_entry
def redeal(rules, state, scratch, streams, index):
    """Deal anew, in place, what the seat to choose can't see.

    Parameters
    ----------
    state : record, changed in place
    streams : uint64 array
        The stream at `index` is drawn from.
    """
    shuffle(state.stack, state.stack_count, streams, index)
    for source in range(state.chance.shape[0]):
        state.chance[source] = next_word(streams, index)
    if _are_orders_given(state):
        for offset in range(state.offset):
            seat = seat_at(state, offset)
            if state.out_round[seat] == 0:
                _give_anew(rules, state, seat, streams, index)
        return
    for seat in range(state.players):
        if seat != state.seat:
            _turn_face_down_anew(rules, state, scratch, seat, streams, index)
