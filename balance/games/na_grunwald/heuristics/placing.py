"""Value of a placement: the prize of its place on the field, and how easily rivals could still take the place."""

from __future__ import annotations

from balance.contract.records import Fields
from balance.foundation.compiling import compiled, inlined
from balance.games.na_grunwald.heuristics.judgement import (
    helpers_worth,
    knight_worth,
    money_worth,
    provisions_worth,
    skirmish_worth,
)
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.placement import fewest_pawns, least_stake, sets_on, stakes_on
from balance.games.na_grunwald.kernel.resolution import field_strength, hire_price

BLOCK = 8  # number of strengths computed together, with vector instructions
MOST_ADDED = s.LARGEST_PURSE + s.LARGEST_SET  # most strength that one placement adds
SURVEY: Fields = (  # fields of the scratch record
    ("outlook", "f8", (MOST_ADDED + BLOCK,)),  # expected value of a field, by strength added there
)


@inlined
def _place_worth(rules, state, scratch, w, field, place):
    """Return the value of a place on a field."""
    prize = state.prize[field, place]
    if prize == 0:
        return 0.0
    if field == s.CROWN_FIELD:
        return knight_worth(scratch, w, s.CROWN, prize)
    if field == s.MERCENARY_FIELD:
        return knight_worth(scratch, w, s.MERCENARY, prize)
    if field == s.PROVISIONS:
        return provisions_worth(scratch, w, prize)
    if field == s.DUCATS:
        return money_worth(scratch, prize)
    price = hire_price(rules, state, state.seat, place)
    if price > state.ducats[state.seat]:
        return 0.0
    return max(0.0, helpers_worth(rules, state, scratch, w, 1) + min(0.0, money_worth(scratch, -price)))


@inlined
def _challenge(rules, state, field, rival, strength):
    """Return the most strength that a rival with `strength` on a field can have at the end of the placement phase."""
    officer, helpers = state.officer_free[rival], state.helpers_free[rival]
    if field == s.MERCENARY_FIELD:
        comes = (state.arrival[field, rival] == 0) & (officer + helpers > 0)
        most = state.ducats[rival] if comes else strength
    else:
        helpers = 0 if state.helpers_on[field, rival] > 0 else helpers
        most = strength + officer * state.officer_strength + helpers * rules.helper_strength
    return strength if state.passed[rival] else most


@inlined
def survey(rules, state, field, number):
    """Return the present standing and the possible strength on a field of the rival `number` seats to the left.

    The standing is twice the rival's strength, plus 1 if the rival would win a tie: the rival is ahead of a
    strength if its standing is larger than twice that strength. A rival without pawns there has standing -1.
    """
    if number >= state.players:
        return -1.0, 0.0
    seat = state.seat
    rival = seat + number if seat + number < state.players else seat + number - state.players
    strength = field_strength(rules, state, field, rival)
    mine, theirs = state.arrival[field, seat], state.arrival[field, rival]
    earlier = (mine == 0) | (theirs < mine)
    standing = 2 * strength + (earlier == (rules.tie_sign < 0)) if theirs > 0 else -1
    return float(standing), float(_challenge(rules, state, field, rival, strength))


@inlined
def _threat(strength, standing, challenge, bidding):
    """Return how much a rival threatens a place, by the strength it could reach and the price it might pay.

    Each further pawn or ducat of the seat costs the rival one more, so rivals leave a place of little worth alone. A
    rival that is ahead has no need to.
    """
    caution, resolve, cost, worth = bidding
    beyond = challenge - strength
    surplus = worth - cost * (strength - max(0.0, standing) / 2.0)
    threat = caution * beyond + resolve * max(0.0, surplus)
    return max(0.0, threat) if (beyond > 0.0) & (standing <= 2.0 * strength) else 0.0


@inlined
def _expected(strength, place_values, standings, challenges, bidding, denied):
    """Return the expected value of having `strength` on a field, given the rivals' challenges.

    `denied` times the value of the places that rivals there lose is added.
    """
    best, second, third = place_values
    passed_1 = standings[0] > 2.0 * strength
    passed_2 = standings[1] > 2.0 * strength
    passed_3 = standings[2] > 2.0 * strength
    threat_1 = _threat(strength, standings[0], challenges[0], bidding)
    threat_2 = _threat(strength, standings[1], challenges[1], bidding)
    threat_3 = _threat(strength, standings[2], challenges[2], bidding)
    hold = 1.0 / (1.0 + max(threat_1, max(threat_2, threat_3)))
    won = (third if passed_2 else second) if passed_1 else best
    lost = (0.0 if passed_2 else third) if passed_1 else second
    own = 0.0 if passed_3 else hold * won + (1.0 - hold) * lost
    taken_1 = best - second if (standings[0] >= 0.0) & (not passed_1) else 0.0
    taken_2 = second - third if (standings[1] >= 0.0) & (not passed_2) else 0.0
    taken_3 = third if (standings[2] >= 0.0) & (not passed_3) else 0.0
    return own + denied * (taken_1 + taken_2 + taken_3)


