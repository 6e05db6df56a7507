"""Features for networks: what the seat to choose sees of the position.

All numbers are of the order of 1. Seats are listed in turn order from the seat to choose, so that a network need not
learn each seat's view; absent seats have zeros. They use no hidden information (DEC-4).
"""

from __future__ import annotations

from balance.contract.records import name_by_seat
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.heuristics.features import place_in_turn
from balance.games.korona_piastow.heuristics.prospects import (
    are_orders_hidden,
    best_target,
    points_taken,
    points_won,
    rival_orders_near,
    scale_denars,
    strongest_near,
    survey,
)
from balance.games.korona_piastow.heuristics.warfare import (
    attack_from,
    chance_of,
    front_of,
    threat_to,
)
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.combat import strength_of_fief
from balance.games.korona_piastow.kernel.land import (
    has_room,
    is_active,
    is_usable,
    neighbours_of,
    owner_of,
    units_in,
)
from balance.games.korona_piastow.rules.tables import EFFECTS, ORDERS

HEADS = (
    "place", "fief", "order", "turn", "muster", "regroup", "build", "target", "send", "victory", "court", "choose",
)  # fmt: skip
"""Kinds of decision."""
_PLACE, _FIEF, _ORDER, _TURN, _MUSTER, _REGROUP, _BUILD, _TARGET, _SEND, _VICTORY, _COURT, _CHOOSE = (
    range(12)
)
_HEAD_OF = (
    _PLACE, _FIEF, _ORDER, _CHOOSE, _CHOOSE, _TURN, _MUSTER, _REGROUP, _BUILD, _TARGET, _TARGET, _TARGET, _SEND,
    _VICTORY, _COURT, _COURT, _COURT, _CHOOSE,
)  # fmt: skip
"""The head of each phase that waits for a decision."""

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
(
    _IN_GAME, _SCORE, _LEAD, _CROWNED, _PRETENDER, _OWN, _ABROAD, _UNITS, _ATTACK, _KNIGHTS, _DENARS, _RELICS,
    _MAGNATES, _TOKENS, _JOINING, _CAPITAL, _HALLS, _LATER, _FACES,
) = range(len(_OF_A_SEAT))  # fmt: skip
_WHOSE = ("own", "next", "second", "third", "fourth", "fifth")
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
CONTEXT = {
    **name_by_seat(_WHOSE, _OF_A_SEAT),
    **_GLOBAL,
    **{f"here_{name}": f"{meaning}, in the fief of the order" for name, meaning in _HERE.items()},
    "target_strength": "defence of the target, without fate",
    **{f"own_{kind}": f"own {kind} tokens on the map" for kind in ORDERS},
    **{f"event_{effect}": f"1 if the event is {effect}" for effect in EFFECTS},
}
_WIDTH = len(_OF_A_SEAT)
_AT_GLOBAL = len(_WHOSE) * _WIDTH
_AT_HERE = _AT_GLOBAL + len(_GLOBAL)
_AT_TARGET = _AT_HERE + len(_HERE)
_AT_ORDERS = _AT_TARGET + 1
_AT_EVENT = _AT_ORDERS + len(ORDERS)
_THREATENED, _CAPITAL_THREAT, _EMPTY, _DEVASTATED = range(_AT_HERE - 4, _AT_HERE)


@compiled
def _row_of(state, seat):
    """Return the index of the first feature of a seat."""
    number = seat - state.seat
    return (number if number >= 0 else number + state.players) * _WIDTH


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
    row[at + _IN_GAME] = 1.0
    row[at + _SCORE] = points / rules.crown
    row[at + _LEAD] = (points - best) / rules.crown
    row[at + _CROWNED] = points >= rules.crown
    row[at + _PRETENDER] = points >= rules.crown - rules.pretender_gap
    row[at + _DENARS] = scale_denars(state.denars[seat])
    row[at + _RELICS] = state.relics[seat] / 2
    row[at + _MAGNATES] = state.free_magnates[seat].sum() / 3
    row[at + _LATER] = 1.0 - place_in_turn(rules, state, seat)
    if seat == state.seat or not are_orders_hidden(state):
        row[at + _TOKENS] = state.token_count[seat] / 5
    for district in range(rules.district_count):
        held = scratch.held[seat, district]
        if held > 0 and state.owner[district] != seat:
            share = held / rules.district_size[district]
            row[at + _JOINING] += share * share


