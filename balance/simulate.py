"""The compiled loop, one for every game: set up; while not over: legal, choose, apply; write the row.

A game brings compiled functions and record types (see `balance.games.Game`); `Simulator` joins them
to the loop below. Strategies are records too, so that one compiled loop plays them all; a strategy
of kind `EXTERNAL` makes the loop stop and ask Python.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from balance.jit import compiled, compiled_entry
from balance.streams import derive, draw_below, draw_unit

if TYPE_CHECKING:
    from balance.games import Game

MAX_SEATS = 6
CHANCE = -1  # the seat of a chance outcome in the trace

RANDOM, GREEDY, EXTERNAL = range(3)
STRATEGY = np.dtype([("kind", "i4"), ("temperature", "f8")], align=True)

JOB = np.dtype(
    [("game_id", "i8"), ("deck_seed", "u8"), ("seed", "u8"), ("lineup", "i2", (MAX_SEATS,))],
    align=True,
)
TRACE = np.dtype(
    [
        ("game_id", "i8"),
        ("step", "i4"),
        ("code", "i4"),
        ("options", "i4"),
        ("round", "i2"),
        ("seat", "i1"),
    ],
    align=True,
)
GAME = [
    ("game_id", "i8"),
    ("deck_seed", "u8"),
    ("seed", "u8"),
    ("rounds", "i2"),
    ("decisions", "i4"),
    ("choices", "i4"),  # decisions with more than one option
    ("options", "f4"),  # mean number of options of the choices
    ("status", "i1"),
    ("winners", "i1"),
    ("margin", "f4"),
]
SEAT = [("seat", "i1"), ("strategy", "i2"), ("score", "f4"), ("rank", "i1"), ("win_share", "f4")]
STATUSES = ("finished", "draw", "truncated")
FINISHED, DRAW, TRUNCATED = range(3)


class Rows(NamedTuple):
    """Where rows are written; an empty `rounds` or `trace` means that none are kept."""

    games: np.recarray  # (n,)
    seats: np.recarray  # (n * players,)
    rounds: np.ndarray  # (n or 0, rounds, seats) of the game's ROUND_ROW
    trace: np.ndarray  # TRACE (m,)


class Work(NamedTuple):
    """Room for one worker to play in."""

    state: np.ndarray  # the game's STATE (1,)
    table: np.ndarray  # TABLE (1,), see `table_type`
    strategies: np.ndarray  # STRATEGY (k,)
    weights: np.ndarray  # the game's WEIGHTS (k,), read by the greedy strategies


def table_type(weights: np.dtype, most_actions: int) -> np.dtype:
    """Record of one game under way: who sits where, and the buffers of a decision.

    The buffers and weights are fields of the record, and not arrays beside it, because passing an
    array costs an atomic reference count at every decision (30 % of the time of a random game).
    """
    return np.dtype(
        [
            ("game_id", "i8"),
            ("decisions", "i4"),
            ("choices", "i4"),
            ("options", "i8"),
            ("step", "i4"),
            ("tracing", "i4"),
            ("trace_full", "i4"),
            ("trace_used", "i8"),
            ("streams", "u8", (MAX_SEATS,)),
            ("bots", STRATEGY, (MAX_SEATS,)),
            ("weights", weights, (MAX_SEATS,)),
            ("codes", "i4", (most_actions,)),
            ("values", "f8", (most_actions,)),
        ],
        align=True,
    )


# The functions with a leading underscore and no decorator call `setup`, `legal_actions`, `apply`,
# `evaluate` and `write_result` of a game, and each other, by names that `_join` binds.


@compiled
def _record(table, trace, state, seat, code, options):
    """Write a row of the trace, or note that there is no room."""
    if table.trace_used == trace.shape[0]:
        table.trace_full = 1
        return
    row = trace[table.trace_used]
    row.game_id = table.game_id
    row.step = table.step
    row.code = code
    row.options = options
    row.round = state.round_number
    row.seat = seat
    table.trace_used += 1
    table.step += 1


@compiled
def _record_news(table, trace, state):
    """Log the chance outcomes that the game has announced since the last decision."""
    for i in range(state.news_count):
        _record(table, trace, state, CHANCE, state.news[i], 0)


@compiled
def _best(values, count):
    best = 0
    for i in range(1, count):
        if values[i] > values[best]:
            best = i
    return best


def _choose(rules, state, table, count):
    """Index of the action that the seat's strategy takes, or -1 if Python must say.

    A temperature T > 0 draws actions with chances in proportion to exp(value / T), by adding
    Gumbel noise to the values.
    """
    seat = state.seat
    bot = table.bots[seat]
    if bot.kind == RANDOM:
        return draw_below(table.streams, seat, count)
    if bot.kind == EXTERNAL:
        return -1
    evaluate(rules, state, table.weights[seat], table.codes, count, table.values)
    if bot.temperature > 0:
        for i in range(count):
            noise = -np.log(-np.log(draw_unit(table.streams, seat) + 1e-300))
            table.values[i] += bot.temperature * noise
    return _best(table.values, count)


def _play_on(rules, state, table, trace, limit, answer):
    """Play until an external strategy must choose; returns its number of options, 0 at the end.

    `answer` >= 0 is the index that was chosen where the last call stopped.
    """
    while state.over == 0 and table.decisions < limit:
        if table.tracing:  # tested here: handing `trace` on costs an atomic count each time
            _record_news(table, trace, state)
        state.news_count = 0
        count = legal_actions(rules, state, table.codes)
        pick = 0
        if count > 1:
            pick = answer if answer >= 0 else choose(rules, state, table, count)
            if pick < 0:
                return count
            answer = -1
            table.choices += 1
            table.options += count
        code = table.codes[pick]
        if table.tracing:
            _record(table, trace, state, state.seat, code, count)
        table.decisions += 1
        apply(rules, state, code)
    if table.tracing:
        _record_news(table, trace, state)
    return 0


def _begin(rules, work, job):
    """Seat the strategies, seed their streams, deal the game."""
    table = work.table[0]
    table.game_id = job.game_id
    table.decisions = 0
    table.choices = 0
    table.options = 0
    table.step = 0
    for seat in range(rules.players):
        table.streams[seat] = derive(job.seed, np.uint64(seat))
        number = job.lineup[seat]
        table.bots[seat] = work.strategies[number]
        table.weights[seat] = work.weights[number]
    setup(rules, work.state[0], job.deck_seed)


def _finish(rules, work, job, rows, number):
    """Write the rows of game `number` of this call."""
    state = work.state[0]
    players = rules.players
    game = rows.games[number]
    seats = rows.seats[number * players : (number + 1) * players]
    write_result(rules, state, game, seats)
    winners = 0
    best, second = -np.inf, -np.inf
    for p in range(players):
        winners += seats[p].rank == 1
        score = seats[p].score
        if score > best:
            best, second = score, best
        elif score > second:
            second = score
    for p in range(players):
        seats[p].seat = p
        seats[p].strategy = job.lineup[p]
        seats[p].win_share = 1.0 / winners if seats[p].rank == 1 else 0.0
    game.game_id = job.game_id
    game.deck_seed = job.deck_seed
    game.seed = job.seed
    game.rounds = state.round_number
    table = work.table[0]
    game.decisions = table.decisions
    game.choices = table.choices
    game.options = table.options / table.choices if table.choices > 0 else 0.0
    game.status = FINISHED if state.over == 1 else (DRAW if state.over == 2 else TRUNCATED)
    game.winners = winners
    game.margin = best - second
    if rows.rounds.shape[0] > 0:
        for r in range(state.round_number):
            for p in range(players):
                rows.rounds[number, r, p] = state.history[r, p]


def _play_games(rules, work, jobs, rows, limit):
    """Play `jobs`, writing the rows of each; stops early where the trace has no more room.

    Returns
    -------
    int
        Games played whole; `work.table[0].trace_used` trace rows belong to them.
    """
    state = work.state[0]
    table = work.table[0]
    state.keep_rounds = rows.rounds.shape[0] > 0
    table.tracing = rows.trace.shape[0] > 0
    table.trace_used = 0
    table.trace_full = 0
    for number in range(jobs.shape[0]):
        trace_kept = table.trace_used
        begin(rules, work, jobs[number])
        play_on(rules, state, table, rows.trace, limit, -1)
        if table.trace_full:
            table.trace_used = trace_kept
            return number
        finish(rules, work, jobs[number], rows, number)
    return jobs.shape[0]


@cache
def _join(game: Game) -> dict[str, Any]:
    """Compile the loop for a game: its functions stand where the loop names them.

    A copy of each function gets the game's functions as globals. Closures would do the same, but
    Numba compiles a closure anew in every process, and this is found in its cache.
    """
    names = dict(globals())
    names.update(game.compiled_functions())
    for function in (_choose, _play_on, _begin, _finish, _play_games):
        public = function.__name__.removeprefix("_")
        copy = FunctionType(function.__code__, names, public)
        copy.__qualname__ = f"{public}_{game.name.replace('-', '_')}"
        copy.__module__ = __name__
        names[public] = compiled_entry(copy)
    return names


class Simulator:
    """A game's compiled loop, and room for one worker to play in.

    Parameters
    ----------
    game : Game
    """

    def __init__(self, game: Game) -> None:
        joined = _join(game)
        self.game = game
        self.begin = joined["begin"]
        self.play_on = joined["play_on"]
        self.finish = joined["finish"]
        self.play_games = joined["play_games"]
        dtypes = game.record_types()
        self.state_type, self.weights_type = dtypes.state, dtypes.weights
        self.table_type = table_type(dtypes.weights, dtypes.most_actions)
        self.game_type = np.dtype(GAME + _fields(dtypes.game_columns), align=True)
        self.seat_type = np.dtype(SEAT + _fields(dtypes.seat_columns), align=True)
        self.history_shape = dtypes.state["history"].shape
        self.round_type = dtypes.state["history"].base

    def room(self, strategies: np.ndarray, weights: np.ndarray) -> Work:
        """Fresh buffers for one worker that plays these strategies."""
        return Work(blank(1, self.state_type), blank(1, self.table_type), strategies, weights)

    def rows(self, games: int, players: int, keep_rounds: bool, trace: int) -> Rows:
        """Fresh rows for `games` games and `trace` trace rows."""
        history = (games if keep_rounds else 0, *self.history_shape)
        return Rows(
            blank(games, self.game_type),
            blank(games * players, self.seat_type),
            np.zeros(history, self.round_type),
            blank(trace, TRACE),
        )


def blank(count: int, dtype: np.dtype) -> np.recarray:
    """`count` zeroed records, their fields readable as attributes compiled or not."""
    return np.zeros(count, dtype).view(np.recarray)


def _fields(dtype: np.dtype) -> list[tuple[str, np.dtype]]:
    return [(name, dtype[name]) for name in dtype.names or ()]
