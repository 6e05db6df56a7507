"""Features for networks: what an action would bring the seat to choose; called after `network.context`.

All numbers are of the order of 1. They use no hidden information (DEC-4).
"""

from __future__ import annotations

from balance.contract.records import SHORTLIST_FEATURES, number_features
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.heuristics.prospects import (
    are_orders_hidden,
    best_target,
    counts_for,
    points_taken,
    points_won,
    rival_orders_near,
    scale_denars,
    share_then,
)
from balance.games.korona_piastow.heuristics.situation import way_to
from balance.games.korona_piastow.heuristics.warfare import (
    abandons,
    attack_from,
    chance_of,
    front_of,
    front_of_district,
    strength_of_sending,
    strongest_near,
    threat_to,
)
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.combat import strength_of_fief, units_defence
from balance.games.korona_piastow.kernel.invading import PAID
from balance.games.korona_piastow.kernel.land import fiefs_of, has_room, is_usable, neighbours_of, troops_in, units_in
from balance.games.korona_piastow.kernel.orders import count_tokens_at
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, TRAITS, UNITS

_OF_A_PLACE = {
    "own": "1 if the place is an own fief",
    "abroad": "1 if the place is a fief of another's district held by the seat",
    "capital": "1 if the place is in the seat's capital district",
    "piast": "1 if the place is a Piast fief",
    "legendary": "1 if the place is legendary",
    "front": "share of the fiefs next to the place held by others",
    "threat": "strength of others' units next to the place minus that of its units",
    "units": "units at the place",
    "attack": "their attack",
    "room": "units for which the place has room, if they may be mustered there",
    "orders": "own tokens at the place",
    "invasions": "own tokens there that invade",
    "rival_orders": "others' tokens next to the place",
    "district": "share of the place's district held by own units",
    "walls": "1 if a building stands at the place",
}


@compiled
def _describe_place(rules, state, scratch, fief, row):
    """Describe the fief of an action."""
    seat, district, count = state.seat, rules.district_of[fief], units_in(state, fief)
    if scratch.holder[fief] == seat:
        row[AT.own] = state.owner[district] == seat
        row[AT.abroad] = state.owner[district] != seat
    row[AT.capital] = district == state.capital[seat]
    row[AT.piast] = rules.piast[district]
    row[AT.legendary] = rules.legendary[fief]
    row[AT.front] = front_of(rules, scratch, seat, fief)
    row[AT.threat] = threat_to(rules, state, scratch, seat, fief) / 10
    row[AT.units] = count / 6
    row[AT.attack] = scratch.strength[fief] / 10
    if has_room(rules, state, fief) and is_usable(state, fief):
        row[AT.room] = (rules.fief_limit - count) / 6
    row[AT.orders] = scratch.orders[fief] / 3
    row[AT.invasions] = scratch.invasions[fief] / 3
    row[AT.district] = scratch.held[seat, district] / rules.district_size[district]
    row[AT.walls] = state.building[fief] != s.NOTHING
    if not are_orders_hidden(state):
        row[AT.rival_orders] = rival_orders_near(rules, scratch, fief) / 5


_OF_A_RULER = {
    "holder_score": "score of another ruler who is hurt or helped, as a share of the crown",
    "holder_leads": "1 if this ruler has the best score of the others",
    "holder_faces": "attack of this ruler's units next to own fiefs",
}


@compiled
def _describe_holder(rules, state, scratch, rival, row):
    """Describe another ruler who is hurt or helped."""
    row[AT.holder_score] = scratch.points[rival] / rules.crown
    row[AT.holder_leads] = scratch.points[rival] == scratch.best_other
    faced = 0
    for fief in range(rules.fief_count):
        if scratch.holder[fief] == state.seat:
            for other in neighbours_of(rules, fief):
                if state.lord[other] == rival:
                    faced = max(faced, scratch.strength[other])
    row[AT.holder_faces] = faced / 10


