"""Odds of invasions, what their targets are worth, and where a seat's fiefs are in danger."""

from __future__ import annotations

import math

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.claims import NEVER, PAID, casus_belli, score_of
from balance.games.korona_piastow.kernel.combat import (
    bonus_of_invader,
    strength_of_fief,
    units_defence,
    worth_of_engines,
)
from balance.games.korona_piastow.kernel.land import has_troops_of, holder_of, owner_of, troops_in

_SPREAD = (
    1.4  # of fate: two numbers of 0 to 5 differ by about 2.4, and a logistic curve is wider than it says
)


@compiled
def chance_of(margin):
    """Chance to win with such a margin before fate; equal sums are the defender's."""
    return 1.0 / (1.0 + math.exp(-(margin - 0.5) / _SPREAD))


@compiled
def front_of(rules, state, seat, fief):
    """Share of the adjoining fiefs that others hold."""
    count = 0
    for i in range(rules.degree[fief]):
        count += holder_of(rules, state, rules.neighbours[fief, i]) != seat
    return count / max(1, rules.degree[fief])


@compiled
def attack_in(rules, state, fief):
    """Attack of the units in a fief but engines."""
    total = 0
    for kind in s.LOSSES:
        total += rules.attack[kind] * state.units[fief, kind]
    return total


@compiled
def threat_to(rules, state, seat, fief):
    """Strength by which the strongest adjoining units of another ruler exceed the units of a fief; 0 if none do."""
    strongest = 0
    for i in range(rules.degree[fief]):
        other = rules.neighbours[fief, i]
        if state.lord[other] != seat and troops_in(state, other) > 0:
            strongest = max(strongest, attack_in(rules, state, other))
    if strongest == 0:
        return 0
    return max(0, strongest - units_defence(rules, state, fief))


@compiled
def danger_to(rules, state, w, seat, fief):
    """Value of standing by a fief that others threaten, more so in the capital district."""
    capital = rules.district_of[fief] == state.capital[seat]
    return (w.threat + w.capital_threat * capital) * threat_to(rules, state, seat, fief)


@compiled
def front_of_district(rules, state, seat, district):
    """Mean of `front_of` over the fiefs of a district."""
    total = 0.0
    for i in range(rules.district_size[district]):
        total += front_of(rules, state, seat, rules.fiefs_of[district, i])
    return total / rules.district_size[district]


@compiled
def abandons(rules, state, seat, fief, leaving):
    """Whether so many of the seat's own units leave none in a fief that it holds by them alone."""
    return owner_of(rules, state, fief) != seat and troops_in(state, fief) <= leaving


@compiled
def _gain_of(rules, state, w, seat, target):
    """Value of winning a fief."""
    district = rules.district_of[target]
    owner, holder = state.owner[district], holder_of(rules, state, target)
    value = w.gain_fief + w.gain_piast * rules.piast[district]
    value += w.gain_legendary * rules.legendary[target]
    if owner == seat:
        return value + w.gain_home
    if holder >= 0:
        value += w.gain_ruler + w.gain_leader * score_of(rules, state, holder) / rules.crown
    elif holder == s.NOBODY:
        value += w.gain_free
    held = 1
    for i in range(rules.district_size[district]):
        held += has_troops_of(state, rules.fiefs_of[district, i], seat)
    share = held / rules.district_size[district]
    value += w.gain_share * share * share + w.gain_district * (share == 1.0)
    if owner >= 0 and state.capital[owner] == district:
        value += w.gain_capital
    return value


@compiled
def _invasion_worth(rules, state, w, seat, target, attack, count):
    """Value of invading with so much attack and so many units."""
    chance = chance_of(attack - strength_of_fief(rules, state, target, seat))
    gain = _gain_of(rules, state, w, seat, target)
    return chance * gain + (1.0 - chance) * w.repelled * count


@compiled
def target_worth(rules, state, w, seat, source, target, paid):
    """Value of invading a fief with all units of another; `paid`: for a claim."""
    attack = attack_in(rules, state, source) + bonus_of_invader(rules, state, seat, source)
    attack += worth_of_engines(rules, state, seat, target, state.units[source, s.ENGINE])
    value = _invasion_worth(rules, state, w, seat, target, attack, troops_in(state, source))
    return value + w.claim * paid


@compiled
def best_target_worth(rules, state, w, seat, source):
    """Value of the best invasion from a fief; `futile` if there is none."""
    best = w.futile
    if not has_troops_of(state, source, seat):
        return best
    for i in range(rules.degree[source]):
        target = rules.neighbours[source, i]
        if holder_of(rules, state, target) == seat:
            continue
        way = casus_belli(rules, state, seat, target)
        if way == NEVER or (way == PAID and state.denars[seat] < rules.claim_cost):
            continue
        best = max(best, target_worth(rules, state, w, seat, source, target, way == PAID))
    return best


@compiled
def sending_worth(rules, state, w, seat, sent):
    """Value of sending units, packed as in their code, from `state.fief` to `state.target`."""
    attack = bonus_of_invader(rules, state, seat, state.fief) + rules.revenge * state.avenging
    own = 0
    left = sent
    for kind in range(len(s.LOSSES), -1, -1):
        count = left % 10
        left //= 10
        if kind == s.ENGINE:
            attack += worth_of_engines(rules, state, seat, state.target, count)
            continue
        attack += rules.attack[kind] * count
        if kind != s.FOREIGN:
            own += count
    value = _invasion_worth(rules, state, w, seat, state.target, attack, own)
    value += w.kept * (troops_in(state, state.fief) - own)
    return value + w.abandon * abandons(rules, state, seat, state.fief, own)
