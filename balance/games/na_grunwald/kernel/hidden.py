"""What a seat can't see (PLC-6): the order of the decks, cards that a closed field never showed, secret choices."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.compiling.streams import draw_below, next_word
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import seat_in_order


@compiled_entry
def is_secret(rules, state):
    """Whether the seat to choose does so in secret: a card for the skirmish (KRZ-2) or a contest."""
    return state.phase == s.ASK_FIGHT or state.phase == s.ASK_ENTER


@compiled
def cards_turned(state):
    """Rounds whose cards have been turned up (RND-2)."""
    phase = state.phase
    before = phase == s.ASK_BUY or phase == s.ASK_BID or phase == s.ASK_SEND or phase == s.ASK_ENTER
    before |= phase == s.ASK_PLUNDER and state.after_plunder == s.REVEAL
    return state.round_number - before


@compiled
def _find_hidden(hidden, size, stacks, turned, never_shown):
    """Note the places of a deck's unseen cards, all its equal stacks together; returns how many."""
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
    """Shuffle the unseen cards of every deck or, not `shuffling`, sort them: then no stream is drawn from."""
    hidden, unseen = scratch.hidden, state.never_shown
    turned = cards_turned(state)
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
    """Whether a seat that was asked before has a secret choice before it."""
    return state.phase == s.ASK_ENTER or state.arrival[s.KRZYZACY, seat] > 0


@compiled
def _choose_nobody(state, seat):
    """A secret choice of no knight: the peasant in the skirmish, in a contest nobody."""
    state.card_kind[seat] = s.PEASANT if state.phase == s.ASK_FIGHT else s.NO_CARD
    state.card_strength[seat] = 0


@compiled_entry
def conceal(rules, state, scratch):
    """Forget, in place, what the seat to choose can't see: what is left says nothing of it.

    Unseen cards are sorted, secret choices taken back to nobody (or the peasant), streams of chance set to 0.
    """
    _rearrange(rules, state, scratch, False, state.chance, 0)
    for source in range(state.chance.shape[0]):
        state.chance[source] = 0
    if is_secret(rules, state):
        for number in range(state.asked):
            seat = seat_in_order(state, number)
            if _has_chosen(state, seat):
                _choose_nobody(state, seat)


@compiled
def _choose_again(state, scratch, seat, streams, index):
    """A secret choice from the hand, all alike likely: a knight, or the peasant (in a contest nobody)."""
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
def redeal(rules, state, scratch, streams, index):
    """Deal anew, in place, what the seat to choose can't see.

    Parameters
    ----------
    state : record, changed in place
    streams : uint64 array
        The stream at `index` is drawn from.
    """
    _rearrange(rules, state, scratch, True, streams, index)
    for source in range(state.chance.shape[0]):
        state.chance[source] = next_word(streams, index)
    if is_secret(rules, state):
        for number in range(state.asked):
            seat = seat_in_order(state, number)
            if _has_chosen(state, seat):
                _choose_again(state, scratch, seat, streams, index)
