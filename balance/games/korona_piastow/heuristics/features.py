"""Named features of an action, which a strategy profile weighs; they use no hidden information.

The value of an order depends on its kind and fief; the value of an invasion is that of its best target at its odds.
"""

from __future__ import annotations

from balance.contract.records import Fields
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.heuristics.warfare import (
    abandons,
    best_order,
    front_of,
    front_of_district,
    order_worth,
    sending_worth,
    target_worth,
)
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import holder_of, owner_of

FEATURES = {
    "place_front": "share of the adjoining fiefs held by others, where a unit is placed, raised or added by a card",
    "order_muster": "muster that is possible",
    "muster_front": "share of the adjoining fiefs held by others, for a muster's fief",
    "order_regroup": "regroup of units",
    "regroup_rear": "units in a regroup's fief if others hold no adjoining fief",
    "order_build": "build that is possible",
    "order_defend": "defend",
    "order_quest": "quest",
    "order_siege": "siege",
    "order_tithe": "tithe",
    "order_diversion": "diversion",
    "order_revenge": "revenge",
    "threat": "strength of another's adjoining units minus that of a fief's units, for muster, defend and revenge",
    "capital_threat": "`threat` in a fief of the own capital district, added to it",
    "futile": "order that can't be carried out now",
    "doubled": "tokens of the same kind that the fief already has",
    "muster_first": "turning up a muster",
    "drop": "giving up an order",
    "gain_fief": "chance to win the target",
    "gain_piast": "chance to win a Piast fief",
    "gain_share": "chance to win the target, times the square of the share of its district then held by units",
    "gain_district": "chance to win the last fief that a district needs to join",
    "gain_free": "chance to win a fief without a holder",
    "gain_legendary": "chance to win a legendary place",
    "gain_home": "chance to win back a fief of the own state",
    "gain_ruler": "chance to take a fief from a ruler",
    "gain_leader": "chance to take a fief from a ruler, times the ruler's score as a share of the crown",
    "gain_capital": "chance to win a fief of another's capital district",
    "repelled": "chance to be repelled, times the units sent",
    "claim": "paying for a claim",
    "kept": "units that an invasion leaves behind",
    "abandon": "last unit leaving a fief of another's district",
    "devastate": "devastating a fief",
    "devastate_piast": "devastating a Piast fief",
    "move_front": "share of the adjoining fiefs held by others, where a moved unit arrives minus where it leaves",
    "build_grod": "beginning a gród",
    "build_castle": "beginning a castle",
    "build_cathedral": "beginning a cathedral",
    "build_townhall": "beginning a town hall",
    "build_clothhall": "beginning a cloth hall",
    "build_late": "share of the game that is over when a building is begun",
    "hasten": "hastening a building",
    "muster_infantry": "mustering infantry",
    "muster_cavalry": "mustering cavalry",
    "muster_knight": "mustering a knight",
    "muster_engine": "mustering an engine",
    "spy": "spying",
    "hurt": "damage, plague, fire, rebellion, raid or interdict to another ruler",
    "hurt_self": "damage, plague, fire, rebellion, raid or interdict to the seat itself",
    "grant": "granting a district",
    "grant_time": "granting a district to a magnate of time, which helps only builders",
    "collect": "collecting a denar",
    "ride": "riding",
    "ride_front": "riding: share of adjoining fiefs held by others, in the new district minus in the present one",
    "repair": "repairing a fief",
    "levy": "raising infantry at court",
}
SETTINGS: dict[str, tuple[float, str]] = {}
SCRATCH: Fields = ()


@compiled
def _build_worth(rules, state, w, kind):
    """Return the value of beginning a building."""
    value = w.build_late * state.round_number / rules.rounds
    if kind == s.GROD:
        return value + w.build_grod
    if kind == s.CASTLE:
        return value + w.build_castle
    if kind == s.CATHEDRAL:
        return value + w.build_cathedral
    return value + (w.build_townhall if kind == s.TOWN_HALL else w.build_clothhall)


@compiled
def _muster_worth(w, kind):
    """Return the value of mustering a unit."""
    if kind == s.INFANTRY:
        return w.muster_infantry
    if kind == s.CAVALRY:
        return w.muster_cavalry
    return w.muster_knight if kind == s.KNIGHT else w.muster_engine


