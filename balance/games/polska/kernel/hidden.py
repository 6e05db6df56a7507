"""What a seat can't see: the other hands, the draw pile, the markers aside."""

from __future__ import annotations

from balance.contract.records import forget_chance, redraw_chance
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import shuffle
from balance.games.polska.kernel import state as s


@compiled_entry
def is_secret(rules, state):
    """Return whether the legal actions of the seat depend on its hand: all decisions except taking a die."""
    return state.phase != s.ASK_DIE


@compiled
def _collect(state, unseen):
    """Write the draw pile and the other hands to `unseen`; return the number of cards."""
    count = 0
    for i in range(state.draw_count):
        unseen[count] = state.draw_pile[i]
        count += 1
    for p in range(state.players):
        if p != state.seat:
            for i in range(state.hand_size[p]):
                unseen[count] = state.hand[p, i]
                count += 1
    return count


@compiled
def _hand_back(state, unseen):
    """Deal each other hand its number of cards, in the order of `unseen`."""
    count = 0
    for i in range(state.draw_count):
        state.draw_pile[i] = unseen[count]
        count += 1
    for p in range(state.players):
        if p != state.seat:
            for i in range(state.hand_size[p]):
                state.hand[p, i] = unseen[count]
                count += 1


@compiled_entry
def conceal(rules, state, scratch):
    """Remove, in place, all information that the seat to move can't see.

    Unseen cards are sorted, and streams of chance become 0.
    """
    count = _collect(state, scratch.unseen)
    scratch.unseen[:count].sort()
    _hand_back(state, scratch.unseen)
    state.aside[: state.aside_count].sort()
    forget_chance(state)


@compiled_entry
def determinize(rules, state, scratch, streams, index):
    """Sample, in place, what the seat to move can't see, drawing only from ``streams[index]``."""
    count = _collect(state, scratch.unseen)
    shuffle(scratch.unseen, count, streams, index)
    _hand_back(state, scratch.unseen)
    redraw_chance(state, streams, index)
