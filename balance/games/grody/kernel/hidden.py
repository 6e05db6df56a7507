"""What a seat can't see: the other hand and the order of cards (CRD-5)."""

from __future__ import annotations

from balance.contract.records import forget_chance, redraw_chance
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.drawing import KINDS, pick_card


@compiled_entry
def is_secret(rules, state):
    """Return whether the legal actions of the seat depend on its hand."""
    phase = state.phase
    of_cards = phase == s.ASK_CARD or phase == s.ASK_ANSWER
    return of_cards or phase == s.ASK_DISCARD or phase == s.ASK_RANSOM


@compiled
def _collect(state):
    """Move the other player's hand into the pile, with no card set aside; return the number of its cards."""
    other = 1 - state.seat
    state.aside[other] = 0
    for card in range(KINDS):
        state.pile[card] += state.hand[other, card]
        state.hand[other, card] = 0
    state.pile_count += state.hand_size[other]
    return state.hand_size[other]


@compiled
def _hand_back(state, card):
    """Move a card of the pile to the other player's hand."""
    state.hand[1 - state.seat, card] += 1
    state.pile[card] -= 1
    state.pile_count -= 1


@compiled_entry
def conceal(rules, state, scratch):
    """Remove, in place, all information that the seat to move can't see.

    The other hand becomes the first unseen cards in sorted order, and streams of chance become 0.
    """
    wanted = _collect(state)
    card = 0
    for _ in range(wanted):
        while state.pile[card] == 0:
            card += 1
        _hand_back(state, card)
    forget_chance(state)


@compiled_entry
def determinize(rules, state, scratch, streams, index):
    """Sample, in place, what the seat to move can't see, drawing only from ``streams[index]``."""
    for _ in range(_collect(state)):
        _hand_back(state, pick_card(state.pile, state.pile_count, streams, index))
    redraw_chance(state, streams, index)
