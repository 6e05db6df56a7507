"""The end of a game (END-1 to END-4), its scores and ranks, and the values of the log (section 8)."""

from __future__ import annotations

from balance.contract.records import rank_seats, record_outcome, set_standing
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_points, count_segments, count_warriors


@compiled
def score_of(rules, state, seat):
    """Return a seat's victory points, and more for a conquest (section 8)."""
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
    if log.keep_outcomes:
        first = max(winner, 0)
        points, against = count_points(rules, state, first), count_points(rules, state, 1 - first)
        record_outcome(state, log, a.END, winner, how, points, against)
    state.over = 2 if winner == s.NOBODY else 1
    state.winner = winner
    state.ended_by = how
    state.phase = s.OVER
    keep_round(rules, state, log)


@compiled
def check_conquest(rules, state, log):
    """End the game if A has a warrior in B's gród and B has none there (END-1)."""
    seat = state.active
    grod = rules.grod[1 - seat]
    if state.warriors[seat, grod] > 0 and state.warriors[1 - seat, grod] == 0:
        _finish(rules, state, log, seat, s.CONQUEST)


@compiled
def check_dominance(rules, state, log, seat):
    """End the game if a seat dominates (END-2)."""
    lead = count_points(rules, state, seat) - count_points(rules, state, 1 - seat)
    enough = count_segments(rules, state, seat) >= rules.dominance_segments
    if lead >= rules.dominance_lead and enough:
        _finish(rules, state, log, seat, s.DOMINANCE)


@compiled
def judge_limit(rules, state, log):
    """Find the winner at the limit by points, then segments, then warriors; else a draw (END-3)."""
    lead = count_points(rules, state, 0) - count_points(rules, state, 1)
    if lead == 0:
        lead = count_segments(rules, state, 0) - count_segments(rules, state, 1)
    if lead == 0:
        lead = count_warriors(rules, state, 0) - count_warriors(rules, state, 1)
    winner = s.NOBODY
    if lead != 0:
        winner = 0 if lead > 0 else 1
    _finish(rules, state, log, winner, s.LIMIT)


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank.

    The winner ranks first; in a draw both do; before the end of the game, the seat with more points does.
    """
    for p in range(s.SEATS):
        row = seats[p]
        row.score = score_of(rules, state, p)
        row.victory_points = count_points(rules, state, p)
        row.segments = count_segments(rules, state, p)
        row.warriors = count_warriors(rules, state, p)
        row.prisoners = state.prisoners[p]
        row.hand = state.hand_size[p]
        set_standing(scratch, p, state.winner == p if state.over else row.victory_points)
    rank_seats(state, scratch, seats)
    game.ended_by = state.ended_by
    game.turns = state.turns
