"""Features for networks: what the seat to choose sees of the position.

All numbers are of the order of 1. Seats are listed in turn order from the seat to choose, so that a network need not
learn each seat's view; absent seats have zeros. They use no hidden information (DEC-4).
"""

from __future__ import annotations

from balance.contract.records import name_by_seat, number_features
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.heuristics.features import place_in_turn
from balance.games.korona_piastow.heuristics.prospects import (
    are_orders_hidden,
    best_target,
    points_taken,
    points_won,
    rival_orders_near,
    scale_denars,
    survey,
)
from balance.games.korona_piastow.heuristics.warfare import attack_from, chance_of, front_of, threat_to
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.combat import strength_of_fief
from balance.games.korona_piastow.kernel.land import has_room, is_active, is_usable, neighbours_of, owner_of, units_in
from balance.games.korona_piastow.rules.tables import EFFECTS, ORDERS

HEADS = ("place", "fief", "order", "turn", "muster", "regroup", "build", "target", "send", "victory", "court", "choose")
"""Kinds of decision."""
_HEAD_OF = tuple(HEADS.index(head) for head in (
    "place", "fief", "order", "choose", "choose", "turn", "muster", "regroup", "build", "target", "target", "target",
    "send", "victory", "court", "court", "court", "choose", "place",
))  # fmt: skip
"""The head of each phase that waits for a decision."""

_WHOSE = ("own", "next", "second", "third", "fourth", "fifth")


@compiled
def _row_of(state, seat):
    """Return the index of the first feature of a seat."""
    number = seat - state.seat
    return (number if number >= 0 else number + state.players) * _WIDTH


_OF_A_SEAT = {
    "in_game": "1 while the ruler is in the game",
    "score": "score, as a share of the crown",
    "lead": "score minus the best score of the others, as a share of the crown",
    "crowned": "1 if the score is enough for the crown",
    "pretender": "1 if the score lets others invade without a claim (CSB-2)",
    "own": "own fiefs",
    "abroad": "fiefs of others' districts held",
    "units": "units",
    "attack": "their attack",
    "knights": "knights",
    "denars": "denars",
    "relics": "relics",
    "magnates": "free magnates",
    "orders": "tokens on the map; of others, once they are seen",
    "joining": "shares of others' districts held by units, squared and summed",
    "capital": "share of the capital district that the seat holds",
    "halls": "active town halls and cloth halls",
    "later": "share of the others whose turn comes earlier in this round",
    "faces": "attack of units next to fiefs of the seat to choose; of that seat: `threat` to its fiefs, summed",
}
SEAT = number_features(_OF_A_SEAT)


@compiled
def _describe_seat(rules, state, scratch, seat):
    """Describe a seat, without what its fiefs add."""
    row, at = scratch.context, _row_of(state, seat)
    if state.out_round[seat] > 0:
        return
    points, best = scratch.points[seat], scratch.best_other
    if seat != state.seat:
        best = 0
        for p in range(state.players):
            if p != seat:
                best = max(best, scratch.points[p])
    row[at + SEAT.in_game] = 1.0
    row[at + SEAT.score] = points / rules.crown
    row[at + SEAT.lead] = (points - best) / rules.crown
    row[at + SEAT.crowned] = points >= rules.crown
    row[at + SEAT.pretender] = points >= rules.crown - rules.pretender_gap
    row[at + SEAT.denars] = scale_denars(state.denars[seat])
    row[at + SEAT.relics] = state.relics[seat] / 2
    row[at + SEAT.magnates] = state.free_magnates[seat].sum() / 3
    row[at + SEAT.later] = 1.0 - place_in_turn(rules, state, seat)
    if seat == state.seat or not are_orders_hidden(state):
        row[at + SEAT.orders] = state.token_count[seat] / 5
    for district in range(rules.district_count):
        held = scratch.held[seat, district]
        if held > 0 and state.owner[district] != seat:
            share = held / rules.district_size[district]
            row[at + SEAT.joining] += share * share


