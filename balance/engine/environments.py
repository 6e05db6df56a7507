"""Games for learning agents: each plays on to the next decision of an external seat, and then describes it.

A worker plays several games side by side. The fields `state`, `log`, `log_start` and `episode` of its `Buffers` have a
record for each game (see `repeat_games`); everything else is shared. When a game ends, the next one begins at once.

The functions with a leading underscore and no decorator are joined to a game's, see `balance.engine.loop`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from balance.contract.records import MAX_SEATS, TRUNCATED, blank
from balance.engine.buffers import JOB, TRACE, Buffers, Rows
from balance.engine.code_table import find_slot, make_word, number_of
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import derive, draw_below

if TYPE_CHECKING:
    from balance.engine.joined import (
        advance,
        begin,
        context,
        describe_action,
        describe_options,
        describe_position,
        end_game,
        finish,
        legal_actions,
        list_options,
        play_on,
    )

WIN_SHARE, SCORE, RANK = range(3)  # rewards

SERIES = np.dtype(
    [
        ("stride", "i8"),  # between the numbers of games in one place; 0: there is no next game
        ("deals", "u8"),  # seed of the deals
        ("seeds", "u8"),  # seed of the seeds of bots
        ("limit", "i8"),  # most decisions of a game
        ("reward", "i4"),  # one of the rewards above
        ("unlisted", "i4"),  # code of a legal action that the space lacks; -1: none
    ],
    align=True,
)
SEARCHING = np.dtype([("deal", "u8"), ("streams", "u8", (MAX_SEATS,))], align=True)
"""What the searchers of a game keep from decision to decision."""


class Played(NamedTuple):
    """What a worker keeps of its n games between two steps."""

    series: np.recarray  # SERIES (1,)
    lineups: np.ndarray  # int16 (rotations, MAX_SEATS)
    jobs: np.recarray  # JOB (n,)
    searching: np.recarray  # SEARCHING (n,)
    codes: np.ndarray  # int64, from `table_of`
    options: np.ndarray  # int16 (n, actions): numbers of the legal actions, in their order
    counts: np.ndarray  # int32 (n,): how many
    listed: np.ndarray  # int32 (actions,): codes of the legal actions of the game described last
    rows: Rows  # the last finished game of each place
    trace: np.ndarray  # empty


class Seen(NamedTuple):
    """What agents get of n games: written by each step."""

    observation: np.ndarray  # float32 (n, features), of the seat to choose
    mask: np.ndarray  # uint8 (n, actions)
    seat: np.ndarray  # int8 (n,)
    reward: np.ndarray  # float32 (n, players), of the game that ended in this step, otherwise 0
    done: np.ndarray  # uint8 (n,): whether a game ended
    truncated: np.ndarray  # uint8 (n,): whether it reached the limit of decisions
    option: np.ndarray  # int16 (n, most described): first legal actions; -1 after the last
    option_features: np.ndarray  # float32 (n, most described, features)


def table_of(codes: dict[int, int]) -> np.ndarray:
    """Return the table of the numbers of actions, see `balance.engine.code_table`."""
    words = np.zeros(1 << (4 * len(codes)).bit_length(), np.int64)
    for code, number in codes.items():
        words[find_slot(words, code)] = make_word(code, number)
    return words


def make_played(n: int, actions: int, lineups: np.ndarray, codes: np.ndarray, rows: Rows) -> Played:
    """Return the buffers of n games with an action space of this size."""
    series = blank(1, SERIES)
    series.unlisted = -1
    games = blank(n, JOB), blank(n, SEARCHING)
    options, counts, listed = np.zeros((n, actions), "i2"), np.zeros(n, "i4"), np.zeros(actions, "i4")
    return Played(series, lineups, *games, codes, options, counts, listed, rows, blank(0, TRACE))


def repeat_games(room: Buffers, n: int) -> Buffers:
    """Return buffers for n games, each with the records of the one game of `room`; the rest is shared."""
    state, log, episode = (np.repeat(each, n).view(np.recarray) for each in (room.state, room.log, room.episode))
    kind = room.log_start.dtype  # a view of the log without its entries, see `without_entries`
    start: np.recarray = np.ndarray((n,), kind, log, strides=log.strides).view(np.recarray)
    return room._replace(state=state, log=log, log_start=start, episode=episode)


@compiled
def _room_of(rooms, place):
    """Return the buffers of one game of a worker."""
    one = slice(place, place + 1)
    return Buffers(
        rooms.state[one], rooms.log[one], rooms.scratch, rooms.log_start[one], rooms.episode[one],
        rooms.strategies, rooms.weights, rooms.thinking, rooms.known_codes,
    )  # fmt: skip


@compiled
def _write_job(played, place, number):
    """Write the job of game `number`: its deal, seed and line-up are those of the same game of `balance run`."""
    job, series = played.jobs[place], played.series[0]
    rotations = played.lineups.shape[0]
    job.game_id = number
    job.deal_seed = derive(series.deals, np.uint64(number // rotations))
    job.seed = derive(series.seeds, np.uint64(number))
    for seat in range(MAX_SEATS):
        job.lineup[seat] = played.lineups[number % rotations, seat]


@compiled
def _lend_search(desk, searching):
    """Let the searchers of a game continue."""
    desk.deal = searching.deal
    for seat in range(MAX_SEATS):
        desk.streams[seat] = searching.streams[seat]


@compiled
def _keep_search(desk, searching):
    searching.deal = desk.deal
    for seat in range(MAX_SEATS):
        searching.streams[seat] = desk.streams[seat]


# A row such as `mask[place]` would cost atomic counts in each step; so rows are indexed with their place.


def _list_options(rules, room, played, place, mask):
    """Write the legal actions as numbers and as a mask."""
    state, scratch = room.state[0], room.scratch[0]
    count = legal_actions(rules, state, scratch, scratch.codes)
    for number in range(mask.shape[1]):
        mask[place, number] = 0
    for i in range(count):
        code = scratch.codes[i]
        number = number_of(played.codes, code)
        if number < 0:  # an error follows; more options than names would not fit
            played.series[0].unlisted = code
            count = i
            break
        played.options[place, i] = number
        mask[place, number] = 1
        played.listed[i] = code
    played.counts[place] = count


def _describe_position(rules, state, scratch, rows, place):
    """Write the features of the position, then the kind of decision and the seat to choose as 0 and 1."""
    features, width = scratch.context.shape[0], rows.shape[1]
    for i in range(features):
        scratch.context[i] = 0.0
    head = context(rules, state, scratch)
    for i in range(features):
        rows[place, i] = scratch.context[i]
    for i in range(features, width):
        rows[place, i] = 0.0
    rows[place, features + head] = 1.0
    rows[place, width - rules.players + state.seat] = 1.0


def _describe_options(rules, state, scratch, played, place, option, rows):
    """Write numbers and features of the first legal actions, right after the position was described."""
    row, skipped = scratch.described[0], scratch.described.shape[1] - rows.shape[2]
    for i in range(rows.shape[1]):
        if i >= played.counts[place]:
            option[place, i] = -1
            continue
        for feature in range(row.shape[0]):
            row[feature] = 0.0
        option[place, i] = played.options[place, i]
        describe_action(rules, state, scratch, played.listed[i], row)
        for feature in range(rows.shape[2]):
            rows[place, i, feature] = row[skipped + feature]


@compiled
def _write_reward(series, seats, players, reward):
    """Write the reward of each seat for a finished game."""
    for seat in range(players):
        row = seats[seat]
        if series.reward == WIN_SHARE:
            reward[seat] = row.win_share
        elif series.reward == SCORE:
            reward[seat] = row.score
        else:
            reward[seat] = (players - row.rank) / (players - 1.0)


def _end_game(rules, room, played, place, seen):
    """Write the rows and rewards of a game that has ended; a truncated one has no winner."""
    finish(rules, room, played.jobs[place], played.rows, place)
    seen.done[place] = 1
    if played.rows.games[place].status == TRUNCATED:
        seen.truncated[place] = 1
        return
    first = place * rules.players
    seats = played.rows.seats[first : first + rules.players]
    _write_reward(played.series[0], seats, rules.players, seen.reward[place])


def _advance(rules, room, played, place, answer, seen):
    """Play a game on to the next decision of an agent, and describe it; where a game ends, begin the next one.

    Without a next one, the buffers keep the description of the last decision.
    """
    desk, searching = room.thinking.desk[0], played.searching[place]
    _lend_search(desk, searching)
    while play_on(rules, room, played.trace, played.series[0].limit, answer) == 0:
        end_game(rules, room, played, place, seen)
        if played.series[0].stride == 0:
            return
        _write_job(played, place, played.jobs[place].game_id + played.series[0].stride)
        begin(rules, room, played.jobs[place])
        answer = -1
    _keep_search(desk, searching)
    seen.seat[place] = room.state[0].seat
    list_options(rules, room, played, place, seen.mask)
    state, scratch = room.state[0], room.scratch[0]
    describe_position(rules, state, scratch, seen.observation, place)
    if seen.option.shape[1] > 0:
        describe_options(rules, state, scratch, played, place, seen.option, seen.option_features)


@compiled
def _clear_result(seen, place):
    seen.done[place] = 0
    seen.truncated[place] = 0
    for seat in range(seen.reward.shape[1]):
        seen.reward[place, seat] = 0.0


def _start_games(rules, rooms, played, numbers):
    """Begin games `numbers`; the next step, with -1 as answers, describes the first decision of each."""
    for place in range(numbers.shape[0]):
        room = _room_of(rooms, place)
        _write_job(played, place, numbers[place])
        begin(rules, room, played.jobs[place])
        _keep_search(room.thinking.desk[0], played.searching[place])


def _step_games(rules, rooms, played, answers, seen):
    """Carry out the legal action with index ``answers[place]`` in each game, and describe its next decision.

    An answer of -1 carries out nothing, at the start of a game.
    """
    for place in range(answers.shape[0]):
        _clear_result(seen, place)
        advance(rules, _room_of(rooms, place), played, place, answers[place], seen)


@compiled_entry
def find_answers(options, counts, actions, answers):
    """Write the index of each action among the legal ones, -1 for an illegal action; return how many are illegal."""
    illegal = 0
    for place in range(actions.shape[0]):
        index, count = 0, counts[place]
        while index < count and options[place, index] != actions[place]:
            index += 1
        answers[place] = index if index < count else -1
        illegal += index == count
    return illegal


@compiled_entry
def draw_actions(states, episodes, played, actions):
    """Write a random legal action of each game, drawn as the strategy `random` draws it."""
    for place in range(actions.shape[0]):
        pick = draw_below(episodes[place].streams, states[place].seat, played.counts[place])
        actions[place] = played.options[place, pick]


MERGED = (_list_options, _describe_position, _describe_options, _end_game, _advance)
"""Functions whose code is part of `_step_games`: passing their arrays took a quarter of its time."""
JOINED = (*MERGED, _start_games, _step_games)
"""The functions joined to a game, in the order in which they refer to each other."""
