"""Components, the cards: which have been drawn and who played them; one more for a hand."""

from __future__ import annotations

from balance.compiling.jit import compiled_entry
from balance.games.polska.kernel import state as s
from balance.games.polska.rules.components import MOST_CARDS, MOST_FACES

MOST_COMPONENTS = MOST_FACES  # a component's number is the face's


@compiled_entry
def count_components(rules, state, log, counts):
    """Count, into `counts.shown` and `counts.taken`, how often each card was drawn and each seat played it."""
    for face in range(MOST_FACES):
        counts.shown[face] = log.turned_up[face]
        for p in range(state.players):
            counts.taken[p, face] = log.faces_played[p, face]


@compiled_entry
def give_component(rules, state, log, component, seat):
    """Put one more card of a face into a hand; False where the table has no room for a card more."""
    if rules.card_count == MOST_CARDS or state.hand_size[seat] == s.HAND:
        return False
    state.hand[seat, state.hand_size[seat]] = component
    state.hand_size[seat] += 1
    return True