@compiled
def _describe_fief(rules, state, scratch, fief, holder):
    """Add what a fief held by a ruler means to it."""
    row, at, district = scratch.context, _row_of(state, holder), rules.district_of[fief]
    owner = state.owner[district]
    if owner == holder:
        row[at + SEAT.own] += 1 / 10
        building = state.building[fief]
        if building >= s.TOWN_HALL:
            row[at + SEAT.halls] += is_active(rules, state, fief, holder) / 2
    else:
        row[at + SEAT.abroad] += 1 / 5
    if district == state.capital[holder]:
        row[at + SEAT.capital] += 1 / rules.district_size[district]
    if scratch.strength[fief] > 0:
        row[at + SEAT.units] += units_in(state, fief) / 15
        row[at + SEAT.attack] += scratch.strength[fief] / 25
        row[at + SEAT.knights] += state.units[fief, s.KNIGHT] / 4
    elif holder == state.seat:
        row[GLOBAL.empty] += 1 / 5
    if holder == state.seat:
        row[GLOBAL.devastated] += (owner == holder) * state.devastated[fief] / 3
        _describe_danger(rules, state, scratch, fief)
    elif scratch.strength[fief] > 0:
        row[at + SEAT.faces] += _faces(rules, state, scratch, fief) * scratch.strength[fief] / 20


@compiled
def _faces(rules, state, scratch, fief):
    """Return whether a fief adjoins one that the seat to choose holds."""
    found = False
    for other in neighbours_of(rules, fief):
        found |= scratch.holder[other] == state.seat
    return found


_GLOBAL = {
    "time_left": "share of the rounds still to come",
    "last_round": "1 in the last round",
    "crown": "score that wins",
    "left": "orders, units or moves that may still come in this decision's series",
    "begun": "1 if this is not the first unit or move of an order",
    "in_a_row": "orders carried out in a row",
    "all_at_once": "1 if a ruler carries out all orders before the next one",
    "claim_cost": "price of a claim",
    "claims": "1 if the seat can pay a claim",
    "levy": "infantry of a fief without units",
    "fief_limit": "most units in a fief",
    "winner_loss": "share of the defence that a winner loses",
    "feud_rounds": "rounds for which an invasion is a cause for war",
    "tribute": "denars for a free fief",
    "threatened": "own fiefs whose defence is below the strongest attack next to them",
    "capital_threat": "strength missing in the capital district, summed over fiefs",
    "empty": "own fiefs without units",
    "devastated": "own fiefs that are devastated",
}


@compiled
def _describe_danger(rules, state, scratch, fief):
    """Add the threat to a fief of the seat to choose."""
    row, seat = scratch.context, state.seat
    threat = threat_to(rules, state, scratch, seat, fief)
    if threat > 0:
        row[SEAT.faces] += threat / 15
        row[GLOBAL.threatened] += 1 / 5
        if rules.district_of[fief] == state.capital[seat]:
            row[GLOBAL.capital_threat] += threat / 10


@compiled
def _describe_moment(rules, state, scratch):
    """Describe the time, and numbers of the rules."""
    row, seat = scratch.context, state.seat
    row[GLOBAL.time_left] = (rules.rounds - state.round_number) / rules.rounds
    row[GLOBAL.last_round] = state.round_number == rules.rounds
    row[GLOBAL.crown] = rules.crown / 12
    row[GLOBAL.left] = state.left / 5
    row[GLOBAL.begun] = state.more
    row[GLOBAL.in_a_row] = state.step / 5 if state.phase == s.ASK_TURN else 0.0
    row[GLOBAL.all_at_once] = rules.orders_per_turn == 0
    row[GLOBAL.claim_cost] = rules.claim_cost / 10
    row[GLOBAL.claims] = state.denars[seat] >= rules.claim_cost
    row[GLOBAL.levy] = rules.levy / 2
    row[GLOBAL.fief_limit] = rules.fief_limit / 6
    row[GLOBAL.winner_loss] = rules.winner_loss / 50
    row[GLOBAL.feud_rounds] = rules.feud_rounds / 5
    row[GLOBAL.tribute] = rules.tribute_fief / 3


