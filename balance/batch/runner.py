"""Runs a plan: parts to workers, progress, stopping, resuming."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from pathlib import Path

from balance.batch.cluster import await_part, contents, play_part
from balance.batch.pace import seconds_needed, write_seconds
from balance.batch.worker import RunStopped, Worker
from balance.engine.loop import Simulator
from balance.errors import BalanceError
from balance.log.folder import MakePlan, RunFolder
from balance.log.lock import hold
from balance.log.manifest import WrittenPart
from balance.plan.plan import Cell, Part, Plan
from balance.progress import SILENCE, Progress

Decided = Callable[[RunFolder, Cell, int], bool]
"""Whether a cell needs no more games after so many; asked where the experiment has a stop rule."""
_WORTH_SAYING = 10.0  # seconds that a run will take
_PATIENCE = 0.5  # seconds; Windows hears Ctrl-C only between two waits


def start_run(
    plan: Plan,
    path: Path,
    decided: Decided,
    workers: int | None = None,
    progress: Progress = SILENCE,
    cluster: Executor | None = None,
) -> RunFolder:
    """Play a plan into a new folder.

    Parameters
    ----------
    decided : callable
        The stop rule.
    workers : int or None
        Threads that play; None for one on each core. The compiled loop holds no lock of Python's, so
        threads play side by side and share one copy of the code.
    progress : Progress
    cluster : Executor or None
        Of a Dask client (see `balance.batch.cluster.open_cluster`), whose workers play instead.

    Raises
    ------
    BalanceError
        The folder can't be used or written, or a custom bot failed.
    KeyboardInterrupt
        The user stopped it; the run can be resumed.
    """
    run = RunFolder.create(path, plan)
    with hold(run.path):
        _play(run, _Crew(workers, progress, cluster), decided)
    return run


def resume_run(
    path: Path,
    plan: Plan | MakePlan | None,
    decided: Decided,
    workers: int | None = None,
    progress: Progress = SILENCE,
    cluster: Executor | None = None,
    run_bots: bool = False,
) -> RunFolder:
    """As `start_run`: finish a run that was stopped, to the same rows as if it had not been.

    `plan` is that of the experiment file, if one was given: it must be what the run began with; or it makes the
    plan of the run as it is when no other process can write it. `run_bots` allows Python code that the run alone names.
    """
    with RunFolder.open_locked(path) as run:
        run.go_on_with(plan)
        run.plan.bots_allowed |= run_bots
        run.plan.check_bots_allowed(run.plan.strategies)
        _play(run, _Crew(workers, progress, cluster), decided)
        return run


def _play(run: RunFolder, crew: _Crew, decided: Decided) -> None:
    """Play a run that no other process can write."""
    status = "failed"
    run.begin_writing()
    try:
        _play_cells(run, crew, decided)
        status = "finished"
    except KeyboardInterrupt:
        status = "interrupted"
        raise
    finally:
        crew.stop(run)
        _close(run, status)


def _close(run: RunFolder, status: str) -> None:
    """Note how a run ended; a disk that is full hides no other failure and loses no part."""
    try:
        run.close(status)
    except BalanceError:
        if status == "finished":
            raise


def _play_cells(run: RunFolder, crew: _Crew, decided: Decided) -> None:
    """Play all cells; with a stop rule look after every `games` games and drop cells that are done.

    A look is taken when all games up to a number are there, and at those alone, so that what is seen
    depends neither on which worker was faster nor on whether the run was resumed.
    """
    plan, cells, looks = run.plan, run.plan.cells, 0
    while cells:
        parts = []
        for cell in cells:
            first, last = (_games_at(cell, look) for look in (looks, looks + 1))
            parts += plan.parts(cell, first, last)
        crew.play(run, parts)
        looks += 1
        cells = [cell for cell in cells if _games_at(cell, looks) < cell.tier.most_games]
        if plan.experiment.stop:
            cells = [cell for cell in cells if not decided(run, cell, _games_at(cell, looks))]


def _games_at(cell: Cell, looks: int) -> int:
    """Games of a cell when so many looks have been taken."""
    return min(looks * cell.tier.games, cell.tier.most_games)


class _Crew:
    """Worker threads, or a Dask cluster's workers, and what they have done."""

    def __init__(self, workers: int | None, progress: Progress, cluster: Executor | None) -> None:
        self._progress = progress
        self._done = self._planned = 0
        self._under_way: list[Future[WrittenPart]] = []
        self._stop = threading.Event()
        self._local = threading.local()
        self._workers: list[Worker] = []
        self._task: Callable[[Part], WrittenPart] | None = None
        self._remote = cluster is not None
        self._workers_wanted = count = workers or os.cpu_count() or 1
        self._pool = cluster or ThreadPoolExecutor(count, thread_name_prefix="balance")
        # Few parts are handed out ahead, so that memory does not grow with the length of a run.
        self._ahead = 64 if self._remote else 2 * count

    def play(self, run: RunFolder, parts: Iterable[Part]) -> None:
        """Play parts that are not there yet; returns when all are."""
        waiting = list(parts)
        missing = [part for part in waiting if not run.has_part(part)]
        self._planned += _count(waiting)
        self._done += _count(waiting) - _count(missing)
        self._progress.advance(self._done, self._planned)
        if not missing:
            return
        if self._task is None:
            self._task = self._make_ready(run)
            self._say_how_long(run.plan, missing)
            self._progress.advance(self._done, self._planned)
        queue, under_way = iter(missing), self._under_way
        while True:
            while len(under_way) < self._ahead and (wanted := next(queue, None)):
                under_way.append(self._pool.submit(self._task, wanted))
            if not under_way:
                return
            finished, _ = wait(under_way, _PATIENCE, FIRST_COMPLETED)
            for future in [future for future in under_way if future in finished]:
                part = self._await(future, run)  # of several failures the first part's is told
                under_way.remove(future)
                run.add_part(part)
                self._done += part.games
            self._progress.advance(self._done, self._planned)

    def _make_ready(self, run: RunFolder) -> Callable[[Part], WrittenPart]:
        """What plays a part; the game's loop is compiled, or loaded, before any thread wants it."""
        if self._remote:
            return partial(play_part, run.path.resolve(), *contents(run))
        compile_loops(run.plan, self._progress)
        return partial(self._play_here, run)

    def _say_how_long(self, plan: Plan, parts: Sequence[Part]) -> None:
        """Before searchers begin, who play few games a second; a stop rule may need more of them."""
        tiers = plan.tiers
        if self._remote or not any(t.iterations for t in tiers) or any(t.has_custom_bots for t in tiers):
            return
        seconds = seconds_needed(plan, parts) / self._workers_wanted
        if seconds < _WORTH_SAYING:
            return
        upto = " for each look of the stop rule" if plan.experiment.stop else ""
        count = self._workers_wanted
        workers = f"{count} workers" if count > 1 else "one worker"
        self._progress.tell(f"searchers play: {write_seconds(seconds)}{upto} on {workers}")

    def _await(self, future: Future[WrittenPart], run: RunFolder) -> WrittenPart:
        return await_part(future, run.path) if self._remote else future.result()

    def _play_here(self, run: RunFolder, part: Part) -> WrittenPart:
        if self._stop.is_set():
            raise RunStopped
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker(run.plan, run.path, run.identity, self._stop)
            self._workers.append(self._local.worker)
        played: WrittenPart = self._local.worker.play(part)
        return played

    def stop(self, run: RunFolder) -> None:
        """Let the workers go; what is under way is given up, what they finished meanwhile is kept."""
        self._stop.set()
        for future in self._under_way:
            future.cancel()
        self._pool.shutdown(wait=True)
        for worker in self._workers:
            worker.close()
        for future in self._under_way:
            if future.done() and not future.cancelled() and future.exception() is None:
                with suppress(BalanceError):  # what failed before is told
                    run.add_part(future.result())


def compile_loops(plan: Plan, progress: Progress) -> None:
    """Compile the game's loop, or load it, as the tiers of a plan need it."""
    for searching in sorted({tier.iterations > 0 for tier in plan.tiers}):
        simulator = Simulator(plan.game, searching)
        if not simulator.is_compiled():
            title = plan.game.title
            progress.note(f"compiling {title} (about half a minute, once after an install or a change)")
        simulator.compile(plan.first_variant.rules)


def _count(parts: Iterable[Part]) -> int:
    return sum(part.last - part.first for part in parts)
