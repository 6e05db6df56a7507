"""Run a plan: distribute parts to workers, estimate time, show progress, stop and resume."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext, suppress
from functools import partial

from balance.engine.loop import Simulator
from balance.experiments.plan import Cell, Part, Plan
from balance.experiments.strategies import level_of
from balance.foundation.compiling import cache_root, keeps_code
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.progress import SILENCE, Progress
from balance.runs.cluster import hash_plan, play_part
from balance.runs.folder import RunFolder
from balance.runs.jobs import jobs_of, loop_of
from balance.runs.manifest import WrittenPart
from balance.runs.worker import RunStopped, Worker
from balance.runs.workers import Workers, all_cores, drop

_TIMING = 3.0  # seconds of timing; untimed cells are assumed to be like the others


def seconds_needed(plan: Plan, parts: Sequence[Part]) -> float:
    """Return the seconds that one worker needs for these parts, without Python bots; timed games are not logged."""
    games: dict[int, int] = {}
    for part in parts:
        again = len(plan.sources(plan.cells[part.cell])) if part.luck else 0
        games[part.cell] = games.get(part.cell, 0) + (part.last - part.first) * (1 + again)
    timed: dict[str, dict[int, float]] = {}  # by tier, because their speeds differ widely
    began = time.perf_counter()
    for number in games:
        own = timed.setdefault(plan.cells[number].tier.name, {})
        if not own or time.perf_counter() - began <= _TIMING:
            own[number] = _seconds_a_game(plan, plan.cells[number])
    needed = 0.0
    for number, count in games.items():
        own = timed[plan.cells[number].tier.name]
        needed += count * own.get(number, sum(own.values()) / len(own))
    return needed


def _seconds_a_game(plan: Plan, cell: Cell) -> float:
    """Return the mean time of the games of one deal, with every seat in turn."""
    simulator, room, packed = loop_of(plan, cell)
    schedule = plan.schedule(cell)
    jobs = jobs_of(schedule, 0, schedule.deck_games)
    rows = simulator.rows(len(jobs), cell.players, False, 0)
    start = time.perf_counter()
    simulator.play_games(packed, room, jobs, rows, plan.experiment.decision_limit)
    return (time.perf_counter() - start) / len(jobs)


def write_seconds(seconds: float) -> str:
    """Return a time in words, rounded."""
    for size, words in ((3600.0, N_("about {time} hours")), (60.0, N_("about {time} minutes"))):
        if seconds >= 1.5 * size:
            return tr(words, time=write_number(seconds / size, ".0f" if seconds >= 10 * size else ".1f"))
    return tr("about {time} seconds", time=round(seconds)) if seconds >= 1.5 else tr("about a second")


Decided = Callable[[RunFolder, Cell, int], bool]
"""A stop rule: whether a cell needs no more games after this number."""
_WORTH_SAYING = 10.0  # seconds; the time of a shorter run is not announced
_PATIENCE = 0.5  # seconds; Windows notices Ctrl-C only between two waits


def play_run(
    run: RunFolder, decided: Decided, workers: Workers | None = None, progress: Progress = SILENCE
) -> None:
    """Play all missing games of a locked run into its folder, and record how it ended.

    Without `workers`, a thread on each core plays.
    """
    crew = _Crew(run, workers or all_cores(), progress)
    status = "failed"
    run.begin_writing()
    try:
        _play_cells(crew, decided)
        status = "finished"
    except KeyboardInterrupt:
        status = "interrupted"
        raise
    finally:
        crew.stop()
        # A full disk hides no other error and loses no part.
        with nullcontext() if status == "finished" else suppress(BalanceError):
            run.close(status)


def _play_cells(crew: _Crew, decided: Decided) -> None:
    """Play all cells; with a stop rule, check it after every `games` games and stop cells that are decided.

    A check uses exactly the games up to a number, once all of them are played, so that its result depends neither on
    the speed of workers nor on whether the run was resumed.
    """
    plan, cells, checks = crew.run.plan, crew.run.plan.cells, 0
    while cells:
        parts = []
        for cell in cells:
            parts += plan.parts(cell, _games_at(cell, checks), _games_at(cell, checks + 1))
        crew.play(parts)
        checks += 1
        cells = [cell for cell in cells if _games_at(cell, checks) < cell.tier.most_games]
        if plan.experiment.stop:
            cells = [cell for cell in cells if not decided(crew.run, cell, _games_at(cell, checks))]


def _games_at(cell: Cell, checks: int) -> int:
    """Return the games of a cell after this number of checks."""
    return min(checks * cell.tier.games, cell.tier.most_games)


class _Crew:
    """The workers of a run and their progress."""

    def __init__(self, run: RunFolder, workers: Workers, progress: Progress) -> None:
        self.run, self._workers, self._progress = run, workers, progress
        self._sends = workers.sends(run.plan.game)
        self._done = self._planned = 0
        self._under_way: list[Future[WrittenPart]] = []
        self._stop = threading.Event()
        self._local = threading.local()
        self._players: list[Worker] = []  # one a thread
        self._task: Callable[[Part], WrittenPart] | None = None

    def play(self, parts: Sequence[Part]) -> None:
        """Play the parts that are missing; return when all are written."""
        missing = [part for part in parts if not self.run.has_part(part)]
        self._planned += _count(parts)
        self._done += _count(parts) - _count(missing)
        self._progress.advance(self._done, self._planned)
        if not missing:
            return
        if self._task is None:
            self._task = self._make_ready()
            self._announce_time(missing)
            self._progress.advance(self._done, self._planned)
        queue, under_way = iter(missing), self._under_way
        while True:
            while len(under_way) < self._workers.ahead and (wanted := next(queue, None)):
                under_way.append(self._workers.submit(self.run.plan.game, self._task, wanted))
            if not under_way:
                return
            finished, _ = wait(under_way, _PATIENCE, FIRST_COMPLETED)
            for future in [future for future in under_way if future in finished]:
                # Of several failures, the first part's is reported.
                resume = tr("resume with: {command}", command=f"balance run --resume {self.run.path}")
                part = self._workers.result(future, resume)
                under_way.remove(future)
                self._keep(part)
                self._done += part.games
            self._progress.advance(self._done, self._planned)

    def _make_ready(self) -> Callable[[Part], WrittenPart]:
        """Return the function that plays a part; compile or load the game's loop before any thread needs it."""
        if self._sends:
            return partial(play_part, self.run.store or self.run.path.resolve(), hash_plan(self.run))
        compile_loops(self.run.plan, self._progress)
        return self._play_here

    def _announce_time(self, parts: Sequence[Part]) -> None:
        """Announce the time before searchers begin, because they play few games a second."""
        plan, count = self.run.plan, self._workers.count
        has_bots = any(tier.has_custom_bots for tier in plan.tiers)
        if self._sends or has_bots or not any(tier.iterations for tier in plan.tiers):
            return
        seconds = seconds_needed(plan, parts) / count
        if seconds >= _WORTH_SAYING:
            words = {"time": write_seconds(seconds), "workers": trn("one worker", "{n} workers", count)}
            self._progress.tell(
                tr("searchers play: {time} for each check of the stop rule on {workers}", **words)
                if plan.experiment.stop
                else tr("searchers play: {time} on {workers}", **words)
            )

    def _play_here(self, part: Part) -> WrittenPart:
        if self._stop.is_set():
            raise RunStopped
        if not hasattr(self._local, "worker"):
            run = self.run
            self._local.worker = Worker(run.plan, run.path, run.identity, self._stop, run.store)
            self._players.append(self._local.worker)
        played: WrittenPart = self._local.worker.play(part)
        return played

    def _keep(self, part: WrittenPart) -> None:
        """List a written part; that of a worker elsewhere comes from the store."""
        if self.run.store and self._sends:
            self.run.store.get_part(self.run.path, part)
        self.run.add_part(part)

    def stop(self) -> None:
        """Stop the workers; unfinished parts are dropped, parts finished meanwhile are kept."""
        self._stop.set()
        if any(not future.done() for future in self._under_way):
            self._workers.abandon()
        drop(self._under_way)
        for player in self._players:
            player.close()
        for future in self._under_way:
            if future.done() and not future.cancelled() and future.exception() is None:
                with suppress(BalanceError):  # the earlier failure is reported
                    self._keep(future.result())


def compile_loops(plan: Plan, progress: Progress) -> None:
    """Compile or load the game's loop for the tiers of a plan."""
    for level in sorted({level_of(tier.strategies) for tier in plan.tiers}):
        simulator = Simulator(plan.game, level)
        if not simulator.is_compiled():
            progress.note(
                tr(
                    "compiling {game} (about half a minute, once after an install or a change)",
                    game=plan.game.title,
                )
                if keeps_code()
                else tr(
                    "compiling {game} (about half a minute, in each command: {folder} can't be written)",
                    game=plan.game.title,
                    folder=cache_root(),
                )
            )
        simulator.compile(plan.first_variant.rules)


def _count(parts: Iterable[Part]) -> int:
    return sum(part.last - part.first for part in parts)
