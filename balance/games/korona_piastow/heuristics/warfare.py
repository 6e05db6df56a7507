"""Odds of invasions, and values of targets, of fiefs in danger and of orders."""

from __future__ import annotations

import math

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.heuristics.situation import points_of, strength_of, way_to
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.combat import (
    attack_of,
    bonus_of_invader,
    strength_of_fief,
    units_defence,
    worth_of_engines,
)
from balance.games.korona_piastow.kernel.invading import NEVER, PAID
from balance.games.korona_piastow.kernel.land import (
    fiefs_of,
    has_room,
    has_troops_of,
    is_own,
    is_usable,
    neighbours_of,
    owner_of,
    troops_in,
)
from balance.games.korona_piastow.kernel.orders import count_tokens_at, legal_kinds

_SPREAD = 1.4  # of fate: two numbers of 0 to 5 differ by about 2.4; a logistic curve's deviation exceeds its scale


@compiled
def chance_of(margin):
    """Return the chance to win with this margin before fate; the defender wins equal sums."""
    return 1.0 / (1.0 + math.exp(-(margin - 0.5) / _SPREAD))


@compiled
def front_of(rules, scratch, seat, fief):
    """Return the share of the adjoining fiefs that the seat does not hold."""
    count = 0
    for other in neighbours_of(rules, fief):
        count += scratch.holder[other] != seat
    return count / max(1, rules.degree[fief])


@compiled
def strongest_near(rules, state, scratch, seat, fief):
    """Return the attack of the strongest adjoining units of another ruler; 0 if there are none."""
    strongest = 0
    for other in neighbours_of(rules, fief):
        if state.lord[other] != seat:
            strongest = max(strongest, strength_of(rules, state, scratch, other))
    return strongest


@compiled
def threat_to(rules, state, scratch, seat, fief):
    """Return `strongest_near` minus the defence of a fief's units, or 0."""
    strongest = strongest_near(rules, state, scratch, seat, fief)
    if strongest == 0:
        return 0
    return max(0, strongest - units_defence(rules, state, fief))


@compiled
def front_of_district(rules, scratch, seat, district):
    """Return the mean of `front_of` over the fiefs of a district."""
    total = 0.0
    for fief in fiefs_of(rules, district):
        total += front_of(rules, scratch, seat, fief)
    return total / rules.district_size[district]


@compiled
def count_held(rules, state, seat, district):
    """Return the number of fiefs of a district that units of the seat hold."""
    count = 0
    for fief in fiefs_of(rules, district):
        count += has_troops_of(state, fief, seat)
    return count


@compiled
def abandons(rules, state, seat, fief, leaving):
    """Return whether the seat gives up a fief of another's district if `leaving` of its units leave."""
    return owner_of(rules, state, fief) != seat and troops_in(state, fief) <= leaving


OF_A_CONQUEST = {
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
}


@compiled
def _gain_of(rules, state, scratch, w, target):
    """Return the value of winning a fief."""
    seat, district = state.seat, rules.district_of[target]
    owner, holder = state.owner[district], scratch.holder[target]
    value = w.gain_fief + w.gain_piast * rules.piast[district]
    value += w.gain_legendary * rules.legendary[target]
    if owner == seat:
        return value + w.gain_home
    if holder >= 0:
        value += w.gain_ruler + w.gain_leader * points_of(rules, state, scratch, holder) / rules.crown
    elif holder == s.NOBODY:
        value += w.gain_free
    share = (scratch.held[seat, district] + 1) / rules.district_size[district]
    value += w.gain_share * share * share + w.gain_district * (share == 1.0)
    if owner >= 0 and state.capital[owner] == district:
        value += w.gain_capital
    return value


OF_AN_INVASION = {
    "repelled": "chance to be repelled, times the units sent",
    "claim": "paying for a claim",
    "kept": "units that an invasion leaves behind",
    "abandon": "last unit leaving a fief of another's district",
}


@compiled
def _invasion_worth(rules, state, scratch, w, target, attack, count):
    """Return the value of invading with strength `attack` and `count` units."""
    chance = chance_of(attack - strength_of_fief(rules, state, target, state.seat))
    gain = _gain_of(rules, state, scratch, w, target)
    return chance * gain + (1.0 - chance) * w.repelled * count


@compiled
def attack_from(rules, state, seat, source, target):
    """Return the attack of all units of a fief on another, without fate."""
    attack = attack_of(rules, state.units[source]) + bonus_of_invader(rules, state, seat, source)
    return attack + worth_of_engines(rules, state, seat, target, state.units[source, s.ENGINE])


@compiled
def target_worth(rules, state, scratch, w, source, target, paid):
    """Return the value of invading a fief with all units of another; `paid` is 1 if a claim must be paid."""
    attack = attack_from(rules, state, state.seat, source, target)
    value = _invasion_worth(rules, state, scratch, w, target, attack, troops_in(state, source))
    return value + w.claim * paid


