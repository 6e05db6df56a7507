"""What a move is worth: land, odds with the whole force that can still come, teams of four, what is left open."""

from __future__ import annotations

import math

from balance.compiling.jit import compiled
from balance.contract.records import Fields
from balance.games.grody.heuristics.judgement import (
    attack_odds,
    danger,
    force_near,
    force_to_come,
)
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import capacity_of, count_points, count_warriors
from balance.games.grody.kernel.movement import place_entered

MOVING: Fields = (  # of the scratch record: what holds for every move of a decision
    ("superior", "f8"),
    ("threat", "f8"),
    ("garrison", "f8"),
    ("late", "f8"),
    ("brink", "f8"),
    ("armed", "f8"),
)
COMBAT_CARDS = 0.5  # share of the cards that are for before or during a combat


@compiled
def survey(rules, state, scratch):
    """Note how the armies compare, and what threatens the own gród.

    `scratch.superior`: logarithm of the ratio of the armies. `scratch.threat`: enemies within two steps of the own
    gród. `scratch.garrison`: warriors in it. `scratch.late`: share of the turns that have begun.
    `scratch.brink`: the lead of either side, as a share of the one that dominates. `scratch.armed`: own cards for
    combats, less those that the enemy is likely to hold.
    """
    seat = state.active
    own = count_warriors(rules, state, seat)
    other = count_warriors(rules, state, 1 - seat)
    scratch.superior = math.log((own + 1.0) / (other + 1.0))
    scratch.threat = force_near(rules, state, 1 - seat, seat, 2)
    scratch.garrison = state.warriors[seat, rules.grod[seat]]
    scratch.late = state.turns / (s.SEATS * rules.turn_limit)
    lead = count_points(rules, state, seat) - count_points(rules, state, 1 - seat)
    scratch.brink = abs(lead) / rules.dominance_lead
    scratch.armed = -COMBAT_CARDS * state.hand_size[1 - seat]
    for card in range(s.SURE, s.RETREAT + 1):
        scratch.armed += state.hand[seat, card]


@compiled
def _points_worth(rules, scratch, w, terrain):
    """What the points of a terrain taken from the enemy are worth; the lead grows by twice as many."""
    return (w.points + w.brink * scratch.brink) * 2.0 * rules.points[terrain]


@compiled
def _attack_worth(rules, state, scratch, w, goal):
    """Entering a segment with enemies: the first by the odds of all who can come, the others by what they add."""
    seat = state.active
    there = state.warriors[seat, goal]
    defenders = state.warriors[1 - seat, goal]
    whole = attack_odds(rules, state, goal, there + force_to_come(rules, state, goal), defenders)
    now = attack_odds(rules, state, goal, there + 1, defenders)
    prize = w.conquest
    if state.terrain[goal] != s.GROD:
        prize = w.taken + _points_worth(rules, scratch, w, state.terrain[goal])
    if there > 0:
        before = attack_odds(rules, state, goal, there, defenders)
        return w.reinforce * (now - before) * (defenders + 1.0) + prize * (now - before)
    value = w.attack + w.odds * whole + w.odds_now * now
    value += w.superior * scratch.superior + w.armed * scratch.armed + w.late * scratch.late
    return value + prize * whole + w.slay * whole * defenders


@compiled
def _land_worth(rules, state, scratch, w, goal):
    """Entering a segment without enemies: what is explored or taken."""
    seat = state.active
    if state.terrain[goal] == s.UNEXPLORED:
        return w.explore if place_entered(state, goal) < 0 else w.crowd
    if goal == rules.grod[1 - seat]:
        return w.conquest
    if state.owner[goal] == seat:
        return 0.0
    return w.taken + _points_worth(rules, scratch, w, state.terrain[goal])


@compiled
def _foreign_beside(rules, state, segment):
    """Neighbours of a segment that are not the active player's own, explored or not."""
    count = 0
    for i in range(rules.degree[segment]):
        count += state.owner[rules.neighbours[segment, i]] != state.active
    return count


@compiled
def _risk(rules, state, w, segment, count):
    """What an attack on `count` own warriors would cost, by its chance."""
    chance = danger(rules, state, state.active, segment, count)
    if chance == 0.0:
        return 0.0
    if segment == rules.grod[state.active]:
        return chance * w.home_risk
    return chance * (w.land_risk * (1 + rules.points[state.terrain[segment]]) + w.men_risk * count)


@compiled
def _followers(rules, state, start, goal):
    """Warriors who can still take the same step after this one."""
    room = capacity_of(rules, state, goal) - state.warriors[state.active, goal] - 1
    return max(0, min(state.fresh[start] - 1, room))


@compiled
def _team_worth(rules, state, w, start, goal, follow):
    """Full teams made or broken up if all follow who can, and how much the larger of the two groups grows."""
    left = state.warriors[state.active, start]
    there = state.warriors[state.active, goal]
    goes = 1 + follow
    before = int(left >= rules.leader_at) + int(there >= rules.leader_at)
    after = int(left - goes >= rules.leader_at) + int(there + goes >= rules.leader_at)
    value = w.company * (there + goes - max(left, there))
    if after > before:
        return value + w.team
    return value + w.break_up if after < before else value


@compiled
def _home_worth(rules, state, scratch, w, start, goal):
    """The garrison against what could come within two turns, and room for recruits."""
    home = rules.grod[state.active]
    value = 0.0
    if start == home:
        value += w.guard * (scratch.garrison <= scratch.threat)
        value -= w.crowded * (scratch.garrison == rules.capacity[s.GROD])
    elif goal == home:
        value -= w.guard * (scratch.garrison < scratch.threat)
        value += w.crowded * (scratch.garrison + 1 == rules.capacity[s.GROD])
    return value


@compiled
def move_worth(rules, state, scratch, w, start, goal):
    """Value of a move against being done."""
    seat = state.active
    steps = rules.steps_to[1 - seat, start] - rules.steps_to[1 - seat, goal]
    value = w.nearer * steps + _home_worth(rules, state, scratch, w, start, goal)
    value += w.front * (_foreign_beside(rules, state, goal) - _foreign_beside(rules, state, start))
    left = state.warriors[seat, start]
    value += _risk(rules, state, w, start, left - 1) - _risk(rules, state, w, start, left)
    if state.terrain[goal] != s.UNEXPLORED and state.warriors[1 - seat, goal] > 0:
        return value + _attack_worth(rules, state, scratch, w, goal)
    follow = _followers(rules, state, start, goal)
    value += _land_worth(rules, state, scratch, w, goal)
    value += _team_worth(rules, state, w, start, goal, follow)
    there = state.warriors[seat, goal]
    coming = _risk(rules, state, w, goal, there + 1 + follow)
    return value + coming - _risk(rules, state, w, goal, there)
