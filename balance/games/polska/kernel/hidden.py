"""What a seat can't see: the draw pile, the other hands, and what dice, cards and markers will come."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.compiling.streams import next_word, shuffle
from balance.games.polska.kernel import state as s


@compiled_entry
def is_secret(rules, state):
    """Whether what the seat may do now hangs on its hand: everything but taking a die."""
    return state.phase != s.ASK_DIE


@compiled_entry
def checkpoint(rules, state):
    """How many turns are over."""
    return state.turns


@compiled
def _collect(state, unseen):
    """Note the draw pile and the other hands in `unseen`; returns how many cards that is."""
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
    """As many cards as each had, in the order of `unseen`."""
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
    """Forget, in place, what the seat to choose can't see: what is left says nothing of it.

    Unseen cards are sorted, streams of chance set to 0.
    """
    count = _collect(state, scratch.unseen)
    scratch.unseen[:count].sort()
    _hand_back(state, scratch.unseen)
    state.aside[: state.aside_count].sort()
    for source in range(state.chance.shape[0]):
        state.chance[source] = 0


@compiled_entry
def redeal(rules, state, scratch, streams, index):
    """Deal anew, in place, what the seat to choose can't see.

    Parameters
    ----------
    state : record, changed in place
    streams : uint64 array
        The stream at `index` is drawn from.
    """
    count = _collect(state, scratch.unseen)
    shuffle(scratch.unseen, count, streams, index)
    _hand_back(state, scratch.unseen)
    for source in range(state.chance.shape[0]):
        state.chance[source] = next_word(streams, index)
