"""The compiled loop for every game: set up; until the game is over, count, choose and apply; write the row.

A game provides compiled functions and record types (see `balance.contract`); `Simulator` joins them to the loop below.
Strategies are records too, so one compiled loop plays all of them. For a strategy of kind `EXTERNAL` the loop stops and
Python chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.contract.defaults import first_best
from balance.contract.records import (
    CHANCE,
    DRAW,
    FINISHED,
    MOST_PARTS,
    TRUNCATED,
    blank,
    initial_record,
    without_entries,
)
from balance.engine import environments, giving, networks, restricting, sampling
from balance.engine.buffers import (
    EXTERNAL,
    JOB,
    NETWORK,
    RANDOM,
    SEARCH,
    STRATEGY,
    TRACE,
    Buffers,
    Rows,
    Searchers,
    count_winners,
    episode_type,
    make_search_buffers,
)
from balance.engine.restricting import UNKNOWN, Classify, KnownCodes
from balance.engine.search import ismcts, judging, trying
from balance.foundation.compiling import compiled, compiled_copy
from balance.foundation.streams import add_noise, derive, draw_below

if TYPE_CHECKING:
    from balance.contract.game import Game
    from balance.engine.joined import (
        apply,
        ask_network,
        begin,
        best_action,
        choice_block,
        choose,
        choose_restricted,
        count_actions,
        draw_action,
        evaluate,
        finish,
        legal_actions,
        network_of,
        nth_action,
        play_on,
        search,
        setup,
        weigh_actions,
        write_result,
    )

SEARCH_STREAMS = 64  # number of the first stream for searchers

# The functions with a leading underscore and no decorator call `setup`, `legal_actions`, `evaluate`, `apply`,
# `choice_block` and `write_result` of a game, and each other, by names that `join` binds. A game may define its own
# `count_actions`, `nth_action` and `best_action`, which need no list of the actions.


def _count_actions(rules, state, scratch):
    return legal_actions(rules, state, scratch, scratch.codes)


def _nth_action(rules, state, scratch, n):
    return scratch.codes[n]


def _best_action(rules, state, scratch, weights, count):
    evaluate(rules, state, scratch, weights, scratch.codes, count, scratch.values)
    return scratch.codes[first_best(scratch.values, count)]


def _draw_action(rules, state, scratch, episode, temperature):
    """Draw an action with probability proportional to exp(value / temperature)."""
    seat = state.seat
    values = scratch.values
    count = legal_actions(rules, state, scratch, scratch.codes)
    evaluate(rules, state, scratch, episode.weights[seat], scratch.codes, count, values)
    add_noise(values, count, temperature, episode.streams, seat)
    return scratch.codes[first_best(values, count)]


def _weigh_actions(rules, state, scratch, episode, count):
    """Return the action of the seat's profile among `count`, right after they were counted."""
    seat = state.seat
    temperature = episode.bots[seat].temperature
    if temperature > 0:
        return draw_action(rules, state, scratch, episode, temperature)
    return best_action(rules, state, scratch, episode.weights[seat], count)


def _choose(rules, room, count):
    """Return the action of the seat's strategy among `count`, right after they were counted."""
    state, scratch, episode = room.state[0], room.scratch[0], room.episode[0]
    kind, number = episode.bots[state.seat].kind, episode.numbers[state.seat]
    if kind == RANDOM:
        pick = draw_below(episode.streams, state.seat, count)
        return nth_action(rules, state, scratch, pick)
    if kind == SEARCH:
        return search(rules, room, number)
    if kind == NETWORK:
        node, net = room.thinking.shortlist[0], network_of(room.thinking, number)
        return ask_network(rules, state, scratch, episode, node, room.weights[number], net)
    return weigh_actions(rules, state, scratch, episode, count)


@compiled
def _record(episode, trace, round_number, seat, code, options):
    """Write a row of the trace and return whether there was room for it."""
    if episode.trace_used == trace.shape[0]:
        episode.trace_full = 1
        return False
    row = trace[episode.trace_used]
    row.game_id = episode.game_id
    row.step = episode.step
    row.code = code
    row.options = options
    row.round = round_number
    row.seat = seat
    episode.trace_used += 1
    episode.step += 1
    return True


@compiled
def _record_entries(episode, trace, log):
    """Write the chance outcomes and outcomes recorded since the last decision."""
    for i in range(log.entry_count):
        entry = log.entries[i]
        if _record(episode, trace, entry.round_number, CHANCE, entry.code, 0) and entry.code < 0:
            row = trace[episode.trace_used - 1]
            for part in range(MOST_PARTS):
                row.parts[part] = entry.parts[part]
    log.entry_count = 0


