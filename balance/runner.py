"""Runs a plan: parts to workers, progress, stopping, resuming."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from balance.errors import BalanceError
from balance.experiments import Cell, Part, Plan
from balance.runfolder import RunFolder
from balance.worker import RunStopped, Worker

Report = Callable[[int, int], None]
"""Called with games finished and games planned so far."""


def start_run(
    plan: Plan, path: Path, workers: int | None, report: Report, dask: str | None = None
) -> RunFolder:
    """Play a plan into a new folder.

    Parameters
    ----------
    workers : int or None
        Threads that play; None for one on each core. The compiled loop holds no lock of Python's, so
        threads play side by side and share one copy of the code.
    report : callable
    dask : str or None
        Address of a Dask scheduler whose workers play instead.

    Raises
    ------
    BalanceError
        The folder can't be used or written, or a custom bot failed.
    KeyboardInterrupt
        The user stopped it; the run can be resumed.
    """
    crew = _Crew(workers, report, dask)
    run = RunFolder.create(path, plan)
    _play(run, crew)
    return run


def resume_run(
    path: Path, plan: Plan | None, workers: int | None, report: Report, dask: str | None = None
) -> RunFolder:
    """Finish a run that was stopped, to the same rows as if it had not been.

    `plan` is that of the experiment file, if one was given: it must be what the run began with.
    """
    run = RunFolder.open(path)
    run.check_unchanged(plan)
    _play(run, _Crew(workers, report, dask))
    return run


def _play(run: RunFolder, crew: _Crew) -> None:
    with run.locked():
        run.remove_leftovers()
        status = "failed"
        try:
            _play_cells(run, crew)
            status = "finished"
        except KeyboardInterrupt:
            status = "interrupted"
            raise
        finally:
            crew.stop()
            _close(run, status)


def _close(run: RunFolder, status: str) -> None:
    """Note how a run ended; a disk that is full hides no other failure and loses no part."""
    try:
        run.close(status)
    except BalanceError:
        if status == "finished":
            raise


def _play_cells(run: RunFolder, crew: _Crew) -> None:
    """Play all cells; with a stop rule look after every `games` games and drop cells that are done.

    A look is taken when all games up to a number are there, and at those alone, so that what is seen
    depends neither on which worker was faster nor on whether the run was resumed.
    """
    experiment = run.plan.experiment
    cells, played = run.plan.cells, 0
    while cells and played < experiment.most_games:
        target = min(played + experiment.games, experiment.most_games)
        crew.play(run, [part for cell in cells for part in run.plan.parts(cell, played, target)])
        played = target
        if experiment.stop:
            cells = [cell for cell in cells if not _decided(run, cell, played)]


def _decided(run: RunFolder, cell: Cell, played: int) -> bool:
    """Whether every seat is decided by the first `played` games; a resumed run may have later ones."""
    from balance.analysis.sequences import seat_verdicts

    stop = run.plan.experiment.stop
    assert stop is not None
    verdicts = seat_verdicts(run, cell, played, stop.threshold_points)["verdict"]
    return len(verdicts) > 0 and not (verdicts == "undecided").any()


class _Crew:
    """Worker threads, or a Dask cluster's workers, and what they have done."""

    def __init__(self, workers: int | None, report: Report, dask: str | None) -> None:
        self._report = report
        self._done = self._planned = 0
        self._under_way: list[Future[int]] = []
        self._stop = threading.Event()
        self._local = threading.local()
        self._dask = dask is not None
        self.pool: Executor
        if dask is not None:
            from balance.cluster import connect

            self.pool = connect(dask)
        else:
            count = workers or os.cpu_count() or 1
            self.pool = ThreadPoolExecutor(count, thread_name_prefix="balance")
        # Few parts are handed out ahead, so that memory does not grow with the length of a run.
        self._ahead = 64 if self._dask else 2 * count

    def play(self, run: RunFolder, parts: Iterable[Part]) -> None:
        """Play parts that are not there yet; returns when all are."""
        waiting = list(parts)
        missing = [part for part in waiting if not run.has_part(part)]
        self._planned += _count(waiting)
        self._done += _count(waiting) - _count(missing)
        self._report(self._done, self._planned)
        queue = iter(missing)
        under_way = self._under_way
        while True:
            while len(under_way) < self._ahead and (part := next(queue, None)):
                under_way.append(self.pool.submit(self._task(run), part))
            if not under_way:
                return
            finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in [future for future in under_way if future in finished]:
                self._done += future.result()  # of several failures the first part's is told
                under_way.remove(future)
            self._report(self._done, self._planned)

    def _task(self, run: RunFolder) -> Callable[[Part], int]:
        if self._dask:
            from balance.cluster import play_part

            return partial(play_part, run.path.resolve())
        return partial(self._play_here, run)

    def _play_here(self, run: RunFolder, part: Part) -> int:
        if self._stop.is_set():
            raise RunStopped
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker(run.plan, run.path, self._stop)
        return int(self._local.worker.play(part))

    def stop(self) -> None:
        """Let the workers go; what is under way is given up."""
        self._stop.set()
        for future in self._under_way:
            future.cancel()
        self.pool.shutdown(wait=True)


def _count(parts: Iterable[Part]) -> int:
    return sum(part.last - part.first for part in parts)
