"""What a seat can't see: the other's hand, the order of both decks, and what the dice will show (CRD-5)."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.compiling.streams import next_word
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.fate import KINDS, pick_card


@compiled_entry
def is_secret(rules, state):
    """Whether what the seat may do now hangs on its hand."""
    phase = state.phase
    of_cards = phase == s.ASK_CARD or phase == s.ASK_ANSWER
    return of_cards or phase == s.ASK_DISCARD or phase == s.ASK_RANSOM


@compiled_entry
def checkpoint(rules, state):
    """How many turns have begun."""
    return state.turns


@compiled
def _collect(state):
    """Take the other's hand into the pile, with no card set aside; returns the number of its cards."""
    other = 1 - state.seat
    state.aside[other] = 0
    for card in range(KINDS):
        state.pile[card] += state.hand[other, card]
        state.hand[other, card] = 0
    state.pile_count += state.hand_size[other]
    return state.hand_size[other]


@compiled
def _hand_back(state, card):
    """A card of the pile goes to the other's hand."""
    state.hand[1 - state.seat, card] += 1
    state.pile[card] -= 1
    state.pile_count -= 1


@compiled_entry
def conceal(rules, state, scratch):
    """Forget, in place, what the seat to choose can't see: what is left says nothing of it.

    The other's hand is the first of the unseen cards in their order, streams of chance are 0.
    """
    wanted = _collect(state)
    card = 0
    for _ in range(wanted):
        while state.pile[card] == 0:
            card += 1
        _hand_back(state, card)
    for source in range(state.chance.shape[0]):
        state.chance[source] = 0


@compiled_entry
def redeal(rules, state, scratch, streams, index):
    """Deal anew, in place, what the seat to choose can't see.

    Parameters
    ----------
    state : record, changed in place
    streams : uint64 array
        The stream at `index` is drawn from.
    """
    for _ in range(_collect(state)):
        _hand_back(state, pick_card(state.pile, state.pile_count, streams, index))
    for source in range(state.chance.shape[0]):
        state.chance[source] = next_word(streams, index)
