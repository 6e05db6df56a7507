"""How a game begins (SET-1 to SET-3), and the components that studies count, give and remove."""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.drawing import KINDS
from balance.games.grody.rules.ruleset import BUILDINGS, TERRAINS


@compiled
def deal(rules, state):
    """Lay out the decks, the tokens, and the gródy with their warriors (SET-1 to SET-3)."""
    for terrain in range(len(TERRAINS)):
        state.terrain_deck[terrain] = rules.terrain_cards[terrain]
        state.terrain_count += rules.terrain_cards[terrain]
    for card in range(KINDS):
        state.pile[card] = rules.card_count[card]
        state.pile_count += rules.card_count[card]
    for kind in range(len(BUILDINGS)):
        state.tokens[kind] = rules.tokens[kind]
    state.players = rules.players
    state.round_number = 1
    for p in range(s.SEATS):
        grod = rules.grod[p]
        state.terrain[grod] = s.GROD
        state.owner[grod] = p
        state.warriors[p, grod] = rules.first_warriors if p == 0 else rules.second_warriors


MOST_COMPONENTS = KINDS + len(TERRAINS)  # a card's number is its kind; the numbers of terrains follow


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
