"""Features for networks: what the seat to choose sees of the position, and what an action would bring it.

All numbers are of the order of 1. Seats are listed in turn order from the seat to choose, so that a network need not
learn each seat's view; absent seats have zeros. They use no hidden information (PLC-6).
"""

from __future__ import annotations

from balance.contract.records import SHORTLIST_FEATURES, bounded, name_by_seat, number_features, seat_after
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.heuristics import judgement as judge
from balance.games.na_grunwald.heuristics.placing import added_strength, survey
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resolution import field_strength, hire_price
from balance.games.na_grunwald.kernel.scoring import score, spare_provisions, total_of
from balance.games.na_grunwald.kernel.skirmish import krzyzacy_strength
from balance.games.na_grunwald.rules.decks import EFFECTS, FIELDS

HEADS = ("buy", "bid", "send", "enter", "place", "fight", "plunder", "hire", "starve")
"""Kinds of decision, in the order of the phases that ask for one."""

_ON_A_FIELD = [field for field in FIELDS if field != "krzyzacy"]
_WHOSE = ("own", "next", "second", "third")


@compiled
def _turn(state, seat):
    """Return the place of a seat in the turn order of this round, from 0."""
    return seat - state.start if seat >= state.start else seat - state.start + state.players


_OF_A_SEAT = {
    "points": "points if the game ended now, after the weakest unfed knights starved",
    "points_lead": "these points minus those of the best other seat",
    "crown_knights": "crown knights that would count",
    "crown_strength": "their strength",
    "mercenaries": "mercenaries that would count",
    "mercenary_strength": "their strength",
    "captives": "strength of the captives",
    "ducats": "ducats",
    "provisions": "provisions",
    "hungry": "knights that the provisions don't feed",
    "spare": "provisions that the knights don't need",
    "helpers": "helpers",
    "officer_free": "1 if the officer is in hand",
    "helpers_free": "helpers in hand",
    "passed": "1 if the seat has passed",
    "best_card": "strength of the strongest knight in hand",
    "fighters": "strength of the knights in hand",
    "order": "place in the turn order of this round",
    "joined": "1 if the seat has a pawn in the skirmish",
}
SEAT = number_features(_OF_A_SEAT)


@compiled
def _describe_seat(rules, state, scratch, seat, at):
    """Write the features of a seat to `scratch.context` from index `at` on; `scratch.parts` holds the score."""
    row = scratch.context
    own = total_of(scratch, seat)
    best = -1000
    for p in range(state.players):
        if p != seat:
            best = max(best, total_of(scratch, p))
    hungry = max(0, state.knights[seat] - state.provisions[seat] * rules.knights_per_provision)
    row[at + SEAT.points] = own / 20
    row[at + SEAT.points_lead] = (own - best) / 10
    row[at + SEAT.crown_knights] = scratch.army_count[seat, 0] / 4
    row[at + SEAT.crown_strength] = scratch.army_strength[seat, 0] / 16
    row[at + SEAT.mercenaries] = scratch.army_count[seat, 1] / 4
    row[at + SEAT.mercenary_strength] = scratch.army_strength[seat, 1] / 16
    row[at + SEAT.captives] = scratch.parts[seat, 2] / 10
    row[at + SEAT.ducats] = state.ducats[seat] / 10
    row[at + SEAT.provisions] = state.provisions[seat] / 5
    row[at + SEAT.hungry] = hungry / 3
    row[at + SEAT.spare] = spare_provisions(rules, state, scratch, seat) / 3
    row[at + SEAT.helpers] = state.helpers[seat] / 4
    row[at + SEAT.officer_free] = state.officer_free[seat]
    row[at + SEAT.helpers_free] = state.helpers_free[seat] / 4
    row[at + SEAT.passed] = state.passed[seat]
    row[at + SEAT.best_card] = judge.best_card(state, seat) / 9
    row[at + SEAT.fighters] = judge.fighters(state, seat) / 20
    row[at + SEAT.order] = _turn(state, seat) / 3
    row[at + SEAT.joined] = state.arrival[s.KRZYZACY, seat] > 0


