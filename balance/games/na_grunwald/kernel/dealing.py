"""How a game begins (SET-1 to SET-3), what has been turned up, and the components that studies add or remove."""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import shuffle
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import gain_knight


@compiled
def deal(rules, state, log):
    """Set up a game (SET-1 to SET-3); `state` and `log` hold their initial values.

    Each deck has its own stream, so that the cards of one deck don't change another's order.
    """
    state.players = rules.players
    for deck in range(s.DECK_COUNT):
        for i in range(rules.deck_size[deck]):
            state.decks[deck, i] = rules.deck_cards[deck, i]
        shuffle(state.decks[deck], rules.deck_size[deck], state.chance, deck)
    for p in range(rules.players):
        state.ducats[p] = rules.start_ducats[p]
        state.provisions[p] = rules.start_provisions[p]
        state.helpers[p] = rules.start_helpers[p]
        log.game.peak_ducats += rules.start_ducats[p]
        log.game.peak_provisions += rules.start_provisions[p]


@compiled
def _rounds_shown(state):
    """Return the number of rounds whose cards have been turned up (RND-2)."""
    phase = state.phase
    before = phase == s.ASK_BUY or phase == s.ASK_BID or phase == s.ASK_SEND or phase == s.ASK_ENTER
    before |= phase == s.ASK_PLUNDER and state.after_plunder == s.REVEAL
    return state.round_number - before


@compiled
def is_face_up(rules, state, deck, place):
    """Return whether the cards at this place of a deck's stacks have been turned up."""
    if deck == s.EVENT_DECK:
        return place < state.round_number - 1
    first_round = rules.first_krzyzacy if deck == s.KRZYZACY_DECK else 1
    before = place + first_round - 1  # rounds before the one whose cards they are
    closed = (state.never_shown[s.DECK_FIELDS[deck]] >> before) & 1
    return before < _rounds_shown(state) and closed == 0


@compiled_entry
def count_components(rules, state, log, counts):
    """Count into `counts.shown` and `counts.taken` what has been turned up and what each seat took."""
    for component in range(s.MOST_COMPONENTS):
        counts.shown[component] = 0
        for p in range(state.players):
            counts.taken[p, component] = log.taken[p, component]
    for deck in range(s.DECK_COUNT):
        stack = rules.deck_size[deck] // s.STACKS[deck]
        for card in range(rules.deck_size[deck]):
            if is_face_up(rules, state, deck, card % stack):
                counts.shown[s.FIRST_COMPONENT[deck] + state.decks[deck, card]] += 1


@compiled_entry
def give_component(rules, state, log, component, seat):
    """Give a seat a component that has just been turned up; of a card, the prize of the first on its field."""
    if component >= s.DUCAT_CARDS:
        state.ducats[seat] += state.prize[s.DUCATS, 0]
    elif component >= s.PROVISION_CARDS:
        state.provisions[seat] += state.prize[s.PROVISIONS, 0]
    elif component >= s.CAPTIVES:
        state.captives[seat, component - s.CAPTIVES] += 1
        state.captive_count[seat] += 1
    else:
        kind, strength = divmod(component, s.STRENGTHS)
        gain_knight(state, seat, kind, strength)
    return True


def remove_component(packed: np.record, component: int) -> None:
    """Remove an event card's effect in place; the card is still turned up."""
    event = component - s.EVENT_CARDS
    packed.event_effect[event] = s.GAIN
    packed.event_bundle[event] = 0
