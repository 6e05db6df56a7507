"""Giving up goods after a lost skirmish or a plundering event (KRZ-5 to KRZ-7, EVT-plunder)."""

from __future__ import annotations

import numpy as np

from balance.compiling.jit import compiled
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import asked_seat, clear_table


@compiled
def _has_anything(state, seat):
    return state.provisions[seat] + state.knights[seat] + state.captive_count[seat] > 0


@compiled
def seek_plundered(state):
    """Find the seat that must still give up something and has something (KRZ-6); then clear the table."""
    while state.asked < state.players:
        state.seat = asked_seat(state)
        if state.plunder_left > 0 and _has_anything(state, state.seat):
            return True
        state.asked += 1
        state.plunder_left = state.plunder
    clear_table(state)
    state.phase = state.after_plunder
    return False


@compiled
def _held(state, seat, source, strength):
    """How many of a card a seat may give."""
    if source >= a.FROM_CAPTIVES:
        return state.captives[seat, strength]
    if source >= a.FROM_CAMP_CROWN:
        return state.camp[seat, source - a.FROM_CAMP_CROWN, strength]
    return state.hand[seat, source - a.FROM_HAND_CROWN, strength]


@compiled
def list_gifts(state, codes):
    """One action for a provision and for each distinct card, in the order of the rule page."""
    seat = state.seat
    codes[0] = a.encode(a.GIVE, a.FROM_PROVISIONS, 0, 1)
    count = np.int64(state.provisions[seat] > 0)
    for source in range(a.FROM_HAND_CROWN, a.FROM_CAPTIVES + 1):
        for strength in range(1, s.STRENGTHS):
            # Written whether it counts or not: a branch here is mispredicted half the time.
            codes[count] = a.encode(a.GIVE, source, 0, strength)
            count += _held(state, seat, source, strength) > 0
    return count


@compiled
def count_gifts(state):
    """How many gifts `list_gifts` lists."""
    seat = state.seat
    count = np.int64(state.provisions[seat] > 0)
    if state.knights[seat] + state.captive_count[seat] == 0:
        return count
    for source in range(a.FROM_HAND_CROWN, a.FROM_CAPTIVES + 1):
        for strength in range(1, s.STRENGTHS):
            count += _held(state, seat, source, strength) > 0
    return count


@compiled
def nth_gift(state, n):
    """The gift that `list_gifts` lists as number `n`, from 0."""
    seat = state.seat
    left = n - (state.provisions[seat] > 0)
    if left < 0:
        return a.encode(a.GIVE, a.FROM_PROVISIONS, 0, 1)
    for source in range(a.FROM_HAND_CROWN, a.FROM_CAPTIVES + 1):
        for strength in range(1, s.STRENGTHS):
            left -= _held(state, seat, source, strength) > 0
            if left < 0:
                return a.encode(a.GIVE, source, 0, strength)
    return -1


@compiled
def give(state, action):
    """Give up one item; what it is worth comes off what the seat must give up, no change given."""
    seat = state.seat
    source = a.first_of(action)
    strength = a.third_of(action)
    state.plunder_left -= strength
    if source == a.FROM_PROVISIONS:
        state.provisions[seat] -= 1
        return
    if source == a.FROM_CAPTIVES:
        state.captives[seat, strength] -= 1
        state.captive_count[seat] -= 1
        return
    state.knights[seat] -= 1
    if source >= a.FROM_CAMP_CROWN:
        state.camp[seat, source - a.FROM_CAMP_CROWN, strength] -= 1
    else:
        state.hand[seat, source - a.FROM_HAND_CROWN, strength] -= 1
