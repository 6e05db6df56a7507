"""A game in plain Python: set up; until it is over, list, choose and apply; write the row.

It plays as `balance.engine.loop` does, with the same seeds for chance and bots. A game that is moved to compiled
functions therefore has the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from balance.contract.records import CHANCE, FINISHED, MAX_SEATS, MOVES_HASH, TRUNCATED
from balance.engine.buffers import EXTERNAL, GREEDY, NETWORK, RANDOM, SEARCH, Buffers, Rows
from balance.engine.loop import SEARCH_STREAMS
from balance.engine.networks import DEAL_SHIFT
from balance.engine.restricting import Classify
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr
from balance.plain.chance import Chance, derive
from balance.plain.faults import PlainGameError, check_actions, check_turn, copy_as_data, fault_in, raised
from balance.plain.hidden import as_data
from balance.plain.results import (
    SeatResult,
    describe_seats,
    number_outcome,
    read_results,
    read_scores,
    weigh,
    write_seats,
)
from balance.plain.search import PlainSearch

Bot = Callable[[Any, list[str], int], int]
"""Chooses the index of an action for a seat."""
MakeBot = Callable[[Chance, int], Bot]
"""Returns the bot of a seat for a game, from the stream of the seat."""


class Job(NamedTuple):
    """A game to play, with the fields of `balance.engine.buffers.JOB` as plain numbers."""

    game_id: int
    deal_seed: int
    seed: int
    lineup: list[int]
    reseeded: int
    other_seed: int


def read_jobs(jobs: Any) -> Iterator[Job]:
    """Yield jobs as plain numbers."""
    return map(Job._make, zip(*(jobs[name].tolist() for name in Job._fields), strict=True))


class Played(NamedTuple):
    """What a game adds to the tables."""

    job: Job
    seats: list[SeatResult]
    rounds: int
    decisions: int
    choices: int
    options: int  # of all choices together
    over: int
    moves: list[str]  # seat and action of every decision
    history: list[list[float]]  # scores of the seats after each round


class Saved(NamedTuple):
    """A game under way, see `Table.save`."""

    job: Job
    position: Any
    numbers: tuple[int, ...]  # decisions, choices, options, round, over, the seat that chose last
    words: tuple[int, ...]  # of the streams: chance, and each seat
    searching: dict[int, int]  # of the streams of searchers, by seat
    moves: list[str]

    @property
    def round(self) -> int:
        """The number of the round."""
        return self.numbers[3]


def learned_player(room: Buffers, number: int, deal: int) -> Any:
    """Return the learned player of a strategy that plays a deal; None if it has none."""
    count = int(room.thinking.searchers["networks"][number]) if len(room.thinking.searchers) else 0
    if not count:
        return None
    return room.thinking.networks["player"][number, (deal >> DEAL_SHIFT) % count] or None


class Table:
    """Where games are played, one after another; `deal` begins a game.

    Attributes
    ----------
    position : object
        The author's state.
    over : int
        1 if the game has ended, otherwise 0.
    last_seat : int
        The seat that chose last; -1 before the first decision.
    """

    def __init__(self, game: Any, packed: Any, room: Buffers, classify: Classify | None) -> None:
        self._game, self._room, self._classify = game, room, classify
        self.author, self.labels = game.author, game.labels
        self.players, self._rules = packed.players, packed.rules
        self.chance, self._streams = Chance(), [Chance() for _ in range(packed.players)]
        self._makers: dict[int, MakeBot | None] = {}  # by strategy
        self.searchers: dict[int, PlainSearch] = {}  # by seat
        episode = room.episode[0]
        self._keeps_rounds, self._traces = bool(episode["keep_rounds"]), bool(episode["tracing"])
        if self._traces:
            self.chance.on_note, self.chance.on_outcome = self._note, self._write_outcome

    def deal(self, job: Job, watched: bool = False) -> None:
        """Seat the strategies and deal a game; if `watched`, its lists and states are checked after each call."""
        self._job, self._watched = job, watched
        self.position: Any = None
        self.decisions = self.choices = self.options = 0
        self.round, self.over, self.last_seat = 1, 0, -1
        self.history: list[list[float]] = []
        self._moves: list[str] = []
        self._trace: list[tuple[int, int, int, int, int]] = []
        self._parts: list[tuple[int, list[int]]] = []  # of outcomes, by row of the trace
        # The seed is the deal's, or another deal's if the source of chance is drawn again.
        self.chance.word = derive(job.other_seed if job.reseeded == 1 else job.deal_seed, 0)
        self._bots = [self._seat_bot(seat) for seat in range(self.players)]
        try:
            self.position = self.author.setup(self._rules, self.players, self.chance)
            check_turn(self.author, self.position, self.players, 1, self.author.setup)
            self.round = getattr(self.position, "round", 1)
            self.over = int(bool(self.author.over(self.position)))
        except Exception as error:
            raise self._fault(error, "setup()") from error

    def save(self) -> Saved:
        """Return the game as it is, for `load`; bots with a restriction would forget what they have used."""
        return Saved(
            self._job, self.author.clone(self.position),
            (self.decisions, self.choices, self.options, self.round, self.over, self.last_seat),
            tuple(each.word for each in (self.chance, *self._streams)),
            {seat: each.word for seat, each in self.searchers.items()}, list(self._moves),
        )  # fmt: skip

    def load(self, saved: Saved) -> None:
        """Continue a saved game."""
        self.deal(saved.job)
        self.position, self._moves = self.author.clone(saved.position), list(saved.moves)
        self.decisions, self.choices, self.options, self.round, self.over, self.last_seat = saved.numbers
        for stream, word in zip((self.chance, *self._streams), saved.words, strict=True):
            stream.word = word
        for seat, word in saved.searching.items():
            self.searchers[seat].word = word

    def redeal(self, word: int) -> None:
        """Deal again what the seat to choose can't see, and seed all chance again; the bots' too."""
        self.chance.word = derive(word, self.players)
        for seat, stream in enumerate(self._streams):
            stream.word = derive(word, seat)
        for seat, searcher in self.searchers.items():
            searcher.word = derive(word, MAX_SEATS + seat)
        self.position = self.author.guess(self.position, self.position.seat, self.chance)

    def take(self, action: str) -> None:
        """Carry out an action of the seat to choose, in place of its bot's choice."""
        bots = self._bots
        self._bots = [lambda position, actions, seat: actions.index(action)] * self.players
        self.play_on(self.decisions + 1, -1)
        self._bots = bots

    def _seat_bot(self, seat: int) -> Bot | None:
        """Return what chooses for a seat; None for a bot outside the loop."""
        number = self._job.lineup[seat]
        if number not in self._makers:
            self._makers[number] = self._bot_maker(number)
        make, stream = self._makers[number], self._streams[seat]
        stream.word = derive(self._job.seed, seat)
        self.searchers.pop(seat, None)
        return make(stream, seat) if make else None

    def _bot_maker(self, number: int) -> MakeBot | None:
        """Return what makes the bot of a strategy for a game; None for a bot outside the loop."""
        room, author = self._room, self.author
        strategy = room.strategies[number]
        kind = int(strategy["kind"])
        if kind == EXTERNAL:
            return None
        if kind == SEARCH:
            return lambda stream, seat: self._search(number, seat)
        temperature = float(strategy["temperature"])
        if kind == RANDOM:
            make: MakeBot = _draw_any
        elif kind == NETWORK:
            make = partial(self._learned_bot, number, temperature)
        else:
            assert kind == GREEDY, kind
            row = room.weights[number]
            weights = {name: float(row[name]) for name in author.FEATURES}
            make = partial(_weigher, author, partial(_weigh_by, weights), temperature)
        if not strategy["restriction"]:
            return make
        concerns = self._concerns(1 << (int(strategy["restriction"]) - 1))
        at_most = int(strategy["at_most"])
        return lambda stream, seat: _restrict(make(stream, seat), concerns, at_most)

    def _search(self, number: int, seat: int) -> Bot:
        """Return the choice of a searcher in a seat."""
        seed = derive(self._job.seed, SEARCH_STREAMS + seat)
        learned = self._learned(number)
        self.searchers[seat] = PlainSearch(self.author, self.players, self._room, number, seed, learned)
        return self.searchers[seat].choose

    def _learned_bot(self, number: int, temperature: float, stream: Chance, seat: int) -> Bot:
        """Return the choice of a learned player in a seat."""
        return _weigher(self.author, self._learned(number).weigh, temperature, stream, seat)

    def _learned(self, number: int) -> Any:
        """Return the learned player of a strategy that plays this deal, see `DEAL_SHIFT`; None if it has none."""
        return learned_player(self._room, number, self._job.deal_seed)

    def _concerns(self, bit: int) -> Callable[[str], bool]:
        """Return a function that says whether a restriction concerns an action."""
        classify, code = self._classify, self.labels.code
        assert classify is not None, "restricted strategies come with their restrictions"
        return lambda action: bool(classify(code(action)) & bit)

    def play_on(self, limit: int, answer: int) -> int:
        """Play until a bot outside the loop must choose; return its number of options, 0 at the end or the limit.

        `answer` >= 0 is its choice at the decision at which the last call stopped.
        """
        author, position, chance, players = self.author, self.position, self.chance, self.players
        list_actions = self._watch_actions if self._watched else author.actions
        apply, has_ended, bots, code = author.apply, author.over, self._bots, self.labels.code
        moves, trace = self._moves, self._trace if self._traces else None
        keeps_rounds = self._keeps_rounds
        choices, options, ended, last_seat = self.choices, self.options, self.over, self.last_seat
        number, seat, doing, action = self.round, position.seat, "", ""
        try:
            while not ended and len(moves) < limit:
                doing = "actions()"
                actions = list_actions(position)
                count, pick, bot = len(actions), 0, bots[seat]
                if count == 0:
                    check_actions(author, actions)
                if bot is not None:
                    doing = N_("the choice of a bot")
                    pick = bot(position, actions, seat)
                elif count > 1:
                    pick, answer = answer, -1
                    if pick < 0:
                        return count
                if count > 1:
                    choices += 1
                    options += count
                action, last_seat = actions[pick], seat
                moves.append(f"{seat} {action}")
                if trace is not None:
                    trace.append((code(action), count, number, seat, len(trace)))
                doing = "apply()"
                apply(position, action, chance)
                before, number = number, getattr(position, "round", 1)
                seat = position.seat
                if number is not before or type(seat) is not int or not 0 <= seat < players:
                    check_turn(author, position, players, before, author.apply)
                doing = "over()"
                if has_ended(position):
                    ended = 1
                if keeps_rounds and (ended or number > before):
                    doing = "scores()"
                    scores = read_scores(author, position, players)
                    self.history += [scores] * (number + ended - before)
        except Exception as error:
            self.decisions = len(moves)
            during = f"apply({action!r})" if doing == "apply()" else tr(doing)
            raise self._fault(error, during) from error
        finally:
            self.round, self.decisions, self.over, self.last_seat = number, len(moves), ended, last_seat
            self.choices, self.options = choices, options
        return 0

    @property
    def last_action(self) -> str:
        """The action that was carried out last."""
        return self._moves[-1].partition(" ")[2]

    def list_actions(self) -> list[str]:
        """Return the actions of the seat to choose."""
        try:
            actions: list[str] = self.author.actions(self.position)
            check_actions(self.author, actions)
        except Exception as error:
            raise self._fault(error, "actions()") from error
        return actions

    def give(self, seat: int, name: str) -> bool:
        """Give a seat a component; return whether this is possible."""
        try:
            return self.author.give(self.position, seat, name) is not False
        except Exception as error:
            raise self._fault(error, f"give({name!r})") from error

    def _watch_actions(self, position: Any) -> list[str]:
        """Return the actions, checked; refuse a state that changes meanwhile."""
        before = copy_as_data(self.author, position)
        actions: list[str] = self.author.actions(position)
        check_actions(self.author, actions)
        if as_data(position) != before:
            raise fault_in(self.author.actions, tr("changes the state; it may only list actions"))
        return actions

    def describe_seats(self) -> tuple[float, list[list[float]]]:
        """Return the progress of the game, and the features of each seat's position."""
        try:
            return describe_seats(self.author, self.position, self.players)
        except Exception as error:
            raise self._fault(error, "position()") from error

    def _note(self, outcome: str) -> None:
        """Keep an outcome of chance for the trace."""
        self._keep(self.labels.code(outcome, is_chance=True))

    def _write_outcome(self, name: str, parts: Mapping[str, int]) -> None:
        """Keep an outcome of the rules for the trace."""
        code, numbers = number_outcome(self.author, name, parts)
        self._keep(code)
        self._parts.append((len(self._trace) - 1, numbers))

    def _keep(self, code: int) -> None:
        """Keep a row of the trace that belongs to no seat."""
        number = getattr(self.position, "round", 1) if self.position is not None else 1
        self._trace.append((code, 0, number, CHANCE, len(self._trace)))

    def write_trace(self, room: Buffers, trace: Any) -> bool:
        """Write the rows of the game after those in use; return False, and note it, if they do not fit."""
        if not self._traces:
            return True
        episode = room.episode[0]
        first, last = int(episode["trace_used"]), int(episode["trace_used"]) + len(self._trace)
        if last > len(trace):
            episode["trace_full"] = 1
            return False
        own = trace[first:last]
        own["game_id"] = self._job.game_id
        if self._trace:
            columns = zip(*self._trace, strict=True)
            for name, values in zip(("code", "options", "round", "seat", "step"), columns, strict=True):
                own[name] = values
        own["parts"] = 0
        for row, numbers in self._parts:
            own["parts"][row, : len(numbers)] = numbers
        episode["trace_used"] = last
        return True

    def result(self) -> Played:
        """Return what the game adds to the tables."""
        try:
            seats = read_results(self.author, self.position, self.players)
        except Exception as error:
            raise self._fault(error, "scores()") from error
        return Played(
            self._job, seats, self.round, self.decisions, self.choices, self.options, self.over,
            self._moves, self.history,
        )  # fmt: skip

    def _fault(self, error: Exception, during: str) -> PlainGameError:
        """Return the error for an exception of the game's code, with the game that shows it."""
        job = self._job
        where = tr(
            "decision {decision} of game {game} ({players} players, deal seed {deal}, seed {seed})",
            decision=self.decisions, game=job.game_id, players=self.players, deal=job.deal_seed,
            seed=job.seed,
        )  # fmt: skip
        if isinstance(error, BalanceError):
            return PlainGameError(tr("{error}, in {place}", error=error, place=where))
        return raised(error, self._game.folder, f"{during}, {where}")