_HERE = {
    "front": "share of the adjoining fiefs held by others",
    "threat": "attack of others' strongest adjoining units minus the defence of its units",
    "units": "units",
    "attack": "their attack",
    "room": "units for which there is room, if they may be mustered",
    "own": "1 for an own fief",
    "capital": "1 in the capital district",
    "legendary": "1 for a legendary place",
    "orders": "own tokens",
    "invasions": "own tokens that invade",
    "rival_orders": "others' tokens next to it",
    "chance": "chance of the best invasion from there",
    "prize": "points gained and taken by it",
}


@compiled
def _describe_here(rules, state, scratch, fief):
    """Describe the fief of the order that is given or carried out."""
    row, seat = scratch.context, state.seat
    row[HERE.front] = front_of(rules, scratch, seat, fief)
    row[HERE.threat] = threat_to(rules, state, scratch, seat, fief) / 10
    row[HERE.units] = units_in(state, fief) / 6
    row[HERE.attack] = scratch.strength[fief] / 10
    if has_room(rules, state, fief) and is_usable(state, fief):
        row[HERE.room] = (rules.fief_limit - units_in(state, fief)) / 6
    row[HERE.own] = owner_of(rules, state, fief) == seat
    row[HERE.capital] = rules.district_of[fief] == state.capital[seat]
    row[HERE.legendary] = rules.legendary[fief]
    row[HERE.orders] = scratch.orders[fief] / 3
    row[HERE.invasions] = scratch.invasions[fief] / 3
    row[HERE.rival_orders] = rival_orders_near(rules, scratch, fief) / 5
    target = best_target(rules, state, scratch, seat, fief)
    if target != s.NOTHING:
        margin = attack_from(rules, state, seat, fief, target)
        margin -= strength_of_fief(rules, state, target, seat)
        row[HERE.chance] = chance_of(margin)
        won = points_won(rules, state, scratch, seat, target)
        row[HERE.prize] = (won + points_taken(rules, state, scratch, target)) / 3


_OF_A_TARGET = {"target_strength": "defence of the target, without fate"}


@compiled_entry
def context(rules, state, scratch):
    """Fill `scratch.context` (`CONTEXT`) for the seat to choose, and return the number of the head (`HEADS`)."""
    survey(rules, state, scratch)
    row, seat, phase = scratch.context, state.seat, state.phase
    for p in range(state.players):
        _describe_seat(rules, state, scratch, p)
    for fief in range(rules.fief_count):
        holder = scratch.holder[fief]
        if holder >= 0:
            _describe_fief(rules, state, scratch, fief, holder)
    _describe_moment(rules, state, scratch)
    in_a_fief = s.ASK_MUSTER <= phase <= s.ASK_VICTORY or phase == s.ASK_ORDER
    if in_a_fief:
        _describe_here(rules, state, scratch, state.fief)
    if phase == s.ASK_SEND or phase == s.ASK_VICTORY:
        row[TARGET.target_strength] = strength_of_fief(rules, state, state.target, seat) / 15
    for i in range(state.token_count[seat]):
        row[_AT_ORDERS + int(state.token_kind[seat, i])] += 1 / 3
    if state.event >= 0:
        row[_AT_EVENT + rules.effect[state.event]] = 1.0
    return _HEAD_OF[phase]


CONTEXT = {
    **name_by_seat(_WHOSE, _OF_A_SEAT),
    **_GLOBAL,
    **{f"here_{name}": f"{meaning}, in the fief of the order" for name, meaning in _HERE.items()},
    **_OF_A_TARGET,
    **{f"own_{kind}": f"own {kind} tokens on the map" for kind in ORDERS},
    **{f"event_{effect}": f"1 if the event is {effect}" for effect in EFFECTS},
}
_WIDTH = len(_OF_A_SEAT)
GLOBAL = number_features(_GLOBAL, len(_WHOSE) * _WIDTH)
HERE = number_features(_HERE, GLOBAL.time_left + len(_GLOBAL))
TARGET = number_features(_OF_A_TARGET, HERE.front + len(_HERE))
_AT_ORDERS = TARGET.target_strength + 1
_AT_EVENT = _AT_ORDERS + len(ORDERS)
