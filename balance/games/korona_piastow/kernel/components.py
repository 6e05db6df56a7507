"""Components: magnates, buildings, units and events; what has turned up, who took it, one more of it, one left out."""

from __future__ import annotations

import numpy as np

from balance.compiling.jit import compiled, compiled_entry
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import add_unit, has_room, has_troops_of, is_own
from balance.games.korona_piastow.rules.vocabulary import BUILDINGS, MOST_CARDS, TRAITS, UNITS

# The numbers of a kind's components begin here.
BUILT = len(TRAITS)
RAISED = BUILT + len(BUILDINGS)
EVENTS = RAISED + len(UNITS) - 1  # foreign units are never mustered
MOST_COMPONENTS = EVENTS + MOST_CARDS


@compiled_entry
def count_components(rules, state, log, counts):
    """Count, into `counts.shown` and `counts.taken`: magnates drawn and granted, buildings finished, units, events.

    Units are there once in a game, when all have been placed; who musters a kind takes it.
    """
    counts.shown[:] = 0
    begun = state.phase != s.ASK_PLACE
    for unit in range(s.FOREIGN):
        counts.shown[RAISED + unit] = begun
    for p in range(s.SEATS):
        for trait in range(state.bag.shape[0]):
            counts.shown[trait] += log.magnates_drawn[p, trait]
            counts.taken[p, trait] = log.magnates_granted[p, trait]
        for kind in range(rules.building_cost.shape[0]):
            counts.shown[BUILT + kind] += log.built[p, kind]
            counts.taken[p, BUILT + kind] = log.built[p, kind]
        for unit in range(s.FOREIGN):
            counts.taken[p, RAISED + unit] = log.mustered[p, unit]
        for card in range(rules.card_count):
            counts.shown[EVENTS + card] += log.events_drawn[p, card]
            counts.taken[p, EVENTS + card] = log.events_drawn[p, card]


@compiled_entry
def give_component(rules, state, log, component, seat):
    """Give a free magnate, or a finished building or a unit where there is room; False to who is out."""
    if state.out_round[seat] > 0 or component >= EVENTS:
        return False
    if component < BUILT:
        state.free_magnates[seat, component] += 1
        return True
    for fief in range(rules.fief_count):
        if component < RAISED and _is_site(rules, state, fief, seat):
            state.building[fief] = component - BUILT
            state.damage[fief] = 0
            return True
        if component >= RAISED and has_troops_of(state, fief, seat) and has_room(rules, state, fief):
            add_unit(state, fief, component - RAISED, seat)
            return True
    return False


@compiled
def _is_site(rules, state, fief, seat):
    """Whether a building may stand in a fief at once: an own one that isn't devastated, with none (BLD-2)."""
    empty = state.building[fief] == s.NOTHING and state.rising[fief] == s.NOTHING
    return empty and state.devastated[fief] == 0 and is_own(rules, state, fief, seat)


def remove_component(packed: np.record, component: int) -> None:
    """Make an event do nothing, its numbers kept, in place."""
    card = component - EVENTS
    packed.effect[card] = s.GAIN
    packed.card_number[card] = 0
