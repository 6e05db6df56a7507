"""What a position is worth to each seat: named features, from which win chances are made (see docs/searchers.md)."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.games.grody.heuristics.judgement import danger, force_near
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_points, count_segments, count_warriors
from balance.games.grody.kernel.ends import score_of

POSITION = {
    "points": "victory points, as a share of the lead that dominates",
    "segments": "segments owned, as a share of all",
    "warriors": "share of the warriors on the board",
    "teams": "segments with a full team",
    "guard_near": "warriors in the own gród less enemies within one step",
    "guard_far": "the same within two steps",
    "open": "own segments without a warrior next to an enemy",
    "at_risk": "own warriors, by the chance that the enemy next door beats them",
    "team_near": "1 / (1 + steps from the nearest full team to the enemy's gród)",
    "nearest": "1 / (1 + steps from the nearest warrior to the enemy's gród)",
    "hand": "cards in hand, as a share of the limit",
    "home_at_risk": "chance that the enemy next door takes the own gród",
    "land_at_risk": "own points and 1 for each segment, by the chance that the enemy next door takes it, as `points`",
    "held": "enemies held prisoner",
    "to_move": "whether it is the seat's turn",
}


@compiled
def _survey_land(rules, state, p, row):
    """Fill what hangs on single segments."""
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
                row[11] = chance
            else:
                land_at_risk += chance * (1 + rules.points[state.terrain[segment]])
    row[3] = teams
    row[6] = unguarded
    row[7] = at_risk
    row[8] = team_near
    row[9] = nearest
    row[12] = land_at_risk / rules.dominance_lead


@compiled_entry
def estimate(rules, state, scratch):
    """Fill `scratch.position` (seats, `POSITION`); returns how far the game is, from 0 to 1."""
    most = 0
    army = count_warriors(rules, state, 0) + count_warriors(rules, state, 1)
    for p in range(s.SEATS):
        row = scratch.position[p]
        points = count_points(rules, state, p)
        lead = points - count_points(rules, state, 1 - p)
        most = max(most, lead)
        guard = state.warriors[p, rules.grod[p]]
        row[0] = points / rules.dominance_lead
        row[1] = count_segments(rules, state, p) / rules.segment_count
        row[2] = count_warriors(rules, state, p) / max(1, army)
        row[4] = guard - force_near(rules, state, 1 - p, p, 1)
        row[5] = guard - force_near(rules, state, 1 - p, p, 2)
        _survey_land(rules, state, p, row)
        row[10] = state.hand_size[p] / rules.hand_limit
        row[13] = state.prisoners[p]
        row[14] = state.active == p
    late = state.turns / (s.SEATS * rules.turn_limit)
    return min(1.0, max(late, 0.8 * most / rules.dominance_lead))


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with victory points."""
    for p in range(s.SEATS):
        scratch.scores[p] = score_of(rules, state, p)
