"""Set-up (SET-4 to SET-6), and determinization of what a seat can't see."""

from __future__ import annotations

from balance.contract.records import forget_chance, redraw_chance
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import shuffle
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import draw_card
from balance.games.polska.kernel.moving import lay_markers
from balance.games.polska.kernel.turns import begin_turn


@compiled_entry
def setup(rules, state, log, scratch):
    """Set up a game (SET-4 to SET-6) and play on to its first decision.

    Parameters
    ----------
    rules : record of `state.RULES`
    state : record of `state.STATE`
        Overwritten; the streams in ``chance`` are drawn from.
    """
    state.players = rules.players
    state.round_number = 1
    state.stop_face = rules.face_count - 4  # the first of the four kinds without a value
    for p in range(rules.players):
        state.pawn[p] = rules.start
    state.pawns_on[rules.start] = rules.players
    for i in range(rules.card_count):
        state.draw_pile[i] = rules.deck[i]
    state.draw_count = rules.card_count
    shuffle(state.draw_pile, state.draw_count, state.chance, s.CARDS)
    lay_markers(rules, state, log)
    for p in range(rules.players):
        for _ in range(rules.hand_start[p]):
            draw_card(state, log, p, a.DEAL)
    begin_turn(rules, state, log)


@compiled_entry
def is_secret(rules, state):
    """Return whether the legal actions of the seat depend on its hand: all decisions except taking a die."""
    return state.phase != s.ASK_DIE


@compiled_entry
def checkpoint(rules, state):
    """Return the number of finished turns."""
    return state.turns


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