_OF_A_CONQUEST = {
    "points": "points gained at once, times the chance",
    "taken": "points that the holder loses, times the chance",
    "from_leader": "`taken` if the holder has the best score of the others",
    "stops": "chance to bring a holder's score below the crown",
    "wins": "chance that the own score is enough for the crown then",
    "share": "square of the share of the district then held, times the chance, if its fiefs count",
    "joins": "chance that the district joins",
    "free": "chance to win a fief without a holder",
    "home": "chance to win back a fief of the own state",
    "from_ruler": "chance to take a fief from a ruler",
    "breaks": "`from_ruler` for a fief abroad of that ruler, times the share of the district that it holds",
    "from_capital": "chance to win a fief of another's capital district",
    "ousts": "chance to win the last fief that a ruler holds of its capital district",
    "legendary_won": "chance to win a legendary place",
}


@compiled
def _held_of_capital(rules, state, scratch, rival):
    """Return the number of fiefs of its capital district that a ruler holds."""
    count = 0
    for fief in fiefs_of(rules, state.capital[rival]):
        count += scratch.holder[fief] == rival
    return count


@compiled
def _describe_loser(rules, state, scratch, target, chance, row):
    """Describe what a conquest does to the ruler who holds the target."""
    holder, district = scratch.holder[target], rules.district_of[target]
    taken = points_taken(rules, state, scratch, target)
    row[AT.from_ruler] = chance
    row[AT.taken] = chance * taken
    if scratch.points[holder] == scratch.best_other:
        row[AT.from_leader] = chance * taken
    if taken > 0 and scratch.points[holder] == rules.crown:
        row[AT.stops] = chance
    if state.owner[district] != holder:
        row[AT.breaks] = chance * scratch.held[holder, district] / rules.district_size[district]
    if state.capital[holder] == district:
        row[AT.from_capital] = chance
        row[AT.ousts] = chance * (_held_of_capital(rules, state, scratch, holder) == 1)


@compiled
def _describe_gain(rules, state, scratch, target, chance, row):
    """Describe what a conquest brings, times its chance."""
    seat, district, holder = state.seat, rules.district_of[target], scratch.holder[target]
    points = points_won(rules, state, scratch, seat, target)
    share = share_then(rules, scratch, seat, target)
    row[AT.points] = chance * points / 3
    row[AT.wins] = chance * (scratch.points[seat] + points >= rules.crown)
    row[AT.legendary_won] = chance * rules.legendary[target]
    if state.owner[district] == seat:
        row[AT.home] = chance
    else:
        row[AT.joins] = chance * (share == 1.0)
        counts = counts_for(rules, state, seat, district)
        row[AT.share] = chance * share * share * counts
    if holder >= 0:
        _describe_loser(rules, state, scratch, target, chance, row)
    elif holder == s.NOBODY:
        row[AT.free] = chance


_OF_AN_INVASION = {
    "chance": "chance to win the invasion; for an order or unit, the best one from its fief",
    "margin": "attack minus defence, before fate",
    "guard": "others' tokens on the target",
    "if_defended": "chance to win if one of these tokens is a defend",
    "claim": "1 if a claim must be paid",
}


@compiled
def _describe_invasion(rules, state, scratch, source, target, attack, sent, row):
    """Describe an invasion with an attack and a number of units."""
    seat = state.seat
    margin = attack - strength_of_fief(rules, state, target, seat)
    chance = chance_of(margin)
    row[AT.chance] = chance
    row[AT.margin] = max(-10, min(10, margin)) / 10
    row[AT.if_defended] = chance
    if scratch.rival_orders[target] > 0:
        row[AT.guard] = scratch.rival_orders[target] / 3
        row[AT.if_defended] = chance_of(margin - rules.defend)
    row[AT.claim] = way_to(rules, state, scratch, target) == PAID
    row[AT.losses] = (1.0 - chance) * sent * rules.loser_loss / 300
    row[AT.target_front] = front_of(rules, scratch, seat, target)
    _describe_support(rules, state, scratch, source, target, row)
    _describe_gain(rules, state, scratch, target, chance, row)


