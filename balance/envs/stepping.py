"""Many games at once: one step for all of them, over threads, into NumPy buffers of the caller."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from balance.contract.records import flat_rows
from balance.engine.buffers import Buffers
from balance.engine.environments import Played, Seen, draw_actions, find_answers, make_played, repeat_games, table_of
from balance.engine.loop import Simulator
from balance.engine.stepper import Stepper
from balance.envs.plain_games import Kept, PlainGames, PlainSpaces, make_spaces
from balance.envs.table import Table, check_seed, check_whole
from balance.experiments.lineups import series_seeds
from balance.experiments.strategies import Packed, level_of, pack_strategies
from balance.foundation.compiling import find_overload
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.streams import derive_many

_NEXT = 4  # stage of seeds: of the series after another one, see `balance.experiments.lineups`
LEAST_GAMES = 32  # of a thread; fewer are not worth the hand-over


class _Worker(NamedTuple):
    """The games of one thread."""

    first: int
    last: int
    rooms: Buffers
    played: Played
    answers: np.ndarray  # int64 (last - first,)
    unlisted: np.ndarray  # int32 (1,), of `played.series`; a field of a recarray takes 10 µs to read
    # uint8 (last - first, bytes): the memory of all that changes as games are played.
    records: list[np.ndarray]

    def part_of(self, seen: Seen) -> Seen:
        """Return the worker's part of the buffers of all games."""
        return Seen._make(each[self.first : self.last] for each in seen)


class Position(NamedTuple):
    """The games of a `Batch` at one time, see `Batch.clone`. It may be pickled and copied."""

    about: tuple[Any, ...]  # what is played; only a batch that plays the same can take the position
    seed: int | None
    begun: bool
    records: list[np.ndarray]  # uint8 (n, bytes), see `_Worker.records`
    plain: list[Kept]  # games in plain Python, whose states are no numbers
    seen: Seen


