"""Samples of decisions for the training of networks: features, what a searcher thought of them, and what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from balance.contract.game import Game
from balance.contract.records import MAX_SEATS, blank
from balance.engine.buffers import NETWORK
from balance.engine.networks import ALIKE, SHORTLIST
from balance.foundation.compiling import compiled
from balance.foundation.streams import derive, draw_unit

if TYPE_CHECKING:
    from balance.engine.joined import (
        _share_chances,
        apply,
        begin,
        checkpoint,
        choose,
        count_actions,
        describe,
        estimate,
        finish,
        judge_position,
        list_best,
        nth_action,
        sample_choice,
        search,
    )

SAMPLE_STREAM = 224  # number of the stream that draws moves by visits
MOST_CHECKPOINTS = 256  # of a game, with a value


class SampleBuffers(NamedTuple):
    """Buffers for samples, and what they belong to."""

    samples: np.recarray  # see `decision_type`, (n,)
    values: np.ndarray  # float32 (games, MOST_CHECKPOINTS, MAX_SEATS): win chances at each checkpoint
    checkpoints: np.ndarray  # int64 (games,), how many of them are filled
    streams: np.ndarray  # uint64 (1,)
    used: np.ndarray  # int64 (1,): samples in use


def decision_type(game: Game) -> np.dtype:
    """Return the type of a sample: a decision with its shortlist."""
    scratch = game.records.scratch
    context, action = scratch["context"].shape[0], scratch["described"].shape[1]
    return np.dtype(
        [
            ("game", "i4"),  # its position among the jobs
            ("checkpoint", "i2"),  # values of the game known before the decision, less one
            ("seat", "i1"),
            ("strategy", "i1"),
            ("head", "i1"),
            ("count", "i1"),  # actions on the shortlist
            ("taken", "i1"),  # the index of the action taken; -1 if it is not on the shortlist
            ("visits", "f4", (SHORTLIST,)),  # of a searcher; zeros if none was asked
            ("context", "f4", (context,)),
            ("described", "f4", (SHORTLIST, action)),
        ],
        align=True,
    )


def make_sample_buffers(game: Game, games: int, samples: int) -> SampleBuffers:
    """Return buffers for `samples` decisions of `games` games."""
    return SampleBuffers(
        blank(samples + 1, decision_type(game)),  # the last one is overwritten when all others are used
        np.zeros((games, MOST_CHECKPOINTS, MAX_SEATS), np.float32),
        np.zeros(games, np.int64),
        np.zeros(1, np.uint64),
        np.zeros(1, np.int64),
    )


@compiled
def _note_features(sample, state, scratch, node, number):
    """Copy the features of a decision that `describe` has just described."""
    sample.seat = state.seat
    sample.strategy = number
    sample.head = scratch.head
    sample.count = node.count
    sample.taken = -1
    for i in range(sample.context.shape[0]):
        sample.context[i] = scratch.context[i]
    for i in range(SHORTLIST):
        sample.visits[i] = 0.0
        for feature in range(sample.described.shape[1]):
            sample.described[i, feature] = scratch.described[i, feature] if i < node.count else 0.0


@compiled
def _note_visits(sample, node, root):
    """Write how often a search tried each action of a shortlist."""
    for i in range(node.count):
        for j in range(root.count):
            if root.code[j] == node.code[i]:
                sample.visits[i] = root.tried[j]


@compiled
def _draw_by_visits(root, streams):
    """Return an action of the root, drawn with the share of its visits."""
    left = draw_unit(streams, 0) * root.visits
    for i in range(root.count):
        left -= root.tried[i]
        if left < 0:
            return root.code[i]
    return root.code[0]


def _judge_position(rules, room, kept, number, known, searcher):
    """Write the win chances of a position at a checkpoint."""
    thinking = room.thinking
    progress = estimate(rules, room.state[0], room.scratch[0])
    reward = thinking.desk[0].reward
    _share_chances(thinking.tables[searcher], rules.players, progress, room.scratch[0], reward)
    for p in range(rules.players):
        kept.values[number, known, p] = reward[p]


def _sample_choice(rules, room, kept, count, searcher, labels, drawn):
    """Note a choice among `count` actions in the first unused sample, and return the action that is taken."""
    state, scratch, thinking = room.state[0], room.scratch[0], room.thinking
    node, root = thinking.shortlist[0], thinking.nodes[0]
    bot = room.episode[0].numbers[state.seat]
    sample = kept.samples[kept.used[0]]
    code, noted = -1, False
    if labels:
        best = search(rules, room, searcher)
        list_best(rules, state, scratch, node, room.weights[searcher], SHORTLIST, ALIKE)
        describe(rules, state, scratch, node)
        _note_features(sample, state, scratch, node, bot)
        _note_visits(sample, node, root)
        noted = True
        if bot == searcher:
            code = _draw_by_visits(root, kept.streams) if draw_unit(kept.streams, 0) < drawn else best
        count_actions(rules, state, scratch)  # the search has overwritten its notes
    if code < 0:
        code = choose(rules, room, count)
    if not labels and room.strategies[bot].kind == NETWORK:
        _note_features(sample, state, scratch, node, bot)
        noted = True
    if noted and kept.used[0] < kept.samples.shape[0] - 1:
        for i in range(node.count):
            if node.code[i] == code:
                sample.taken = i
        kept.used[0] += 1
    return code


def _sample_each(rules, room, jobs, rows, kept, searcher, labels, drawn, limit):
    """Play `jobs` and sample their choices until the buffer is full.

    Parameters
    ----------
    kept : SampleBuffers
        Overwritten.
    searcher : int
        Number of the searcher whose value judges the checkpoints.
    labels : bool
        Whether it is also asked about every choice; else only choices of networks are sampled.
    drawn : float
        Share of its own moves that are drawn by visits.
    """
    state, log, scratch, episode = room.state[0], room.log[0], room.scratch[0], room.episode[0]
    episode.keep_rounds = 0
    episode.tracing = 0
    kept.used[0] = 0
    for number in range(jobs.shape[0]):
        begin(rules, room, jobs[number])
        kept.streams[0] = derive(jobs[number].seed, np.uint64(SAMPLE_STREAM))
        passed, known = -1, 0
        while state.over == 0 and episode.decisions < limit:
            if checkpoint(rules, state) > passed and known < kept.values.shape[1]:
                passed = checkpoint(rules, state)
                judge_position(rules, room, kept, number, known, searcher)
                known += 1
            count = count_actions(rules, state, scratch)
            if count == 1:
                code = nth_action(rules, state, scratch, 0)
            else:
                sample = kept.samples[kept.used[0]]
                sample.game = number
                sample.checkpoint = known - 1
                code = sample_choice(rules, room, kept, count, searcher, labels, drawn)
            apply(rules, state, log, scratch, code)
            episode.decisions += 1
        kept.checkpoints[number] = known
        finish(rules, room, jobs[number], rows, number)


JOINED = (_judge_position, _sample_choice, _sample_each)
"""The functions joined to a game for sampling, in the order in which they refer to each other."""
