"""Turn order, and what players gain: goods, knights, and cards that move between hand, camp and table."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s


@compiled
def seat_in_order(state, number):
    """Return the seat with this number (from 0) in turn order: from the starting player clockwise (DEC-3)."""
    seat = state.start + number
    return seat if seat < state.players else seat - state.players


@compiled
def asked_seat(state):
    """Return the seat that must decide now."""
    return seat_in_order(state, state.asked)


@compiled
def note_peaks(state, log):
    """Record the most ducats and provisions in play at once, including stakes on the board."""
    ducats = 0
    provisions = 0
    for p in range(state.players):
        provisions += state.provisions[p]
        ducats += state.ducats[p] + state.stake[s.PROVISIONS, p] + state.stake[s.MERCENARY_FIELD, p]
    log.game.peak_ducats = max(log.game.peak_ducats, ducats)
    log.game.peak_provisions = max(log.game.peak_provisions, provisions)


@compiled
def gain_knight(state, seat, kind, strength):
    state.hand[seat, kind, strength] += 1
    state.knights[seat] += 1


@compiled
def list_knights(state, kind_code, at_least, codes):
    """List the choice of no knight, and of each distinct knight in the hand with strength `at_least` or more."""
    codes[0] = a.encode(kind_code, 0, 0, 0)
    count = 1
    for kind in range(2):
        for strength in range(at_least, s.STRENGTHS):
            # Written without a branch, which would be mispredicted half the time.
            codes[count] = a.encode(kind_code, 0, kind + 1, strength)
            count += state.hand[state.seat, kind, strength] > 0
    return count


@compiled
def choose_secretly(state, action, nobody):
    """Choose a knight of the hand, where other seats see it until all cards are revealed, or `nobody`."""
    kind = a.second_of(action) - 1
    state.card_kind[state.seat] = kind if kind >= 0 else nobody
    state.card_strength[state.seat] = a.third_of(action)
    state.asked += 1


@compiled
def reveal_cards(state):
    """Put all chosen cards onto the table at once."""
    state.cards_open = 1
    for p in range(state.players):
        if state.card_kind[p] >= 0:
            state.hand[p, state.card_kind[p], state.card_strength[p]] -= 1
            state.knights[p] -= 1


@compiled
def clear_table(state):
    """Move played knights to their owners' camps, and captives to the captors' (KRZ-9)."""
    state.cards_open = 0
    for p in range(state.players):
        if state.card_kind[p] >= 0:
            state.camp[p, state.card_kind[p], state.card_strength[p]] += 1
            state.knights[p] += 1
        if state.captured[p] > 0:
            state.captives[p, state.captured[p]] += 1
            state.captive_count[p] += 1
        state.card_kind[p] = s.NO_CARD
        state.captured[p] = 0
