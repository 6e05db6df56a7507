"""Named features of an action and of a position; they use no hidden information (PLC-6).

A strategy profile weighs the features of an action: its value is the sum of weight times feature. A placement's value
depends on the prize of the place on the field now, and on how easily rivals could still take it; the value of other
decisions on their gain, cost and risk. `evaluate` fills the values of all legal actions of one decision at once.

A value model predicts win chances from the features of a position (docs/searchers.md).
"""

from __future__ import annotations

from balance.contract.defaults import first_best
from balance.contract.records import Fields, number_features
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.heuristics import judgement as judge
from balance.games.na_grunwald.heuristics.placing import OF_A_PLACEMENT, OF_PAWNS, SURVEY, weigh_placements
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.flow import nth_action
from balance.games.na_grunwald.kernel.resolution import hire_price
from balance.games.na_grunwald.kernel.scoring import score, spare_provisions, total_of

SETTINGS = {
    "caution": (0.35, "threat to a place for each point of strength that a rival can still add"),
    "resolve": (0.0, "threat to a place for each point of its worth to a rival minus the rival's cost"),
    "pawn_cost": (1.0, "worth for which a rival is expected to place one more pawn"),
    "ducat_cost": (0.5, "worth for which a rival is expected to stake one more ducat on a mercenary"),
    "rival_effort": (0.6, "share of their best cards' strength that rivals are expected to play"),
    "bid_holds": (0.6, "chance that a later bidder who could outbid the seat does not"),
    "knights_a_round": (0.5, "knights that a seat is expected to win in each round to come"),
    "could_fight": (0.1, "share of a captive's worth that a knight in hand may still win"),
    "spare_provision": (0.6, "points that a provision is worth to a seat with enough provisions"),
    "less_when_short": (0.2, "points less for a seat without enough provisions, early in the game"),
}
SCRATCH: Fields = (*judge.STOCK, *SURVEY)


_OF_A_LOSS = {
    "points_lost": "points lost by giving up an item or starving a knight",
    "overpaid": "strength of an item given up beyond the strength demanded",
}


@compiled
def _loss_worth(rules, state, scratch, w, source, strength):
    """Return the (negative) value of losing an item for the rest of the game."""
    value = w.points_lost * judge.gift_cost(rules, state, scratch, w, source, strength)
    if source == a.FROM_HAND_CROWN or source == a.FROM_CAMP_CROWN:
        value -= w.crown_knight
    elif source == a.FROM_HAND_MERCENARY or source == a.FROM_CAMP_MERCENARY:
        value -= w.mercenary_knight
    if source == a.FROM_HAND_CROWN or source == a.FROM_HAND_MERCENARY:
        value -= w.could_fight * w.captive * judge.war_left(rules, state)
    return value


@compiled
def _event_worth(rules, state, scratch, w, code):
    """Return the value of an action in the event phase, or of hiring."""
    seat = state.seat
    kind = a.kind_of(code)
    number = a.third_of(code)
    if number == 0:
        return 0.0
    if kind == a.HIRE:
        price = hire_price(rules, state, seat, state.asked)
        return judge.bundle_worth(rules, state, scratch, w, 0, -price, 1)
    lot = rules.event_bundle[state.event, 0]
    reward = judge.bundle_worth(rules, state, scratch, w, lot[0], lot[1], lot[2])
    if kind == a.BUY:
        return reward + judge.money_worth(scratch, -rules.event_price[state.event])
    if kind == a.BID:
        return judge.bidding_chance(state, w, number) * (reward + judge.money_worth(scratch, -number))
    spent = w.knight_spent * number * judge.war_left(rules, state)
    if kind == a.SEND:
        return reward + spent
    place = judge.contest_place(state, seat, number)
    if place > 1:
        return spent
    prize = rules.event_bundle[state.event, place]
    return judge.bundle_worth(rules, state, scratch, w, prize[0], prize[1], prize[2]) + spent


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    """Fill `values[:count]` with the value of each action of `codes[:count]` to `state.seat`."""
    judge.take_stock(rules, state, scratch, weights)
    if state.phase == s.ASK_PLACE:
        weigh_placements(rules, state, scratch, weights)
        for i in range(count):
            values[i] = scratch.values[i]
        return
    if state.phase == s.ASK_FIGHT:
        judge.survey_skirmish(rules, state, scratch, weights)
    for i in range(count):
        code = codes[i]
        kind = a.kind_of(code)
        strength = a.third_of(code)
        if kind == a.GIVE:
            paid = min(strength, state.plunder_left)
            lost = _loss_worth(rules, state, scratch, weights, a.first_of(code), strength)
            values[i] = lost / paid + weights.overpaid * (strength - paid)
        elif kind == a.STARVE:
            source = a.FROM_CAMP_CROWN + a.second_of(code) - 1
            values[i] = _loss_worth(rules, state, scratch, weights, source, strength)
        elif kind == a.FIGHT:
            values[i] = judge.fight_worth(rules, state, scratch, weights, strength)
        else:
            values[i] = _event_worth(rules, state, scratch, weights, code)


