"""What a strategy profile weighs: named features of an action in a state (PLC-6: nothing hidden).

An action's value is the sum of weight times feature. Placements are judged by what the place on the
field would win now, and by how easily rivals could still take it; the other decisions by what they
gain, cost and risk. `evaluate` fills the values of all legal actions of one decision at once.
"""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.contract.records import Fields
from balance.games.na_grunwald.heuristics.judgement import (
    MOST_SHORT,
    STOCK,
    bidding_chance,
    captive_hope,
    contest_place,
    defence_share,
    gift_cost,
    survey_skirmish,
    take_stock,
    war_left,
)
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resolution import field_strength, hire_price

FEATURES = {
    "crown_strength": "strength of a crown knight won",
    "crown_knight": "crown knights won (a starved or given one counts against)",
    "mercenary_strength": "strength of a mercenary won",
    "mercenary_knight": "mercenaries won (a starved or given one counts against)",
    "unfed_knight": "a knight won for which provisions are lacking, 0 to 1, heavier late",
    "provision_needed": "provisions won that knights will eat",
    "provision_spare": "provisions won beyond that",
    "ducat": "ducats won or (negative) spent, times the share of the game still to come",
    "ducat_point": "points of ducats won or (negative) spent",
    "helper": "helpers won, times the share of the game still to come",
    "captive": "strength of the Krzyżak that is likely captured",
    "defence": "strength added to a skirmish that would be lost without it",
    "knight_spent": "strength of a knight used up, times the share of the war still to come",
    "helper_used": "helpers placed",
    "officer_used": "the officer placed",
    "points_lost": "points that a gift or a starved knight costs",
    "overpaid": "worth of a gift beyond what must be given",
    "passing": "passing",
}
SETTINGS = {
    "caution": (0.35, "how much each point of strength that a rival can still add threatens a place"),
    "rival_effort": (0.6, "share of their best cards' strength that rivals are expected to play"),
    "bid_holds": (0.6, "chance that a later bidder who could outbid does not"),
}
OUTLOOKS = 32  # strengths whose worth on a field is remembered within one decision
SCRATCH: Fields = (
    *STOCK,
    ("worth", "f8", (s.FIELD_COUNT, s.PLACES + 1)),  # of each place on a field, and of none
    ("standing", "i4", (s.FIELD_COUNT, s.SEATS)),
    ("challenge", "i4", (s.FIELD_COUNT, s.SEATS)),
    ("outlook", "f8", (OUTLOOKS,)),
)
UNKNOWN = -1e300
KNIGHTS_A_ROUND = 0.5  # that a seat still wins, roughly
COULD_FIGHT = 0.1  # share of a captive's worth that a knight in hand may still win


@compiled
def _money(rules, state, scratch, w, ducats):
    """Value of `ducats` more in the purse."""
    return ducats * (w.ducat * scratch.time_left + w.ducat_point / rules.ducats_per_point)


@compiled
def _knight(rules, state, scratch, w, kind, strength):
    """Value of a knight won."""
    short = scratch.short[1]
    value = w.unfed_knight * short * state.round_number / rules.rounds
    if kind == s.CROWN:
        return value + w.crown_strength * strength + w.crown_knight
    return value + w.mercenary_strength * strength + w.mercenary_knight


@compiled
def _bundle(rules, state, scratch, w, seat, provisions, ducats, helpers):
    """Value of provisions, ducats and helpers won."""
    coming = KNIGHTS_A_ROUND * (rules.rounds - state.round_number)
    needed = min(float(provisions), max(0.0, scratch.short[0] * MOST_SHORT + coming))
    value = w.provision_needed * needed + w.provision_spare * (provisions - needed)
    value += _money(rules, state, scratch, w, ducats)
    useful = min(helpers, rules.most_helpers - state.helpers[seat])
    return value + w.helper * useful * scratch.time_left


