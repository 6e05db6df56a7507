"""Named features of an action and of a position; they use no hidden information.

A strategy profile weighs the features of an action. The value of an order depends on its kind and fief; the value of
an invasion is that of its best target at its odds. A value model predicts win chances from the features of a position
(docs/searchers.md).
"""

from __future__ import annotations

from balance.contract.records import number_features
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.heuristics.situation import forget_strengths, note_situation
from balance.games.korona_piastow.heuristics.warfare import (
    OF_A_CONQUEST,
    OF_AN_INVASION,
    OF_ORDERS,
    abandons,
    best_order,
    count_held,
    front_of,
    front_of_district,
    order_worth,
    sending_worth,
    target_worth,
    threat_to,
)
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import (
    count_active,
    count_own_fiefs,
    count_units,
    has_troops_of,
    holder_of,
    is_own,
    owner_of,
    score_of,
)

SETTINGS: dict[str, tuple[float, str]] = {}


_OF_BUILDINGS = {
    "build_grod": "beginning a gród",
    "build_castle": "beginning a castle",
    "build_cathedral": "beginning a cathedral",
    "build_townhall": "beginning a town hall",
    "build_clothhall": "beginning a cloth hall",
    "build_late": "share of the game that is over when a building is begun",
}


@compiled
def _building_worth(rules, state, w, kind):
    """Return the value of beginning a building."""
    value = w.build_late * state.round_number / rules.rounds
    if kind == s.GROD:
        return value + w.build_grod
    if kind == s.CASTLE:
        return value + w.build_castle
    if kind == s.CATHEDRAL:
        return value + w.build_cathedral
    return value + (w.build_townhall if kind == s.TOWN_HALL else w.build_clothhall)


_OF_UNITS = {
    "hasten": "hastening a building",
    "muster_infantry": "mustering infantry",
    "muster_cavalry": "mustering cavalry",
    "muster_knight": "mustering a knight",
    "muster_engine": "mustering an engine",
    "spy": "spying",
    "hurt": "damage, plague, fire, rebellion, raid or interdict to another ruler",
    "hurt_self": "damage, plague, fire, rebellion, raid or interdict to the seat itself",
}


@compiled
def _unit_worth(w, kind):
    """Return the value of mustering a unit."""
    if kind == s.INFANTRY:
        return w.muster_infantry
    if kind == s.CAVALRY:
        return w.muster_cavalry
    return w.muster_knight if kind == s.KNIGHT else w.muster_engine


@compiled
def _choice_worth(rules, state, scratch, w, code):
    """Return the value of choosing a fief or seat for an event."""
    seat, number = state.seat, a.number_of(code)
    if a.verb_of(code) == a.CHOOSE_SEAT:
        return w.hurt
    effect = rules.effect[state.event]
    if effect == s.ALLIES or effect == s.LEVY:
        return w.place_front * front_of(rules, scratch, seat, number)
    mine = holder_of(rules, state, number) == seat or owner_of(rules, state, number) == seat
    if effect == s.SETTLE:
        return w.repair if mine else 0.0
    return w.hurt_self if mine else w.hurt


_OF_A_MOVE = {
    "move_front": "share of the adjoining fiefs held by others, where a moved unit arrives minus where it leaves"
}


@compiled
def _move_worth(rules, state, scratch, w, code):
    """Return the value of moving a unit."""
    seat = state.seat
    source, target = a.first_of(a.first_of(code)), a.second_of(a.first_of(code))
    value = front_of(rules, scratch, seat, target) - front_of(rules, scratch, seat, source)
    return w.move_front * value + w.abandon * abandons(rules, state, seat, source, 1)


