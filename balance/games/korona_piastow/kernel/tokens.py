"""Order tokens on the map: how many of whose lie where, and of what kind (ORD-1 to ORD-3)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import state as s


@compiled
def lay_token(state, seat, fief, kind):
    """Lay a token; they lie in the order of fiefs, then of kinds, so that their order tells nothing."""
    i = state.token_count[seat]
    while i > 0 and _comes_later(state, seat, i - 1, fief, kind):
        state.token_fief[seat, i] = state.token_fief[seat, i - 1]
        state.token_kind[seat, i] = state.token_kind[seat, i - 1]
        i -= 1
    state.token_fief[seat, i] = fief
    state.token_kind[seat, i] = kind
    state.token_count[seat] += 1


@compiled
def _comes_later(state, seat, i, fief, kind):
    if state.token_fief[seat, i] != fief:
        return state.token_fief[seat, i] > fief
    return state.token_kind[seat, i] > kind


@compiled
def remove_token(state, seat, i):
    """Take a token off; the others keep their order, and its place is left as if it had never been."""
    state.token_count[seat] -= 1
    last = state.token_count[seat]
    for j in range(i, last):
        state.token_fief[seat, j] = state.token_fief[seat, j + 1]
        state.token_kind[seat, j] = state.token_kind[seat, j + 1]
    state.token_fief[seat, last] = s.NOTHING
    state.token_kind[seat, last] = s.NOTHING


@compiled
def remove_tokens(state, seat):
    """Take off all tokens of a seat."""
    for i in range(state.token_fief.shape[1]):
        state.token_fief[seat, i] = s.NOTHING
        state.token_kind[seat, i] = s.NOTHING
    state.token_count[seat] = 0


@compiled
def remove_all_tokens(state):
    for seat in range(s.SEATS):
        remove_tokens(state, seat)


@compiled
def find_token(state, seat, fief, kind):
    """The place of such a token among the seat's, NOTHING if there is none."""
    for i in range(state.token_count[seat]):
        if state.token_fief[seat, i] == fief and state.token_kind[seat, i] == kind:
            return i
    return s.NOTHING


@compiled
def turn_up(state, seat, fief, kind):
    """Show a token of that kind and take it off."""
    remove_token(state, seat, find_token(state, seat, fief, kind))
    state.shown[seat, kind] += 1


@compiled
def count_tokens_at(state, fief, kind, seat):
    """Tokens of a kind that a seat has in a fief."""
    count = 0
    for i in range(state.token_count[seat]):
        if state.token_fief[seat, i] == fief and state.token_kind[seat, i] == kind:
            count += 1
    return count


@compiled
def is_waiting(kind):
    """Whether an order waits for what others do: `defend`, `diversion`, `revenge` (EXE-1)."""
    return kind == s.DEFEND or kind == s.DIVERSION or kind == s.REVENGE


@compiled
def has_turn(state, seat):
    """Whether a seat still has a token to turn up (EXE-1)."""
    found = False
    for i in range(state.token_count[seat]):
        found |= not is_waiting(state.token_kind[seat, i])
    return found


@compiled
def clear_fief(state, fief):
    """Take off all tokens in a fief (CMB-3)."""
    for seat in range(state.players):
        for i in range(state.token_count[seat] - 1, -1, -1):
            if state.token_fief[seat, i] == fief:
                remove_token(state, seat, i)
