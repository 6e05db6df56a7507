"""Many games at once: one compiled step for all of them, over threads, into NumPy buffers of the caller."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from balance.contract.records import flat_rows
from balance.engine.buffers import Buffers
from balance.engine.environments import (
    Played,
    Seen,
    draw_actions,
    find_answers,
    make_played,
    repeat_games,
    table_of,
)
from balance.engine.loop import Simulator
from balance.engine.stepper import Stepper
from balance.envs.spaces import Spaces
from balance.envs.table import Table
from balance.experiments.lineups import series_seeds
from balance.experiments.strategies import Packed, level_of, pack_strategies
from balance.foundation.compiling import find_overload
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr

LEAST_GAMES = 32  # of a thread; fewer are not worth the hand-over


class _Worker(NamedTuple):
    """The games of one thread."""

    first: int
    last: int
    rooms: Buffers
    played: Played
    answers: np.ndarray  # int64 (last - first,)
    unlisted: np.ndarray  # int32 (1,), of `played.series`; a field of a recarray takes 10 µs to read

    def part_of(self, seen: Seen) -> Seen:
        """Return the worker's part of the buffers of all games."""
        return Seen._make(each[self.first : self.last] for each in seen)


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
    """

    def __init__(
        self, table: Table, n: int, threads: int | None = None, described: int = 0, endless: bool = True
    ) -> None:  # fmt: skip
        for name, value, least in (("n", n, 1), ("described", described, 0)):
            if value < least:
                raise BalanceError(
                    tr(
                        "{name}: must be at least {least}, not {value}",
                        name=name,
                        least=least,
                        value=value,
                    )
                )
        self.table, self.n, self._described = table, n, described
        self.spaces = Spaces(table.game, table.rules, table.players)
        self._loop = Simulator(table.game, level_of(table.strategies))
        self._packed = table.game.kernel.pack_rules(table.rules, table.players)
        self._stride = n if endless else 0
        count = threads or min(os.cpu_count() or 1, max(1, n // LEAST_GAMES))
        bounds = np.linspace(0, n, min(count, n) + 1).astype(int).tolist()
        codes = table_of(self.spaces.codes)
        packed = pack_strategies(table.game, table.strategies, table.players)
        self._workers = [self._make_worker(packed, codes, *span) for span in pairwise(bounds)]
        self._threads = ThreadPoolExecutor(len(self._workers)) if len(self._workers) > 1 else None
        self.seen, self._begun = self.make_buffers(), False
        first = self._workers[0]
        args = (self._packed, first.rooms, first.played, first.answers, first.part_of(self.seen))
        self._step_games = find_overload(self._loop.step_games, args)

    def _make_worker(self, packed: Packed, codes: np.ndarray, first: int, last: int) -> _Worker:
        """Return new buffers for games `first`..`last`-1 of packed strategies."""
        n, table = last - first, self.table
        rooms = repeat_games(self._loop.room(*packed), n)
        rows = self._loop.rows(n, table.players, False, 0)
        played = make_played(n, len(self.spaces.action_names), table.lineups, codes, rows)
        series = played.series
        series.stride, series.limit, series.reward = self._stride, table.limit, table.reward
        unlisted = series.view(np.ndarray)["unlisted"]
        return _Worker(first, last, rooms, played, np.zeros(n, np.int64), unlisted)

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
        self, seed: int = 0, games: Sequence[int] | np.ndarray | None = None, out: Seen | None = None
    ) -> Seen:
        """Begin new games and return their first decisions.

        Parameters
        ----------
        seed : int
            The series.
        games : int array (n,) or None
            The number of each game in the series; None for 0 to n - 1.
        out : Seen or None
            Buffers to write to; None for those of the last step.
        """
        numbers = np.arange(self.n) if games is None else np.asarray(games, np.int64)
        if numbers.shape != (self.n,) or (numbers < 0).any():
            raise BalanceError(
                tr("games: must be {count} whole numbers from 0 on, one for each game", count=self.n)
            )
        self._use(out)
        self._begun = True
        deals, seeds = series_seeds(seed)
        for worker in self._workers:
            worker.played.series.deals, worker.played.series.seeds = deals, seeds
            own = numbers[worker.first : worker.last]
            self._loop.start_games(self._packed, worker.rooms, worker.played, own)
            worker.answers[:] = -1
        return self._step()

    def step(self, actions: np.ndarray, out: Seen | None = None) -> Seen:
        """Take an action in each game and return the next decisions; all or, after an error, none is taken.

        Where a game ends, ``done`` is 1, ``reward`` is that of each seat, and the decision is the first of the next
        game.
        """
        if not self._begun:
            raise BalanceError(tr("call reset() before step()"))
        actions = np.asarray(actions)
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise BalanceError(
                tr("actions: must be {count} whole numbers, one for each game", count=self.n)
            )
        for worker in self._workers:
            self._find_answers(worker, actions[worker.first : worker.last])
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

    def _find_answers(self, worker: _Worker, actions: np.ndarray) -> None:
        """Find each action among the legal ones; refuse or replace an illegal one."""
        answers = worker.answers
        if not find_answers(worker.played.options, worker.played.counts, actions, answers):
            return
        illegal = answers < 0
        if not self.table.replaces_illegal:
            place = int(illegal.argmax())
            raise BalanceError(self._say_illegal(worker, place, int(actions[place])))
        drawn = np.where(illegal, self._draw(worker), actions)
        find_answers(worker.played.options, worker.played.counts, drawn, answers)

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

    def close(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.shutdown()
