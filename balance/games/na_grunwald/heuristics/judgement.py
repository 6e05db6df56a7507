"""Estimates behind the features: values of goods and of a fight, missing provisions, strength of rivals.

They read what every seat may see (PLC-6), and never a card chosen in secret.
"""

from __future__ import annotations

from balance.contract.records import Fields
from balance.foundation.compiling import compiled
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import seat_in_order
from balance.games.na_grunwald.kernel.skirmish import krzyzacy_strength

MOST_SHORT = 3.0  # a seat that lacks this number of provisions, or more, is fully short
STOCK: Fields = (  # fields of the scratch record
    ("time_left", "f8"),  # share of the game's rounds still to come, 0 to 1
    ("short", "f8", (2,)),  # lack of provisions for the knights owned, and for one more, 0 to 1
    ("wanted", "f8"),  # provisions missing for the knights owned and expected
    ("hunger", "f8"),  # value of the missing provisions of one more knight
    ("ducat_worth", "f8"),  # value of one more ducat
    ("war_left", "f8"),  # share of the skirmishes still to come after this one, 0 to 1
    ("rival_card", "i4", (s.SEATS,)),  # strongest card of a rival in the skirmish; -1: not there
    ("defence", "f8"),  # strength missing after the cards that rivals are expected to play
)


OF_GOODS = {
    "crown_strength": "strength of a crown knight won",
    "crown_knight": "crown knights won (a knight that starves or is given up counts -1)",
    "mercenary_strength": "strength of a mercenary won",
    "mercenary_knight": "mercenaries won (a mercenary that starves or is given up counts -1)",
    "unfed_knight": "a knight won without provisions for it, 0 to 1, more late in the game",
    "provision_needed": "provisions won that knights will eat",
    "provision_spare": "provisions won that knights won't eat",
    "ducat": "ducats won or (negative) spent, times the share of the game still to come",
    "ducat_point": "points of ducats won or (negative) spent",
    "helper": "helpers won, times the share of the game still to come",
}


@compiled
def money_worth(scratch, ducats):
    """Return the value of `ducats` more ducats."""
    return ducats * scratch.ducat_worth


@compiled
def knight_worth(scratch, w, kind, strength):
    """Return the value of a knight won."""
    if kind == s.CROWN:
        return scratch.hunger + w.crown_strength * strength + w.crown_knight
    return scratch.hunger + w.mercenary_strength * strength + w.mercenary_knight


@compiled
def provisions_worth(scratch, w, provisions):
    """Return the value of provisions won."""
    needed = min(float(provisions), scratch.wanted)
    return w.provision_needed * needed + w.provision_spare * (provisions - needed)


@compiled
def helpers_worth(rules, state, scratch, w, helpers):
    """Return the value of helpers won."""
    useful = min(helpers, rules.most_helpers - state.helpers[state.seat])
    return w.helper * useful * scratch.time_left


@compiled
def take_stock(rules, state, scratch, w):
    """Write values to `scratch` that all estimates of one decision share."""
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
def bundle_worth(rules, state, scratch, w, provisions, ducats, helpers):
    """Return the value of provisions, ducats and helpers won."""
    goods = provisions_worth(scratch, w, provisions) + money_worth(scratch, ducats)
    return goods + helpers_worth(rules, state, scratch, w, helpers)


@compiled
def skirmish_worth(rules, state, scratch, w):
    """Return the value of joining the skirmish with the best card of the hand."""
    survey_skirmish(rules, state, scratch, w)
    seat = state.seat
    best = 0.0
    for strength in range(1, s.STRENGTHS):
        if state.hand[seat, s.CROWN, strength] + state.hand[seat, s.MERCENARY, strength] > 0:
            best = max(best, fight_worth(rules, state, scratch, w, strength))
    return best


OF_A_FIGHT = {
    "captive": "expected strength of the Krzyżak captured",
    "defence": "strength added to a skirmish that would be lost without it",
    "knight_spent": "strength of a knight used up, times the share of the war still to come",
}


@compiled
def fight_worth(rules, state, scratch, w, strength):
    return (
        w.captive * captive_hope(rules, state, scratch, strength)
        + w.defence * min(float(strength), scratch.defence)
        + w.knight_spent * strength * scratch.war_left
    )


@compiled
def war_left(rules, state):
    """Return the share of the skirmishes still to come after this one, 0 to 1."""
    war = rules.rounds - rules.first_krzyzacy + 1
    return min(1.0, (rules.rounds - state.round_number) / war) if war > 0 else 0.0


@compiled
def best_card(state, seat):
    """Return the strength of the strongest knight in a hand; 0 if the hand is empty."""
    best = 0
    for strength in range(1, s.STRENGTHS):  # no early exit: the branch would be mispredicted
        held = state.hand[seat, 0, strength] + state.hand[seat, 1, strength] > 0
        best = strength if held else best
    return best


@compiled
def fighters(state, seat):
    """Return the total strength of the knights in a hand."""
    total = 0
    for strength in range(1, s.STRENGTHS):
        total += strength * (state.hand[seat, 0, strength] + state.hand[seat, 1, strength])
    return total


@compiled
def survey_skirmish(rules, state, scratch, w):
    """Write values to `scratch` that the estimates of a fight share."""
    theirs = 0.0
    for p in range(state.players):
        there = p != state.seat and state.arrival[s.KRZYZACY, p] > 0
        scratch.rival_card[p] = best_card(state, p) if there else -1
        theirs += w.rival_effort * max(0, scratch.rival_card[p])
    scratch.defence = max(0.0, krzyzacy_strength(state) - theirs)
    scratch.war_left = war_left(rules, state)


@compiled
def captive_hope(rules, state, scratch, strength):
    """Return the expected strength of the Krzyżak captured: the mean of rivals at their best and without rivals."""
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
    """Return an estimate of the points that giving up an item costs the seat at the end."""
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
    """Return the chance that a bid stays the highest, if no later bidder who could outbid it does."""
    chance = 1.0
    for number in range(state.asked + 1, state.players):
        rival = seat_in_order(state, number)
        if state.ducats[rival] > bid:
            chance *= w.bid_holds
    return chance


@compiled
def contest_place(state, seat, strength):
    """Return the place in a contest if every rival enters its best knight and ties go to the seat."""
    ahead = 0
    for rival in range(state.players):
        if rival != seat and best_card(state, rival) > strength:
            ahead += 1
    return ahead
