"""Named features of an action and of a position; they use no hidden information.

A strategy profile weighs the features of an action. The value of an action is relative to declining, ending the moves
or building nothing, which have value 0. A value model predicts win chances from the features of a position
(docs/searchers.md).
"""

from __future__ import annotations

import math

from balance.contract.records import Fields, number_features
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.heuristics.cards import OF_A_CARD, counter_worth, kept_worth, play_worth
from balance.games.grody.heuristics.judgement import attack_odds, danger, force_near, force_to_come
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import adjacent_force, capacity_of, count_points, count_segments, count_warriors
from balance.games.grody.kernel.movement import place_entered
from balance.games.grody.kernel.scoring import score_of
from balance.games.grody.rules.ruleset import MOST_SEGMENTS, TERRAINS

SCRATCH: Fields = (  # computed once for all moves of a decision
    ("superior", "f8"),  # logarithm of the ratio of the armies
    ("threat", "f8"),  # enemies within two steps of the own gród
    ("garrison", "f8"),  # warriors in the own gród
    ("late", "f8"),  # share of the turns that have begun
    ("brink", "f8"),  # the lead of either side, as a share of the lead that dominates
    ("armed", "f8"),  # own combat cards minus those that the enemy is expected to hold
    ("start", "i4"),  # segment that the last move weighed leaves, or -1
    ("leaving", "f8"),  # change of the risk of that segment
    # for networks: computed once for all actions of a decision
    ("risk", "f8", (s.SEATS, MOST_SEGMENTS)),  # chance that adjacent enemies take an own segment
    ("lead", "i4", (s.SEATS,)),  # in victory points
    ("land", "i4", (s.SEATS,)),  # segments owned
    ("unexplored", "i4"),  # segments
    ("mean_points", "f8"),  # of the terrains in the deck
    ("odds", "f8"),  # of the current combat
)
COMBAT_CARDS = 0.5  # share of the cards that are played before or during a combat


@compiled
def survey(rules, state, scratch):
    """Fill the fields of `SCRATCH` that all moves of a decision share."""
    seat = state.active
    scratch.start = -1
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


_OF_ENTERING = {
    "explore": "entering an unexplored segment",
    "crowd": "following onto a segment entered this turn and not yet explored",
    "taken": "a segment taken from the enemy, times the chance to win if it is attacked",
    "points": "growth of the lead in victory points by the segment, times the chance to win if it is attacked",
    "brink": "that growth, times the lead of either side as a share of the lead that dominates",
    "conquest": "entering the enemy's gród, times the chance to take it",
}


@compiled
def _points_worth(rules, scratch, w, terrain):
    """Return the worth of the points of a terrain taken from the enemy; the lead grows by twice these points."""
    return (w.points + w.brink * scratch.brink) * 2.0 * rules.points[terrain]


_OF_AN_ATTACK = {
    "attack": "attacking, at any odds",
    "odds": "odds of an attack with all who can still come this turn, 0 to 1",
    "odds_now": "odds of an attack with only the warriors there after this move, 0 to 1",
    "armed": "own combat cards when attacking, minus those that the enemy is expected to hold",
    "superior": "logarithm of the ratio of the armies when attacking",
    "late": "share of the turns that have begun when attacking",
    "slay": "enemies on an attacked segment, times the chance to win",
    "reinforce": "odds that a further attacker adds, times the number of enemies there plus 1",
}


@compiled
def _attack_worth(rules, state, scratch, w, goal):
    """Return the worth of an attack: of the first warrior by the odds of all that can join, of others by their gain."""
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
def _entering_worth(rules, state, scratch, w, goal):
    """Return the worth of entering a segment without enemies: exploring or taking it."""
    seat = state.active
    if state.terrain[goal] == s.UNEXPLORED:
        return w.explore if place_entered(state, goal) < 0 else w.crowd
    if goal == rules.grod[1 - seat]:
        return w.conquest
    if state.owner[goal] == seat:
        return 0.0
    return w.taken + _points_worth(rules, scratch, w, state.terrain[goal])


@compiled
def adjacent_foreign(rules, state, segment):
    """Return the number of neighbours that the active player does not own, explored or not."""
    count = 0
    for i in range(rules.degree[segment]):
        count += state.owner[rules.neighbours[segment, i]] != state.active
    return count


_OF_GROUPS = {
    "team": "one more full team, with a leader, if all who can take the same step follow",
    "break_up": "one full team less",
    "company": "growth of the larger of two groups by a step, if all who can follow do",
    "guard": "leaving the own gród if it has no more warriors than the enemy within two steps; entering counts -1",
    "home_risk": "change by a move of the chance that adjacent enemies take the own gród",
    "land_risk": "points plus 1 of each segment, times the chance that adjacent enemies take it",
    "men_risk": "warriors, times the chance that adjacent enemies take their segment",
    "crowded": "filling up the own gród, so that recruits have no room; leaving a full gród counts -1",
}


