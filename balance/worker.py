"""One worker: plays a part of the plan and writes it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from balance.bots.custom import BotError, ask_bot, make_bot
from balance.bots.strategies import pack_strategies
from balance.experiments import Part, Plan
from balance.logs import RowWriter, tables_of, write_part
from balance.simulate import JOB, Rows, Simulator, Work, blank

TRACE_ROWS = 1_000_000  # rows of trace held in memory by one worker


class RunStopped(Exception):  # noqa: N818 - it is no error
    """The run is being stopped; what this worker was playing is dropped."""


class Worker:
    """Plays parts of one plan.

    Parameters
    ----------
    plan : Plan
    run : Path
        The run folder.
    stop : threading.Event
        Set from outside to give up between two batches.
    """

    def __init__(self, plan: Plan, run: Path, stop: threading.Event) -> None:
        self._plan, self._run, self._stop = plan, run, stop
        self._simulator = Simulator(plan.game)
        strategies, weights = pack_strategies(plan.strategies, self._simulator.weights_type)
        self._work = self._simulator.room(strategies, weights)

    def play(self, part: Part) -> int:
        """Play and write a part; returns its number of games.

        Raises
        ------
        BalanceError
            The part can't be written, or a custom bot failed.
        RunStopped
            `stop` was set.
        """
        cell = self._plan.cells[part.cell]
        jobs, lineups = self._jobs(part)
        packed = self._plan.game.module("packing").pack_rules(cell.variant.rules, cell.players)
        writer = RowWriter(self._plan, cell)
        rows = self._rows(part, len(jobs))
        play = self._ask_along if self._plan.has_custom_bots else self._play_compiled
        with write_part(self._run, part.name, tables_of(part.level)) as files:
            done = 0
            while done < len(jobs):
                if self._stop.is_set():
                    raise RunStopped
                count = play(packed, jobs[done:], rows, part)
                if count == 0:
                    rows = rows._replace(trace=blank(2 * len(rows.trace), rows.trace.dtype))
                    continue
                traced = int(self._work.table[0].trace_used)
                files.write(writer.tables(rows, lineups[done : done + count], count, traced))
                done += count
        return len(jobs)

    def _rows(self, part: Part, games: int) -> Rows:
        players = self._plan.cells[part.cell].players
        trace = min(TRACE_ROWS, 1000 * games) if part.level == "trace" else 0
        return self._simulator.rows(games, players, part.level != "games", trace)

    def _jobs(self, part: Part) -> tuple[np.ndarray, np.ndarray]:
        cell = self._plan.cells[part.cell]
        schedule = self._plan.schedule(cell.players)
        deck_seeds, seeds, lineups = schedule.games(part.first, part.last)
        jobs = blank(len(seeds), JOB)
        jobs.game_id[:] = cell.first_id + np.arange(part.first, part.last)
        jobs.deck_seed[:] = deck_seeds
        jobs.seed[:] = seeds
        jobs.lineup[:, : cell.players] = lineups
        return jobs, lineups

    def _play_compiled(self, packed: np.record, jobs: np.ndarray, rows: Rows, part: Part) -> int:
        limit = self._plan.experiment.decision_limit
        return int(self._simulator.play_games(packed, self._work, jobs, rows, limit))

    def _ask_along(self, packed: np.record, jobs: np.ndarray, rows: Rows, part: Part) -> int:
        """As `_play_compiled`, with Python bots at the table; the same loop, stopped and resumed."""
        table, state = self._work.table[0], self._work.state[0]
        table.tracing = len(rows.trace) > 0
        state.keep_rounds = len(rows.rounds) > 0
        table.trace_used = table.trace_full = 0
        conversation = Conversation(self._plan, part, self._simulator, self._work)
        for number, job in enumerate(jobs):
            if self._stop.is_set():
                raise RunStopped
            kept = int(table.trace_used)
            conversation.play(packed, job, rows.trace)
            if table.trace_full:
                table.trace_used = kept
                return number
            self._simulator.finish(packed, self._work, job, rows, number)
        return len(jobs)


class Conversation:
    """Games of a part in which custom bots are asked."""

    def __init__(self, plan: Plan, part: Part, simulator: Simulator, work: Work) -> None:
        self._plan, self._simulator, self._work = plan, simulator, work
        self._rules = plan.cells[part.cell].variant.rules
        self._labels = plan.game.module("labels")
        self._observe = plan.game.module("observation").observe
        self._limit = plan.experiment.decision_limit

    def play(self, packed: np.record, job: np.record, trace: np.ndarray) -> None:
        """Play one game to its end."""
        work = self._work
        state, table = work.state[0], work.table[0]
        self._simulator.begin(packed, work, job)
        bots = self._seat_bots(job, int(packed.players))
        answer = -1
        while True:
            count = int(self._simulator.play_on(packed, state, table, trace, self._limit, answer))
            if count == 0:
                return
            seat = int(state.seat)
            actions = [self._labels.write_label(int(code), self._rules) for code in table.codes[:count]]
            observation = self._observe(self._rules, state, seat)
            answer = ask_bot(bots[seat], observation, actions, self._who(job, seat))

    def _seat_bots(self, job: np.record, players: int) -> dict[int, Callable[[Any, Sequence[str]], Any]]:
        bots: dict[int, Callable[[Any, Sequence[str]], Any]] = {}
        for seat in range(players):
            strategy = self._plan.strategies[job.lineup[seat]]
            if strategy.kind == "custom":
                seed = int(self._work.table[0].streams[seat])
                try:
                    bots[seat] = make_bot(strategy.bot, seed)
                except BotError as error:
                    raise BotError(f"{self._who(job, seat)}: {error}") from error
        return bots

    def _who(self, job: np.record, seat: int) -> str:
        name = self._plan.strategies[job.lineup[seat]].name
        return f"bot {name}, game {int(job.game_id)}, seat {seat}"
