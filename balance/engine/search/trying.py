"""Look at games while they are played: who chooses, positions after each round, and what other options would do.

An option is tried by dealing again: how far does it move the position at the end of the round? Both options continue
with the strategies of the game, on two deals of all that the seat to choose can't see, which they share. What a choice
does on one deal is thus known apart from what it does on the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from balance.contract.game import Game
from balance.contract.records import MAX_SEATS, blank
from balance.engine.buffers import Buffers, count_winners, sample_type
from balance.engine.giving import Kept, load_game, make_kept, save_game
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
        estimate,
        finish,
        nth_action,
        play_on,
        try_once,
        try_to_end,
        write_result,
    )

LOOK_STREAM = 160  # number of the stream that draws choices, options and deals
DEALS = OPTIONS = 2
TAKEN, OTHER = range(OPTIONS)


def trial_type(features: int) -> np.dtype:
    """Return the type of a tried choice: the ends of the round by deal and option (`TAKEN`, `OTHER`)."""
    ends = (DEALS, OPTIONS)
    return np.dtype(
        [
            ("game", "i4"),  # its position among the jobs
            ("seat", "i1"),  # that chooses
            ("first", "i1"),  # whether the choice is the first of its round
            ("step", "i4", ends),  # rounds begun
            ("over", "i1", ends),  # whether the game ended
            ("progress", "f4", ends),
            ("won", "f4", (*ends, MAX_SEATS)),  # win shares, if the game ended
            ("position", "f8", (*ends, MAX_SEATS, max(1, features))),  # features, if it did not
        ],
        align=True,
    )


CHOICE = np.dtype([("game", "i4"), ("seat", "i1")])
"""A choice; those that people make together with the one before are left out."""


class Room(NamedTuple):
    """How many choices, positions and tried choices there is room for; of 0, none are kept."""

    choices: int
    positions: int
    trials: int


class LookBuffers(NamedTuple):
    """A saved game, and what was seen; the first `used` entries of each are in use."""

    kept: Kept
    choices: np.recarray  # CHOICE (n,)
    positions: np.recarray  # see `balance.engine.buffers.sample_type`, (n,)
    trials: np.recarray  # see `trial_type`, (n,)
    used: np.recarray  # (1,), see `Room`
    streams: np.ndarray  # uint64 (2,): of the game, of a deal


def make_look_buffers(game: Game, room: Buffers, most: Room) -> LookBuffers:
    """Return buffers for games that are played in `room`."""
    features = len(game.position)
    return LookBuffers(
        make_kept(game, room),
        blank(most.choices, CHOICE),
        blank(most.positions, sample_type(features)),
        blank(most.trials, trial_type(features)),
        blank(1, np.dtype([(name, "i8") for name in Room._fields])),
        np.zeros(2, np.uint64),
    )


def what_was_seen(bench: LookBuffers) -> tuple[Any, Any, Any]:
    """Return choices, positions and tried choices, without the rest of the buffers."""
    used = bench.used[0]
    return bench.choices[: used.choices], bench.positions[: used.positions], bench.trials[: used.trials]


# As in `balance.engine.loop`, functions with a leading underscore and no decorator are joined to a game's.


def _try_to_end(rules, room, rows, bench, trial, deal, option, code, limit):
    """Deal again, take an option, play to the end of the round, and note the position."""
    state, scratch, episode, desk = (room.state[0], room.scratch[0], room.episode[0], room.thinking.desk[0])
    kept = bench.kept
    load_game(room, kept)
    word = derive(bench.streams[0], np.uint64(deal))
    bench.streams[1] = word
    for p in range(rules.players):
        episode.streams[p] = derive(word, np.uint64(p))
        desk.streams[p] = derive(word, np.uint64(MAX_SEATS + p))
    conceal(rules, state, scratch)
    determinize(rules, state, scratch, bench.streams, 1)
    begun = checkpoint(rules, state)
    apply(rules, state, room.log[0], scratch, code)
    episode.decisions += 1
    while state.over == 0 and episode.decisions < limit and checkpoint(rules, state) == begun:
        play_on(rules, room, rows.trace, episode.decisions + 1, -1)
    trial.over[deal, option] = state.over != 0
    trial.step[deal, option] = checkpoint(rules, state)
    if state.over:
        write_result(rules, state, room.log[0], scratch, kept.game[0], kept.seats)
        count_winners(kept.seats, rules.players)
        for p in range(rules.players):
            trial.won[deal, option, p] = kept.seats[p].win_share
        return
    trial.progress[deal, option] = estimate(rules, state, scratch)
    for p in range(rules.players):
        for feature in range(trial.position.shape[3]):
            trial.position[deal, option, p, feature] = scratch.position[p, feature]


def _try_once(rules, room, rows, bench, trial, limit):
    """Try the option that the strategy takes and another one, drawn at random; the game continues unchanged."""
    state, scratch, episode = room.state[0], room.scratch[0], room.episode[0]
    kept = bench.kept
    save_game(room, kept)
    episode.tracing = 1
    episode.trace_used = 0
    play_on(rules, room, rows.trace, episode.decisions + 1, -1)
    taken = rows.trace[0].code
    load_game(room, kept)
    count = count_actions(rules, state, scratch)
    other = nth_action(rules, state, scratch, draw_below(bench.streams, 0, count - 1))
    if other == taken:
        other = nth_action(rules, state, scratch, count - 1)
    for deal in range(DEALS):
        try_to_end(rules, room, rows, bench, trial, deal, TAKEN, taken, limit)
        try_to_end(rules, room, rows, bench, trial, deal, OTHER, other, limit)
    load_game(room, kept)


@compiled
def _is_full(room, used):
    """Return whether there is a buffer of this size, without room for another entry."""
    return room > 0 and used == room


def _look_each(rules, room, jobs, rows, bench, tried, every, limit):
    """Play `jobs`, and note choices and positions after each round; return the number of games played.

    In the first `tried` games the first choice of each round is tried, and one in `every` of the others, drawn at
    random. It stops early if the buffers are full.
    """
    state, episode, used = room.state[0], room.episode[0], bench.used[0]
    samples = bench.positions.shape[0]
    episode.keep_rounds = rows.rounds.shape[0] > 0
    episode.tracing = 0
    for number in range(jobs.shape[0]):
        begin(rules, room, jobs[number])
        bench.streams[0] = derive(jobs[number].seed, np.uint64(LOOK_STREAM))
        begun, passed = -1, checkpoint(rules, state)
        while state.over == 0 and episode.decisions < limit:
            full = _is_full(samples, used.positions) or _is_full(bench.trials.shape[0], used.trials)
            if full or _is_full(bench.choices.shape[0], used.choices):
                return number
            seat, blocks = state.seat, episode.choice_blocks
            if number < tried and count_actions(rules, state, room.scratch[0]) > 1:
                first = checkpoint(rules, state) != begun
                begun = checkpoint(rules, state)
                drawn = draw_below(bench.streams, 0, every) == 0
                if first or drawn:
                    trial = bench.trials[used.trials]
                    trial.game = number
                    trial.seat = seat
                    trial.first = first
                    try_once(rules, room, rows, bench, trial, limit)
                    used.trials += 1
            play_on(rules, room, rows.trace, episode.decisions + 1, -1)
            if episode.choice_blocks > blocks and bench.choices.shape[0] > 0:
                bench.choices[used.choices].game = number
                bench.choices[used.choices].seat = seat
                used.choices += 1
            if samples > 0 and state.over == 0 and checkpoint(rules, state) > passed:
                passed = checkpoint(rules, state)
                position = bench.positions[used.positions]
                position.progress = estimate(rules, state, room.scratch[0])
                position.game = number
                for p in range(rules.players):
                    position.position[p] = room.scratch[0].position[p]
                used.positions += 1
        finish(rules, room, jobs[number], rows, number)
    return jobs.shape[0]


JOINED = (_try_to_end, _try_once, _look_each)
"""The functions joined to a game that is looked at, in the order in which they refer to each other."""