@compiled
def _strength_missing(state, seat):
    """Return the strength missing in the skirmish if every other seat there plays its best card."""
    total = 0
    for p in range(state.players):
        if p != seat and state.arrival[s.KRZYZACY, p] > 0:
            total += judge.best_card(state, p)
    return max(0, krzyzacy_strength(state) - total)


_GLOBAL = {
    "time_left": "share of the rounds still to come",
    "last_round": "1 in the last round",
    "war_left": "share of the skirmishes still to come",
    "krzyzacy": "strength of the Krzyżacy",
    "missing": "strength missing if all who joined play their best cards",
    "stronger": "stronger card of the Krzyżacy",
    "weaker": "weaker card of the Krzyżacy",
    "officer": "strength of an officer",
    "plunder_left": "strength that the seat must still give up",
    "highest_bid": "highest bid so far",
    "asked": "seats asked before in this phase",
    **{f"event_{effect}": f"1 if the event is of the kind {effect}" for effect in EFFECTS},
    **{f"closed_{field}": f"1 if {field} is closed" for field in FIELDS},
    **{f"prize_{field}_{n}": f"prize of place {n} on {field}" for field in _ON_A_FIELD for n in (1, 2, 3)},
}


@compiled_entry
def context(rules, state, scratch):
    """Fill `scratch.context` (`CONTEXT`) for the seat to choose, and return the number of the head (`HEADS`)."""
    score(rules, state, scratch, True)
    row = scratch.context
    for number in range(state.players):
        seat = seat_after(state, number)
        _describe_seat(rules, state, scratch, seat, number * len(SEAT))
        at = _ON_FIELDS + number * (s.FIELD_COUNT - s.CROWN_FIELD)
        for field in range(s.CROWN_FIELD, s.FIELD_COUNT):
            row[at + field - s.CROWN_FIELD] = field_strength(rules, state, field, seat) / 8
    row[GLOBAL.time_left] = (rules.rounds - state.round_number) / rules.rounds
    row[GLOBAL.last_round] = state.round_number == rules.rounds
    row[GLOBAL.war_left] = judge.war_left(rules, state)
    row[GLOBAL.krzyzacy] = krzyzacy_strength(state) / 20
    row[GLOBAL.missing] = _strength_missing(state, -1) / 10
    row[GLOBAL.stronger] = state.prize[s.KRZYZACY, 0] / 9
    row[GLOBAL.weaker] = state.prize[s.KRZYZACY, 1] / 9
    row[GLOBAL.officer] = state.officer_strength / 4
    row[GLOBAL.plunder_left] = state.plunder_left / 8
    row[GLOBAL.highest_bid] = state.highest_bid / 8
    row[GLOBAL.asked] = state.asked / 3
    if state.event >= 0:
        row[GLOBAL.event_gain + rules.event_effect[state.event]] = 1.0
    for field in range(s.FIELD_COUNT):
        row[GLOBAL.closed_krzyzacy + field] = state.closed[field]
    at = GLOBAL.prize_crown_1
    for field in range(s.CROWN_FIELD, s.FIELD_COUNT):
        for place in range(s.PLACES):
            row[at] = state.prize[field, place] / 6
            at += 1
    return state.phase - s.ASK_BUY


_OF_A_TITLE = {
    "title_lead": "knights of the kind won or lost minus those of the best other seat, afterwards, from -1 to 1",
    "takes_title": "1 if the seat holds the title afterwards and not before",
    "loses_title": "1 if the seat held the title before and not afterwards",
}


@compiled
def _title(scratch, state, row, kind, more):
    """Describe the title of a kind of knight when `more` of them are won (or, negative, lost); from `score`."""
    seat = state.seat
    other = 0
    for p in range(state.players):
        if p != seat:
            other = max(other, scratch.army_count[p, kind])
    before = scratch.army_count[seat, kind] - other
    row[AT.title_lead] = bounded(before + more, 3)
    row[AT.takes_title] = before <= 0 < before + more
    row[AT.loses_title] = before + more <= 0 < before