@compiled
def _describe_best(rules, state, scratch, source, kind, row):
    """Describe the best invasion with all units of a fief, and one more of a kind (NOTHING: none)."""
    target = best_target(rules, state, scratch, state.seat, source)
    if target == s.NOTHING:
        return
    attack, sent = attack_from(rules, state, state.seat, source, target), troops_in(state, source)
    if kind != s.NOTHING and kind != s.ENGINE:
        attack += rules.attack[kind]
        sent += 1
    _describe_invasion(rules, state, scratch, source, target, attack, sent, row)


_OF_TROOPS = {
    "losses": "units expected to be lost if repelled",
    "exposed": "strongest attack next to the target minus the defence of the units sent there",
    "kept": "units that stay",
    "kept_threat": "strongest attack next to the fief that the units leave minus the defence of those who stay",
    "abandon": "1 if a fief of another's district is left without units",
    "target_front": "share of the fiefs next to the target held by others",
    "reserve": "own attack next to the target from other fiefs",
    "planned": "own tokens that invade next to the target, in other fiefs",
}


@compiled
def _describe_support(rules, state, scratch, source, target, row):
    """Describe own units and invasions next to a target in other fiefs than the source."""
    attack = planned = 0
    for other in neighbours_of(rules, target):
        if other != source and scratch.holder[other] == state.seat:
            attack += scratch.strength[other]
            planned += scratch.invasions[other]
    row[AT.reserve] = attack / 10
    row[AT.planned] = planned / 3


@compiled
def _describe_sending(rules, state, scratch, code, row):
    """Describe the units sent, and those who stay."""
    seat, source, target = state.seat, state.fief, state.target
    sent = a.number_of(code)
    attack, own = strength_of_sending(rules, state, sent)
    _describe_invasion(rules, state, scratch, source, target, attack, own, row)
    defence, left = 0, sent
    for kind in range(len(s.LOSSES), -1, -1):
        defence += rules.defence[kind] * (left % 10)
        left //= 10
    kept = troops_in(state, source) - own
    row[AT.kept] = kept / 6
    row[AT.abandon] = abandons(rules, state, seat, source, own)
    near = strongest_near(rules, state, scratch, seat, source)
    if near > 0:
        stays = units_defence(rules, state, source) - defence
        row[AT.kept_threat] = max(-10, min(10, near - stays)) / 10
    near = strongest_near(rules, state, scratch, seat, target)
    if near > 0:
        row[AT.exposed] = max(-10, min(10, near - defence)) / 10


_OF_A_MOVE = {
    "doubled": "own tokens of the same kind at the place",
    "front_gained": "`front` where a unit or the ruler arrives minus where it leaves",
    "left_threat": "`threat` in the fief that a unit leaves, without that unit",
}


@compiled
def _describe_move(rules, state, scratch, code, row):
    """Describe a unit that moves."""
    seat, kind = state.seat, a.second_of(code)
    source, target = a.first_of(a.first_of(code)), a.second_of(a.first_of(code))
    _describe_place(rules, state, scratch, target, row)
    row[AT.unit_infantry + kind] = 1.0
    row[AT.front_gained] = row[AT.front] - front_of(rules, scratch, seat, source)
    row[AT.abandon] = abandons(rules, state, seat, source, 1)
    row[AT.kept] = (troops_in(state, source) - 1) / 6
    near = strongest_near(rules, state, scratch, seat, source)
    if near > 0:
        stays = units_defence(rules, state, source) - rules.defence[kind]
        row[AT.left_threat] = max(-10, min(10, near - stays)) / 10
    _describe_best(rules, state, scratch, target, kind, row)


