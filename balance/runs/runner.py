"""Run a plan: distribute parts to workers, estimate time, show progress, stop and resume."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext, suppress
from functools import partial
from typing import Generic, TypeVar

from balance.engine.loop import Simulator
from balance.experiments.plan import Cell, Part, Plan
from balance.experiments.strategies import classifier_of, level_of
from balance.foundation.compiling import cache_root, keeps_code
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.progress import SILENCE, Progress
from balance.runs.cluster import hash_plan, play_part
from balance.runs.folder import RunFolder
from balance.runs.jobs import jobs_of, loop_of
from balance.runs.manifest import WrittenPart
from balance.runs.worker import PartPlayer, RunStopped, Tables, Worker, play_alone
from balance.runs.workers import Workers, drop, kept_threads
from balance.runs.writer import RunWriter

Player = TypeVar("Player", bound=PartPlayer)
Played = TypeVar("Played")
TIMING = 3.0  # seconds of timing; untimed cells are assumed to be like the others


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
        if not own or time.perf_counter() - began <= TIMING:
            own[number] = seconds_a_game(plan, plan.cells[number])
    needed = 0.0
    for number, count in games.items():
        own = timed[plan.cells[number].tier.name]
        needed += count * own.get(number, sum(own.values()) / len(own))
    return needed


def seconds_a_game(plan: Plan, cell: Cell) -> float:
    """Return the mean time of the games of one deal, with every seat in turn."""
    simulator, room, packed = loop_of(plan, cell)
    schedule = plan.schedule(cell)
    jobs = jobs_of(schedule, 0, schedule.deal_games)
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
_PATIENCE = 0.2  # seconds; Windows notices Ctrl-C only between two waits


class _Crew(Generic[Player, Played]):
    """Workers that play parts of one plan, and their progress.

    In this process, every thread makes a player and plays parts `here` with it; other processes play them `there`.
    """

    def __init__(
        self, plan: Plan, workers: Workers, progress: Progress, make: Callable[[threading.Event], Player],
        here: Callable[[Player, Part], Played], there: Callable[[Part], Played],
    ) -> None:  # fmt: skip
        self.plan, self.workers, self.progress = plan, workers, progress
        self.sends = workers.sends(plan.game)
        self._make, self._here, self._there = make, here, there
        self._done = self._planned = 0
        self._under_way: dict[Future[Played], Part] = {}
        self._stop = threading.Event()
        self._local = threading.local()
        self._players: list[Player] = []

    def make_ready(self) -> None:
        """Compile or load the game's loop before any thread needs it."""
        if not self.sends:
            compile_loops(self.plan, self.progress)

    def plan_games(self, planned: int, done: int = 0) -> None:
        """Show that more games are planned, and how many of them are done."""
        self._planned += planned
        self._done += done
        self.progress.advance(self._done, self._planned)

    def play(self, parts: Iterable[Part], resume: str) -> Iterator[tuple[Part, Played]]:
        """Yield every part when it has been played, with its result; an error of the workers says how to `resume`."""
        queue, under_way = iter(parts), self._under_way
        call = self._there if self.sends else self._play_here
        while True:
            while len(under_way) < self.workers.ahead and (wanted := next(queue, None)):
                under_way[self.workers.submit(self.plan.game, call, wanted)] = wanted
            if not under_way:
                return
            finished, _ = wait(under_way, _PATIENCE, FIRST_COMPLETED)
            for future in [future for future in under_way if future in finished]:
                # Of several failures, the first part's is reported.
                played = self.workers.result(future, resume)
                part = under_way.pop(future)
                yield part, played
                self._done += part.last - part.first
            self.progress.advance(self._done, self._planned)

    def _play_here(self, part: Part) -> Played:
        if self._stop.is_set():
            raise RunStopped
        if not hasattr(self._local, "player"):
            self._local.player = self._make(self._stop)
            self._players.append(self._local.player)
        return self._here(self._local.player, part)

    def stop(self) -> list[Played]:
        """Stop the workers and drop unfinished parts; return those that were finished meanwhile."""
        self._stop.set()
        drop(self._under_way)
        for player in self._players:
            player.close()
        ended = [future for future in self._under_way if future.done() and not future.cancelled()]
        return [future.result() for future in ended if future.exception() is None]

    def abandon(self) -> None:
        """Give up parts that have begun."""
        if any(not future.done() for future in self._under_way):
            self.workers.abandon()


