"""Set-up (SET-1 to SET-3), and determinization of what a seat can't see (PLC-6)."""

from __future__ import annotations

from balance.contract.records import forget_chance, redraw_chance
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import draw_below, shuffle
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import seat_in_order
from balance.games.na_grunwald.rules.vocabulary import MOST_CARDS


@compiled
def _shuffle_decks(rules, state):
    """Shuffle each deck with its own stream, so that the cards of one deck don't change another's order."""
    for i in range(MOST_CARDS):
        state.crown_deck[i] = rules.crown_cards[i]
        state.mercenary_deck[i] = rules.mercenary_cards[i]
        state.krzyzacy_deck[i] = rules.krzyzacy_cards[i]
        state.provision_deck[i] = i
        state.ducat_deck[i] = i
        state.event_deck[i] = i
    shuffle(state.crown_deck, rules.crown_count, state.chance, s.CROWN_CARDS)
    shuffle(state.mercenary_deck, rules.mercenary_count, state.chance, s.MERCENARY_CARDS)
    shuffle(state.krzyzacy_deck, rules.krzyzacy_count, state.chance, s.KRZYZACY_CARDS)
    shuffle(state.provision_deck, rules.provision_count, state.chance, s.PROVISION_CARDS)
    shuffle(state.ducat_deck, rules.ducat_count, state.chance, s.DUCAT_CARDS)
    shuffle(state.event_deck, rules.event_count, state.chance, s.EVENT_CARDS)


@compiled
def deal(rules, state, log):
    """Set up a game (SET-1 to SET-3); `state` and `log` hold their initial values."""
    state.players = rules.players
    _shuffle_decks(rules, state)
    for p in range(rules.players):
        state.ducats[p] = rules.start_ducats[p]
        state.provisions[p] = rules.start_provisions[p]
        state.helpers[p] = rules.start_helpers[p]
        log.game.peak_ducats += rules.start_ducats[p]
        log.game.peak_provisions += rules.start_provisions[p]


@compiled_entry
def is_secret(rules, state):
    """Return whether the seat to move chooses in secret: a card for the skirmish (KRZ-2) or a contest."""
    return state.phase == s.ASK_FIGHT or state.phase == s.ASK_ENTER


@compiled
def cards_shown(state):
    """Return the number of rounds whose cards have been turned up (RND-2)."""
    phase = state.phase
    before = phase == s.ASK_BUY or phase == s.ASK_BID or phase == s.ASK_SEND or phase == s.ASK_ENTER
    before |= phase == s.ASK_PLUNDER and state.after_plunder == s.REVEAL
    return state.round_number - before


@compiled
def _find_hidden(hidden, size, stacks, turned, never_shown):
    """Write the indices of a deck's unseen cards, all its equal stacks together; return their number."""
    count = 0
    stack = size // stacks
    for number in range(stacks):
        for place in range(stack):
            if place >= turned or (never_shown >> place) & 1 == 1:
                hidden[count] = number * stack + place
                count += 1
    return count


@compiled
def _sort(deck, hidden, count):
    for i in range(1, count):
        card = deck[hidden[i]]
        hole = i
        while hole > 0 and deck[hidden[hole - 1]] > card:
            deck[hidden[hole]] = deck[hidden[hole - 1]]
            hole -= 1
        deck[hidden[hole]] = card


@compiled
def _shuffle(deck, hidden, count, streams, index):
    for last in range(count - 1, 0, -1):
        other = draw_below(streams, index, last + 1)
        card = deck[hidden[last]]
        deck[hidden[last]] = deck[hidden[other]]
        deck[hidden[other]] = card


@compiled
def _rearrange(rules, state, scratch, shuffling, streams, index):
    """Shuffle the unseen cards of every deck; without `shuffling` sort them and draw from no stream."""
    hidden, unseen = scratch.hidden, state.never_shown
    turned = cards_shown(state)
    for deck in range(6):
        if deck == 0:
            cards = state.crown_deck
            count = _find_hidden(hidden, rules.crown_count, 2, turned, unseen[s.CROWN_FIELD])
        elif deck == 1:
            cards = state.mercenary_deck
            count = _find_hidden(hidden, rules.mercenary_count, 2, turned, unseen[s.MERCENARY_FIELD])
        elif deck == 2:
            cards = state.krzyzacy_deck
            early = rules.first_krzyzacy - 1
            war = max(0, turned - early)
            count = _find_hidden(hidden, rules.krzyzacy_count, 2, war, unseen[s.KRZYZACY] >> early)
        elif deck == 3:
            cards = state.provision_deck
            count = _find_hidden(hidden, rules.provision_count, 1, turned, unseen[s.PROVISIONS])
        elif deck == 4:
            cards = state.ducat_deck
            count = _find_hidden(hidden, rules.ducat_count, 1, turned, unseen[s.DUCATS])
        else:
            cards = state.event_deck
            count = _find_hidden(hidden, rules.event_count, 1, max(0, state.round_number - 1), 0)
        if shuffling:
            _shuffle(cards, hidden, count, streams, index)
        else:
            _sort(cards, hidden, count)


@compiled
def _has_chosen(state, seat):
    """Return whether a seat that decided earlier has made a secret choice."""
    return state.phase == s.ASK_ENTER or state.arrival[s.KRZYZACY, seat] > 0


@compiled
def _choose_nobody(state, seat):
    """Set a seat's secret choice to no knight: the peasant in the skirmish, no card in a contest."""
    state.card_kind[seat] = s.PEASANT if state.phase == s.ASK_FIGHT else s.NO_CARD
    state.card_strength[seat] = 0


@compiled_entry
def conceal(rules, state, scratch):
    """Remove, in place, all information that the seat to move can't see.

    Unseen cards are sorted, secret choices become no knight (or the peasant), and streams of chance become 0.
    """
    _rearrange(rules, state, scratch, False, state.chance, 0)
    forget_chance(state)
    if is_secret(rules, state):
        for number in range(state.asked):
            seat = seat_in_order(state, number)
            if _has_chosen(state, seat):
                _choose_nobody(state, seat)


@compiled
def _choose_again(state, scratch, seat, streams, index):
    """Sample a seat's secret choice uniformly: a knight of its hand, or the peasant (in a contest no card)."""
    count = 0
    for kind in range(2):
        for strength in range(1, s.STRENGTHS):
            if state.hand[seat, kind, strength] > 0:
                scratch.hidden[count] = s.STRENGTHS * kind + strength
                count += 1
    pick = draw_below(streams, index, count + 1)
    if pick == count:
        _choose_nobody(state, seat)
    else:
        state.card_kind[seat] = scratch.hidden[pick] // s.STRENGTHS
        state.card_strength[seat] = scratch.hidden[pick] % s.STRENGTHS


@compiled_entry
def determinize(rules, state, scratch, streams, index):
    """Sample, in place, what the seat to move can't see, drawing only from ``streams[index]``."""
    _rearrange(rules, state, scratch, True, streams, index)
    redraw_chance(state, streams, index)
    if is_secret(rules, state):
        for number in range(state.asked):
            seat = seat_in_order(state, number)
            if _has_chosen(state, seat):
                _choose_again(state, scratch, seat, streams, index)
