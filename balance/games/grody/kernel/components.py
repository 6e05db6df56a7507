"""Components, fate cards and terrains: what has turned up and who took it; one more card, or land without features."""

from __future__ import annotations

import numpy as np

from balance.compiling.jit import compiled_entry
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.vocabulary import CARDS, TERRAINS

KINDS = len(CARDS)  # a card's number is its kind; the numbers of terrains follow
MOST_COMPONENTS = KINDS + len(TERRAINS)


@compiled_entry
def count_components(rules, state, log, counts):
    """Count, into `counts.shown` and `counts.taken`: cards drawn and played, terrains turned up and kept."""
    for card in range(KINDS):
        counts.shown[card] = log.cards_drawn[card]
        for p in range(s.SEATS):
            counts.taken[p, card] = log.played[p, card]
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
    """Make a terrain land without points and features, as wide as what is unexplored, in place."""
    terrain = component - KINDS
    for key in ("points", "plus", "defence", "gloom", "deadly_from"):
        packed[key][terrain] = 0
    packed.allows[terrain] = s.NOTHING
    packed.capacity[terrain] = packed.unexplored_capacity
