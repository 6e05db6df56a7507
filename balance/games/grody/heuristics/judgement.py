"""Estimates that profiles build on: the odds of a combat, what an enemy next door threatens.

They are rules of thumb, not the game's own chances. The odds of an attack that may come are a logistic regression
on the exact chances of combats without cards: 432 cases, 1 to 6 warriors on each side, with and without leader, on
every ground of the base rules (`python tests/odds`). Its error is 0.03 (root mean square over the cases, those with up
to four a side counted fourfold). In a combat under way a side's strength is the sum of its warriors' worth, and the
odds go by a power of the ratio of strengths. Both read what every seat may see.
"""

from __future__ import annotations

import math

from balance.compiling.jit import compiled
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import capacity_of
from balance.games.grody.kernel.combat import cushion_at, morale_of

# The regression's coefficients; the first three are for each root of the number of warriors of both sides.
BY_NUMBERS = 0.88  # logarithm of the ratio of the numbers
BY_MORALE = 0.55  # difference in morale for the whole combat
BY_FIRST_ROUND = 0.36  # difference in morale for the first round
# The next two are divided by that root. Few against few often leave nobody, and the defender keeps the land; gloom
# makes more of them flee.
BY_CHANCE = -0.65
BY_GLOOM = -0.33  # for each point off both sides' morale
BY_CUSHION = -0.31  # a blow that the defender ignores

STEEP = 2.5  # power of the ratio of strengths in a combat under way
CUSHION = 0.6  # strength of a blow ignored
# Strength of a warrior by how it behaves; of one who has not rolled by its morale (see `warrior_strength`).
STRENGTH_FLEEING, STRENGTH_STANDING, STRENGTH_FIGHTING, STRENGTH_FURIOUS = 0.0, 0.55, 1.0, 1.6


@compiled
def warrior_strength(morale):
    """Strength of a warrior who is still to roll; 1 with morale 3."""
    return max(0.1, 0.42 * morale - 0.26)


@compiled
def strength_as(behaviour, morale):
    """Strength of a warrior who behaves so; 0 for one who is gone."""
    if behaviour == s.READY:
        return warrior_strength(morale)
    if behaviour == s.FURIOUS:
        return STRENGTH_FURIOUS
    if behaviour == s.FIGHTING:
        return STRENGTH_FIGHTING
    return STRENGTH_STANDING if behaviour == s.STANDING else STRENGTH_FLEEING


@compiled
def odds_of(own, other):
    """Chance of the side with strength `own` against `other`, from 0 to 1."""
    if own <= 0.0:
        return 0.0
    if other <= 0.0:
        return 1.0
    return 1.0 / (1.0 + math.pow(other / own, STEEP))


@compiled
def _lead(rules, count):
    """Morale that so many warriors of a side have from their leader."""
    return rules.leader_morale if count >= rules.leader_at else 0


@compiled
def attack_odds(rules, state, segment, attackers, defenders):
    """Chance that so many attackers of a segment that is turned up take it from so many defenders (1 or more)."""
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
def force_beside(rules, state, seat, segment):
    """Warriors of a seat on the neighbours of a segment."""
    force = 0
    for i in range(rules.degree[segment]):
        force += state.warriors[seat, rules.neighbours[segment, i]]
    return force


@compiled
def force_to_come(rules, state, segment):
    """Warriors of A who could still enter a segment this turn, as far as there is room."""
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
    """Chance that the enemy next door takes a segment from `count` warriors of a seat, if it attacks."""
    if state.terrain[segment] == s.UNEXPLORED:
        return 0.0
    force = min(force_beside(rules, state, 1 - seat, segment), capacity_of(rules, state, segment))
    if force == 0:
        return 0.0
    if count == 0:
        return 1.0
    return attack_odds(rules, state, segment, force, count)


@compiled
def force_near(rules, state, seat, grod_of, steps):
    """Warriors of a seat within so many steps of the gród of `grod_of`."""
    force = 0
    for segment in range(rules.segment_count):
        if rules.steps_to[grod_of, segment] <= steps:
            force += state.warriors[seat, segment]
    return force


@compiled
def side_strength(rules, state, seat):
    """Strength of a side of the combat under way."""
    total = 0.0
    for i in range(state.fighters[seat]):
        if state.behaviour[seat, i] != s.GONE:
            total += strength_as(state.behaviour[seat, i], morale_of(rules, state, seat, i))
    if seat != state.active:
        total += CUSHION * state.cushion
    return total
