"""Play the parts of a plan, in memory or into files. Each seat of a Python bot has a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from balance.contract.records import blank
from balance.engine.buffers import Rows
from balance.engine.custom import BotError, BotProcess
from balance.engine.stepper import Stepper
from balance.experiments.plan import Cell, Part, Plan
from balance.experiments.strategies import Strategy
from balance.foundation.language import tr
from balance.foundation.streams import derive_many
from balance.runs.jobs import jobs_again, jobs_of, loop_of
from balance.runs.manifest import WrittenPart
from balance.runs.parts import name_part, tables_of, write_part
from balance.runs.rows import RowWriter
from balance.runs.store import Store

Tables = dict[str, pa.Table]
"""Rows by the name of their table, as a run logs them."""
_GUESSES = 224  # stage of the seeds with which games in plain Python deal a simulator's start
_TRACE_ROWS = 1_000_000  # rows of trace held in memory by one worker


class RunStopped(Exception):  # noqa: N818 - it is no error
    """The run is being stopped; the current part of this worker is dropped."""


def join_tables(parts: Iterable[Tables]) -> Tables:
    """Return the rows of several parts; those of a table that some parts have, of these parts."""
    found: dict[str, list[pa.Table]] = {}
    for part in parts:
        for name, table in part.items():
            found.setdefault(name, []).append(table)
    return {name: pa.concat_tables(tables) for name, tables in found.items()}


class _BotProcesses:
    """The bot processes of one worker, kept from game to game.

    Two seats of a game never share a process, even with the same bot: a bot's module state is not visible to another
    seat. All games of a worker use the same processes.
    """

    def __init__(self, plan: Plan, stop: threading.Event) -> None:
        self._plan, self._stop = plan, stop
        self._processes: dict[tuple[str, int], BotProcess] = {}

    def get(self, strategy: Strategy, place: int) -> BotProcess:
        """Return the process of a strategy for its `place`-th seat in a game."""
        key = strategy.bot, place
        if key not in self._processes:
            self._plan.check_bots_allowed([strategy])
            limits, module = self._plan.experiment.bot_limits, self._plan.game.observing_module
            self._processes[key] = BotProcess(strategy.bot, limits, module, self._stop)
        return self._processes[key]

    def close(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()


def play_alone(plan: Plan, part: Part, names: Collection[str]) -> Tables:
    """Play a part with a player of its own, and return the rows of the named tables."""
    player = PartPlayer(plan, threading.Event())
    try:
        return player.play_tables(part, names)
    finally:
        player.close()


class PartPlayer:
    """Plays parts of one plan; set `stop` to stop between two batches, or two games with Python bots."""

    def __init__(self, plan: Plan, stop: threading.Event) -> None:
        self._plan, self._stop = plan, stop
        self._bots = _BotProcesses(plan, stop)
        self._prepare(plan.cells[0])

    def _prepare(self, cell: Cell) -> None:
        """Prepare the loop and the buffers for the strategies of a cell."""
        self._cell = cell
        self._simulator, self._buffers, self._packed = loop_of(self._plan, cell)
        self._stepper = Stepper(self._plan.game, cell.variant.rules, cell.players, self._buffers)

    def tables(self, part: Part) -> Iterator[Tables]:
        """Play a part and yield its rows as tables by name, batch by batch.

        Raises
        ------
        BotError
            A Python bot failed; the message names the bot, the game and the seat.
        RunStopped
            `stop` was set.
        """
        cell = self._plan.cells[part.cell]
        if cell is not self._cell:
            self._prepare(cell)
        jobs = jobs_of(self._plan.schedule(cell), part.first, part.last)
        jobs.game_id[:] = cell.first_id + np.arange(part.first, part.last)
        lineups = jobs.lineup[:, : cell.players]
        writer = RowWriter(self._plan, cell)
        trace = min(_TRACE_ROWS, 1000 * len(jobs)) if part.level == "trace" else 0
        rows = self._simulator.rows(len(jobs), cell.players, part.level != "games", trace)
        done = 0
        while done < len(jobs):
            count = self._play(jobs[done:], rows)
            if count == 0:  # the trace of the next game does not fit
                rows = rows._replace(trace=blank(2 * len(rows.trace), rows.trace.dtype))
                continue
            traced = int(self._buffers.episode[0].trace_used)
            yield writer.tables(rows, lineups[done : done + count], count, traced)
            done += count
        if part.luck:
            rows = self._simulator.rows(len(jobs), cell.players, False, 0)
            for source, again in jobs_again(self._plan, part, jobs):
                self._play(again, rows)
                yield {"luck": writer.luck(source, rows)}

    def play_tables(self, part: Part, names: Collection[str]) -> Tables:
        """Play a part and return the rows of the named tables."""
        batches = self.tables(part)
        return join_tables({name: batch[name] for name in names if name in batch} for batch in batches)

    def _play(self, jobs: np.ndarray, rows: Rows) -> int:
        """Play games into `rows` and return how many of them fit."""
        self._check_stop()
        if self._cell.tier.has_custom_bots:
            return self._play_with_bots(jobs, rows)
        limit = self._plan.experiment.decision_limit
        return int(self._simulator.play_games(self._packed, self._buffers, jobs, rows, limit))

    def _check_stop(self) -> None:
        if self._stop.is_set():
            raise RunStopped

    def _play_with_bots(self, jobs: np.ndarray, rows: Rows) -> int:
        """Play games as `play_games` does; the loop stops for each decision of a Python bot."""
        episode = self._buffers.episode[0]
        episode.keep_rounds = len(rows.rounds) > 0
        episode.tracing = len(rows.trace) > 0
        episode.trace_used = episode.trace_full = 0
        for number, job in enumerate(jobs):
            self._check_stop()
            kept = int(episode.trace_used)
            self._play_game_with_bots(job, rows.trace)
            if episode.trace_full:
                episode.trace_used = kept
                return number
            self._simulator.finish(self._packed, self._buffers, job, rows, number)
        return len(jobs)

    def _play_game_with_bots(self, job: np.record, trace: np.ndarray) -> None:
        view, buffers, seat = self._stepper, self._buffers, 0
        limit, answer = self._plan.experiment.decision_limit, -1
        self._simulator.begin(self._packed, buffers, job)
        try:
            playing: dict[int, BotProcess] = {}
            for seat, number in enumerate(job.lineup[: self._cell.players].tolist()):
                strategy = self._cell.tier.strategies[number]
                if strategy.kind == "custom":
                    place = job.lineup[:seat].tolist().count(number)
                    playing[seat] = self._bots.get(strategy, place)
                    self._make_bot(playing[seat], int(buffers.episode[0].streams[seat]))
            while self._simulator.play_on(self._packed, buffers, trace, limit, answer):
                seat = view.seat
                bot = playing[seat]
                known = None
                if bot.wants_simulator:
                    decided = int(buffers.episode[0].decisions)
                    known = view.known(int(derive_many(int(job.seed), _GUESSES, decided)[0]))
                answer = bot.choose(view.observe(), view.options(), known)
        except BotError as error:
            self._bots.close()  # one process has ended
            name = self._cell.tier.strategies[job.lineup[seat]].name
            raise BotError(
                tr(
                    "bot {name}, game {game}, seat {seat} {error}",
                    name=name, game=int(job.game_id), seat=seat, error=error,
                )
            ) from None  # fmt: skip

    def _make_bot(self, process: BotProcess, seed: int) -> None:
        """Create a new bot for a game, with a simulator if it wants one."""
        process.make(seed)
        if process.wants_simulator:
            game, rules = self._plan.game, self._cell.variant.rules.model_dump(by_alias=True)
            process.simulate(game.name if game.own_loop else game.package, rules, self._cell.players, seed)

    def close(self) -> None:
        """End the bot processes."""
        self._bots.close()


class Worker(PartPlayer):
    """Plays parts of one plan and writes them.

    `identity` is that of the run, see `balance.runs.manifest.identify`. If the folder is a mirror, the files of a part
    are put into the store too.
    """

    def __init__(self, plan: Plan, run: Path, identity: str, stop: threading.Event, store: Store | None = None) -> None:
        super().__init__(plan, stop)
        self._run, self._identity, self._store = run, identity, store

    def play(self, part: Part) -> WrittenPart:
        """Play and write a part as `tables` does; return the written part."""
        names = tables_of(part.level, part.luck)
        with write_part(self._run, name_part(part), names, self._identity) as files:
            for tables in self.tables(part):
                files.write(tables)
        if self._store:
            self._store.put_part(self._run, files.written)
        return files.written
