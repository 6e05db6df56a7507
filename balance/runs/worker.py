"""Play the parts of a plan, in memory or into files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from balance.contract.records import blank
from balance.engine.buffers import Rows
from balance.experiments.plan import Cell, Part, Plan
from balance.runs.jobs import jobs_again, jobs_of, loop_of
from balance.runs.manifest import WrittenPart
from balance.runs.parts import name_part, tables_of, write_part
from balance.runs.python_bots import Bots, Conversation
from balance.runs.rows import RowWriter

TRACE_ROWS = 1_000_000  # rows of trace held in memory by one worker


class RunStopped(Exception):  # noqa: N818 - it is no error
    """The run is being stopped; the current part of this worker is dropped."""


class PartPlayer:
    """Plays parts of one plan.

    Parameters
    ----------
    stop : threading.Event
        Set it to stop between two batches.
    """

    def __init__(self, plan: Plan, stop: threading.Event) -> None:
        self._plan, self._stop = plan, stop
        self._sit(plan.cells[0])
        self._bots = Bots(plan, stop)

    def tables(self, part: Part) -> Iterator[dict[str, pa.Table]]:
        """Play a part and yield its rows as tables by name, batch by batch.

        Raises
        ------
        BalanceError
            A custom bot failed.
        RunStopped
            `stop` was set.
        """
        cell = self._plan.cells[part.cell]
        if cell is not self._cell:
            self._sit(cell)
        jobs, lineups = self._jobs(part)
        writer = RowWriter(self._plan, cell)
        rows = self._rows(part, len(jobs))
        play = self._player_of(part)
        done = 0
        while done < len(jobs):
            if self._stop.is_set():
                raise RunStopped
            count = play(jobs[done:], rows)
            if count == 0:
                rows = rows._replace(trace=blank(2 * len(rows.trace), rows.trace.dtype))
                continue
            traced = int(self._room.episode[0].trace_used)
            yield writer.tables(rows, lineups[done : done + count], count, traced)
            done += count
        if part.luck:
            rows = self._simulator.rows(len(jobs), cell.players, False, 0)
            for source, again in jobs_again(self._plan, part, jobs):
                if self._stop.is_set():
                    raise RunStopped
                play(again, rows)
                yield {"luck": writer.luck(source, rows)}

    def _sit(self, cell: Cell) -> None:
        """Prepare the loop and the buffers for the strategies of a cell."""
        self._cell = cell
        self._simulator, self._room, self._packed = loop_of(self._plan, cell)

    def _rows(self, part: Part, games: int) -> Rows:
        players = self._plan.cells[part.cell].players
        trace = min(TRACE_ROWS, 1000 * games) if part.level == "trace" else 0
        return self._simulator.rows(games, players, part.level != "games", trace)

    def _jobs(self, part: Part) -> tuple[np.recarray, np.ndarray]:
        cell = self._plan.cells[part.cell]
        schedule = self._plan.schedule(cell)
        jobs = jobs_of(schedule, part.first, part.last)
        jobs.game_id[:] = cell.first_id + np.arange(part.first, part.last)
        return jobs, jobs.lineup[:, : cell.players]

    def close(self) -> None:
        """End the bot processes."""
        self._bots.close()

    def _player_of(self, part: Part) -> Callable[[np.ndarray, Rows], int]:
        """Return the function that plays games of a part and returns the number of finished ones."""
        if self._plan.cells[part.cell].tier.has_custom_bots:
            talk = Conversation(self._plan, part, self._simulator, self._room, self._bots)
            return partial(self._ask_along, talk)
        return self._play_compiled

    def _play_compiled(self, jobs: np.ndarray, rows: Rows) -> int:
        limit = self._plan.experiment.decision_limit
        return int(self._simulator.play_games(self._packed, self._room, jobs, rows, limit))

    def _ask_along(self, talk: Conversation, jobs: np.ndarray, rows: Rows) -> int:
        """Play as `_play_compiled` with Python bots: the loop stops for each of their decisions."""
        episode = self._room.episode[0]
        episode.keep_rounds = len(rows.rounds) > 0
        episode.tracing = len(rows.trace) > 0
        episode.trace_used = episode.trace_full = 0
        for number, job in enumerate(jobs):
            if self._stop.is_set():
                raise RunStopped
            kept = int(episode.trace_used)
            talk.play(job, rows.trace)
            if episode.trace_full:
                episode.trace_used = kept
                return number
            self._simulator.finish(talk.packed, self._room, job, rows, number)
        return len(jobs)


class Worker(PartPlayer):
    """Plays parts of one plan and writes them.

    Parameters
    ----------
    run : Path
        The run folder.
    identity : str
        Identity of the run, see `balance.runs.info.identify`.
    stop : threading.Event
        As in `PartPlayer`.
    """

    def __init__(self, plan: Plan, run: Path, identity: str, stop: threading.Event) -> None:
        super().__init__(plan, stop)
        self._run, self._identity = run, identity

    def play(self, part: Part) -> WrittenPart:
        """Play and write a part; return the written part.

        Raises
        ------
        BalanceError
            The part can't be written, or a custom bot failed.
        RunStopped
            `stop` was set.
        """
        names = tables_of(part.level, part.luck)
        with write_part(self._run, name_part(part), names, self._identity) as files:
            for tables in self.tables(part):
                files.write(tables)
        return files.written
