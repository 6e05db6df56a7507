"""Event cards: drawing, fate (LOS-1), discards (EVN-2), cards that stay (EVT-1); and components, counted and given."""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import shuffle
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import add_unit, has_room, has_troops_of, is_own
from balance.games.korona_piastow.rules.tables import BUILDINGS, MOST_CARDS, TRAITS, UNITS


@compiled
def draw_card(state, log):
    """Draw the top card; an empty stack is first renewed from the shuffled discards."""
    if state.stack_count == 0:
        for i in range(state.discard_count):
            state.stack[i] = state.discards[i]
        state.stack_count = state.discard_count
        state.discard_count = 0
        shuffle(state.stack, state.stack_count, state.chance, s.CARDS)
        log.game.reshuffles += 1
        a.record_draw(state, log, a.RESHUFFLE, 0)
    state.stack_count -= 1
    return state.stack[state.stack_count]


@compiled
def discard(state, card):
    state.discards[state.discard_count] = card
    state.discard_count += 1


@compiled
def draw_fate(state, log, what):
    """Draw a card for its numbers and discard it; `what` is the chance outcome to log."""
    card = draw_card(state, log)
    discard(state, card)
    a.record_draw(state, log, what, card)
    return card


@compiled
def let_event_stay(state, time, seat, other):
    """Place the event with a ruler, and with the other ruler if the card names one."""
    i = state.stay_count
    state.stay_card[i] = state.event
    state.event = s.NOTHING
    state.stay_time[i] = time
    state.stay_with[i] = seat
    state.stay_other[i] = other
    state.stay_count += 1


@compiled
def _discard_stay(state, i):
    """Discard a card that stayed; the others keep their order."""
    discard(state, state.stay_card[i])
    state.stay_count -= 1
    for j in range(i, state.stay_count):
        state.stay_card[j] = state.stay_card[j + 1]
        state.stay_time[j] = state.stay_time[j + 1]
        state.stay_with[j] = state.stay_with[j + 1]
        state.stay_other[j] = state.stay_other[j + 1]


@compiled
def age_stays(state):
    """Reduce the time units of the cards that stay, and discard those without any left (EVT-1)."""
    for i in range(state.stay_count - 1, -1, -1):
        state.stay_time[i] -= 1
        if state.stay_time[i] == 0:
            _discard_stay(state, i)


@compiled
def drop_stays(state, seat):
    """Discard the cards of a ruler who is out (EVT-1)."""
    for i in range(state.stay_count - 1, -1, -1):
        if state.stay_with[i] == seat or state.stay_other[i] == seat:
            _discard_stay(state, i)


@compiled
def have_peace(state, seat, other):
    found = False
    for i in range(state.stay_count):
        one, two = state.stay_with[i], state.stay_other[i]
        found |= (one == seat and two == other) or (one == other and two == seat)
    return found


@compiled
def is_under_interdict(state, seat):
    found = False
    for i in range(state.stay_count):
        found |= state.stay_with[i] == seat and state.stay_other[i] == s.NOTHING
    return found


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
    begun = state.phase != s.ASK_PLACE and state.phase != s.ASK_LINE
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