def play_run(run: RunFolder, decided: Decided, workers: Workers | None = None, progress: Progress = SILENCE) -> None:
    """Play all missing games of a locked run into its folder, and record how it ended.

    Without `workers`, a thread on each core plays.
    """
    crew = _Crew(
        run.plan,
        workers or kept_threads(),
        progress,
        lambda stop: Worker(run.plan, run.path, run.identity, stop, run.store),
        Worker.play,
        partial(play_part, run.store or run.path.resolve(), hash_plan(run)),
    )
    status, writer = "failed", RunWriter(run)
    try:
        _play_cells(writer, crew, decided)
        status = "finished"
    except KeyboardInterrupt:
        status = "interrupted"
        raise
    finally:
        crew.abandon()
        for part in crew.stop():
            with suppress(BalanceError):  # the earlier failure is reported
                _keep(writer, crew.sends, part)
        # A full disk hides no other error and loses no part.
        with nullcontext() if status == "finished" else suppress(BalanceError):
            writer.close(status)


def _play_cells(writer: RunWriter, crew: _Crew[Worker, WrittenPart], decided: Decided) -> None:
    """Play all cells; with a stop rule, check it after every `games` games and stop cells that are decided.

    A check uses exactly the games up to a number, once all of them are played, so that its result depends neither on
    the speed of workers nor on whether the run was resumed.
    """
    run, checks, announced = writer.run, 0, False
    plan, cells = run.plan, run.plan.cells
    resume = tr("resume with: {command}", command=f"balance run --resume {run.path}")
    while cells:
        parts = []
        for cell in cells:
            parts += plan.parts(cell, _games_at(cell, checks), _games_at(cell, checks + 1))
        missing = [part for part in parts if not writer.has_part(part)]
        crew.plan_games(_count(parts), _count(parts) - _count(missing))
        if missing and not announced:
            crew.make_ready()
            _announce_time(crew, missing)
            crew.plan_games(0)
            announced = True
        for _, written in crew.play(missing, resume):
            _keep(writer, crew.sends, written)
        checks += 1
        cells = [cell for cell in cells if _games_at(cell, checks) < cell.tier.most_games]
        if plan.experiment.stop:
            cells = [cell for cell in cells if not decided(run, cell, _games_at(cell, checks))]


def _games_at(cell: Cell, checks: int) -> int:
    """Return the games of a cell after this number of checks."""
    return min(checks * cell.tier.games, cell.tier.most_games)


def _announce_time(crew: _Crew[Worker, WrittenPart], parts: Sequence[Part]) -> None:
    """Announce the time before searchers begin, because they play few games a second."""
    plan, count = crew.plan, crew.workers.count
    has_bots = any(tier.has_custom_bots for tier in plan.tiers)
    if crew.sends or has_bots or not any(tier.iterations for tier in plan.tiers):
        return
    seconds = seconds_needed(plan, parts) / count
    if seconds >= _WORTH_SAYING:
        words = {"time": write_seconds(seconds), "workers": trn("one worker", "{n} workers", count)}
        crew.progress.tell(
            tr("searchers play: {time} for each check of the stop rule on {workers}", **words)
            if plan.experiment.stop
            else tr("searchers play: {time} on {workers}", **words)
        )


def _keep(writer: RunWriter, was_sent: bool, part: WrittenPart) -> None:
    """List a written part; that of a worker elsewhere comes from the store."""
    if writer.run.store and was_sent:
        writer.run.store.get_part(writer.run.path, part)
    writer.add_part(part)


def play_tables(
    plan: Plan, parts: Sequence[Part], names: Callable[[Part], Collection[str]], workers: Workers,
    progress: Progress = SILENCE,
) -> list[Tables]:  # fmt: skip
    """Play parts in memory and return the rows of each, of the tables that `names` keeps of it.

    An exception, such as one that `progress` raises, drops all games.
    """

    def play(player: PartPlayer, part: Part) -> Tables:
        return player.play_tables(part, names(part))

    crew = _Crew(plan, workers, progress, partial(PartPlayer, plan), play, partial(_play_there, plan, names))
    crew.make_ready()
    crew.plan_games(_count(parts))
    try:
        found = dict(crew.play(parts, tr("run the command again")))
    finally:
        crew.stop()
    return [found[part] for part in parts]


def _play_there(plan: Plan, names: Callable[[Part], Collection[str]], part: Part) -> Tables:
    return play_alone(plan, part, names(part))


def compile_loops(plan: Plan, progress: Progress) -> None:
    """Compile or load the game's loop for the tiers of a plan."""
    rules = plan.first_variant.rules
    kinds = {(level_of(tier.strategies), tier.has_restrictions): tier.strategies for tier in plan.tiers}
    for level, restricts in sorted(kinds):
        classify = classifier_of(plan.game, rules, kinds[level, restricts])
        simulator = Simulator(plan.game, level, classify)
        if not simulator.is_compiled():
            progress.note(
                tr("compiling {game} (about half a minute, once after an install or a change)", game=plan.game.title)
                if keeps_code()
                else tr(
                    "compiling {game} (about half a minute, in each command: {folder} can't be written)",
                    game=plan.game.title,
                    folder=cache_root(),
                )
            )
        simulator.compile(rules)


def _count(parts: Iterable[Part]) -> int:
    return sum(part.last - part.first for part in parts)