@inlined
def _in_order(first, second):
    """Return two results of `survey`, the stronger rival first."""
    return (second, first) if second[0] > first[0] else (first, second)


@compiled
def _look_out(rules, state, scratch, w, field, most):
    """Write to `scratch.outlook` the expected value of a field with 0 to `most` more strength."""
    place_values = (
        _place_worth(rules, state, scratch, w, field, 0),
        _place_worth(rules, state, scratch, w, field, 1),
        _place_worth(rules, state, scratch, w, field, 2),
    )
    first, second = _in_order(survey(rules, state, field, 1), survey(rules, state, field, 2))
    second, third = _in_order(second, survey(rules, state, field, 3))
    first, second = _in_order(first, second)
    standings = (first[0], second[0], third[0])
    challenges = (first[1], second[1], third[1])
    present = field_strength(rules, state, field, state.seat)
    cost = w.ducat_cost if field == s.MERCENARY_FIELD else w.pawn_cost
    bidding, denied = (w.caution, w.resolve, cost, place_values[0]), w.denied
    for added in range((most // BLOCK + 1) * BLOCK):  # whole blocks, without a scalar remainder
        strength = float(present + added)
        scratch.outlook[added] = _expected(strength, place_values, standings, challenges, bidding, denied)


@compiled
def added_strength(rules, state, field, pawns):
    """Return the strength that a set of pawns adds on a field."""
    if field == s.MERCENARY_FIELD:
        return 0
    return pawns * rules.helper_strength if pawns > 0 else state.officer_strength


OF_A_PLACEMENT = {
    "denied": "worth of the places that rivals lose by a placement",
    "reinforced": "placing on a field where the seat already has pawns",
    "early_krzyzacy": "joining the skirmish, times the share of the seat's pawns in hand",
    "early_crown": "going to the crown field, times the share of the seat's pawns in hand",
    "early_provisions": "going to the provisions, times the share of the seat's pawns in hand",
    "early_ducats": "going to the ducats, times the share of the seat's pawns in hand",
    "early_mercenaries": "going to the mercenaries, times the share of the seat's pawns in hand",
    "early_helpers": "going to the helpers, times the share of the seat's pawns in hand",
    "passing": "passing",
}


@compiled
def _timing(state, w, field):
    """Return the value of going to a field now, by the share of the seat's pawns that are still in hand."""
    seat = state.seat
    if state.arrival[field, seat] > 0:
        return w.reinforced
    if field == s.KRZYZACY:
        early = w.early_krzyzacy
    elif field == s.CROWN_FIELD:
        early = w.early_crown
    elif field == s.PROVISIONS:
        early = w.early_provisions
    elif field == s.DUCATS:
        early = w.early_ducats
    elif field == s.MERCENARY_FIELD:
        early = w.early_mercenaries
    else:
        early = w.early_helpers
    return early * (state.officer_free[seat] + state.helpers_free[seat]) / (1.0 + state.helpers[seat])


OF_PAWNS = {"helper_used": "helpers placed", "officer_used": "the officer placed"}


@compiled
def _weigh_field(rules, state, scratch, w, field, sets, count):
    """Append the values of the placements on a field; return the new number of values."""
    fewest, least, stakes = fewest_pawns(state), least_stake(field), stakes_on(state, field)
    most = added_strength(rules, state, field, fewest + sets - 1)
    if fewest == 0:
        most = max(most, added_strength(rules, state, field, 0))
    _look_out(rules, state, scratch, w, field, most + least + stakes - 1)
    before = scratch.outlook[0] if state.arrival[field, state.seat] > 0 else 0.0
    ducat_worth, timing = scratch.ducat_worth, _timing(state, w, field)
    for pawns in range(fewest, fewest + sets):
        used = w.helper_used * pawns if pawns > 0 else w.officer_used
        added = added_strength(rules, state, field, pawns)
        for i in range(stakes):
            ducats = least + i
            after = scratch.outlook[added + ducats]
            risked = ducats * ducat_worth if after > 0 else 0.0
            scratch.values[count + i] = after - before + used + timing - risked
        count += stakes
    return count


@compiled
def weigh_placements(rules, state, scratch, w):
    """Fill `scratch.values` with the value of each placement, in the order of `list_placements`."""
    scratch.values[0] = w.passing
    count = 1
    sets = sets_on(rules, state, s.KRZYZACY)
    if sets > 0:
        joining = skirmish_worth(rules, state, scratch, w) + _timing(state, w, s.KRZYZACY)
        for pawns in range(fewest_pawns(state), fewest_pawns(state) + sets):
            scratch.values[count] = joining + (w.helper_used * pawns if pawns > 0 else w.officer_used)
            count += 1
    for field in range(s.KRZYZACY + 1, s.FIELD_COUNT):
        sets = sets_on(rules, state, field)
        if sets > 0:
            count = _weigh_field(rules, state, scratch, w, field, sets, count)
