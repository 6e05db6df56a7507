"""Judge decisions of a game with a searcher: the values of its best choice, others, and the choice made.

The searcher names its best, second-best and median choices. Their values are estimated separately, by rollouts of all
four choices on the same deals, so that the best choice is not overrated by the search that selected it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from balance.contract.game import Game
from balance.contract.records import blank
from balance.foundation.compiling import compiled
from balance.foundation.streams import derive, draw_below

if TYPE_CHECKING:
    from balance.engine.joined import (
        apply,
        begin,
        checkpoint,
        conceal,
        count_actions,
        determinize,
        finish,
        judge,
        judge_one,
        median_action,
        nth_action,
        play_on,
        play_out,
        search,
        weigh,
    )

JUDGE_STREAM = 192  # number of the judge's stream
CHOICES = 4
MADE, BEST, SECOND, MEDIAN = range(CHOICES)

DECISION = np.dtype(
    [
        ("game", "i4"),  # its position among the jobs
        ("number", "i4"),  # decisions before it in the game
        ("decisions", "i4"),  # of the whole game
        ("seat", "i1"),
        ("code", "i4"),  # of the action taken
        ("agreed", "i1"),  # whether it is the searcher's best
        ("lost", "f4"),  # win chance of the best action minus that of the action taken
        ("gap", "f4"),  # win chance of the best action minus that of the second best; nan if there is none
        ("gap_error", "f4"),  # standard error of the gap
        ("spread", "f4"),  # win chance of the best action minus that of the median one
        ("spread_error", "f4"),  # its standard error
    ],
    align=True,
)


class JudgeBuffers(NamedTuple):
    """The buffers of a judge, and its results."""

    states: np.recarray  # (3,): before the decision, after it, a deal
    codes: np.ndarray  # int64 (4,): MADE, BEST, SECOND, MEDIAN
    worth: np.ndarray  # float64 (4, playouts)
    streams: np.ndarray  # uint64 (1,)
    decisions: np.recarray  # DECISION (n,)
    used: np.ndarray  # int64 (1,): decisions in use


def make_judge_buffers(game: Game, playouts: int, decisions: int) -> JudgeBuffers:
    """Return buffers for `playouts` rollouts of each action and for `decisions` decisions."""
    return JudgeBuffers(
        blank(3, game.records.state),
        np.zeros(CHOICES, np.int64),
        np.zeros((CHOICES, playouts)),
        np.zeros(1, np.uint64),
        blank(decisions, DECISION),
        np.zeros(1, np.int64),
    )


# As in `balance.engine.loop`, functions with a leading underscore and no decorator are joined to a game's.


@compiled
def _second_best(node, best):
    """Return the code of the most-tried action other than the best; -1 if there is none."""
    found, key = -1, 0.0
    for i in range(node.count):
        if node.code[i] != best and node.tried[i] > 0:
            worth = node.tried[i] + 0.5 * node.won[i] / node.tried[i]
            if worth > key:
                found, key = node.code[i], worth
    return found


@compiled
def _rank_of(node, i):
    """Return a number that is higher for an action that the search tried more, or won more with."""
    return node.tried[i] + 0.5 * node.won[i] / max(1, node.tried[i])


def _median_action(rules, room, bench, best):
    """Return the action that half of the legal ones are better than; those off the shortlist rank below it."""
    node, state, scratch = room.thinking.nodes[0], room.state[0], room.scratch[0]
    count = count_actions(rules, state, scratch)
    better = count // 2 - 1  # other than the best
    for i in range(node.count):
        above = 0
        for j in range(node.count):
            mine, other = _rank_of(node, i), _rank_of(node, j)
            above += node.code[j] != best and (other > mine or (other == mine and j < i))
        if node.code[i] != best and above == better:
            return node.code[i]
    n = draw_below(bench.streams, 0, count)
    while True:
        code = nth_action(rules, state, scratch, n)
        listed = False
        for i in range(node.count):
            listed |= node.code[i] == code
        if not listed:
            return code
        n = (n + 1) % count


def _weigh(rules, room, bench, judge_number):
    """Fill `bench.worth` with the win chance of the seat after each of `bench.codes`, on shared deals."""
    thinking, scratch = room.thinking, room.scratch[0]
    seat = room.state[0].seat
    horizon = thinking.searchers[judge_number].horizon
    goal = checkpoint(rules, room.state[0]) + horizon if horizon > 0 else 1 << 30
    thinking.known[0] = room.state[0]
    conceal(rules, thinking.known[0], scratch)
    for sample in range(bench.worth.shape[1]):
        bench.states[2] = thinking.known[0]
        determinize(rules, bench.states[2], scratch, bench.streams, 0)
        for which in range(CHOICES):
            if bench.codes[which] < 0:
                continue
            thinking.state[0] = bench.states[2]
            thinking.log[0].entry_count = 0
            apply(rules, thinking.state[0], thinking.log[0], scratch, bench.codes[which])
            play_out(rules, scratch, thinking, judge_number, goal)
            judge(rules, scratch, thinking, judge_number)
            bench.worth[which, sample] = thinking.desk[0].reward[seat]


@compiled
def _behind(bench, which):
    """Return how far a choice is behind the best on the shared deals, and the standard error."""
    count = bench.worth.shape[1]
    total, squares = 0.0, 0.0
    for sample in range(count):
        difference = bench.worth[BEST, sample] - bench.worth[which, sample]
        total += difference
        squares += difference * difference
    error = np.sqrt(max(0.0, squares - total * total / count) / (count - 1) / count)
    return total / count, error


@compiled
def _note(bench, decision):
    """Record a decision's values; equal actions have equal values."""
    decision.agreed = bench.codes[MADE] == bench.codes[BEST]
    decision.lost, _ = _behind(bench, MADE)
    decision.gap, decision.gap_error = _behind(bench, SECOND)
    if bench.codes[SECOND] < 0:
        decision.gap = np.nan
    decision.spread, decision.spread_error = _behind(bench, MEDIAN)


