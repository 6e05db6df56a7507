"""Giving up goods after a lost skirmish or a plundering event (KRZ-5 to KRZ-7, EVT-plunder)."""

from __future__ import annotations

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
def list_gifts(state, codes):
    """One action for a provision and for each distinct card, in the order of the rule page."""
    seat = state.seat
    count = 0
    if state.provisions[seat] > 0:
        codes[count] = a.encode(a.GIVE, a.FROM_PROVISIONS, 0, 1)
        count += 1
    if state.knights[seat] + state.captive_count[seat] == 0:
        return count
    for kind in range(2):
        for strength in range(1, s.STRENGTHS):
            # Written whether it counts or not: a branch here is mispredicted half the time.
            codes[count] = a.encode(a.GIVE, a.FROM_HAND_CROWN + kind, 0, strength)
            count += state.hand[seat, kind, strength] > 0
    for kind in range(2):
        for strength in range(1, s.STRENGTHS):
            codes[count] = a.encode(a.GIVE, a.FROM_CAMP_CROWN + kind, 0, strength)
            count += state.camp[seat, kind, strength] > 0
    for strength in range(1, s.STRENGTHS):
        codes[count] = a.encode(a.GIVE, a.FROM_CAPTIVES, 0, strength)
        count += state.captives[seat, strength] > 0
    return count


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