def write_games(rows: Rows, first: int, played: Sequence[Played], first_seats: Sequence[int]) -> None:
    """Write the rows of games, and those of their seats and rounds, from number `first` on.

    `first_seats` has a seat of each side.
    """
    if not played:
        return
    count, players = len(played), len(played[0].seats)
    games = rows.games[first : first + count]
    seats = rows.seats[first * players : (first + count) * players]
    for name in ("game_id", "deal_seed", "seed"):
        games[name] = [getattr(each.job, name) for each in played]
    for name in ("rounds", "decisions", "choices"):
        games[name] = [getattr(each, name) for each in played]
    games["choice_blocks"] = games["choices"]
    games["options"] = [each.options / each.choices if each.choices else 0.0 for each in played]
    games["status"] = [FINISHED if each.over else TRUNCATED for each in played]
    seats["seat"] = np.tile(np.arange(players), count)
    seats["strategy"] = [number for each in played for number in each.job.lineup[:players]]
    write_seats(seats, [seat for each in played for seat in each.seats])
    sides = np.array(first_seats)
    scores = np.sort(seats["score"].reshape(count, players)[:, sides])
    games["margin"] = scores[:, -1] - scores[:, -2] if len(sides) > 1 else np.nan
    games["winners"] = (seats["win_share"].reshape(count, players)[:, sides] > 0).sum(axis=1)
    texts, length = memoryview(seats.tobytes()), players * seats.dtype.itemsize
    games[MOVES_HASH] = [
        crc32(texts[number * length : (number + 1) * length], crc32("".join(each.moves).encode()))
        for number, each in enumerate(played)
    ]
    for number, each in enumerate(played):
        if len(rows.rounds) and each.history:
            kept = each.history[: each.rounds - (not each.over)]
            rows.rounds["score"][first + number, : len(kept), :players] = kept