@compiled
def _describe_fief(rules, state, scratch, fief, holder):
    """Add what a fief held by a ruler means to it."""
    row, at, district = scratch.context, _row_of(state, holder), rules.district_of[fief]
    owner = state.owner[district]
    if owner == holder:
        row[at + _OWN] += 1 / 10
        building = state.building[fief]
        if building >= s.TOWN_HALL:
            row[at + _HALLS] += is_active(rules, state, fief, holder) / 2
    else:
        row[at + _ABROAD] += 1 / 5
    if district == state.capital[holder]:
        row[at + _CAPITAL] += 1 / rules.district_size[district]
    if scratch.strength[fief] > 0:
        row[at + _UNITS] += units_in(state, fief) / 15
        row[at + _ATTACK] += scratch.strength[fief] / 25
        row[at + _KNIGHTS] += state.units[fief, s.KNIGHT] / 4
    elif holder == state.seat:
        row[_EMPTY] += 1 / 5
    if holder == state.seat:
        row[_DEVASTATED] += (owner == holder) * state.devastated[fief] / 3
        _describe_danger(rules, state, scratch, fief)
    elif scratch.strength[fief] > 0:
        row[at + _FACES] += _faces(rules, state, scratch, fief) * scratch.strength[fief] / 20


@compiled
def _faces(rules, state, scratch, fief):
    """Return whether a fief adjoins one that the seat to choose holds."""
    found = False
    for other in neighbours_of(rules, fief):
        found |= scratch.holder[other] == state.seat
    return found


@compiled
def _describe_danger(rules, state, scratch, fief):
    """Add the threat to a fief of the seat to choose."""
    row, seat = scratch.context, state.seat
    if strongest_near(rules, state, scratch, seat, fief) == 0:
        return
    threat = threat_to(rules, state, seat, fief)
    if threat > 0:
        row[_FACES] += threat / 15
        row[_THREATENED] += 1 / 5
        if rules.district_of[fief] == state.capital[seat]:
            row[_CAPITAL_THREAT] += threat / 10


@compiled
def _describe_moment(rules, state, scratch):
    """Describe the time, and numbers of the rules."""
    row, at, seat = scratch.context, _AT_GLOBAL, state.seat
    row[at] = (rules.rounds - state.round_number) / rules.rounds
    row[at + 1] = state.round_number == rules.rounds
    row[at + 2] = rules.crown / 12
    row[at + 3] = state.left / 5
    row[at + 4] = state.more
    row[at + 5] = state.step / 5 if state.phase == s.ASK_TURN else 0.0
    row[at + 6] = rules.orders_per_turn == 0
    row[at + 7] = rules.claim_cost / 10
    row[at + 8] = state.denars[seat] >= rules.claim_cost
    row[at + 9] = rules.levy / 2
    row[at + 10] = rules.fief_limit / 6
    row[at + 11] = rules.winner_loss / 50
    row[at + 12] = rules.feud_rounds / 5
    row[at + 13] = rules.tribute_fief / 3


@compiled
def _describe_here(rules, state, scratch, fief):
    """Describe the fief of the order that is given or carried out."""
    row, at, seat = scratch.context, _AT_HERE, state.seat
    row[at] = front_of(rules, scratch, seat, fief)
    row[at + 1] = threat_to(rules, state, seat, fief) / 10
    row[at + 2] = units_in(state, fief) / 6
    row[at + 3] = scratch.strength[fief] / 10
    if has_room(rules, state, fief) and is_usable(state, fief):
        row[at + 4] = (rules.fief_limit - units_in(state, fief)) / 6
    row[at + 5] = owner_of(rules, state, fief) == seat
    row[at + 6] = rules.district_of[fief] == state.capital[seat]
    row[at + 7] = rules.legendary[fief]
    row[at + 8] = scratch.orders[fief] / 3
    row[at + 9] = scratch.invasions[fief] / 3
    row[at + 10] = rival_orders_near(rules, scratch, fief) / 5
    target = best_target(rules, state, scratch, seat, fief)
    if target != s.NOTHING:
        margin = attack_from(rules, state, seat, fief, target)
        margin -= strength_of_fief(rules, state, target, seat)
        row[at + 11] = chance_of(margin)
        won = points_won(rules, state, scratch, seat, target)
        row[at + 12] = (won + points_taken(rules, state, scratch, target)) / 3


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
        row[_AT_TARGET] = strength_of_fief(rules, state, state.target, seat) / 15
    for i in range(state.token_count[seat]):
        row[_AT_ORDERS + int(state.token_kind[seat, i])] += 1 / 3
    if state.event >= 0:
        row[_AT_EVENT + rules.effect[state.event]] = 1.0
    return _HEAD_OF[phase]