@compiled
def _place_worth(rules, state, scratch, w, seat, field, place):
    """Value of ending in a place on a field."""
    prize = state.prize[field, place]
    if prize == 0:
        return 0.0
    if field == s.CROWN_FIELD:
        return _knight(rules, state, scratch, w, s.CROWN, prize)
    if field == s.MERCENARY_FIELD:
        return _knight(rules, state, scratch, w, s.MERCENARY, prize)
    if field == s.PROVISIONS:
        return _bundle(rules, state, scratch, w, seat, prize, 0, 0)
    if field == s.DUCATS:
        return _bundle(rules, state, scratch, w, seat, 0, prize, 0)
    if field == s.KRZYZACY:
        return 0.0
    price = hire_price(rules, state, seat, place)
    if price > state.ducats[seat]:
        return 0.0
    return max(
        0.0,
        _bundle(rules, state, scratch, w, seat, 0, 0, 1)
        + min(0.0, _money(rules, state, scratch, w, -price)),
    )


@compiled
def _challenge(rules, state, field, rival):
    """Strength that a rival could have on a field by the end of the placement phase."""
    strength = field_strength(rules, state, field, rival)
    if state.passed[rival]:
        return strength
    if field == s.MERCENARY_FIELD:
        pawns = state.officer_free[rival] + state.helpers_free[rival]
        if state.arrival[field, rival] > 0 or pawns == 0:
            return strength
        return state.ducats[rival]
    strength += state.officer_free[rival] * state.officer_strength
    if state.helpers_on[field, rival] == 0:
        strength += state.helpers_free[rival] * rules.helper_strength
    return strength


@compiled
def _survey(rules, state, scratch, w, seat):
    """Note what each place on each field is worth, and what every rival has and could have there.

    `scratch.standing` is twice a rival's strength, and one more if it would win a tie: the rival is
    ahead of twice a strength that is smaller. Who is not there stands at -1.
    """
    for field in range(1, s.FIELD_COUNT):
        if state.closed[field]:
            continue
        for place in range(s.PLACES):
            scratch.worth[field, place] = _place_worth(rules, state, scratch, w, seat, field, place)
        scratch.worth[field, s.PLACES] = 0.0
        mine = state.arrival[field, seat]
        for p in range(s.SEATS):
            scratch.standing[field, p] = -1
            scratch.challenge[field, p] = 0
            if p >= state.players or p == seat:
                continue
            scratch.challenge[field, p] = _challenge(rules, state, field, p)
            if state.arrival[field, p] > 0:
                earlier = mine == 0 or state.arrival[field, p] < mine
                wins_tie = earlier if rules.tie_sign < 0 else not earlier
                scratch.standing[field, p] = 2 * field_strength(rules, state, field, p) + wins_tie


@compiled
def _expected(scratch, w, field, strength):
    """Worth of standing on a field with `strength`, the place being lost to some challenges."""
    place = 0
    threat = 0
    for rival in range(s.SEATS):
        ahead = scratch.standing[field, rival] > 2 * strength
        place += ahead
        threat = max(threat, (1 - ahead) * (scratch.challenge[field, rival] - strength))
    if place >= s.PLACES:
        return 0.0
    hold = 1.0 / (1.0 + w.caution * threat)
    return hold * scratch.worth[field, place] + (1.0 - hold) * scratch.worth[field, place + 1]


@compiled
def _evaluate_placements(rules, state, scratch, w, codes, count, values):
    seat = state.seat
    _survey(rules, state, scratch, w, seat)
    stake_value = _money(rules, state, scratch, w, 1)
    joining = _skirmish_worth(rules, state, scratch, w, seat) if not state.closed[s.KRZYZACY] else 0.0
    known_field = -1
    present = 0
    before = 0.0
    for i in range(count):
        code = codes[i]
        if a.kind_of(code) == a.PASS:
            values[i] = w.passing
            continue
        field = a.first_of(code)
        helpers = a.second_of(code)
        ducats = a.third_of(code)
        used = w.helper_used * helpers if helpers > 0 else w.officer_used
        if field == s.KRZYZACY:
            values[i] = joining + used
            continue
        if field != known_field:
            known_field = field
            there = state.arrival[field, seat] > 0
            present = field_strength(rules, state, field, seat)
            before = _expected(scratch, w, field, present) if there else 0.0
            for added in range(OUTLOOKS):
                scratch.outlook[added] = UNKNOWN
        added = ducats
        if field != s.MERCENARY_FIELD:
            added += helpers * rules.helper_strength if helpers > 0 else state.officer_strength
        after = scratch.outlook[added] if added < OUTLOOKS else UNKNOWN
        if after == UNKNOWN:
            after = _expected(scratch, w, field, present + added)
            if added < OUTLOOKS:
                scratch.outlook[added] = after
        risked = ducats * stake_value if after > 0 else 0.0
        values[i] = after - before + used - risked


