"""Components: count them, give one to a seat, remove the effect of an event."""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.dealing import cards_shown


@compiled
def provision_card(state):
    """Return the number of this round's provision card."""
    return s.PROVISION_CARD + state.provision_deck[state.round_number - 1]


@compiled
def ducat_card(state):
    """Return the number of this round's ducat card."""
    return s.DUCAT_CARD + state.ducat_deck[state.round_number - 1]


@compiled
def _was_shown(state, field, place):
    """Return whether the cards of a field lay face up in round `place` + 1."""
    return (state.never_shown[field] >> place) & 1 == 0


@compiled_entry
def count_components(rules, state, log, counts):
    """Count into `counts.shown` and `counts.taken` what has been turned up and what each seat took."""
    for component in range(s.MOST_COMPONENTS):
        counts.shown[component] = 0
        for p in range(state.players):
            counts.taken[p, component] = log.taken[p, component]
    shown = counts.shown
    early = rules.first_krzyzacy - 1
    for place in range(cards_shown(state)):
        for stack in range(2):
            if _was_shown(state, s.CROWN_FIELD, place):
                shown[s.CROWN_KNIGHTS + state.crown_deck[stack * (rules.crown_count // 2) + place]] += 1
            if _was_shown(state, s.MERCENARY_FIELD, place):
                shown[
                    s.MERCENARIES + state.mercenary_deck[stack * (rules.mercenary_count // 2) + place]
                ] += 1
            if place >= early and _was_shown(state, s.KRZYZACY, place):
                card = stack * (rules.krzyzacy_count // 2) + place - early
                shown[s.CAPTIVES + state.krzyzacy_deck[card]] += 1
        if _was_shown(state, s.PROVISIONS, place):
            shown[s.PROVISION_CARD + state.provision_deck[place]] += 1
        if _was_shown(state, s.DUCATS, place):
            shown[s.DUCAT_CARD + state.ducat_deck[place]] += 1
    for event in range(rules.event_count):
        shown[s.EVENT_CARD + event] = (log.game.events_seen >> np.int64(event)) & 1


@compiled_entry
def give_component(rules, state, log, component, seat):
    """Give a seat a component that has just been turned up; of a card, the prize of the first on its field."""
    if component >= s.DUCAT_CARD:
        state.ducats[seat] += state.prize[s.DUCATS, 0]
    elif component >= s.PROVISION_CARD:
        state.provisions[seat] += state.prize[s.PROVISIONS, 0]
    elif component >= s.CAPTIVES:
        state.captives[seat, component - s.CAPTIVES] += 1
        state.captive_count[seat] += 1
    else:
        kind, strength = divmod(component, s.STRENGTHS)
        state.hand[seat, kind, strength] += 1
        state.knights[seat] += 1
    return True


def remove_component(packed: np.record, component: int) -> None:
    """Remove an event card's effect in place; the card is still turned up."""
    event = component - s.EVENT_CARD
    packed.event_effect[event] = s.GAIN
    packed.event_bundle[event] = 0