@compiled
def _risk(rules, state, w, segment, count):
    """Return the expected cost of an attack on `count` own warriors."""
    chance = danger(rules, state, state.active, segment, count)
    if chance == 0.0:
        return 0.0
    if segment == rules.grod[state.active]:
        return chance * w.home_risk
    return chance * (w.land_risk * (1 + rules.points[state.terrain[segment]]) + w.men_risk * count)


@compiled
def count_followers(rules, state, start, goal):
    """Return the number of warriors who can still take the same step after this one."""
    room = capacity_of(rules, state, goal) - state.warriors[state.active, goal] - 1
    return max(0, min(state.fresh[start] - 1, room))


@compiled
def _team_worth(rules, state, w, start, goal, follow):
    """Return the worth of full teams formed or broken up, and of the larger group's growth, if all who can follow."""
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
    """Return the worth of a move for the garrison: enemies within two steps, and room for recruits."""
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
def _leaving_worth(rules, state, scratch, w, start):
    """Return the change of a segment's risk when a warrior leaves; moves from one segment are listed together."""
    if start != scratch.start:
        left = state.warriors[state.active, start]
        scratch.start = start
        scratch.leaving = _risk(rules, state, w, start, left - 1) - _risk(rules, state, w, start, left)
    return scratch.leaving


_OF_A_STEP = {
    "nearer": "steps nearer to the enemy's gród",
    "front": "change by a step of the number of neighbours that the seat does not own",
}


@compiled
def _move_worth(rules, state, scratch, w, start, goal):
    """Return the value of a move, compared with ending the moves."""
    seat = state.active
    steps = rules.steps_to[1 - seat, start] - rules.steps_to[1 - seat, goal]
    value = w.nearer * steps + _home_worth(rules, state, scratch, w, start, goal)
    value += w.front * (adjacent_foreign(rules, state, goal) - adjacent_foreign(rules, state, start))
    value += _leaving_worth(rules, state, scratch, w, start)
    if state.terrain[goal] != s.UNEXPLORED and state.warriors[1 - seat, goal] > 0:
        return value + _attack_worth(rules, state, scratch, w, goal)
    follow = count_followers(rules, state, start, goal)
    value += _entering_worth(rules, state, scratch, w, goal)
    value += _team_worth(rules, state, w, start, goal, follow)
    there = state.warriors[seat, goal]
    coming = _risk(rules, state, w, goal, there + 1 + follow)
    return value + coming - _risk(rules, state, w, goal, there)


SETTINGS: dict[str, tuple[float, str]] = {}


_OF_A_TERRAIN = {
    "turned_points": "victory points of a terrain turned up; if it is exchanged, of the mean of the terrains left",
    "turned_plus": "warriors gained by the terrain",
    "turned_room": "warriors for which the terrain has room",
}


@compiled
def _terrain_worth(rules, w, terrain):
    return (
        w.turned_points * rules.points[terrain]
        + w.turned_plus * rules.plus[terrain]
        + w.turned_room * rules.capacity[terrain]
    )


@compiled
def _exchange_worth(rules, state, w):
    """Return the mean worth of the terrains left, including the one put back, minus the worth of the one turned up."""
    here = state.terrain[state.entered[state.explored]]
    total = _terrain_worth(rules, w, here)
    for terrain in range(len(TERRAINS)):
        total += state.terrain_deck[terrain] * _terrain_worth(rules, w, terrain)
    return total / (state.terrain_count + 1) - _terrain_worth(rules, w, here)


_OF_A_REFUGE = {
    "hit": "morale that cards have given the warrior struck",
    "refuge": "chance that adjacent enemies take the segment fled to",
    "refuge_team": "own warriors on the segment fled to",
    "build": "building something",
    "build_front": "enemies adjacent to a new building",
    "ransom": "a prisoner ransomed",
}


@compiled
def _build_worth(rules, state, w, segment):
    return w.build + w.build_front * adjacent_force(rules, state, 1 - state.seat, segment)


@compiled
def _flee_worth(rules, state, w, segment):
    there = state.warriors[state.seat, segment]
    risk = danger(rules, state, state.seat, segment, there + 1)
    return w.refuge * risk + w.refuge_team * there