@compiled
def _skirmish_worth(rules, state, scratch, w, seat):
    """Value of joining the skirmish with the best card of the hand."""
    survey_skirmish(state, scratch, seat)
    best = 0.0
    for kind in range(2):
        for strength in range(1, s.STRENGTHS):
            if state.hand[seat, kind, strength] > 0:
                best = max(best, _fight_worth(rules, state, scratch, w, strength))
    return best


@compiled
def _fight_worth(rules, state, scratch, w, strength):
    return (
        w.captive * captive_hope(rules, state, scratch, strength)
        + w.defence * defence_share(state, scratch, w, strength)
        + w.knight_spent * strength * war_left(rules, state)
    )


@compiled
def _loss_worth(rules, state, scratch, w, source, strength):
    """Value (negative) of losing an item for good."""
    value = w.points_lost * gift_cost(rules, state, scratch, state.seat, source, strength)
    if source == a.FROM_HAND_CROWN or source == a.FROM_CAMP_CROWN:
        value -= w.crown_knight
    elif source == a.FROM_HAND_MERCENARY or source == a.FROM_CAMP_MERCENARY:
        value -= w.mercenary_knight
    if source == a.FROM_HAND_CROWN or source == a.FROM_HAND_MERCENARY:
        value -= COULD_FIGHT * w.captive * war_left(rules, state)
    return value


@compiled
def _event_worth(rules, state, scratch, w, code):
    """Value of an action in the event phase, or of hiring."""
    seat = state.seat
    kind = a.kind_of(code)
    number = a.third_of(code)
    if number == 0:
        return 0.0
    if kind == a.HIRE:
        price = hire_price(rules, state, seat, state.asked)
        return _bundle(rules, state, scratch, w, seat, 0, -price, 1)
    lot = rules.event_bundle[state.event, 0]
    reward = _bundle(rules, state, scratch, w, seat, lot[0], lot[1], lot[2])
    if kind == a.BUY:
        return reward + _money(rules, state, scratch, w, -rules.event_price[state.event])
    if kind == a.BID:
        return bidding_chance(state, w, number) * (reward + _money(rules, state, scratch, w, -number))
    spent = w.knight_spent * number * war_left(rules, state)
    if kind == a.SEND:
        return reward + spent
    place = contest_place(state, seat, number)
    if place > 1:
        return spent
    prize = rules.event_bundle[state.event, place]
    return _bundle(rules, state, scratch, w, seat, prize[0], prize[1], prize[2]) + spent


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    """Fill `values[:count]` with the value of each action of `codes[:count]` to `state.seat`.

    Parameters
    ----------
    weights : record with a float for each of `FEATURES` and `SETTINGS`
    codes : int32 array, the legal actions
    values : float64 array, overwritten
    """
    take_stock(rules, state, scratch, state.seat)
    if state.phase == s.ASK_PLACE:
        _evaluate_placements(rules, state, scratch, weights, codes, count, values)
        return
    if state.phase == s.ASK_FIGHT:
        survey_skirmish(state, scratch, state.seat)
    for i in range(count):
        code = codes[i]
        kind = a.kind_of(code)
        strength = a.third_of(code)
        if kind == a.GIVE:
            paid = min(strength, state.plunder_left)
            values[i] = _loss_worth(
                rules, state, scratch, weights, a.first_of(code), strength
            ) / paid + weights.overpaid * (strength - paid)
        elif kind == a.STARVE:
            source = a.FROM_CAMP_CROWN + a.second_of(code) - 1
            values[i] = _loss_worth(rules, state, scratch, weights, source, strength)
        elif kind == a.FIGHT:
            values[i] = _fight_worth(rules, state, scratch, weights, strength)
        else:
            values[i] = _event_worth(rules, state, scratch, weights, code)
