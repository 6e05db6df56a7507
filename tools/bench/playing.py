"""Games a second: the compiled loop alone, and whole runs with their files."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from balance.contract.game import Game, get_game
from balance.contract.records import blank
from balance.engine.buffers import JOB, Rows
from balance.experiments.experiment import make_experiment
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.experiments.strategies import load_strategies
from balance.runs.jobs import make_loop
from balance.runs.workers import Threads
from balance.studies.playing import play_plan
from bench.record import Figure
from bench.sizes import Sizes

NA_GRUNWALD = get_game("na-grunwald")
MOST_DECISIONS = 100_000
WHOLE = "whole runs"  # ends the names of figures of `balance run`


class Thinker(NamedTuple):
    """A player whose games are timed, all seats alike."""

    game: Game
    strategy: str
    players: int
    games: int  # of a second or two

    @property
    def name(self) -> str:
        """Return the name of its figure."""
        return f"{self.game.name}, {self.strategy}, {self.players} players, one worker"


POLSKA, KORONA = get_game("polska"), get_game("korona-piastow")
THINKERS = (
    Thinker(NA_GRUNWALD, "expert", 2, 4_000),
    Thinker(NA_GRUNWALD, "expert", 4, 2_000),
    Thinker(NA_GRUNWALD, "expert-search-16", 2, 300),
    Thinker(NA_GRUNWALD, "expert-search-16", 3, 180),
    Thinker(NA_GRUNWALD, "expert-search-16", 4, 100),
    *(Thinker(POLSKA, "expert", each, 600) for each in (2, 4)),
    *(Thinker(POLSKA, "expert-search-16", each, 60) for each in (2, 4)),
    *(Thinker(KORONA, "expert", each, 300) for each in (2, 4)),
    *(Thinker(KORONA, "expert-search-16", each, 20) for each in (2, 4)),
)

Measure = Callable[[], float]


def plan_of(game: Game, strategy: str, players: int, games: int, log: str = "games") -> Plan:
    """Return a plan of one cell: base rules, one strategy in all seats."""
    data = {"game": game.name, "players": [players], "strategies": [strategy], "games": games, "log": log}
    return make_plan(make_experiment(data), Path(), "bench")


def compiled_loop(game: Game, strategy: str, players: int, games: int) -> Callable[[], Rows]:
    """Plays games in the compiled loop alone, one worker, and returns their rows; all base rules, all seats alike."""
    rules = plan_of(game, strategy, players, games).variants[0].rules
    loaded = load_strategies(game, [strategy], Path())
    simulator, room, packed = make_loop(game, rules, players, loaded)
    rng = np.random.default_rng(1)
    jobs = blank(games, JOB)
    jobs.deal_seed[:] = rng.integers(0, 2**63, games)
    jobs.seed[:] = rng.integers(0, 2**63, games)
    rows = simulator.rows(games, players, False, 0)

    def play() -> Rows:
        simulator.play_games(packed, room, jobs, rows, MOST_DECISIONS)
        return rows

    return play


def bare_loop(game: Game, strategy: str, players: int, games: int) -> Measure:
    """Measures games a second of the compiled loop alone, one worker."""
    play = compiled_loop(game, strategy, players, games)

    def measure() -> float:
        started = time.perf_counter()
        play()
        return games / (time.perf_counter() - started)

    return measure


def whole_run(strategy: str, players: int, games: int, log: str, workers: int = 1) -> Measure:
    """Measures games a second of a whole run of Na Grunwald! with its files."""
    plan = plan_of(NA_GRUNWALD, strategy, players, games, log)

    def measure() -> float:
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            play_plan(plan, Path(folder) / "run", Threads(workers))
            elapsed = time.perf_counter() - started
        return games / elapsed

    return measure


def all_levels(sizes: Sizes) -> Iterator[Figure]:
    """Yield games a second of Na Grunwald! by strategy and player count, at each log level."""
    for strategy, games in (("random", sizes.random), ("generalist", sizes.generalist)):
        for players in (4, 3, 2):
            yield from _levels(strategy, players, games, sizes.repeats)


def _levels(strategy: str, players: int, games: int, repeats: int) -> Iterator[Figure]:
    """Without logs, with level `games`, with level `trace`, in turn."""
    measures = {
        "no logs": bare_loop(NA_GRUNWALD, strategy, players, games),
        "level games": whole_run(strategy, players, games, "games"),
        "level trace": whole_run(strategy, players, games // 4, "trace"),
    }
    speeds = alternate(list(measures.values()), repeats)
    bare = speeds[0]
    for level, found in zip(measures, speeds, strict=True):
        name = f"{strategy}, {players} players, one worker: {level}"
        ratio = (ratio_of(found, bare), "this / no logs") if found is not bare else ()
        yield Figure(name, statistics.median(found), "games/s", *ratio)


def searchers(sizes: Sizes) -> Iterator[Figure]:
    """Yield games a second of searchers among themselves, no logs, with the ratio to half as many iterations."""
    for game in (NA_GRUNWALD, POLSKA):
        for players in (2, 4):
            games = max(1, sizes.searchers // players)
            measures = [bare_loop(game, f"search-{n}", players, games) for n in (100, 50)]
            found, half = alternate(measures, sizes.pairs)
            name = f"{game.name}, search-100, {players} players, one worker"
            ratio = (ratio_of(found, half), "this / search-50")
            yield Figure(name, statistics.median(found), "games/s", *ratio)


def thinkers(sizes: Sizes) -> Iterator[Figure]:
    """Yield games a second of networks and of searchers with a network, no logs."""
    for each in THINKERS:
        measure = bare_loop(each.game, each.strategy, each.players, max(1, int(each.games * sizes.thinkers)))
        (found,) = alternate([measure], sizes.pairs)
        yield Figure(each.name, statistics.median(found), "games/s")


def two_workers(sizes: Sizes) -> Iterator[Figure]:
    """Yield games a second of two workers, with the ratio to one worker."""
    for strategy, games in (("random", sizes.two_workers), ("search-100", sizes.two_searchers)):
        measures = [whole_run(strategy, 4, games, "games", workers) for workers in (1, 2)]
        one, two = alternate(measures, sizes.pairs, warm=False)
        ratio = (ratio_of(two, one), "this / one worker")
        name = f"two workers, {strategy}, level games"
        yield Figure(name, statistics.median(two), "games/s", *ratio)


def alternate(measures: list[Measure], repeats: int, warm: bool = True) -> list[list[float]]:
    """Return the results of each measure, taken in turn, so that noise of the machine affects all equally.

    `warm` runs each measure once before, to compile and to fill caches.
    """
    if warm:
        for measure in measures:
            measure()
    rounds = [[measure() for measure in measures] for _ in range(repeats)]
    return [list(found) for found in zip(*rounds, strict=True)]


def ratio_of(these: list[float], others: list[float]) -> float:
    """Return the median of the ratios of paired measurements."""
    return statistics.median(this / other for this, other in zip(these, others, strict=True))