class Batch:
    """N games of a table. Each waits for an action of an agent; where a game ends, the next one begins.

    Place i plays the games i, i + n, i + 2n, ... of a series. A seed's series consists of the games of
    `balance run` with the same ``--seed`` and line-up: the same deals, rotations and random streams of the opponents.

    Parameters
    ----------
    n : int
        Number of games.
    threads : int or None
        None: one on each core, with at least 32 games.
    described : int
        Number of legal actions of a decision whose features are wanted, the first ones; 0 for none.
    endless : bool
        Whether the next game begins where one ends; otherwise it must be reset.

    Attributes
    ----------
    spaces : Spaces
        Names and numbers of actions, names and limits of features.
    seen : Seen
        The buffers of the last step, see `balance.engine.environments.Seen`.
    seed : int or None
        The seed of the series; None before the first `reset`.
    """

    def __init__(
        self, table: Table, n: int, threads: int | None = None, described: int = 0, endless: bool = True
    ) -> None:
        n, described = check_whole("n", n, 1), check_whole("described", described, 0)
        if threads is None:
            threads = min(os.cpu_count() or 1, max(1, n // LEAST_GAMES))
        self.table, self.n, self._described = table, n, described
        self.spaces = make_spaces(table.game, table.rules, table.players)
        self._loop = Simulator(table.game, level_of(table.strategies))
        self._plain: PlainGames | None = None
        if isinstance(self.spaces, PlainSpaces):
            self._plain, threads = PlainGames(table.game, self.spaces), 1
        self._games: Any = self._plain or self._loop  # what begins and steps games
        self._packed = table.game.kernel.pack_rules(table.rules, table.players)
        self._stride = n if endless else 0
        count = check_whole("threads", threads, 1)
        bounds = np.linspace(0, n, min(count, n) + 1).astype(int).tolist()
        codes = table_of(self.spaces.codes)
        packed = pack_strategies(table.game, table.strategies, table.players)
        self._workers = [self._make_worker(packed, codes, *span) for span in pairwise(bounds)]
        self._threads = ThreadPoolExecutor(len(self._workers)) if len(self._workers) > 1 else None
        self.seen, self._begun = self.make_buffers(), False
        self.seed: int | None = None
        first = self._workers[0]
        args = (self._packed, first.rooms, first.played, first.answers, first.part_of(self.seen))
        self._step_games = find_overload(self._games.step_games, args)

    def _make_worker(self, packed: Packed, codes: np.ndarray, first: int, last: int) -> _Worker:
        """Return new buffers for games `first`..`last`-1 of packed strategies."""
        n, table = last - first, self.table
        rooms = repeat_games(self._loop.room(*packed), n)
        rows = self._loop.rows(n, table.players, False, 0)
        played = make_played(n, len(self.spaces.action_names), table.lineups, codes, rows)
        series = played.series
        series.stride, series.limit, series.reward = self._stride, table.limit, table.reward
        unlisted = series.view(np.ndarray)["unlisted"]
        changing = [
            rooms.state, rooms.log, rooms.episode, played.jobs, played.searching, played.options,
            played.counts, played.rows.games, played.rows.seats,
        ]  # fmt: skip
        kept = [each.view(np.ndarray) for each in changing if not each.dtype.hasobject]
        records = [each.reshape(-1).view(np.uint8).reshape(n, -1) for each in kept]
        return _Worker(first, last, rooms, played, np.zeros(n, np.int64), unlisted, records)

    def make_buffers(self) -> Seen:
        """Return new buffers for `reset` and `step`, such as for a step of a rollout."""
        n, players = self.n, self.table.players
        return Seen(
            observation=np.zeros((n, len(self.spaces.high)), np.float32),
            mask=np.zeros((n, len(self.spaces.action_names)), np.uint8),
            seat=np.zeros(n, np.int8),
            reward=np.zeros((n, players), np.float32),
            done=np.zeros(n, np.uint8),
            truncated=np.zeros(n, np.uint8),
            option=np.full((n, self._described), -1, np.int16),
            option_features=np.zeros((n, self._described, len(self.spaces.option_names)), np.float32),
        )

    def reset(
        self, seed: int | None = None, games: Sequence[int] | np.ndarray | None = None, out: Seen | None = None
    ) -> Seen:
        """Begin new games and return their first decisions.

        Parameters
        ----------
        seed : int or None
            The series. None: a series that follows from the last seed, at first a random one.
        games : int array (n,) or None
            The number of each game in the series; None for 0 to n - 1.
        out : Seen or None
            Buffers to write to; None for those of the last step.
        """
        numbers = np.arange(self.n) if games is None else np.asarray(games, np.int64)
        if numbers.shape != (self.n,) or (numbers < 0).any():
            raise BalanceError(tr("games: must be {count} whole numbers from 0 on, one for each game", count=self.n))
        seed = check_seed(seed)
        self._use(out)
        self._begun = True
        self._use_series(_next_seed(self.seed) if seed is None else seed)
        for worker in self._workers:
            own = numbers[worker.first : worker.last]
            self._games.start_games(self._packed, worker.rooms, worker.played, own)
            worker.answers[:] = -1
        return self._step()

    def begin_next(self, seed: int | None) -> Seen:
        """Begin the first games of a seed's series or, without a seed, the next ones; at first of a random series."""
        if seed is None and self._begun:
            return self.reset(self.seed, self.games + self.n)
        return self.reset(seed)

    def _use_series(self, seed: int) -> None:
        """Take deals and random streams from the series of a seed."""
        self.seed = seed
        deals, seeds = series_seeds(seed)
        for worker in self._workers:
            worker.played.series.deals, worker.played.series.seeds = deals, seeds

    def step(self, actions: np.ndarray, out: Seen | None = None, idle: np.ndarray | None = None) -> Seen:
        """Take an action in each game and return the next decisions; all or, after an error, none is taken.

        Where a game ends, ``done`` is 1, ``reward`` is that of each seat, and the decision is the first of the next
        game. In games that are `idle` (bool array (n,)) nothing is carried out.
        """
        if not self._begun:
            raise BalanceError(tr("call reset() before step()"))
        actions = np.asarray(actions)
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise BalanceError(tr("actions: must be {count} whole numbers, one for each game", count=self.n))
        idle = np.zeros(self.n, bool) if idle is None else idle
        for worker in self._workers:
            own = slice(worker.first, worker.last)
            self._find_answers(worker, actions[own], idle[own])
        self._use(out)
        return self._step()

    def _use(self, out: Seen | None) -> None:
        """Write to these buffers from now on; others than those of `make_buffers` would be overrun."""
        if out is not None:
            pairs = zip(out, self.seen, strict=True)
            if not all(
                a.shape == b.shape and a.dtype == b.dtype and a.flags.c_contiguous and a.flags.writeable
                for a, b in pairs
            ):
                raise BalanceError(tr("out: the buffers differ from those of make_buffers()"))
            self.seen = out

    def _find_answers(self, worker: _Worker, actions: np.ndarray, idle: np.ndarray) -> None:
        """Find each action among the legal ones; refuse or replace an illegal one. Idle games get no answer."""
        answers, played = worker.answers, worker.played
        if find_answers(played.options, played.counts, actions, answers):
            illegal = (answers < 0) & ~idle
            if illegal.any() and not self.table.replaces_illegal:
                place = int(illegal.argmax())
                raise BalanceError(self._say_illegal(worker, place, int(actions[place])))
            streams = worker.rooms.episode.streams
            kept = streams[~illegal]
            drawn = np.where(illegal, self._draw(worker), actions)
            streams[~illegal] = kept  # other games draw nothing
            find_answers(played.options, played.counts, drawn, answers)
        answers[idle] = -1

    def _say_illegal(self, worker: _Worker, place: int, action: int) -> str:
        names, played = self.spaces.action_names, worker.played
        legal = [names[number] for number in played.options[place, : played.counts[place]]]
        known = f" ({names[action]!r})" if 0 <= action < len(names) else ""
        listed = ", ".join(legal[:8]) + (", ..." if len(legal) > 8 else "")
        return tr(
            "game {game}: action {action} is not legal (legal are: {legal}); choose within the mask, or set "
            'illegal="random"',
            game=worker.first + place, action=f"{action}{known}", legal=listed,
        )  # fmt: skip

    def _draw(self, worker: _Worker) -> np.ndarray:
        """Return a random legal action of each game."""
        drawn = np.zeros(len(worker.answers), np.int64)
        if self._plain is not None:
            self._plain.draw(worker.rooms, worker.played, drawn)
        else:
            draw_actions(worker.rooms.state, worker.rooms.episode, worker.played, drawn)
        return drawn

    def draw_actions(self) -> np.ndarray:
        """Return a random legal action of each game, the one that the strategy `random` would draw there."""
        drawn = [self._draw(worker) for worker in self._workers]
        return drawn[0] if len(drawn) == 1 else np.concatenate(drawn)

    def _step(self) -> Seen:
        """Carry out the answers of all workers, on threads."""
        if self._threads is None:
            self._step_part(self._workers[0])
        else:
            list(self._threads.map(self._step_part, self._workers))
        for worker in self._workers:
            if (code := int(worker.unlisted[0])) >= 0:
                label = self.table.game.display.write_label(code, self.table.rules)
                raise self.table.game.fault(f"display.list_actions lacks the legal action {label!r}")
        return self.seen

    def _step_part(self, worker: _Worker) -> None:
        seen = self.seen if self._threads is None else worker.part_of(self.seen)
        self._step_games(self._packed, worker.rooms, worker.played, worker.answers, seen)

    @property
    def games(self) -> np.ndarray:
        """The number of each current game in the series."""
        return np.concatenate([worker.played.jobs.game_id for worker in self._workers])

    def rows(self) -> tuple[np.recarray, np.recarray]:
        """Return the rows of the games and of the seats of the last finished game of each place, as in a run's tables.

        They are copies, by place; a place without a finished game has zeros. ``strategy`` 0 is the agent.
        """
        names = self.table.game.column_names
        games = np.concatenate([worker.played.rows.games for worker in self._workers])
        seats = np.concatenate([worker.played.rows.seats for worker in self._workers])
        return flat_rows(games, names), flat_rows(seats, names)

    def stepper(self, place: int = 0) -> Stepper:
        """Return a view of a current game, to read labels and positions; don't take actions with it."""
        worker = next(worker for worker in self._workers if place < worker.last)
        one = slice(place - worker.first, place - worker.first + 1)
        room = [worker.rooms.state[one], worker.rooms.log[one], worker.rooms.scratch]
        return Stepper(self.table.game, self.table.rules, self.table.players, room)

    def clone(self) -> Position:
        """Return all games in their current positions, for `restore`."""
        parts = zip(*(worker.records for worker in self._workers), strict=True)
        records = [np.concatenate(part) for part in parts]
        seen = Seen._make(each.copy() for each in self.seen)
        plain = self._plain.save(self._workers[0].rooms) if self._plain else []
        return Position(self._about, self.seed, self._begun, records, plain, seen)

    def restore(self, position: Position) -> None:
        """Continue all games from the positions that `clone` returned, here or in a batch that plays the same."""
        if position.about != self._about:
            raise BalanceError(tr("restore: the position is of other games, rules or strategies"))
        for worker in self._workers:
            for own, every in zip(worker.records, position.records, strict=True):
                own[...] = every[worker.first : worker.last]
        if self._plain:
            self._plain.load(self._packed, self._workers[0].rooms, position.plain)
        for seen, kept in zip(self.seen, position.seen, strict=True):
            seen[...] = kept
        self._begun = position.begun
        if position.seed is not None and position.seed != self.seed:
            self._use_series(position.seed)

    @cached_property
    def _about(self) -> tuple[Any, ...]:
        """What is played: game, players, rules, strategies, and the number of games and of described actions."""
        table = self.table
        names = [strategy.name for strategy in table.strategies]
        rules = self._packed.tobytes()
        return table.game.name, table.players, rules, names, self.n, self._described

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy what is played, and the current positions."""
        made = (self.table, self.n, len(self._workers), self._described, self._stride > 0)
        return Batch, made, self.clone()

    def __setstate__(self, position: Position) -> None:
        self.restore(position)

    def close(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.shutdown()


def _next_seed(seed: int | None) -> int:
    """Return the seed of the series after another one; a random one for None."""
    return secrets.randbits(63) if seed is None else int(derive_many(seed, _NEXT)[0] >> np.uint64(1))


class Restorable:
    """An environment whose games can be saved and restored; for independent environments, use `copy.deepcopy`."""

    batch: Batch
    _changing: ClassVar[tuple[str, ...]]  # attributes that change as games are played

    def clone(self) -> tuple[Position, dict[str, Any]]:
        """Return the current position, for `restore`. It may be pickled, and restored any number of times."""
        own = {name: value for name, value in vars(self).items() if name in self._changing}
        return self.batch.clone(), deepcopy(own)

    def restore(self, position: tuple[Position, dict[str, Any]]) -> None:
        """Continue from a position that `clone` returned, here or in an environment with the same options."""
        games, own = position
        self.batch.restore(games)
        vars(self).update(deepcopy(own))
