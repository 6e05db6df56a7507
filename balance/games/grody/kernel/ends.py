"""How a game ends, and what is kept of a round (END-1 to END-4)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_points, count_segments, count_warriors


@compiled
def score_of(rules, state, seat):
    """Victory points, and more for who has won by conquest (section 8)."""
    points = count_points(rules, state, seat)
    if state.over and state.ended_by == s.CONQUEST and state.winner == seat:
        points += rules.conquest_score
    return points


@compiled
def keep_round(rules, state, log):
    if not log.keep_rounds:
        return
    for p in range(s.SEATS):
        row = log.history[state.round_number - 1, p]
        row.score = score_of(rules, state, p)
        row.segments = count_segments(rules, state, p)
        row.warriors = count_warriors(rules, state, p)
        row.prisoners = state.prisoners[p]
        row.hand = state.hand_size[p]


@compiled
def _finish(rules, state, log, winner, how):
    state.over = 2 if winner == s.NOBODY else 1
    state.winner = winner
    state.ended_by = how
    state.phase = s.OVER
    keep_round(rules, state, log)


@compiled
def check_conquest(rules, state, log):
    """END-1: A stands in the gród of B, and no warrior of B does."""
    seat = state.active
    grod = rules.grod[1 - seat]
    if state.warriors[seat, grod] > 0 and state.warriors[1 - seat, grod] == 0:
        _finish(rules, state, log, seat, s.CONQUEST)


@compiled
def check_dominance(rules, state, log, seat):
    """END-2, asked of one seat."""
    lead = count_points(rules, state, seat) - count_points(rules, state, 1 - seat)
    enough = count_segments(rules, state, seat) >= rules.dominance_segments
    if lead >= rules.dominance_lead and enough:
        _finish(rules, state, log, seat, s.DOMINANCE)


@compiled
def _judge_limit(rules, state, log):
    """END-3: points, then segments, then warriors, else a draw."""
    lead = count_points(rules, state, 0) - count_points(rules, state, 1)
    if lead == 0:
        lead = count_segments(rules, state, 0) - count_segments(rules, state, 1)
    if lead == 0:
        lead = count_warriors(rules, state, 0) - count_warriors(rules, state, 1)
    winner = s.NOBODY
    if lead != 0:
        winner = 0 if lead > 0 else 1
    _finish(rules, state, log, winner, s.LIMIT)


@compiled
def _suffer_thirst(rules, state, log):
    """TRN-2: one warrior of A dies where a desert holds too many."""
    seat = state.active
    for segment in range(rules.segment_count):
        terrain = state.terrain[segment]
        if terrain == s.UNEXPLORED or rules.deadly_from[terrain] == 0:
            continue
        if state.warriors[seat, segment] >= rules.deadly_from[terrain]:
            state.warriors[seat, segment] -= 1
            log.thirst[seat] += 1


@compiled
def end_turn(rules, state, log):
    """The desert, dominance, the limit; else the next turn."""
    _suffer_thirst(rules, state, log)
    ends_round = state.active == 1
    if rules.dominance_at == s.AT_END:
        check_dominance(rules, state, log, state.active)
    elif rules.dominance_at == s.AT_ROUND and ends_round:
        for seat in range(s.SEATS):
            if state.over == 0:
                check_dominance(rules, state, log, seat)
    if state.over == 0 and state.turns == s.SEATS * rules.turn_limit:
        _judge_limit(rules, state, log)
    if state.over == 0:
        if ends_round:
            keep_round(rules, state, log)
        state.phase = s.BEGIN_TURN
