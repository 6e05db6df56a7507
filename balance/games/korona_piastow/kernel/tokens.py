"""Turn order (RND-1), and order tokens on the map (ORD-1 to ORD-3)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import state as s


@compiled
def seat_at(state, offset):
    """Return the seat `offset` places clockwise from the first beginner of this round, in the game or out."""
    return (state.round_number - 1 + offset) % state.players


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
        if state.token_fief[seat, i] == fief and state.token_kind[seat, i] == kind:
            count += 1
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
