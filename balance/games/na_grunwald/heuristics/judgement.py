"""Estimates that profiles build on: how short of provisions, how strong the rivals, what a gift costs.

They read what every seat may see (PLC-6) and never a card chosen in secret.
"""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.contract.records import Fields
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import seat_in_order
from balance.games.na_grunwald.kernel.skirmish import krzyzacy_strength

STOCK: Fields = (  # of the scratch record: what `take_stock` and `survey_skirmish` note
    ("time_left", "f8"),
    ("short", "f8", (2,)),
    ("wanted", "f8"),
    ("hunger", "f8"),
    ("ducat_worth", "f8"),
    ("rival_card", "i4", (s.SEATS,)),
    ("war_left", "f8"),
    ("defence", "f8"),
)
MOST_SHORT = 3.0  # provisions lacking that count as being wholly short


@compiled
def take_stock(rules, state, scratch, w):
    """Note what every judgement of one decision asks for again and again.

    `scratch.time_left`: share of the game's rounds still to come, 0 to 1. `scratch.short`: provisions
    lacking for the knights owned, and for one more, from 0 to 1 (`MOST_SHORT` or more lacking).
    `scratch.wanted`: provisions that knights owned and still to come lack. `scratch.hunger`: what it is
    worth that one more knight lacks some. `scratch.ducat_worth`: of one more in the purse.
    """
    seat = state.seat
    coming = rules.rounds - state.round_number
    scratch.time_left = coming / rules.rounds
    fed = state.provisions[seat] * rules.knights_per_provision
    for more in range(2):
        scratch.short[more] = min(1.0, max(0, state.knights[seat] + more - fed) / MOST_SHORT)
    scratch.wanted = max(0.0, scratch.short[0] * MOST_SHORT + w.knights_a_round * coming)
    scratch.hunger = w.unfed_knight * scratch.short[1] * state.round_number / rules.rounds
    scratch.ducat_worth = w.ducat * scratch.time_left + w.ducat_point / rules.ducats_per_point


@compiled
def war_left(rules, state):
    """Share of the skirmishes still to come after this one, 0 to 1."""
    war = rules.rounds - rules.first_krzyzacy + 1
    if war <= 0:
        return 0.0
    return min(1.0, (rules.rounds - state.round_number) / war)


@compiled
def best_card(state, seat):
    """Strength of the strongest knight in a hand; 0 if there is none."""
    best = 0
    for strength in range(1, s.STRENGTHS):  # to the end: a way out would be mispredicted
        held = state.hand[seat, 0, strength] + state.hand[seat, 1, strength] > 0
        best = strength if held else best
    return best


@compiled
def survey_skirmish(rules, state, scratch, w):
    """Note what a fight is judged by.

    `scratch.rival_card`: the strongest card that each rival standing there could play, -1 for the others.
    `scratch.defence`: strength that is lacking, given what they will likely play. `scratch.war_left`.
    """
    theirs = 0.0
    for p in range(state.players):
        there = p != state.seat and state.arrival[s.KRZYZACY, p] > 0
        scratch.rival_card[p] = best_card(state, p) if there else -1
        theirs += w.rival_effort * max(0, scratch.rival_card[p])
    scratch.defence = max(0.0, krzyzacy_strength(state) - theirs)
    scratch.war_left = war_left(rules, state)


@compiled
def captive_hope(rules, state, scratch, strength):
    """Strength of the Krzyżak that a card may take: the mean of rivals doing their best and nothing."""
    stronger = state.prize[s.KRZYZACY, 0]
    weaker = state.prize[s.KRZYZACY, 1]
    alone = stronger if strength > stronger else (weaker if strength > weaker else 0)
    ahead = 0
    for rival in range(state.players):
        ahead += scratch.rival_card[rival] >= strength
    contested = 0
    if ahead == 0:
        contested = alone
    elif ahead == 1 and rules.captors >= 2 and strength > weaker:
        contested = weaker
    return (alone + contested) / 2


@compiled
def _weakest_knight(state, seat):
    for strength in range(1, s.STRENGTHS):
        for kind in range(2):
            if state.hand[seat, kind, strength] + state.camp[seat, kind, strength] > 0:
                return strength
    return 0


@compiled
def gift_cost(rules, state, scratch, w, source, strength):
    """Points that giving up an item costs the seat at the end, as far as can be told now."""
    seat = state.seat
    short = scratch.short[0]
    if source == a.FROM_PROVISIONS:
        spare = w.spare_provision - w.less_when_short * short
        hungry = _weakest_knight(state, seat)
        late = state.round_number / rules.rounds
        return spare + (hungry - spare) * late * min(1.0, scratch.short[1] * MOST_SHORT)
    if source == a.FROM_CAPTIVES:
        return float(strength)
    unfed = min(1.0, short * MOST_SHORT) * state.round_number / rules.rounds  # it may starve anyway
    return strength - unfed * min(strength, _weakest_knight(state, seat))


@compiled
def bidding_chance(state, w, bid):
    """Chance that a bid stays the highest: each later bidder who could outbid it does so at times."""
    chance = 1.0
    for number in range(state.asked + 1, state.players):
        rival = seat_in_order(state, number)
        if state.ducats[rival] > bid:
            chance *= w.bid_holds
    return chance


@compiled
def contest_place(state, seat, strength):
    """The place in a contest if every rival enters its best knight but the last in turn order."""
    ahead = 0
    for rival in range(state.players):
        if rival != seat and best_card(state, rival) > strength:
            ahead += 1
    return ahead