@compiled
def _rest_worth(rules, state, scratch, w, code):
    """Return the value of an action in any other phase."""
    seat, verb, number = state.seat, a.verb_of(code), a.number_of(code)
    if verb == a.PLACE:
        return w.place_front * front_of(rules, scratch, seat, a.second_of(code))
    if verb == a.MUSTER:
        return _unit_worth(w, number)
    if verb == a.MOVE:
        return _move_worth(rules, state, scratch, w, code)
    if verb == a.BUILD:
        return _building_worth(rules, state, w, number)
    if verb == a.HASTEN:
        return w.hasten
    if verb == a.SPY:
        return w.spy
    if verb == a.DAMAGE:
        return w.hurt
    if verb == a.CHOOSE_FIEF or verb == a.CHOOSE_SEAT:
        return _choice_worth(rules, state, scratch, w, code)
    return 0.0


@compiled
def nearer_front(rules, state, scratch, seat, district):
    """Return `front_of_district` of a district minus that of the district where the ruler is."""
    here = front_of_district(rules, scratch, seat, state.stands[seat])
    return front_of_district(rules, scratch, seat, district) - here


_OF_A_FRONT = {
    "place_front": "share of the adjoining fiefs held by others, where a unit is placed, raised or added by a card"
}
_OF_A_COURT = {
    "grant": "granting a district",
    "grant_time": "granting a district to a magnate of time, which helps only builders",
    "collect": "collecting a denar",
    "ride": "riding",
    "ride_front": "riding: share of adjoining fiefs held by others, in the new district minus in the present one",
    "repair": "repairing a fief",
    "levy": "raising infantry at court",
}


@compiled
def _court_worth(rules, state, scratch, w, code):
    """Return the value of an action at court."""
    seat, verb = state.seat, a.verb_of(code)
    if verb == a.COLLECT:
        return w.collect
    if verb == a.RIDE:
        return w.ride + w.ride_front * nearer_front(rules, state, scratch, seat, a.number_of(code))
    if verb == a.REPAIR:
        return w.repair
    if verb == a.RAISE:
        return w.levy + w.place_front * front_of(rules, scratch, seat, a.number_of(code))
    if verb == a.GRANT:
        return w.grant + w.grant_time * (a.first_of(code) == s.TIME)
    return 0.0


_OF_A_VICTORY = {"devastate": "devastating a fief", "devastate_piast": "devastating a Piast fief"}


@compiled
def _war_worth(rules, state, scratch, w, code):
    """Return the value of an action in an invasion."""
    verb, number = a.verb_of(code), a.number_of(code)
    if verb == a.SEND:
        return sending_worth(rules, state, scratch, w, number)
    if verb == a.TARGET or verb == a.CLAIM:
        return target_worth(rules, state, scratch, w, state.fief, number, verb == a.CLAIM)
    if verb == a.DEVASTATE:
        piast = rules.piast[rules.district_of[state.target]] == 1
        return w.devastate + w.devastate_piast * piast
    return 0.0


_OF_TURNS = {"muster_first": "turning up a muster", "drop": "giving up an order"}


@compiled
def _order_phase_worth(rules, state, scratch, w, code):
    """Return the value of an action while orders are given or turned up."""
    verb, number = a.verb_of(code), a.number_of(code)
    if verb == a.FIEF:
        return best_order(rules, state, scratch, w, number)
    if verb == a.ORDER:
        return order_worth(rules, state, scratch, w, state.fief, number)
    if verb == a.DROP:
        return w.drop
    if verb == a.DO:
        kind = a.second_of(code)
        value = order_worth(rules, state, scratch, w, a.first_of(code), kind)
        return value + w.muster_first * (kind == s.MUSTER)
    return 0.0


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    """Fill `values[:count]` with the value of each action of `codes[:count]` to `state.seat`."""
    phase = state.phase
    note_situation(rules, state, scratch)
    for i in range(count):
        if phase == s.ASK_FIEF or phase == s.ASK_ORDER or phase == s.ASK_TURN:
            values[i] = _order_phase_worth(rules, state, scratch, weights, codes[i])
        elif s.ASK_TARGET <= phase <= s.ASK_VICTORY:
            values[i] = _war_worth(rules, state, scratch, weights, codes[i])
        elif s.ASK_MAGNATE <= phase <= s.ASK_RULER:
            values[i] = _court_worth(rules, state, scratch, weights, codes[i])
        else:
            values[i] = _rest_worth(rules, state, scratch, weights, codes[i])