@compiled
def best_target_worth(rules, state, scratch, w, source):
    """Return the value of the best invasion from a fief; `futile` if no invasion is possible."""
    best = w.futile
    if not has_troops_of(state, source, state.seat):
        return best
    for target in neighbours_of(rules, source):
        way = way_to(rules, state, scratch, target)
        if way != NEVER:
            best = max(best, target_worth(rules, state, scratch, w, source, target, way == PAID))
    return best


@compiled
def strength_of_sending(rules, state, sent):
    """Return the attack, without fate, and the number of own units of a sending, packed as in its code."""
    attack = bonus_of_invader(rules, state, state.seat, state.fief) + rules.revenge * state.avenging
    own = 0
    left = sent
    for kind in range(len(s.LOSSES), -1, -1):
        count = left % 10
        left //= 10
        if kind == s.ENGINE:
            attack += worth_of_engines(rules, state, state.seat, state.target, count)
            continue
        attack += rules.attack[kind] * count
        if kind != s.FOREIGN:
            own += count
    return attack, own


@compiled
def sending_worth(rules, state, scratch, w, sent):
    """Return the value of sending units, packed as in their code, from `state.fief` to `state.target`."""
    attack, own = strength_of_sending(rules, state, sent)
    value = _invasion_worth(rules, state, scratch, w, state.target, attack, own)
    value += w.kept * (troops_in(state, state.fief) - own)
    return value + w.abandon * abandons(rules, state, state.seat, state.fief, own)


OF_ORDERS = {
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
}


@compiled
def danger_to(rules, state, scratch, w, seat, fief):
    """Return the value of supporting a threatened fief; it is larger in the capital district."""
    capital = rules.district_of[fief] == state.capital[seat]
    return (w.threat + w.capital_threat * capital) * threat_to(rules, state, scratch, seat, fief)


@compiled
def _muster_here_worth(rules, state, scratch, w, fief):
    seat = state.seat
    able = has_room(rules, state, fief) and is_usable(state, fief)
    if not able or state.denars[seat] < rules.cost[s.INFANTRY]:
        return w.futile
    value = w.order_muster + w.muster_front * front_of(rules, scratch, seat, fief)
    return value + danger_to(rules, state, scratch, w, seat, fief)


@compiled
def _regroup_worth(rules, state, scratch, w, fief):
    count = troops_in(state, fief)
    value = w.order_regroup
    if front_of(rules, scratch, state.seat, fief) == 0.0:
        value += w.regroup_rear * count
    return value if count > 0 else w.futile


@compiled
def _build_here_worth(rules, state, w, seat, fief):
    if not is_own(rules, state, fief, seat) or not is_usable(state, fief):
        return w.futile
    if state.rising[fief] != s.NOTHING or state.damage[fief] > 0:
        return w.order_build
    cheapest = rules.building_cost[s.CASTLE]
    if state.building[fief] == s.NOTHING:
        for kind in range(rules.building_cost.shape[0]):
            cheapest = min(cheapest, rules.building_cost[kind])
    elif state.building[fief] != s.GROD:
        return w.futile
    return w.order_build if state.denars[seat] >= cheapest else w.futile


@compiled
def order_worth(rules, state, scratch, w, fief, kind):
    """Return the value of giving or carrying out an order of a kind in a fief."""
    seat = state.seat
    value = w.doubled * count_tokens_at(state, fief, kind, seat) * (state.phase != s.ASK_TURN)
    if kind == s.MUSTER:
        return value + _muster_here_worth(rules, state, scratch, w, fief)
    if kind == s.REGROUP:
        return value + _regroup_worth(rules, state, scratch, w, fief)
    if kind == s.BUILD:
        return value + _build_here_worth(rules, state, w, seat, fief)
    if kind == s.INVADE:
        return value + best_target_worth(rules, state, scratch, w, fief)
    if kind == s.DEFEND:
        return value + w.order_defend + danger_to(rules, state, scratch, w, seat, fief)
    if kind == s.REVENGE:
        return value + w.order_revenge + danger_to(rules, state, scratch, w, seat, fief)
    if kind == s.QUEST:
        return value + w.order_quest
    if kind == s.SIEGE:
        return value + w.order_siege
    return value + (w.order_tithe if kind == s.TITHE else w.order_diversion)


@compiled
def best_order(rules, state, scratch, w, fief):
    """Return the value of the best order that may be given in a fief."""
    kinds = legal_kinds(rules, state, state.seat, fief)
    best = -1e9
    for kind in range(state.shown.shape[1]):
        if (kinds >> kind) & 1:
            best = max(best, order_worth(rules, state, scratch, w, fief, kind))
    return best