@compiled
def _count_block(episode, seat, block, options):
    """Count a choice; consecutive choices that a seat makes together count once."""
    if block < 0 or block != episode.block or seat != episode.block_seat:
        episode.block = block
        episode.block_seat = seat
        episode.block_counted = 0
    if options > 1 and episode.block_counted == 0:
        episode.choice_blocks += 1
        episode.block_counted = 1


def _play_on(rules, room, trace, limit, answer):
    """Play until an external strategy must choose; return its number of options, 0 at the end.

    `answer` >= 0 is the chosen index for the decision at which the last call stopped. `UNKNOWN` is returned if a
    restricted seat meets unknown actions; the next call continues there.
    """
    state, log, scratch = room.state[0], room.log[0], room.scratch[0]
    episode = room.episode[0]
    while state.over == 0 and episode.decisions < limit:
        if episode.tracing:  # tested here, because passing `trace` costs an atomic count
            _record_entries(episode, trace, log)
        count = count_actions(rules, state, scratch)
        pick = 0
        if count > 1:
            pick, answer = answer, -1
            if pick < 0 and episode.bots[state.seat].kind == EXTERNAL:
                return count
        if episode.bots[state.seat].restriction:
            code = choose_restricted(rules, room)
            if code == UNKNOWN:
                return UNKNOWN
        elif pick >= 0:
            code = nth_action(rules, state, scratch, pick)
        else:
            code = choose(rules, room, count)
        if count > 1:
            episode.choices += 1
            episode.options += count
        if episode.tracing:
            _record(episode, trace, state.round_number, state.seat, code, count)
        _count_block(episode, state.seat, choice_block(code), count)
        episode.decisions += 1
        apply(rules, state, log, scratch, code)
    if episode.tracing:
        _record_entries(episode, trace, log)
    return 0


@compiled
def _seed_chance(state, job):
    """Seed a stream for each source of chance: the deal's, or another deal's for the re-seeded source."""
    for source in range(state.chance.shape[0]):
        seed = job.other_seed if job.reseeded == source + 1 else job.deal_seed
        state.chance[source] = derive(seed, np.uint64(source))


def _begin(rules, room, job):
    """Seat the strategies, seed their streams and those of chance, and deal the game."""
    episode = room.episode[0]
    episode.game_id = job.game_id
    episode.decisions = 0
    episode.choices = 0
    episode.choice_blocks = 0
    episode.block = -1
    episode.options = 0
    episode.step = 0
    room.thinking.desk[0].deal = job.deal_seed
    for seat in range(rules.players):
        episode.streams[seat] = derive(job.seed, np.uint64(seat))
        number = job.lineup[seat]
        episode.numbers[seat] = number
        episode.restricted[seat] = 0
        room.thinking.desk[0].streams[seat] = derive(job.seed, np.uint64(SEARCH_STREAMS + seat))
        episode.bots[seat] = room.strategies[number]
        episode.weights[seat] = room.weights[number]
    state, log = room.state[0], room.log[0]
    room.state[0] = episode.first_state
    room.log_start[0] = episode.first_log
    log.keep_rounds = episode.keep_rounds
    log.keep_chance = log.keep_outcomes = episode.tracing
    _seed_chance(state, job)
    setup(rules, state, log, room.scratch[0])


@compiled
def _share_wins(job, seats, players, game):
    """Fill the result columns that every game has: strategies by seat, win shares, the margin."""
    best, second = -np.inf, -np.inf
    for p in range(players):
        score = seats[p].score
        if score > best:
            best, second = score, best
        elif score > second:
            second = score
    for p in range(players):
        seats[p].seat = p
        seats[p].strategy = job.lineup[p]
    game.winners = count_winners(seats, players)
    game.margin = best - second


def _finish(rules, room, job, rows, number):
    """Write the rows of game `number` of this call."""
    state, log = room.state[0], room.log[0]
    episode = room.episode[0]
    players = rules.players
    game = rows.games[number]
    seats = rows.seats[number * players : (number + 1) * players]
    rows.games[number] = log.game
    for p in range(players):
        rows.seats[number * players + p] = log.seats[p]
    write_result(rules, state, log, room.scratch[0], game, seats)
    _share_wins(job, seats, players, game)
    game.game_id = job.game_id
    game.deal_seed = job.deal_seed
    game.seed = job.seed
    game.rounds = state.round_number
    game.decisions = episode.decisions
    game.choices = episode.choices
    game.choice_blocks = episode.choice_blocks
    game.options = episode.options / episode.choices if episode.choices > 0 else 0.0
    game.status = FINISHED if state.over == 1 else (DRAW if state.over == 2 else TRUNCATED)
    if rows.rounds.shape[0] > 0:
        finished = state.round_number - (game.status == TRUNCATED)  # the last one was truncated
        for r in range(finished):
            for p in range(players):
                rows.rounds[number, r, p] = log.history[r, p]