@compiled
def _stakes_to_come(state, field, rival):
    """Return the ducats that a rival may still add on `provisions`, which `survey` leaves out."""
    free = state.officer_free[rival] + state.helpers_free[rival] > 0 and state.passed[rival] == 0
    return state.ducats[rival] if field == s.PROVISIONS and free else 0


_OF_A_PLACE = {
    "strength": "strength there afterwards, or of the knight or item",
    "margin": "strength minus that of the strongest rival there, from -1 to 1",
    "first": "1 if the seat would be first if the field were resolved now",
    "second": "1 if second",
    "third": "1 if third",
    "prize": "prize won if the field were resolved now",
    "gain": "this prize minus the prize without the action",
    "if_overtaken": "prize won if every rival who can still overtake did so",
    "threats": "rivals who can still overtake",
    "reach": "strength by which the strongest of them can go ahead",
    "taken": "prize that rivals there lose by it",
}


@compiled
def _describe_place(rules, state, scratch, code, row):
    """Describe a placement on a field other than the skirmish, as if the field were resolved now."""
    seat, field = state.seat, a.first_of(code)
    before, arrived = field_strength(rules, state, field, seat), state.arrival[field, seat] > 0
    strength = before + a.third_of(code) + added_strength(rules, state, field, a.second_of(code))
    best = ahead = ahead_before = threats = reach = taken = 0
    for number in range(1, state.players):
        standing, most = survey(rules, state, field, number)
        most += _stakes_to_come(state, field, seat_after(state, number))
        there = standing >= 0
        wins_ties = standing % 2 == 1 if there else rules.tie_sign > 0
        now_ahead = standing > 2 * strength
        was_ahead = there and (not arrived or standing > 2 * before)
        best = max(best, standing // 2)
        ahead += now_ahead
        ahead_before += was_ahead
        taken += was_ahead and not now_ahead
        if not now_ahead and (most > strength or (most == strength and wins_ties)):
            threats += 1
            reach = max(reach, most - strength)
    row[AT.strength] = strength / 8
    row[AT.margin] = bounded(strength - best, 4)
    if ahead < s.PLACES:
        row[AT.first + ahead] = 1.0
    prize = state.prize[field, ahead] if ahead < s.PLACES else 0
    had = state.prize[field, ahead_before] if arrived and ahead_before < s.PLACES else 0
    worst = min(ahead + threats, s.PLACES)
    row[AT.prize] = prize / 6
    row[AT.gain] = (prize - had) / 6
    row[AT.if_overtaken] = state.prize[field, worst] / 6 if worst < s.PLACES else 0.0
    row[AT.threats] = threats / 3
    row[AT.reach] = min(reach, 8) / 8
    row[AT.taken] = taken / 3
    _describe_prize(rules, state, scratch, field, ahead, prize, row)


_OF_A_PRIZE = {"price": "price of the helper at the place on the field"}


@compiled
def _describe_prize(rules, state, scratch, field, place, prize, row):
    """Describe what the prize of a place means to the seat."""
    seat = state.seat
    if prize == 0:
        return
    if field == s.CROWN_FIELD or field == s.MERCENARY_FIELD:
        _title(scratch, state, row, s.MERCENARY if field == s.MERCENARY_FIELD else s.CROWN, 1)
        row[AT.unfed] = state.knights[seat] >= state.provisions[seat] * rules.knights_per_provision
    elif field == s.PROVISIONS:
        _goods(rules, state, row, prize, 0, 0)
    elif field == s.DUCATS:
        _goods(rules, state, row, 0, prize, 0)
    else:
        price = hire_price(rules, state, seat, place)
        row[AT.price] = price / 6
        if price <= state.ducats[seat]:
            _goods(rules, state, row, 0, 0, 1)


_OF_A_CARD = {
    "beats_stronger": "1 if the card beats the stronger card of the Krzyżacy",
    "beats_weaker": "1 if it beats the weaker card",
    "rivals_ahead": "rivals in the skirmish or contest whose best card is at least as strong",
    "decides": "1 if the skirmish is lost without the card and won with it, all others at their best",
    "short": "strength still missing with the card, all others at their best",
    "is_best": "1 for the best card in hand",
}


@compiled
def _describe_card(rules, state, kind, strength, row):
    """Describe a knight that fights or enters a contest, or the choice of none."""
    seat = state.seat
    best = judge.best_card(state, seat)
    ahead = 0
    for p in range(state.players):
        there = state.arrival[s.KRZYZACY, p] > 0 or state.phase != s.ASK_FIGHT
        ahead += p != seat and there and judge.best_card(state, p) >= strength
    missing = _strength_missing(state, seat)
    row[AT.strength] = strength / 8
    row[AT.is_best] = strength == best and strength > 0
    row[AT.rivals_ahead] = ahead / 3
    if kind >= 0:
        row[AT.crown_knight + kind] = 1.0
    if state.phase == s.ASK_FIGHT or state.phase == s.ASK_PLACE:
        row[AT.beats_stronger] = strength > state.prize[s.KRZYZACY, 0]
        row[AT.beats_weaker] = strength > state.prize[s.KRZYZACY, 1]
        row[AT.decides] = 0 < missing <= strength
        row[AT.short] = max(0, missing - strength) / 8


_OF_AN_ITEM = {
    "crown_knight": "1 for a crown knight",
    "mercenary": "1 for a mercenary",
    "captive": "1 for a captive",
    "provision": "1 for a provision",
    "in_hand": "1 if the knight is in hand",
    "overpaid": "strength beyond what must be given up",
    "pays_all": "1 if nothing more must be given up",
    "starves": "1 if the knight would starve anyway, provisions staying as they are",
}


@compiled
def _describe_loss(rules, state, scratch, source, strength, row):
    """Describe an item that is given up, or a knight that starves."""
    seat = state.seat
    hungry = state.knights[seat] - state.provisions[seat] * rules.knights_per_provision
    row[AT.strength] = strength / 8
    row[AT.overpaid] = max(0, strength - state.plunder_left) / 5
    row[AT.pays_all] = strength >= state.plunder_left
    if source == a.FROM_PROVISIONS:
        row[AT.provision] = 1.0
        row[AT.unfed] = hungry + rules.knights_per_provision > 0
    elif source == a.FROM_CAPTIVES:
        row[AT.captive] = 1.0
    else:
        kind = (source - a.FROM_HAND_CROWN) % 2
        row[AT.crown_knight + kind] = 1.0
        row[AT.in_hand] = source < a.FROM_CAMP_CROWN
        row[AT.starves] = hungry > 0
        _title(scratch, state, row, kind, -1)


_OF_PAWNS = {
    **{f"to_{field}": f"1 if pawns go to {field}" for field in FIELDS},
    "pass": "1 for passing, or for taking, bidding or sending nothing",
    "officer": "1 if the officer is placed",
    "helpers": "helpers placed",
    "ducats": "ducats paid, staked or bid",
    "ducats_left": "ducats left",
    "pawns_left": "pawns left in hand",
    "reinforces": "1 if the seat already has pawns there",
}


@compiled
def _describe_placement(rules, state, scratch, code, row):
    """Describe a placement."""
    seat, field = state.seat, a.first_of(code)
    pawns, ducats = a.second_of(code), a.third_of(code)
    row[AT.to_krzyzacy + field] = 1.0
    row[AT.officer] = pawns == 0
    row[AT.helpers] = pawns / 3
    row[AT.ducats] = ducats / 8
    row[AT.ducats_left] = (state.ducats[seat] - ducats) / 8
    row[AT.pawns_left] = (state.officer_free[seat] + state.helpers_free[seat] - max(1, pawns)) / 4
    row[AT.reinforces] = state.arrival[field, seat] > 0
    if field == s.KRZYZACY:
        _describe_card(rules, state, -1, judge.best_card(state, seat), row)
    else:
        _describe_place(rules, state, scratch, code, row)


_OF_GOODS = {
    "fed": "knights that are fed by the provisions won",
    "spare": "provisions won that the knights don't need",
    "unfed": "1 if a knight is won that nothing feeds",
    "worth_later": "helpers won, times the share of the rounds still to come",
}


@compiled
def _goods(rules, state, row, provisions, ducats, helpers):
    """Describe provisions, ducats and helpers that are won."""
    seat = state.seat
    left = (rules.rounds - state.round_number) / rules.rounds
    need = max(0, state.knights[seat] - state.provisions[seat] * rules.knights_per_provision)
    fed = min(need, provisions * rules.knights_per_provision)
    row[AT.fed] = fed / 3
    row[AT.spare] = (provisions - fed / max(1, rules.knights_per_provision)) / 3
    useful = min(helpers, rules.most_helpers - state.helpers[seat])
    row[AT.worth_later] = useful * left
    row[AT.lot] = (provisions + ducats + 3 * useful) / 8


_OF_AN_OFFER = {
    "lot": "worth of the goods for sale, in ducats and points alike",
    "outbidders": "rivals yet to bid who have more ducats",
}


@compiled
def _describe_offer(rules, state, code, row):
    """Describe buying, hiring, bidding, or sending a knight on a task."""
    seat, kind, number = state.seat, a.kind_of(code), a.third_of(code)
    if number == 0:
        row[AT.pass_] = 1.0
        return
    if kind == a.HIRE:
        price = hire_price(rules, state, seat, state.asked)
        _goods(rules, state, row, 0, 0, 1)
    else:
        lot = rules.event_bundle[state.event, 0]
        _goods(rules, state, row, lot[0], lot[1], lot[2])
        price = rules.event_price[state.event] if kind == a.BUY else (number if kind == a.BID else 0)
    row[AT.ducats] = price / 8
    row[AT.ducats_left] = (state.ducats[seat] - price) / 8
    if kind == a.BID:
        more = 0
        for p in range(state.players):
            more += _turn(state, p) > state.asked and state.ducats[p] > number
        row[AT.outbidders] = more / 3


@compiled_entry
def describe_action(rules, state, scratch, code, row):
    """Write the features of an action to `row` (the shared ones, then `ACTION`); called after `context`."""
    kind = a.kind_of(code)
    if kind == a.PASS:
        row[AT.pass_] = 1.0
        row[AT.pawns_left] = (state.officer_free[state.seat] + state.helpers_free[state.seat]) / 4
    elif kind == a.PLACE:
        _describe_placement(rules, state, scratch, code, row)
    elif kind == a.GIVE:
        _describe_loss(rules, state, scratch, a.first_of(code), a.third_of(code), row)
    elif kind == a.STARVE:
        source = a.FROM_CAMP_CROWN + a.second_of(code) - 1
        _describe_loss(rules, state, scratch, source, a.third_of(code), row)
    elif kind == a.FIGHT or kind == a.ENTER:
        row[AT.pass_] = a.third_of(code) == 0
        _describe_card(rules, state, a.second_of(code) - 1, a.third_of(code), row)
    else:
        _describe_offer(rules, state, code, row)
        if kind == a.SEND and a.third_of(code) > 0:
            _describe_card(rules, state, a.second_of(code) - 1, a.third_of(code), row)


CONTEXT = {
    **name_by_seat(_WHOSE, _OF_A_SEAT),
    **{f"{who}_on_{field}": f"strength on {field} ({who} seat)" for who in _WHOSE for field in _ON_A_FIELD},
    **_GLOBAL,
}
_ON_FIELDS = len(_WHOSE) * len(SEAT)
GLOBAL = number_features(_GLOBAL, _ON_FIELDS + len(_WHOSE) * len(_ON_A_FIELD))


ACTION = _OF_PAWNS | _OF_A_PLACE | _OF_A_TITLE | _OF_GOODS | _OF_A_PRIZE | _OF_A_CARD | _OF_AN_ITEM | _OF_AN_OFFER
AT = number_features(ACTION, len(SHORTLIST_FEATURES))
