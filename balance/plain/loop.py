"""The loop for games in plain Python: set up; until the game is over, list, choose and apply; write the row.

It plays as `balance.engine.loop` does, with the same seeds for chance and bots. A game that is moved to compiled
functions therefore has the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from balance.contract.records import CHANCE, FINISHED, MOVES_HASH, TRUNCATED
from balance.engine.buffers import EXTERNAL, GREEDY, NETWORK, RANDOM, SEARCH, Buffers, Rows
from balance.engine.loop import PLAIN, SEARCH_STREAMS, Simulator
from balance.engine.networks import DEAL_SHIFT
from balance.engine.restricting import Classify, KnownCodes
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.plain.chance import Chance, derive
from balance.plain.faults import PlainGameError, check_actions, check_turn, fault_in, raised
from balance.plain.hidden import as_data
from balance.plain.results import describe_seats, number_outcome, read_scores, weigh, write_seats
from balance.plain.search import PlainSearch, show_root

if TYPE_CHECKING:
    from balance.contract.game import Game

Bot = Callable[[Any, list[str], int], int]
"""Chooses the index of an action for a seat."""


class PlainLoop(Simulator):
    """The loop of a game in plain Python, with the methods of the compiled one."""

    def __init__(self, game: Game, level: int = PLAIN, classify: Classify | None = None) -> None:
        self.game, self.records, self._level = game, game.records, level
        self._known, self._classify = KnownCodes(None), classify
        self.give_each = self.sample_each = None
        self._table: Table | None = None

    def is_compiled(self) -> bool:
        """Return True: there is nothing to compile."""
        return True

    def compile(self, rules: Any) -> None:
        """Do nothing."""

    def play_games(self, packed: Any, room: Buffers, jobs: Any, rows: Rows, limit: int) -> int:
        """Play `jobs` and write their rows; return how many were played before the trace was full.

        The first game is watched: its lists and states are checked after each call.
        """
        episode = room.episode[0]
        episode["tracing"], episode["keep_rounds"] = len(rows.trace) > 0, len(rows.rounds) > 0
        episode["trace_used"] = episode["trace_full"] = 0
        for number, job in enumerate(jobs):
            kept = int(episode["trace_used"])
            self.begin(packed, room, job, watched=number == 0)
            self.play_on(packed, room, rows.trace, limit, -1)
            if episode["trace_full"]:
                episode["trace_used"] = kept
                return number
            self.finish(packed, room, job, rows, number)
        return len(jobs)

    def begin(self, packed: Any, room: Buffers, job: Any, watched: bool = False) -> None:
        """Seat the strategies and deal a game."""
        episode = room.episode[0]
        episode["game_id"] = job["game_id"]
        for seat in range(packed.players):
            episode["streams"][seat] = derive(int(job["seed"]), seat)
        self._table = Table(self.game, packed, room, job, watched, self._classify)
        self._show(room)

    def play_on(self, packed: Any, room: Buffers, trace: Any, limit: int, answer: int) -> int:
        """Play until a Python bot must choose; return its number of options, 0 at the end."""
        table = self._table
        assert table is not None, "begin a game first"
        options = table.play_on(limit, answer)
        self._show(room)
        if table.last_seat in table.searchers:
            show_root(table.searchers[table.last_seat], room.thinking.nodes, table.labels)
        if not options:
            table.write_trace(room, trace)
        return options

    def finish(self, packed: Any, room: Buffers, job: Any, rows: Rows, number: int) -> None:
        """Write the rows of the game as number `number`."""
        assert self._table is not None, "begin a game first"
        self._table.write_rows(rows, number)

    def collect(
        self, packed: Any, room: Buffers, jobs: Any, rows: Rows, samples: Any, limit: int
    ) -> int:
        """Play `jobs` and collect the features of every seat after each round; return the number of samples."""
        kept = 0
        for number, job in enumerate(jobs):
            self.begin(packed, room, job)
            table = self._table
            assert table is not None
            passed = table.round
            while not table.over and table.decisions < limit:
                table.play_on(table.decisions + 1, -1)
                if not table.over and table.round > passed and kept < len(samples):
                    passed, sample = table.round, samples[kept]
                    sample["game"] = number
                    sample["progress"], found = table.describe_seats()
                    sample["position"][: len(found)] = found
                    kept += 1
            self.finish(packed, room, job, rows, number)
        return kept

    def search(self, packed: Any, room: Buffers, number: int) -> int:
        """Return the code of the action that searcher `number` takes in `room.state`, and show its shortlist."""
        game: Any = self.game
        state = room.state[0]
        seat, position = int(state["seat"]), state["position"]
        streams = room.thinking.desk[0]["streams"]
        learned = learned_player(room, number, int(room.thinking.desk[0]["deal"]))
        searcher = PlainSearch(game.guarded, packed.players, room, number, int(streams[seat]), learned)
        actions = game.guarded.actions(position)
        pick = searcher.choose(position, actions, seat)
        show_root(searcher, room.thinking.nodes, game.labels)
        return int(game.labels.code(actions[pick]))

    def _show(self, room: Buffers) -> None:
        """Show the position in the records, for bots that choose outside the loop."""
        table = self._table
        assert table is not None
        state, episode = room.state[0], room.episode[0]
        state["players"], state["position"] = table.players, table.position
        state["seat"], state["round_number"] = table.position.seat, table.round
        state["over"] = table.over
        episode["decisions"], episode["choices"] = table.decisions, table.choices


def learned_player(room: Buffers, number: int, deal: int) -> Any:
    """Return the learned player of a strategy that plays a deal; None if it has none."""
    count = int(room.thinking.searchers["networks"][number]) if len(room.thinking.searchers) else 0
    if not count:
        return None
    return room.thinking.networks["player"][number, (deal >> DEAL_SHIFT) % count] or None


class Table:
    """A game being played.

    Attributes
    ----------
    position : object
        The author's state.
    over : int
        1 if the game has ended, otherwise 0.
    last_seat : int
        The seat that chose last; -1 before the first decision.
    """

    def __init__(
        self, game: Any, packed: Any, room: Buffers, job: Any, watched: bool, classify: Classify | None
    ) -> None:  # fmt: skip
        self._game, self._job, self._watched, self._classify = game, job, watched, classify
        self.author, self.labels, self.players = game.author, game.labels, packed.players
        self.chance = Chance(self._chance_seed())
        self.decisions = self.choices = self.options = 0
        self.round, self.over = 1, 0
        self.history: list[list[float]] = []
        self.searchers: dict[int, PlainSearch] = {}  # by seat
        self.last_seat = -1
        self._moves_hash = 0
        episode = room.episode[0]
        self._keeps_rounds = bool(episode["keep_rounds"])
        self._trace: list[tuple[int, int, int, int, int]] | None = [] if episode["tracing"] else None
        self._parts: list[tuple[int, list[int]]] = []  # of outcomes, by row of the trace
        if self._trace is not None:
            self.chance.on_note, self.chance.on_outcome = self._note, self._write_outcome
        self._bots = [self._seat_bot(room, seat) for seat in range(self.players)]
        self.position: Any = None
        self._doing = "setup()"
        try:
            self.position = self.author.setup(packed.rules, self.players, self.chance)
            check_turn(self.author, self.position, self.players, 1, self.author.setup)
            self.round, self.over = getattr(self.position, "round", 1), int(self._has_ended())
        except Exception as error:
            raise self._fault(error) from error

    def _chance_seed(self) -> int:
        """Return the seed of the source of chance: the deal's, or another deal's if it is drawn again."""
        job = self._job
        return derive(int(job["other_seed"] if job["reseeded"] == 1 else job["deal_seed"]), 0)

    def _seat_bot(self, room: Buffers, seat: int) -> Bot | None:
        """Return what chooses for a seat; None for a bot outside the loop."""
        number = int(self._job["lineup"][seat])
        strategy = room.strategies[number]
        kind, stream = int(strategy["kind"]), Chance(derive(int(self._job["seed"]), seat))
        if kind == EXTERNAL:
            return None
        if kind == SEARCH:
            seed = derive(int(self._job["seed"]), SEARCH_STREAMS + seat)
            learned = self._learned(room, number)
            self.searchers[seat] = PlainSearch(self.author, self.players, room, number, seed, learned)
            return self.searchers[seat].choose
        temperature = float(strategy["temperature"])
        if kind == RANDOM:
            bot = _draw_any(stream)
        elif kind == NETWORK:
            bot = _weigher(self.author, self._learned(room, number).weigh, temperature, stream)
        else:
            assert kind == GREEDY, kind
            row = room.weights[number]
            weights = {name: float(row[name]) for name in self.author.FEATURES}
            bot = _weigher(self.author, partial(_weigh_by, weights), temperature, stream)
        if not strategy["restriction"]:
            return bot
        bit = 1 << (int(strategy["restriction"]) - 1)
        return _restrict(bot, self._concerns(bit), int(strategy["at_most"]))

    def _learned(self, room: Buffers, number: int) -> Any:
        """Return the learned player of a strategy that plays this deal, see `DEAL_SHIFT`; None if it has none."""
        return learned_player(room, number, int(self._job["deal_seed"]))

    def _concerns(self, bit: int) -> Callable[[str], bool]:
        """Return a function that says whether a restriction concerns an action."""
        classify, code = self._classify, self.labels.code
        assert classify is not None, "restricted strategies come with their restrictions"
        return lambda action: bool(classify(code(action)) & bit)

    def _has_ended(self) -> bool:
        return bool(self.author.over(self.position))

    def play_on(self, limit: int, answer: int) -> int:
        """Play until a bot outside the loop must choose; return its number of options, 0 at the end or the limit.

        `answer` >= 0 is its choice at the decision at which the last call stopped.
        """
        author, position = self.author, self.position
        try:
            while not self.over and self.decisions < limit:
                self._doing = "actions()"
                actions = self._watch_actions() if self._watched else author.actions(position)
                count, seat, pick = len(actions), position.seat, 0
                if count == 0:
                    check_actions(author, actions)
                bot = self._bots[seat]
                if bot is not None:
                    self._doing = tr("the choice of a bot")
                    pick = bot(position, actions, seat)
                elif count > 1:
                    pick, answer = answer, -1
                    if pick < 0:
                        return count
                if count > 1:
                    self.choices += 1
                    self.options += count
                self._take(actions, pick, seat)
        except Exception as error:
            raise self._fault(error) from error
        return 0

    def _take(self, actions: list[str], pick: int, seat: int) -> None:
        """Carry out an action."""
        action, self.last_seat = actions[pick], seat
        self._moves_hash = crc32(f"{seat} {action}".encode(), self._moves_hash)
        if self._trace is not None:
            code = self.labels.code(action)
            self._trace.append((code, len(actions), self.round, seat, len(self._trace)))
        self.decisions += 1
        self._doing = f"apply({action!r})"
        self.author.apply(self.position, action, self.chance)
        before, self.round = self.round, getattr(self.position, "round", 1)
        check_turn(self.author, self.position, self.players, before, self.author.apply)
        self._doing = "over()"
        self.over = int(self._has_ended())
        if self._keeps_rounds and (self.over or self.round > before):
            self._doing = "scores()"
            scores = read_scores(self.author, self.position, self.players)
            self.history += [scores] * (self.round + self.over - before)

    def _watch_actions(self) -> list[str]:
        """Return the actions, checked; refuse a state that changes meanwhile."""
        before = as_data(self.author.clone(self.position))
        actions: list[str] = self.author.actions(self.position)
        check_actions(self.author, actions)
        if as_data(self.position) != before:
            raise fault_in(self.author.actions, tr("changes the state; it may only list actions"))
        return actions

    def describe_seats(self) -> tuple[float, list[list[float]]]:
        """Return the progress of the game, and the features of each seat's position."""
        self._doing = "position()"
        try:
            return describe_seats(self.author, self.position, self.players)
        except Exception as error:
            raise self._fault(error) from error

    def _note(self, outcome: str) -> None:
        """Keep an outcome of chance for the trace."""
        self._keep(self.labels.code(outcome, is_chance=True))

    def _write_outcome(self, name: str, parts: Mapping[str, int]) -> None:
        """Keep an outcome of the rules for the trace."""
        code, numbers = number_outcome(self.author, name, parts)
        self._keep(code)
        assert self._trace is not None
        self._parts.append((len(self._trace) - 1, numbers))

    def _keep(self, code: int) -> None:
        """Keep a row of the trace that belongs to no seat."""
        assert self._trace is not None
        number = getattr(self.position, "round", 1) if self.position is not None else 1
        self._trace.append((code, 0, number, CHANCE, len(self._trace)))

    def write_trace(self, room: Buffers, trace: Any) -> None:
        """Write the rows of the game after those in use, or note that they do not fit."""
        if self._trace is None:
            return
        episode = room.episode[0]
        first, last = int(episode["trace_used"]), int(episode["trace_used"]) + len(self._trace)
        if last > len(trace):
            episode["trace_full"] = 1
            return
        own = trace[first:last]
        own["game_id"] = self._job["game_id"]
        if self._trace:
            columns = zip(*self._trace, strict=True)
            for name, values in zip(("code", "options", "round", "seat", "step"), columns, strict=True):
                own[name] = values
        own["parts"] = 0
        for row, numbers in self._parts:
            own["parts"][row, : len(numbers)] = numbers
        episode["trace_used"] = last

    def write_rows(self, rows: Rows, number: int) -> None:
        """Write the game's row and those of its seats and rounds."""
        job, game = self._job, rows.games[number]
        seats = rows.seats[number * self.players : (number + 1) * self.players]
        self._doing = "scores()"
        try:
            scores = sorted(write_seats(self.author, self.position, self.players, seats))
        except Exception as error:
            raise self._fault(error) from error
        seats["seat"] = np.arange(self.players)
        seats["strategy"] = job["lineup"][: self.players]
        _share_wins(seats, game)
        game["margin"] = scores[-1] - scores[-2]
        for name in ("game_id", "deal_seed", "seed"):
            game[name] = job[name]
        game["rounds"], game["decisions"], game["choices"] = self.round, self.decisions, self.choices
        game["choice_blocks"] = self.choices
        game["options"] = self.options / self.choices if self.choices else 0.0
        game["status"] = FINISHED if self.over else TRUNCATED
        game[MOVES_HASH] = crc32(seats.tobytes(), self._moves_hash)
        if len(rows.rounds) and self.history:
            kept = self.history[: self.round - (not self.over)]
            rows.rounds["score"][number, : len(kept), : self.players] = kept

    def _fault(self, error: Exception) -> PlainGameError:
        """Return the error for an exception of the game's code, with the game that shows it."""
        job = self._job
        where = tr(
            "decision {decision} of game {game} ({players} players, deal seed {deal}, seed {seed})",
            decision=self.decisions, game=int(job["game_id"]), players=self.players,
            deal=int(job["deal_seed"]), seed=int(job["seed"]),
        )  # fmt: skip
        if isinstance(error, BalanceError):
            return PlainGameError(tr("{error}, in {place}", error=error, place=where))
        return raised(error, self._game.folder, f"{self._doing}, {where}")


def _draw_any(stream: Chance) -> Bot:
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


def _weigh_by(
    weights: Mapping[str, float], author: Any, position: Any, actions: list[str]
) -> list[float]:  # fmt: skip
    """Return the values of actions to a profile with these weights."""
    return weigh(author, position, actions, weights)


def _weigher(
    author: Any, weigh_all: Callable[..., list[float]], temperature: float, stream: Chance
) -> Bot:
    """Return a bot that takes the action with the highest value, or draws one at a temperature."""

    def choose(position: Any, actions: list[str], seat: int) -> int:
        if len(actions) == 1:
            return 0
        values = weigh_all(author, position, actions)
        if temperature > 0:
            values = stream.add_noise(values, temperature)
        return values.index(max(values))

    return choose


def _share_wins(seats: Any, game: Any) -> None:
    """Fill the win shares of the seats, and how many seats won."""
    first = seats["rank"] == 1
    game["winners"] = first.sum()
    seats["win_share"] = first / first.sum()