def _play_games(rules, room, jobs, rows, first, limit):
    """Play `jobs` from number `first` on, writing the rows of each; return the number of finished games.

    The trace is `room.episode[0].trace_used` rows of these games. Playing stops early if the trace is full. It also
    stops if a restricted seat meets unknown actions: then `room.episode[0].unknown` is their number, and the next
    call, with `first` as returned, continues with that decision.
    """
    episode = room.episode[0]
    episode.keep_rounds = rows.rounds.shape[0] > 0
    episode.tracing = rows.trace.shape[0] > 0
    if not episode.unknown:
        episode.trace_used = 0
        episode.trace_full = 0
    for number in range(first, jobs.shape[0]):
        if not episode.unknown:
            episode.trace_kept = episode.trace_used
            begin(rules, room, jobs[number])
        episode.unknown = 0
        if play_on(rules, room, rows.trace, limit, -1) == UNKNOWN:
            return number
        if episode.trace_full:
            episode.trace_used = episode.trace_kept
            return number
        finish(rules, room, jobs[number], rows, number)
    return jobs.shape[0]


PLAIN, NETWORKS, SEARCHES = range(3)
"""What the strategies of a loop need to have compiled: neither networks nor searches; networks; both."""
_SUFFIXES = ("", "_networks", "_searching")


def _name_for(game: Game, function: str, level: int, restricts: bool) -> str:
    """Return the name of a function's copy for one game."""
    return f"{function}_{game.name.replace('-', '_')}{_SUFFIXES[level]}{'_restricted' * restricts}"


@compiled
def _choose_nothing(rules, room, number):
    """Replace a search that no strategy uses, so that it need not be compiled."""
    return -1


@compiled
def _ask_nothing(rules, state, scratch, episode, node, weights, net):
    """Replace a network that no strategy uses."""
    return -1


@compiled
def _choose_no_network(rules, room, number, restriction, count):
    """Replace a restricted network that no strategy uses."""
    return -1


@compiled
def _choose_unrestricted(rules, room):
    """Replace the choice of a restricted seat in a loop without restrictions."""
    room.episode[0].unknown = 1  # Python refuses to learn it
    return UNKNOWN


@compiled
def _score_nothing(rules, state, scratch, node, net):
    """Replace the scores of a network for a game without features for networks."""


@compiled
def _follow_nothing(rules, state, scratch, node, weights, net):
    """Replace the playouts of a network for a game without features for networks."""
    return -1


_STUBS = {
    "search": _choose_nothing,
    "ask_network": _ask_nothing,
    "ask_network_free": _choose_no_network,
    "choose_restricted": _choose_unrestricted,
    "score": _score_nothing,
    "follow_network": _follow_nothing,
}
_CHOOSING = (_count_actions, _nth_action, _best_action, _draw_action, _weigh_actions)
# Into loops over games, and into the search.
_MERGED = (
    *(networks._network_of, _begin, _choose, _play_on, _finish, giving._give_once),
    *(*ismcts.STEPS, *environments.MERGED),
)


def _order(game: Game, level: int, restricts: bool) -> tuple[Callable[..., Any], ...]:
    """Return the functions that a level adds to those below it, in the order in which they refer to each other.

    The loop, which asks all kinds of strategies, is added again at each level.
    """
    free, restricted = (restricting.SHARED, restricting.JOINED) if restricts else ((), ())
    gives = giving.JOINED if game.component_functions else ()
    agents = environments.JOINED if game.network_functions else ()
    loop = (_choose, *restricted, _play_on, _play_games, *gives, *agents)
    if level == PLAIN:
        return (*_CHOOSING, networks._network_of, *free, _begin, _finish, *loop)
    nets, samples = (networks.JOINED, sampling.JOINED) if game.network_functions else ((), ())
    if level == NETWORKS:
        return (networks._list_best, *nets, *loop)
    return (*ismcts.JOINED, *loop, *judging.JOINED, *trying.JOINED, *samples)


