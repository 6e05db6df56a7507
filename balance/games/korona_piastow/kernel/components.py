"""Components (magnates, buildings, units and events): count them, give one, remove an event."""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import add_unit, has_room, has_troops_of, is_own
from balance.games.korona_piastow.rules.tables import BUILDINGS, MOST_CARDS, TRAITS, UNITS

# The numbers of a kind's components begin here.
BUILT = len(TRAITS)
RAISED = BUILT + len(BUILDINGS)
EVENTS = RAISED + len(UNITS) - 1  # no ruler musters foreign units
MOST_COMPONENTS = EVENTS + MOST_CARDS


@compiled_entry
def count_components(rules, state, log, counts):
    """Count into `counts.shown` and `counts.taken`: magnates drawn and granted, buildings, units, events.

    Units count as shown once per game, after placing; a seat that musters a kind takes it.
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
    """Give a free magnate, or a building or unit in an own fief; return False if no fief has room for it."""
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
    """Return an own fief without devastation and building (BLD-2), or NOTHING."""
    for fief in range(rules.fief_count):
        empty = state.building[fief] == s.NOTHING and state.rising[fief] == s.NOTHING
        if empty and state.devastated[fief] == 0 and is_own(rules, state, fief, seat):
            return fief
    return s.NOTHING


@compiled
def _find_camp(rules, state, seat, unit):
    """Return an own fief with room, if possible with other units of the ruler: an engine needs them (UNT-1)."""
    found = s.NOTHING
    for fief in range(rules.fief_count):
        if is_own(rules, state, fief, seat) and has_room(rules, state, fief):
            if has_troops_of(state, fief, seat):
                return fief
            if found == s.NOTHING and unit != s.ENGINE:
                found = fief
    return found


def remove_component(packed: np.record, component: int) -> None:
    """Remove an event's effect in place; its numbers of fate stay."""
    card = component - EVENTS
    packed.effect[card] = s.GAIN
    packed.card_number[card] = 0
