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
    """Give a free magnate, or a finished building or a unit in an own fief; False where there is no room for it."""
    if state.out_round[seat] > 0 or component >= EVENTS:
        return False
    if component < BUILT:
        state.free_magnates[seat, component] += 1
        return True
    if component < RAISED:
        fief = _find_site(rules, state, seat)
        if fief != s.NOTHING:
            state.building[fief] = component - BUILT
            state.damage[fief] = 0
        return fief != s.NOTHING
    fief = _find_camp(rules, state, seat, component - RAISED)
    if fief != s.NOTHING:
        add_unit(state, fief, component - RAISED, seat)
    return fief != s.NOTHING


@compiled
def _find_site(rules, state, seat):
    """An own fief that isn't devastated, without a building (BLD-2); NOTHING if there is none."""
    for fief in range(rules.fief_count):
        empty = state.building[fief] == s.NOTHING and state.rising[fief] == s.NOTHING
        if empty and state.devastated[fief] == 0 and is_own(rules, state, fief, seat):
            return fief
    return s.NOTHING


@compiled
def _find_camp(rules, state, seat, unit):
    """An own fief with room, with others of the ruler's units if there is one: an engine is not left alone (UNT-1)."""
    found = s.NOTHING
    for fief in range(rules.fief_count):
        if is_own(rules, state, fief, seat) and has_room(rules, state, fief):
            if has_troops_of(state, fief, seat):
                return fief
            if found == s.NOTHING and unit != s.ENGINE:
                found = fief
    return found


def remove_component(packed: np.record, component: int) -> None:
    """Make an event do nothing, its numbers kept, in place."""
    card = component - EVENTS
    packed.effect[card] = s.GAIN
    packed.card_number[card] = 0