@cache
def join(game: Game, level: int, restricts: bool = False) -> dict[str, Any]:
    """Compile the loop for a game: a copy of each function gets the game's functions as globals.

    Only with `restricts` it has what restricted seats need, an eighth of its code.
    """
    names: dict[str, Any] = {}
    if level == PLAIN:
        for part in (networks, restricting, ismcts, giving, judging, trying, sampling, environments):
            names.update(vars(part))
        names.update({**globals(), **game.compiled_functions, **game.component_functions, **_STUBS})
        names.update(game.network_functions)
    else:
        names.update({**join(game, level - 1, restricts), **game.search_functions})
    source = game.folder / "kernel" / "__init__.py"
    for function in _order(game, level, restricts):
        public = function.__name__.removeprefix("_")
        if public not in game.compiled_functions:
            name = _name_for(game, public, level, restricts)
            names[public] = compiled_copy(function, names, name, source, function in _MERGED)
    return names


class Simulator:
    """A game's compiled loop for strategies of a level: `PLAIN`, `NETWORKS` or `SEARCHES`.

    `classify` returns what restrictions concern an action, if strategies are restricted. For a game with a loop of its
    own (`Game.own_loop`, a subclass), that loop is made instead.
    """

    def __new__(cls, game: Game, *_: Any, **__: Any) -> Simulator:
        """Return a new loop of the class that plays the game."""
        made: Simulator = super().__new__(game.own_loop or cls)
        return made

    def __init__(self, game: Game, level: int = PLAIN, classify: Classify | None = None) -> None:
        self.game, self.records, self._level = game, game.records, level
        self._known = KnownCodes(classify)
        self._restricts = classify is not None
        joined = join(game, level, self._restricts)
        self.begin = joined["begin"]
        self.finish = joined["finish"]
        self._play_on, self._play_games = joined["play_on"], joined["play_games"]
        self.give_each = joined.get("give_each")
        self.start_games: Any = joined.get("start_games")
        self.step_games: Any = joined.get("step_games")
        if level == SEARCHES:
            self.search, self.judge_each, self.look_each = (
                joined[name] for name in ("search", "judge_each", "look_each")
            )
            self.sample_each = joined.get("sample_each")

    def room(self, strategies: np.ndarray, weights: np.ndarray, searchers: Searchers | None) -> Buffers:
        """Return new buffers for one worker that plays these strategies."""
        found = self.records
        state, log = initial_record(found.state), initial_record(found.log)
        start = without_entries(log)
        episode = blank(1, episode_type(found.weights, found.state, start.dtype))
        episode["first_state"], episode["first_log"] = state, start
        records = [state, log, blank(1, found.scratch), start, episode]
        thinking = make_search_buffers(found, searchers)
        return Buffers._make([*records, strategies, weights, thinking, self._known.words])

    def play_games(self, packed: np.record, room: Buffers, jobs: np.ndarray, rows: Rows, limit: int) -> int:
        """Play `jobs` as `_play_games` does, learning the actions that restricted seats meet."""
        done = int(self._play_games(packed, room, jobs, rows, 0, limit))
        while room.episode[0].unknown:
            self._learn(room)
            done = int(self._play_games(packed, room, jobs, rows, done, limit))
        return done

    def play_on(self, packed: np.record, room: Buffers, trace: np.ndarray, limit: int, answer: int) -> int:
        """Play on as `_play_on` does, learning the actions that restricted seats meet."""
        while (options := int(self._play_on(packed, room, trace, limit, answer))) == UNKNOWN:
            self._learn(room)
            room.episode[0].unknown, answer = 0, -1
        return options

    def _learn(self, room: Buffers) -> None:
        """Add the actions at which the loop stopped to those it knows."""
        self._known.add(room.scratch[0].codes[: int(room.episode[0].unknown)].tolist())

    def is_compiled(self) -> bool:
        """Return whether the loop is in the cache of compiled code, for any rules, or compiled in this process."""
        stats = getattr(self._play_games, "stats", None)  # a plain function if Numba is switched off
        if stats is None or self._play_games.signatures:
            return True
        if stats.cache_path is None:  # no place for compiled code
            return False
        name = _name_for(self.game, "play_games", self._level, self._restricts)
        return any(Path(stats.cache_path).glob(f"*{name}-*.nbi"))

    def compile(self, rules: Any) -> None:
        """Compile the loop, or load it from the cache, by playing no games."""
        players = self.game.players[0]
        packed = self.game.kernel.pack_rules(rules, players)
        room = self.room(blank(1, STRATEGY), blank(1, self.records.weights), None)
        self.play_games(packed, room, blank(0, JOB), self.rows(0, players, False, 0), 0)

    def rows(self, games: int, players: int, keep_rounds: bool, trace: int) -> Rows:
        """Return empty rows for `games` games and `trace` trace rows."""
        history = self.records.log["history"]
        return Rows(
            blank(games, self.records.game_row),
            blank(games * players, self.records.seat_row),
            np.zeros((games if keep_rounds else 0, *history.shape), history.base),
            blank(trace, TRACE),
        )