@compiled
def _describe_unit(rules, state, scratch, fief, kind, price, row):
    """Describe a unit that is placed, mustered or raised."""
    row[AT.unit_infantry + kind] = 1.0
    if price > 0:
        _describe_price(state, price, row)
    _describe_best(rules, state, scratch, fief, kind, row)


_OF_A_PRICE = {"price": "denars paid", "denars_left": "denars left"}


@compiled
def _describe_price(state, price, row):
    left = state.denars[state.seat] - price
    row[AT.price] = price / 10
    row[AT.denars_left] = scale_denars(left)


_OF_A_STAND = {
    "stand_attack": "attack of own units in the district of a grant, or where the ruler then stands",
    "stand_threat": "`threat` in this district, summed over fiefs",
    "stand_front": "mean of `front` over this district",
}


@compiled
def _describe_stand(rules, state, scratch, district, row):
    """Describe the district of a grant, or where the ruler then stands."""
    seat, attack, threat = state.seat, 0, 0
    for fief in fiefs_of(rules, district):
        if state.lord[fief] == seat:
            attack += scratch.strength[fief]
        if scratch.holder[fief] == seat:
            threat += threat_to(rules, state, scratch, seat, fief)
    row[AT.stand_attack] = attack / 20
    row[AT.stand_threat] = threat / 10
    row[AT.stand_front] = front_of_district(rules, scratch, seat, district)


_OF_KINDS = {
    **{f"order_{kind}": f"1 for the order {kind}" for kind in ORDERS},
    **{f"unit_{kind}": f"1 for a unit of {kind}" for kind in UNITS},
    **{f"build_{kind}": f"1 for beginning a {kind}" for kind in BUILDINGS},
    **{f"trait_{trait}": f"1 for granting a magnate of {trait}" for trait in TRAITS},
}


@compiled
def _describe_order(rules, state, scratch, fief, kind, row):
    """Describe an order of a kind."""
    row[AT.order_muster + kind] = 1.0
    row[AT.doubled] = count_tokens_at(state, fief, kind, state.seat) / 3
    if kind == s.INVADE or kind == s.MUSTER:
        _describe_best(rules, state, scratch, fief, s.NOTHING, row)


_OF_WORKS = {
    "late": "time units of a building, as a share of the rounds left",
    "hasten": "1 for hastening a building",
    "siege": "1 for a siege",
    "devastate": "1 for devastating a fief",
    "repair": "1 for repairing a fief",
    "raise": "1 for raising infantry",
    "collect": "1 for collecting a denar",
    "ride": "1 for riding",
    "spy": "1 for spying",
}


@compiled
def _describe_court(rules, state, scratch, code, row):
    """Describe an action at court."""
    verb, number, seat = a.verb_of(code), a.number_of(code), state.seat
    if verb == a.GRANT:
        row[AT.trait_attack + a.first_of(code)] = 1.0
        _describe_stand(rules, state, scratch, a.second_of(code), row)
        return
    if verb == a.REPAIR:
        row[AT.repair] = 1.0
        _describe_place(rules, state, scratch, number, row)
        _describe_price(state, rules.repair_cost, row)
    elif verb == a.RAISE:
        row[AT.raise_] = 1.0
        _describe_place(rules, state, scratch, number, row)
        _describe_unit(rules, state, scratch, number, s.INFANTRY, rules.raise_cost, row)
    elif verb == a.RIDE:
        row[AT.ride] = 1.0
    else:
        row[AT.collect] = verb == a.COLLECT
        row[AT.none] = verb == a.NONE
    if state.phase == s.ASK_RULER:
        _describe_stand(rules, state, scratch, number if verb == a.RIDE else state.stands[seat], row)


@compiled
def _describe_choice(rules, state, scratch, code, row):
    """Describe a fief or seat chosen for an event, a spy or damage."""
    verb, number = a.verb_of(code), a.number_of(code)
    if verb == a.CHOOSE_SEAT:
        _describe_holder(rules, state, scratch, number, row)
        return
    row[AT.spy] = verb == a.SPY
    _describe_place(rules, state, scratch, number, row)
    holder = scratch.holder[number]
    if holder >= 0 and holder != state.seat:
        _describe_holder(rules, state, scratch, holder, row)