@compiled
def _choice_worth(rules, state, w, seat, code):
    """Return the value of choosing a fief or seat for an event."""
    number = a.number_of(code)
    if a.verb_of(code) == a.CHOOSE_SEAT:
        return w.hurt
    effect = rules.effect[state.event]
    if effect == s.ALLIES or effect == s.LEVY:
        return w.place_front * front_of(rules, state, seat, number)
    mine = holder_of(rules, state, number) == seat or owner_of(rules, state, number) == seat
    if effect == s.SETTLE:
        return w.repair if mine else 0.0
    return w.hurt_self if mine else w.hurt


@compiled
def _move_worth(rules, state, w, seat, code):
    """Return the value of moving a unit."""
    source, target = a.first_of(a.first_of(code)), a.second_of(a.first_of(code))
    value = front_of(rules, state, seat, target) - front_of(rules, state, seat, source)
    return w.move_front * value + w.abandon * abandons(rules, state, seat, source, 1)


@compiled
def _nearer_front(rules, state, seat, district):
    """Return `front_of_district` of a district minus that of the district where the ruler is."""
    here = front_of_district(rules, state, seat, state.stands[seat])
    return front_of_district(rules, state, seat, district) - here


@compiled
def _court_worth(rules, state, w, seat, code):
    """Return the value of an action at court."""
    verb = a.verb_of(code)
    if verb == a.COLLECT:
        return w.collect
    if verb == a.RIDE:
        return w.ride + w.ride_front * _nearer_front(rules, state, seat, a.number_of(code))
    if verb == a.REPAIR:
        return w.repair
    if verb == a.RAISE:
        return w.levy + w.place_front * front_of(rules, state, seat, a.number_of(code))
    if verb == a.GRANT:
        return w.grant + w.grant_time * (a.first_of(code) == s.TIME)
    return 0.0


@compiled
def _war_worth(rules, state, w, seat, code):
    """Return the value of an action in an invasion."""
    verb, number = a.verb_of(code), a.number_of(code)
    if verb == a.SEND:
        return sending_worth(rules, state, w, seat, number)
    if verb == a.TARGET or verb == a.CLAIM:
        return target_worth(rules, state, w, seat, state.fief, number, verb == a.CLAIM)
    if verb == a.DEVASTATE:
        piast = rules.piast[rules.district_of[state.target]] == 1
        return w.devastate + w.devastate_piast * piast
    return 0.0


@compiled
def _order_phase_worth(rules, state, w, seat, code):
    """Return the value of an action while orders are given or turned up."""
    verb, number = a.verb_of(code), a.number_of(code)
    if verb == a.FIEF:
        return best_order(rules, state, w, seat, number)
    if verb == a.ORDER:
        return order_worth(rules, state, w, seat, state.fief, number)
    if verb == a.DROP:
        return w.drop
    if verb == a.DO:
        kind = a.second_of(code)
        value = order_worth(rules, state, w, seat, a.first_of(code), kind)
        return value + w.muster_first * (kind == s.MUSTER)
    return 0.0


@compiled
def _rest_worth(rules, state, w, seat, code):
    """Return the value of an action in any other phase."""
    verb, number = a.verb_of(code), a.number_of(code)
    if verb == a.PLACE:
        return w.place_front * front_of(rules, state, seat, a.second_of(code))
    if verb == a.MUSTER:
        return _muster_worth(w, number)
    if verb == a.MOVE:
        return _move_worth(rules, state, w, seat, code)
    if verb == a.BUILD:
        return _build_worth(rules, state, w, number)
    if verb == a.HASTEN:
        return w.hasten
    if verb == a.SPY:
        return w.spy
    if verb == a.DAMAGE:
        return w.hurt
    if verb == a.CHOOSE_FIEF or verb == a.CHOOSE_SEAT:
        return _choice_worth(rules, state, w, seat, code)
    return 0.0


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    """Fill `values[:count]` with the value of each action of `codes[:count]` to `state.seat`.

    Parameters
    ----------
    weights : record with a float for each of `FEATURES` and `SETTINGS`
    codes : int32 array, the legal actions
    values : float64 array, overwritten
    """
    seat, phase = state.seat, state.phase
    for i in range(count):
        if phase == s.ASK_FIEF or phase == s.ASK_ORDER or phase == s.ASK_TURN:
            values[i] = _order_phase_worth(rules, state, weights, seat, codes[i])
        elif s.ASK_TARGET <= phase <= s.ASK_VICTORY:
            values[i] = _war_worth(rules, state, weights, seat, codes[i])
        elif s.ASK_MAGNATE <= phase <= s.ASK_RULER:
            values[i] = _court_worth(rules, state, weights, seat, codes[i])
        else:
            values[i] = _rest_worth(rules, state, weights, seat, codes[i])
