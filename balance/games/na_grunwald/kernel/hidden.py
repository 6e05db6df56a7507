"""What a seat can't see (PLC-6): cards that are not turned up, and choices made in secret."""

from __future__ import annotations

from balance.contract.records import forget_chance, redraw_chance
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import draw_below
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.dealing import is_face_up
from balance.games.na_grunwald.kernel.resources import seat_in_order


@compiled_entry
def is_secret(rules, state):
    """Return whether the seat to move chooses in secret: a card for the skirmish (KRZ-2) or a contest."""
    return state.phase == s.ASK_FIGHT or state.phase == s.ASK_ENTER


@compiled
def _find_hidden(rules, state, hidden, deck):
    """Write to `hidden` the indices of a deck's unseen cards, all its equal stacks together; return their number."""
    count = 0
    stack = rules.deck_size[deck] // s.STACKS[deck]
    for place in range(stack):
        if not is_face_up(rules, state, deck, place):
            hidden[count] = place
            count += 1
    for number in range(1, s.STACKS[deck]):
        for i in range(count):
            hidden[number * count + i] = number * stack + hidden[i]
    return count * s.STACKS[deck]


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