@compiled
def _count_abroad(rules, state, seat):
    count = 0
    for fief in range(rules.fief_count):
        count += has_troops_of(state, fief, seat) and owner_of(rules, state, fief) != seat
    return count


@compiled
def _fill_threats(rules, state, scratch, seat, row):
    """Fill the threat of others' units, in total and in the capital district."""
    for fief in range(rules.fief_count):
        if owner_of(rules, state, fief) == seat:
            threat = threat_to(rules, state, scratch, seat, fief)
            row[AT.threat] += threat
            if rules.district_of[fief] == state.capital[seat]:
                row[AT.capital_threat] += threat


@compiled
def _sum_joining(rules, state, seat):
    """Return how near others' districts are to joining the state (JOI-2)."""
    total = 0.0
    for district in range(rules.district_count):
        if state.owner[district] != seat:
            share = count_held(rules, state, seat, district) / rules.district_size[district]
            total += share * share
    return total


@compiled
def _count_works(rules, state, seat):
    count = 0
    for fief in range(rules.fief_count):
        count += state.rising[fief] != s.NOTHING and is_own(rules, state, fief, seat)
    return count


POSITION = {
    "score": "score, as a share of the crown",
    "fiefs": "own fiefs",
    "abroad": "fiefs of others' districts held by units",
    "units": "units that obey the ruler",
    "denars": "denars",
    "threat": "strength of others' adjoining units minus that of own fiefs' units, summed where positive",
    "halls": "active town halls",
    "relics": "relics",
    "magnates": "free magnates",
    "in_game": "1 while the ruler is in the game",
    "joining": "shares of others' districts held by units, squared and summed",
    "capital_threat": "`threat` of the capital district only",
    "pretender": "1 if the score lets others invade without a claim (CSB-2)",
    "works": "buildings under construction in own fiefs",
    "turn": "share of the others whose turn comes later in this round",
}
AT = number_features(POSITION)


@compiled
def place_in_turn(rules, state, seat):
    """Return the share of the others whose turn comes later in this round (RND-1)."""
    offset = (seat - (state.rounds_before + state.round_number - 1)) % rules.players
    return 1.0 - offset / (rules.players - 1)


@compiled_entry
def estimate(rules, state, scratch):
    """Fill `scratch.position` (seats, `POSITION`) and return the progress of the game, from 0 to 1."""
    forget_strengths(rules, scratch)
    best = 0
    for p in range(rules.players):
        row = scratch.position[p]
        score = score_of(rules, state, p)
        best = max(best, score)
        row[AT.score] = score / rules.crown
        row[AT.fiefs] = count_own_fiefs(rules, state, p)
        row[AT.abroad] = _count_abroad(rules, state, p)
        row[AT.units] = count_units(rules, state, p)
        row[AT.denars] = state.denars[p]
        row[AT.threat], row[AT.capital_threat] = 0.0, 0.0
        _fill_threats(rules, state, scratch, p, row)
        row[AT.halls] = count_active(rules, state, p, s.TOWN_HALL)
        row[AT.relics] = state.relics[p]
        row[AT.magnates] = state.free_magnates[p].sum()
        row[AT.in_game] = 1.0 if state.out_round[p] == 0 else 0.0
        row[AT.joining] = _sum_joining(rules, state, p)
        row[AT.pretender] = 1.0 if score >= rules.crown - rules.pretender_gap else 0.0
        row[AT.works] = _count_works(rules, state, p)
        row[AT.turn] = place_in_turn(rules, state, p)
    return min(1.0, max(state.round_number / rules.rounds, best / rules.crown))


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with each seat's score if the game ended now (END-2)."""
    for p in range(rules.players):
        scratch.scores[p] = score_of(rules, state, p)


FEATURES = (
    _OF_A_FRONT
    | OF_ORDERS
    | _OF_TURNS
    | OF_A_CONQUEST
    | OF_AN_INVASION
    | _OF_A_VICTORY
    | _OF_A_MOVE
    | _OF_BUILDINGS
    | _OF_UNITS
    | _OF_A_COURT
)
