"""Decisions of a game judged by a searcher: what its best choice, its second and the one made are worth.

The searcher names its best and second best; what they are worth is found apart from that, by playouts that all three
share deal for deal, so that what was chosen as the best is not taken at the value that made it look so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.compiling.jit import compiled
from balance.compiling.streams import derive, draw_below
from balance.contract.game import Game
from balance.contract.records import blank

JUDGE_STREAM = 192  # the number of a game's stream from which the judge draws
MADE, BEST, SECOND = range(3)

DECISION = np.dtype(
    [
        ("game", "i4"),  # its place among the jobs
        ("number", "i4"),  # decisions before it in the game
        ("decisions", "i4"),  # of the whole game
        ("seat", "i1"),
        ("code", "i4"),  # of the action that was taken
        ("agreed", "i1"),  # whether it is the searcher's best
        ("lost", "f4"),  # win chance: that of the best less that of the action taken
        ("gap", "f4"),  # that of the best less that of the second best; nan where it saw no second
        ("gap_error", "f4"),  # standard error of the gap
    ],
    align=True,
)


class Bench(NamedTuple):
    """What a judge works with, and what it notes."""

    states: np.recarray  # (3,): before the decision, after it, a deal
    codes: np.ndarray  # int64 (3,): MADE, BEST, SECOND
    worth: np.ndarray  # float64 (3, playouts)
    streams: np.ndarray  # uint64 (1,)
    decisions: np.recarray  # DECISION (n,)
    used: np.ndarray  # int64 (1,): decisions in use


def make_bench(game: Game, playouts: int, decisions: int) -> Bench:
    """Room for so many playouts of each action and so many decisions."""
    return Bench(
        blank(3, game.records.state),
        np.zeros(3, np.int64),
        np.zeros((3, playouts)),
        np.zeros(1, np.uint64),
        blank(decisions, DECISION),
        np.zeros(1, np.int64),
    )


# As in `balance.engine.loop`, functions with a leading underscore and no decorator are joined to a game's.


@compiled
def _second_best(node, best):
    """The code of the action that was tried most beside the best; -1 where there is none."""
    found, key = -1, 0.0
    for i in range(node.count):
        if node.code[i] != best and node.tried[i] > 0:
            worth = node.tried[i] + 0.5 * node.won[i] / node.tried[i]
            if worth > key:
                found, key = node.code[i], worth
    return found


def _weigh(rules, room, bench, judge_number):
    """Fill `bench.worth` with the win chance of the seat after each of `bench.codes`, on deals that they share."""
    thinking, scratch = room.thinking, room.scratch[0]
    seat = room.state[0].seat
    horizon = thinking.searchers[judge_number].horizon
    goal = checkpoint(rules, room.state[0]) + horizon if horizon > 0 else 1 << 30
    thinking.known[0] = room.state[0]
    conceal(rules, thinking.known[0], scratch)
    for sample in range(bench.worth.shape[1]):
        bench.states[2] = thinking.known[0]
        redeal(rules, bench.states[2], scratch, bench.streams, 0)
        for which in range(3):
            if bench.codes[which] < 0:
                continue
            thinking.state[0] = bench.states[2]
            thinking.log[0].news_count = 0
            apply(rules, thinking.state[0], thinking.log[0], scratch, bench.codes[which])
            play_out(rules, scratch, thinking, judge_number, goal)
            judge(rules, scratch, thinking, judge_number)
            bench.worth[which, sample] = thinking.desk[0].reward[seat]


@compiled
def _note(bench, decision):
    """What the shared deals say of a decision; the same action twice is worth the same."""
    count = bench.worth.shape[1]
    lost, gap, squares = 0.0, 0.0, 0.0
    for sample in range(count):
        lost += bench.worth[BEST, sample] - bench.worth[MADE, sample]
        difference = bench.worth[BEST, sample] - bench.worth[SECOND, sample]
        gap += difference
        squares += difference * difference
    decision.agreed = bench.codes[MADE] == bench.codes[BEST]
    decision.lost = lost / count
    decision.gap = gap / count if bench.codes[SECOND] >= 0 else np.nan
    decision.gap_error = np.sqrt(max(0.0, squares - gap * gap / count) / (count - 1) / count)


def _judge_one(rules, room, trace, bench, judge_number, decision, limit):
    """Let the bot decide, have the judge decide where it stood, and note both; the game goes on as it did."""
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
    weigh(rules, room, bench, judge_number)
    decision.seat = seat
    decision.code = trace[0].code
    _note(bench, decision)
    room.state[0] = bench.states[1]


def _judge_each(rules, room, jobs, rows, bench, judge_number, every, limit):
    """Play `jobs`, judging one in `every` of their choices by lot; `bench.used` says how many."""
    state, log, episode = room.state[0], room.log[0], room.episode[0]
    log.keep_rounds = 0
    log.keep_news = 0
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


JOINED = (_weigh, _judge_one, _judge_each)
"""What is joined to a game that is searched, in the order in which they name each other."""
