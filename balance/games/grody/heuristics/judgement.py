"""Estimates behind the features: the odds of a combat, and the threat of adjacent enemies.

They are approximations of the game's chances. The odds of a future attack are a logistic regression on the exact
chances of combats without cards: 432 cases, 1 to 6 warriors on each side, with and without leader, on every terrain
of the base rules (`python tools/odds`). Its root mean square error is 0.03 (cases with up to four warriors a side
count fourfold). In a current combat, a side's strength is the sum of its warriors' strengths, and the odds depend on
a power of the ratio of strengths. Both estimates read only what every seat may see.
"""

from __future__ import annotations

import math

from balance.foundation.compiling import compiled
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import adjacent_force, capacity_of
from balance.games.grody.kernel.combat import cushion_at, morale_of

# The regression's coefficients; the first three are multiplied by the root of the number of warriors of both sides.
BY_NUMBERS = 0.88  # logarithm of the ratio of the numbers
BY_MORALE = 0.55  # difference in morale for the whole combat
BY_FIRST_ROUND = 0.36  # difference in morale for the first round
# The next two are divided by that root. In small combats often no warrior is left, and the defender keeps the land;
# gloom makes more warriors flee.
BY_CHANCE = -0.65
BY_GLOOM = -0.33  # for each point of morale that both sides lose
BY_CUSHION = -0.31  # a blow that the defender ignores

STEEP = 2.5  # power of the ratio of strengths in a current combat
CUSHION = 0.6  # strength of a blow ignored
# Strength of a warrior by its behaviour; before a roll, by its morale (see `_untried_strength`).
STRENGTH_FLEEING, STRENGTH_STANDING, STRENGTH_FIGHTING, STRENGTH_FURIOUS = 0.0, 0.55, 1.0, 1.6


@compiled
def _untried_strength(morale):
    """Return the strength of a warrior before its roll; 1 with morale 3."""
    return max(0.1, 0.42 * morale - 0.26)


@compiled
def strength_as(behaviour, morale):
    """Return the strength of a warrior with this behaviour; 0 if it has left the combat."""
    if behaviour == s.READY:
        return _untried_strength(morale)
    if behaviour == s.FURIOUS:
        return STRENGTH_FURIOUS
    if behaviour == s.FIGHTING:
        return STRENGTH_FIGHTING
    return STRENGTH_STANDING if behaviour == s.STANDING else STRENGTH_FLEEING


@compiled
def odds_of(own, other):
    """Return the chance to win of the side with strength `own` against `other`, from 0 to 1."""
    if own <= 0.0:
        return 0.0
    if other <= 0.0:
        return 1.0
    return 1.0 / (1.0 + math.pow(other / own, STEEP))


@compiled
def _lead(rules, count):
    """Return the morale that `count` warriors of a side have from their leader."""
    return rules.leader_morale if count >= rules.leader_at else 0


@compiled
def attack_odds(rules, state, segment, attackers, defenders):
    """Return the chance that `attackers` take an explored segment from `defenders` (1 or more)."""
    root = math.sqrt(attackers + defenders)
    first = -rules.defence[state.terrain[segment]]
    if state.building[segment] == s.ABATIS:
        first += rules.abatis_morale
    logit = BY_NUMBERS * math.log(attackers / defenders) + BY_FIRST_ROUND * first
    logit += BY_MORALE * (_lead(rules, attackers) - _lead(rules, defenders))
    few = (BY_CHANCE + BY_GLOOM * rules.gloom[state.terrain[segment]]) / root
    logit = root * logit + few + BY_CUSHION * cushion_at(rules, state, segment)
    return 1.0 / (1.0 + math.exp(-logit))


@compiled
def force_to_come(rules, state, segment):
    """Return the number of A's warriors who can still enter a segment this turn, within its room."""
    force = 0
    for i in range(rules.degree[segment]):
        near = rules.neighbours[segment, i]
        force += state.fresh[near]
        if state.marches > 0:
            force += min(state.marches, state.once[near])
    room = capacity_of(rules, state, segment) - state.warriors[state.active, segment]
    return min(force, room)


@compiled
def danger(rules, state, seat, segment, count):
    """Return the chance that adjacent enemies take a segment from `count` warriors of a seat, if they attack."""
    if state.terrain[segment] == s.UNEXPLORED:
        return 0.0
    force = min(adjacent_force(rules, state, 1 - seat, segment), capacity_of(rules, state, segment))
    if force == 0:
        return 0.0
    if count == 0:
        return 1.0
    return attack_odds(rules, state, segment, force, count)


@compiled
def force_near(rules, state, seat, grod_of, steps):
    """Return the number of a seat's warriors within `steps` steps of the gród of `grod_of`."""
    force = 0
    for segment in range(rules.segment_count):
        if rules.steps_to[grod_of, segment] <= steps:
            force += state.warriors[seat, segment]
    return force


@compiled
def side_strength(rules, state, seat):
    """Return the strength of a side of the current combat."""
    total = 0.0
    for i in range(state.fighters[seat]):
        total += strength_as(state.behaviour[seat, i], morale_of(rules, state, seat, i))
    if seat != state.active:
        total += CUSHION * state.cushion
    return total
