"""The decks: set-up (SET-1 to SET-3), components turned up, and determinization of what a seat can't see (PLC-6)."""

from __future__ import annotations

import numpy as np

from balance.contract.records import forget_chance, redraw_chance
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import draw_below, shuffle
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import gain_knight, seat_in_order


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


# What has been turned up


@compiled
def _rounds_shown(state):
    """Return the number of rounds whose cards have been turned up (RND-2)."""
    phase = state.phase
    before = phase == s.ASK_BUY or phase == s.ASK_BID or phase == s.ASK_SEND or phase == s.ASK_ENTER
    before |= phase == s.ASK_PLUNDER and state.after_plunder == s.REVEAL
    return state.round_number - before


@compiled
def _is_face_up(rules, state, deck, place):
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
            if _is_face_up(rules, state, deck, card % stack):
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


# What a seat can't see


@compiled_entry
def is_secret(rules, state):
    """Return whether the seat to move chooses in secret: a card for the skirmish (KRZ-2) or a contest."""
    return state.phase == s.ASK_FIGHT or state.phase == s.ASK_ENTER


@compiled
def _find_hidden(rules, state, hidden, deck):
    """Write to `hidden` the indices of a deck's unseen cards, all its equal stacks together; return their number."""
    count = 0
    stack = rules.deck_size[deck] // s.STACKS[deck]
    for number in range(s.STACKS[deck]):
        for place in range(stack):
            if not _is_face_up(rules, state, deck, place):
                hidden[count] = number * stack + place
                count += 1
    return count


@compiled
def _sort(cards, hidden, count):
    for i in range(1, count):
        card = cards[hidden[i]]
        hole = i
        while hole > 0 and cards[hidden[hole - 1]] > card:
            cards[hidden[hole]] = cards[hidden[hole - 1]]
            hole -= 1
        cards[hidden[hole]] = card


@compiled
def _shuffle(cards, hidden, count, streams, index):
    for last in range(count - 1, 0, -1):
        other = draw_below(streams, index, last + 1)
        card = cards[hidden[last]]
        cards[hidden[last]] = cards[hidden[other]]
        cards[hidden[other]] = card


@compiled
def _choose_nobody(state, seat):
    """Set a seat's secret choice to no knight: the peasant in the skirmish, no card in a contest."""
    state.card_kind[seat] = s.PEASANT if state.phase == s.ASK_FIGHT else s.NO_CARD
    state.card_strength[seat] = 0


@compiled
def _choose_again(state, hidden, seat, streams, index):
    """Sample a seat's secret choice uniformly: a knight of its hand, or the peasant (in a contest no card)."""
    count = 0
    for kind in range(2):
        for strength in range(1, s.STRENGTHS):
            if state.hand[seat, kind, strength] > 0:
                hidden[count] = s.STRENGTHS * kind + strength
                count += 1
    pick = draw_below(streams, index, count + 1)
    if pick == count:
        _choose_nobody(state, seat)
    else:
        state.card_kind[seat], state.card_strength[seat] = divmod(hidden[pick], s.STRENGTHS)


@compiled
def _replace_unseen(rules, state, scratch, sampling, streams, index):
    """Replace, in place, what the seat to move can't see; without `sampling` draw from no stream."""
    for deck in range(s.DECK_COUNT):
        cards = state.decks[deck]
        count = _find_hidden(rules, state, scratch.hidden, deck)
        if sampling:
            _shuffle(cards, scratch.hidden, count, streams, index)
        else:
            _sort(cards, scratch.hidden, count)
    if sampling:
        redraw_chance(state, streams, index)
    else:
        forget_chance(state)
    if not is_secret(rules, state):
        return
    for number in range(state.asked):
        seat = seat_in_order(state, number)
        if state.phase == s.ASK_FIGHT and state.arrival[s.KRZYZACY, seat] == 0:
            continue
        if sampling:
            _choose_again(state, scratch.hidden, seat, streams, index)
        else:
            _choose_nobody(state, seat)


@compiled_entry
def conceal(rules, state, scratch):
    """Remove, in place, all information that the seat to move can't see.

    Unseen cards are sorted, secret choices become no knight (or the peasant), and streams of chance become 0.
    """
    _replace_unseen(rules, state, scratch, False, state.chance, 0)


@compiled_entry
def determinize(rules, state, scratch, streams, index):
    """Sample, in place, what the seat to move can't see, drawing only from ``streams[index]``."""
    _replace_unseen(rules, state, scratch, True, streams, index)