@compiled_entry
def best_action(rules, state, scratch, weights, count):
    """Return the first action with the highest value to `state.seat`, of the `count` actions just counted."""
    if state.phase == s.ASK_PLACE:
        judge.take_stock(rules, state, scratch, weights)
        weigh_placements(rules, state, scratch, weights)
    else:
        evaluate(rules, state, scratch, weights, scratch.codes, count, scratch.values)
    return nth_action(rules, state, scratch, first_best(scratch.values, count))


# Features of a position


POSITION = {
    "points": "points if the game ended now, after the weakest unfed knights starved",
    "points_squared": "a tenth of their square",
    "captives": "points of these for captives",
    "crown_title": "points of these for the title of crown knights",
    "mercenary_title": "points of these for the title of mercenaries",
    "spare_title": "points of these for the title of provisions",
    "crown_lead": "crown knights minus those of the best other seat, from -3 to 3",
    "mercenary_lead": "mercenaries minus those of the best other seat, from -3 to 3",
    "spare_lead": "spare provisions minus those of the best other seat, from -3 to 3",
    "hungry": "knights that the provisions don't feed",
    "spare": "provisions that the knights don't need",
    "ducats": "ducats",
    "ducats_squared": "a tenth of their square",
    "helpers": "helpers",
    "fighters": "strength of the knights in hand that could still fight",
    "best_fighter": "strength of the strongest knight in hand",
    "best_fighter_squared": "a tenth of its square",
    "start": "1 for the starting player of this round",
    "last": "1 for the last player of this round",
}
"""Squares let the worth of a thing vary with its amount. A title may still be lost, so its points stand apart."""
AT = number_features(POSITION)
LARGEST_LEAD = 3


@compiled
def _lead(counts, players, seat):
    """Return the seat's count minus the best other seat's, from -`LARGEST_LEAD` to `LARGEST_LEAD`."""
    other = 0
    for p in range(players):
        if p != seat:
            other = max(other, counts[p])
    return float(max(-LARGEST_LEAD, min(LARGEST_LEAD, counts[seat] - other)))


@compiled_entry
def estimate(rules, state, scratch):
    """Fill `scratch.position` (seats, `POSITION`) and return the progress of the game, from 0 to 1."""
    score(rules, state, scratch, True)
    players = rules.players
    counts = scratch.title_key
    for kind in range(2):
        for p in range(players):
            counts[p] = scratch.army_count[p, kind]
        for p in range(players):
            scratch.position[p, AT.crown_lead + kind] = _lead(counts, players, p)
    for p in range(players):
        counts[p] = spare_provisions(rules, state, scratch, p)
    for p in range(players):
        row = scratch.position[p]
        row[AT.points] = total_of(scratch, p)
        row[AT.captives] = scratch.parts[p, 2]
        for title in range(3):
            row[AT.crown_title + title] = scratch.parts[p, 3 + title]
        row[AT.spare_lead] = _lead(counts, players, p)
        row[AT.hungry] = max(0, state.knights[p] - state.provisions[p] * rules.knights_per_provision)
        row[AT.spare] = counts[p]
        row[AT.ducats] = state.ducats[p]
        row[AT.helpers] = state.helpers[p]
        row[AT.fighters] = judge.fighters(state, p)
        row[AT.best_fighter] = judge.best_card(state, p)
        row[AT.points_squared] = row[AT.points] ** 2 / 10
        row[AT.ducats_squared] = row[AT.ducats] ** 2 / 10
        row[AT.best_fighter_squared] = row[AT.best_fighter] ** 2 / 10
        row[AT.start] = p == state.start
        row[AT.last] = p == (state.start + players - 1) % players
    return (state.round_number - 1) / rules.rounds


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with each seat's score if the game ended now."""
    score(rules, state, scratch, True)
    for p in range(rules.players):
        scratch.scores[p] = total_of(scratch, p)


FEATURES = judge.OF_GOODS | judge.OF_A_FIGHT | OF_PAWNS | _OF_A_LOSS | OF_A_PLACEMENT
