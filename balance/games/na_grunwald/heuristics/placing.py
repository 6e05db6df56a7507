"""What a placement is worth: the place that it would win, and how easily rivals could still take it."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.contract.records import Fields
from balance.games.na_grunwald.heuristics.worth import (
    bundle_worth,
    knight_worth,
    money_worth,
    skirmish_worth,
)
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resolution import field_strength, hire_price

OUTLOOKS = 32  # strengths whose worth on a field is remembered within one decision
SURVEY: Fields = (  # of the scratch record: what is noted once a decision
    ("worth", "f8", (s.FIELD_COUNT, s.PLACES + 1)),  # of each place on a field, and of none
    ("standing", "i4", (s.FIELD_COUNT, s.SEATS)),
    ("challenge", "i4", (s.FIELD_COUNT, s.SEATS)),
    ("outlook", "f8", (OUTLOOKS,)),
)
UNKNOWN = -1e300


@compiled
def _place_worth(rules, state, scratch, w, seat, field, place):
    """Value of ending in a place on a field."""
    prize = state.prize[field, place]
    if prize == 0:
        return 0.0
    if field == s.CROWN_FIELD:
        return knight_worth(rules, state, scratch, w, s.CROWN, prize)
    if field == s.MERCENARY_FIELD:
        return knight_worth(rules, state, scratch, w, s.MERCENARY, prize)
    if field == s.PROVISIONS:
        return bundle_worth(rules, state, scratch, w, seat, prize, 0, 0)
    if field == s.DUCATS:
        return bundle_worth(rules, state, scratch, w, seat, 0, prize, 0)
    if field == s.KRZYZACY:
        return 0.0
    price = hire_price(rules, state, seat, place)
    if price > state.ducats[seat]:
        return 0.0
    return max(
        0.0,
        bundle_worth(rules, state, scratch, w, seat, 0, 0, 1)
        + min(0.0, money_worth(rules, state, scratch, w, -price)),
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
def evaluate_placements(rules, state, scratch, w, codes, count, values):
    seat = state.seat
    _survey(rules, state, scratch, w, seat)
    stake_value = money_worth(rules, state, scratch, w, 1)
    joining = skirmish_worth(rules, state, scratch, w, seat) if not state.closed[s.KRZYZACY] else 0.0
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