@compiled
def _describe_work(rules, state, scratch, code, row):
    """Describe a building that is begun or hastened, a siege, or the use of a victory."""
    verb, number = a.verb_of(code), a.number_of(code)
    if verb == a.BUILD:
        row[AT.build_grod + number] = 1.0
        row[AT.late] = rules.building_time[number] / (1 + rules.rounds - state.round_number)
        _describe_price(state, rules.building_cost[number], row)
    elif verb == a.SIEGE:
        row[AT.siege] = 1.0
        _describe_place(rules, state, scratch, number, row)
    elif verb == a.DEVASTATE or verb == a.OCCUPY:
        row[AT.devastate] = verb == a.DEVASTATE
        _describe_place(rules, state, scratch, state.target, row)
    else:
        row[AT.hasten] = 1.0


_OF_NOTHING = {"none": "1 for declining, or for ending a series", "drop": "1 for giving up an order"}


@compiled
def _describe_deed(rules, state, scratch, code, row):
    """Describe an action of a phase in which orders are given or carried out."""
    verb, number = a.verb_of(code), a.number_of(code)
    if verb == a.FIEF:
        _describe_place(rules, state, scratch, number, row)
        _describe_best(rules, state, scratch, number, s.NOTHING, row)
    elif verb == a.ORDER:
        _describe_order(rules, state, scratch, state.fief, number, row)
    elif verb == a.DO:
        _describe_place(rules, state, scratch, a.first_of(code), row)
        _describe_order(rules, state, scratch, a.first_of(code), a.second_of(code), row)
    elif verb == a.DROP:
        row[AT.drop] = 1.0
        row[AT.order_muster + a.second_of(code)] = 1.0
    elif verb == a.MUSTER:
        _describe_unit(rules, state, scratch, state.fief, number, rules.cost[number], row)
    elif verb == a.MOVE:
        _describe_move(rules, state, scratch, code, row)
    elif verb == a.SEND:
        _describe_sending(rules, state, scratch, code, row)
    elif verb == a.TARGET or verb == a.CLAIM:
        attack = attack_from(rules, state, state.seat, state.fief, number)
        attack += rules.revenge * state.avenging
        sent = troops_in(state, state.fief)
        _describe_invasion(rules, state, scratch, state.fief, number, attack, sent, row)
    elif verb == a.PLACE:
        _describe_place(rules, state, scratch, a.second_of(code), row)
        _describe_unit(rules, state, scratch, a.second_of(code), a.first_of(code), 0, row)
    else:
        _describe_work(rules, state, scratch, code, row)


@compiled_entry
def describe_action(rules, state, scratch, code, row):
    """Write the features of an action to `row` (the shared ones, then `ACTION`); called after `context`."""
    phase, verb = state.phase, a.verb_of(code)
    if s.ASK_MAGNATE <= phase <= s.ASK_RULER:
        _describe_court(rules, state, scratch, code, row)
    elif verb == a.DONE or verb == a.NONE:
        row[AT.none] = 1.0
    elif phase == s.ASK_CHOOSE or phase == s.ASK_SPY or phase == s.ASK_DAMAGE:
        _describe_choice(rules, state, scratch, code, row)
    else:
        _describe_deed(rules, state, scratch, code, row)


ACTION = (
    _OF_NOTHING
    | _OF_A_PLACE
    | _OF_A_RULER
    | _OF_A_MOVE
    | _OF_A_PRICE
    | _OF_WORKS
    | _OF_A_STAND
    | _OF_AN_INVASION
    | _OF_A_CONQUEST
    | _OF_TROOPS
    | _OF_KINDS
)
AT = number_features(ACTION, len(SHORTLIST_FEATURES))
