"""Named features of a position for each seat; the value model predicts win chances from them (docs/searchers.md)."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.heuristics.judgement import danger, force_near
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_points, count_segments, count_warriors
from balance.games.grody.kernel.scoring import score_of

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
(
    POINTS, SEGMENTS, WARRIORS, TEAMS, GUARD_NEAR, GUARD_FAR, OPEN, AT_RISK, TEAM_NEAR, NEAREST, HAND,
    HOME_AT_RISK, LAND_AT_RISK, HELD, TO_MOVE,
) = range(len(POSITION))  # fmt: skip


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
                row[HOME_AT_RISK] = chance
            else:
                land_at_risk += chance * (1 + rules.points[state.terrain[segment]])
    row[TEAMS] = teams
    row[OPEN] = unguarded
    row[AT_RISK] = at_risk
    row[TEAM_NEAR] = team_near
    row[NEAREST] = nearest
    row[LAND_AT_RISK] = land_at_risk / rules.dominance_lead


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
        row[POINTS] = points / rules.dominance_lead
        row[SEGMENTS] = count_segments(rules, state, p) / rules.segment_count
        row[WARRIORS] = count_warriors(rules, state, p) / max(1, army)
        row[GUARD_NEAR] = guard - force_near(rules, state, 1 - p, p, 1)
        row[GUARD_FAR] = guard - force_near(rules, state, 1 - p, p, 2)
        _survey_land(rules, state, p, row)
        row[HAND] = state.hand_size[p] / rules.hand_limit
        row[HELD] = state.prisoners[p]
        row[TO_MOVE] = state.active == p
    late = state.turns / (s.SEATS * rules.turn_limit)
    return min(1.0, max(late, 0.8 * most / rules.dominance_lead))


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with victory points."""
    for p in range(s.SEATS):
        scratch.scores[p] = score_of(rules, state, p)
