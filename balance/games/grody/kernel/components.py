"""Components (fate cards and terrains): count them, give a card, remove the features of a terrain."""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled_entry
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.geography import CARDS, TERRAINS

KINDS = len(CARDS)  # a card's number is its kind; the numbers of terrains follow
MOST_COMPONENTS = KINDS + len(TERRAINS)


@compiled_entry
def count_components(rules, state, log, counts):
    """Count into `counts.shown` and `counts.taken`: cards drawn and played, terrains turned up and kept."""
    for card in range(KINDS):
        counts.shown[card] = log.cards_drawn[card]
        for p in range(s.SEATS):
            counts.taken[p, card] = log.seats[p].played[card]
    for terrain in range(len(TERRAINS)):
        counts.shown[KINDS + terrain] = log.terrains_shown[terrain]
        for p in range(s.SEATS):
            counts.taken[p, KINDS + terrain] = log.terrains_taken[p, terrain]


@compiled_entry
def give_component(rules, state, log, component, seat):
    """Put one more card of a kind into a hand; terrains can't be given."""
    if component >= KINDS:
        return False
    state.hand[seat, component] += 1
    state.hand_size[seat] += 1
    return True


def remove_component(packed: np.record, component: int) -> None:
    """Remove a terrain's points and features in place; its capacity becomes that of an unexplored segment."""
    terrain = component - KINDS
    for key in ("points", "plus", "defence", "gloom", "deadly_from"):
        packed[key][terrain] = 0
    packed.allows[terrain] = s.NOTHING
    packed.capacity[terrain] = packed.unexplored_capacity