def _draw_any(stream: Chance, seat: int) -> Bot:
    """Return a bot that draws any action."""
    draw = stream.below
    return lambda position, actions, seat: draw(len(actions)) if len(actions) > 1 else 0


def _restrict(bot: Bot, concerns: Callable[[str], bool], at_most: int) -> Bot:
    """Return a bot that takes actions that a restriction concerns only `at_most` times, or where no other is legal."""
    used = 0

    def choose(position: Any, actions: list[str], seat: int) -> int:
        nonlocal used
        forbidden = list(map(concerns, actions))
        free = [number for number, each in enumerate(forbidden) if not each]
        if not free or used < at_most:
            pick = bot(position, actions, seat)
        else:
            pick = free[bot(position, [actions[number] for number in free], seat)]
        used += forbidden[pick]
        return pick

    return choose


def _weigh_by(weights: Mapping[str, float], author: Any, position: Any, actions: list[str]) -> list[float]:
    """Return the values of actions to a profile with these weights."""
    return weigh(author, position, actions, weights)


def _weigher(author: Any, weigh_all: Callable[..., list[float]], temperature: float, stream: Chance, seat: int) -> Bot:
    """Return a bot that takes the action with the highest value, or draws one at a temperature."""

    def choose(position: Any, actions: list[str], seat: int) -> int:
        if len(actions) == 1:
            return 0
        values = weigh_all(author, position, actions)
        if temperature > 0:
            values = stream.add_noise(values, temperature)
        return values.index(max(values))

    return choose