@compiled
def _combat_and_card_worth(rules, state, w, code):
    kind = a.kind_of(code)
    number = a.number_of(code)
    if kind == a.PLAY:
        return play_worth(rules, state, w, a.first_of(code), a.second_of(code))
    if kind == a.COUNTER:
        return counter_worth(rules, state, w)
    if kind == a.HIT:
        return w.hit * state.boost[1 - state.seat, number]
    if kind == a.FLEE:
        return _flee_worth(rules, state, w, number)
    if kind == a.DISCARD:
        return -kept_worth(w, number)
    return w.ransom - kept_worth(w, number) if kind == a.RANSOM else 0.0


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    """Fill `values[:count]` with the value of each action of `codes[:count]` to `state.seat`."""
    if state.phase == s.ASK_MOVE:
        survey(rules, state, scratch)
    for i in range(count):
        code = codes[i]
        kind = a.kind_of(code)
        if kind == a.MOVE:
            start = a.first_of(code)
            goal = a.second_of(code)
            values[i] = _move_worth(rules, state, scratch, weights, start, goal)
        elif kind == a.EXCHANGE:
            values[i] = _exchange_worth(rules, state, weights)
        elif kind == a.BUILD:
            values[i] = _build_worth(rules, state, weights, a.second_of(code))
        else:
            values[i] = _combat_and_card_worth(rules, state, weights, code)


POSITION = {
    "points": "victory points, as a share of the lead that dominates",
    "segments": "segments owned, as a share of all",
    "warriors": "share of the warriors on the board",
    "teams": "segments with a full team",
    "guard_near": "warriors in the own gród minus enemies within one step",
    "guard_far": "warriors in the own gród minus enemies within two steps",
    "open": "own segments without a warrior that are adjacent to an enemy",
    "at_risk": "own warriors, times the chance that adjacent enemies take their segment",
    "team_near": "1 / (1 + steps from the nearest full team to the enemy's gród)",
    "nearest": "1 / (1 + steps from the nearest warrior to the enemy's gród)",
    "hand": "cards in hand, as a share of the limit",
    "home_at_risk": "chance that adjacent enemies take the own gród",
    "land_at_risk": "points plus 1 of each own segment, times the chance that adjacent enemies take it, as `points`",
    "held": "prisoners held",
    "to_move": "whether it is the seat's turn",
}
AT = number_features(POSITION)


@compiled
def _survey_land(rules, state, p, row):
    """Fill the features that depend on single segments."""
    teams = 0
    unguarded = 0
    at_risk = 0.0
    land_at_risk = 0.0
    team_near = 0.0
    nearest = 0.0
    for segment in range(rules.segment_count):
        count = state.warriors[p, segment]
        closeness = 1.0 / (1.0 + rules.steps_to[1 - p, segment])
        if count > 0:
            nearest = max(nearest, closeness)
        if count >= rules.leader_at:
            teams += 1
            team_near = max(team_near, closeness)
        if state.owner[segment] == p:
            chance = danger(rules, state, p, segment, count)
            unguarded += count == 0 and chance > 0.0
            at_risk += chance * count
            if segment == rules.grod[p]:
                row[AT.home_at_risk] = chance
            else:
                land_at_risk += chance * (1 + rules.points[state.terrain[segment]])
    row[AT.teams] = teams
    row[AT.open] = unguarded
    row[AT.at_risk] = at_risk
    row[AT.team_near] = team_near
    row[AT.nearest] = nearest
    row[AT.land_at_risk] = land_at_risk / rules.dominance_lead


@compiled_entry
def estimate(rules, state, scratch):
    """Fill `scratch.position` (seats, `POSITION`) and return the progress of the game, from 0 to 1."""
    most = 0
    army = count_warriors(rules, state, 0) + count_warriors(rules, state, 1)
    for p in range(s.SEATS):
        row = scratch.position[p]
        points = count_points(rules, state, p)
        lead = points - count_points(rules, state, 1 - p)
        most = max(most, lead)
        guard = state.warriors[p, rules.grod[p]]
        row[AT.points] = points / rules.dominance_lead
        row[AT.segments] = count_segments(rules, state, p) / rules.segment_count
        row[AT.warriors] = count_warriors(rules, state, p) / max(1, army)
        row[AT.guard_near] = guard - force_near(rules, state, 1 - p, p, 1)
        row[AT.guard_far] = guard - force_near(rules, state, 1 - p, p, 2)
        _survey_land(rules, state, p, row)
        row[AT.hand] = state.hand_size[p] / rules.hand_limit
        row[AT.held] = state.prisoners[p]
        row[AT.to_move] = state.active == p
    late = state.turns / (s.SEATS * rules.turn_limit)
    return min(1.0, max(late, 0.8 * most / rules.dominance_lead))


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with victory points."""
    for p in range(s.SEATS):
        scratch.scores[p] = score_of(rules, state, p)


FEATURES = _OF_ENTERING | _OF_A_STEP | _OF_AN_ATTACK | _OF_GROUPS | _OF_A_TERRAIN | OF_A_CARD | _OF_A_REFUGE