def _judge_one(rules, room, trace, bench, judge_number, decision, limit):
    """Let the bot decide and the judge decide in the same position; record both; the game continues unchanged."""
    state, episode, desk = room.state[0], room.episode[0], room.thinking.desk[0]
    seat = state.seat
    bench.states[0] = state
    episode.tracing = 1
    episode.trace_used = 0
    play_on(rules, room, trace, limit, -1)
    episode.tracing = 0
    bench.states[1] = state
    room.state[0] = bench.states[0]
    kept = desk.streams[seat]
    desk.streams[seat] = bench.streams[0]
    best = search(rules, room, judge_number)
    bench.streams[0] = desk.streams[seat]
    desk.streams[seat] = kept
    bench.codes[MADE] = trace[0].code
    bench.codes[BEST] = best
    bench.codes[SECOND] = _second_best(room.thinking.nodes[0], best)
    bench.codes[MEDIAN] = median_action(rules, room, bench, best)
    weigh(rules, room, bench, judge_number)
    decision.seat = seat
    decision.code = trace[0].code
    _note(bench, decision)
    room.state[0] = bench.states[1]


def _judge_each(rules, room, jobs, rows, bench, judge_number, every, limit):
    """Play `jobs` and judge one in `every` of their choices, drawn at random; `bench.used` is their number."""
    state, episode = room.state[0], room.episode[0]
    episode.keep_rounds = 0
    episode.tracing = 0
    bench.used[0] = 0
    for number in range(jobs.shape[0]):
        begin(rules, room, jobs[number])
        bench.streams[0] = derive(jobs[number].seed, np.uint64(JUDGE_STREAM))
        first = bench.used[0]
        while state.over == 0 and episode.decisions < limit:
            choice = count_actions(rules, state, room.scratch[0]) > 1
            judged = choice and draw_below(bench.streams, 0, every) == 0
            if judged and bench.used[0] < bench.decisions.shape[0]:
                decision = bench.decisions[bench.used[0]]
                decision.game = number
                decision.number = episode.decisions
                judge_one(rules, room, rows.trace, bench, judge_number, decision, episode.decisions + 1)
                bench.used[0] += 1
            else:
                play_on(rules, room, rows.trace, episode.decisions + 1, -1)
        finish(rules, room, jobs[number], rows, number)
        for i in range(first, bench.used[0]):
            bench.decisions[i].decisions = episode.decisions


JOINED = (_median_action, _weigh, _judge_one, _judge_each)
"""The functions joined to a game for judging, in the order in which they refer to each other."""
