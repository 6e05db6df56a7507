"""Runs a plan: parts to workers, progress, stopping, resuming."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from balance.errors import BalanceError
from balance.experiments import Cell, Part, Plan
from balance.runfolder import RunFolder
from balance.worker import Cancelled, Worker

Report = Callable[[int, int], None]
"""Called with games finished and games planned so far."""


def start_run(plan: Plan, path: Path, workers: int | None, report: Report) -> RunFolder:
    """Play a plan into a new folder.

    Parameters
    ----------
    workers : int or None
        Threads that play; None for one on each core. The compiled loop holds no lock of Python's, so
        threads play side by side and share one copy of the code.
    report : callable

    Raises
    ------
    BalanceError
        The folder can't be used or written, or a custom bot failed.
    KeyboardInterrupt
        The user stopped it; the run can be resumed.
    """
    run = RunFolder.create(path, plan)
    _play(run, workers, report)
    return run


def resume_run(path: Path, plan: Plan | None, workers: int | None, report: Report) -> RunFolder:
    """Finish a run that was stopped, to the same rows as if it had not been.

    `plan` is that of the experiment file, if one was given: it must be what the run began with.
    """
    run = RunFolder.open(path)
    run.check_unchanged(plan)
    _play(run, workers, report)
    return run


def _play(run: RunFolder, workers: int | None, report: Report) -> None:
    run.lock()
    run.remove_leftovers()
    crew = _Crew(run, workers or os.cpu_count() or 1, report)
    try:
        _play_cells(run, crew)
    except KeyboardInterrupt:
        crew.stop()
        run.close("interrupted")
        raise
    except BalanceError:
        crew.stop()
        run.close("failed")
        raise
    finally:
        crew.pool.shutdown(wait=True)
    run.close("finished")


def _play_cells(run: RunFolder, crew: _Crew) -> None:
    """Play all cells; with a stop rule look after every `games` games and drop cells that are done.

    Looks are taken when all games up to a number are there, so what is seen does not depend on which
    worker was faster.
    """
    experiment = run.plan.experiment
    cells, played = run.plan.cells, 0
    while cells and played < experiment.most_games:
        target = min(played + experiment.games, experiment.most_games)
        crew.play([part for cell in cells for part in run.plan.parts(cell, played, target)])
        played = target
        if experiment.stop:
            cells = [cell for cell in cells if not _precise_enough(run, cell)]


def _precise_enough(run: RunFolder, cell: Cell) -> bool:
    from balance.readings import seat_intervals

    stop = run.plan.experiment.stop
    assert stop is not None
    intervals = seat_intervals(run.path, cell.variant.name, cell.players)
    return all(100 * seat.half_width <= stop.half_width_points for seat in intervals)


class _Crew:
    """Worker threads, and what they have done."""

    def __init__(self, run: RunFolder, workers: int, report: Report) -> None:
        self._run, self._report = run, report
        self._stop = threading.Event()
        self._local = threading.local()
        self._workers = workers
        self._done = self._planned = 0
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="balance")

    def play(self, parts: Iterable[Part]) -> None:
        """Play parts that are not there yet; returns when all are.

        Few are handed out ahead, so that memory does not grow with the length of a run.
        """
        waiting = list(parts)
        self._planned += sum(part.last - part.first for part in waiting)
        missing = [part for part in waiting if not self._run.has_part(part)]
        here = sum(p.last - p.first for p in waiting) - sum(p.last - p.first for p in missing)
        self._done += here
        self._report(self._done, self._planned)
        if not missing:
            return
        queue = iter(missing)
        under_way: set[Future[int]] = set()
        while True:
            while len(under_way) < 2 * self._workers and (part := next(queue, None)):
                under_way.add(self.pool.submit(self._play_one, part))
            if not under_way:
                return
            finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                self._done += future.result()
            self._report(self._done, self._planned)

    def _play_one(self, part: Part) -> int:
        if self._stop.is_set():
            raise Cancelled
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker(self._run.plan, self._run.path, self._stop)
        return int(self._local.worker.play(part))

    def stop(self) -> None:
        """Give up what is under way."""
        self._stop.set()
        self.pool.shutdown(wait=True, cancel_futures=True)
