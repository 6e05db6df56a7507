"""Compile games before they are played: each in a process of its own, by playing one decision in each way."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import event

from balance.contract.game import Game, get_game
from balance.contract.records import blank
from balance.engine.buffers import JOB
from balance.engine.loop import NETWORKS, PLAIN, SEARCHES
from balance.engine.stepper import Stepper
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.experiments.strategies import load_strategy
from balance.foundation.compiling import game_sources
from balance.runs.batches import play_batch
from balance.runs.jobs import make_loop

_TRACE_ROWS = 1000  # enough for a deal and one decision


class Warmed(NamedTuple):
    """A game whose compiled code is in the cache: how many functions were compiled now, and in how many seconds."""

    game: str
    functions: int
    seconds: float


def warm_games(games: Sequence[Game], profiles_only: bool) -> Iterator[Warmed]:
    """Compile games in parallel, one process a core, and yield each when it is done.

    The game with the largest sources begins first, because it takes longest. `profiles_only` leaves out networks,
    searchers and components.
    """
    count = min(len(games), os.cpu_count() or 1)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context, _ignore_interrupts) as pool:
        ordered = sorted(games, key=_size, reverse=True)
        waiting = [pool.submit(warm_game, game.name, profiles_only) for game in ordered]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():  # they would compile to the end
                process.terminate()
            raise


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _size(game: Game) -> int:
    """Return the bytes of the sources that decide a game, most of which are compiled."""
    parts = game_sources(game.folder)
    files = [file for part in parts for file in (part.rglob("*.py") if part.is_dir() else [part])]
    return sum(file.stat().st_size for file in files)


def warm_game(name: str, profiles_only: bool = False) -> Warmed:
    """Compile a game in this process, or load it if it is compiled already."""
    began = time.perf_counter()
    with event.install_recorder("numba:compile") as recorder:
        _play_in_each_way(get_game(name), profiles_only)
    ended = [each for _, each in recorder.buffer if each.is_end]
    return Warmed(name, len(ended), time.perf_counter() - began)


def _play_in_each_way(game: Game, profiles_only: bool) -> None:
    """Play single decisions as replays, runs, bots in Python and studies of components do."""
    data = {"game": game.name, "players": [game.players[0]], "strategies": ["random"], "games": 1}
    plan = make_plan(make_experiment(data), Path(), "warm")
    cell = plan.cells[0]
    rules, players = cell.variant.rules, cell.players
    _step(game, rules, players)  # first, because compiling the loop is then a sixth quicker
    _play(game, rules, players, PLAIN, "random")
    if profiles_only:
        return
    _play(game, rules, players, NETWORKS, "random")
    if game.component_functions:
        play_batch(plan, cell, 0, 1)
    _play(game, rules, players, SEARCHES, "search-2")


def _step(game: Game, rules: Any, players: int) -> None:
    stepper = Stepper.deal(game, rules, players, 1)
    stepper.evaluate(blank(1, game.records.weights)[0])
    stepper.options()
    stepper.take(0)
    stepper.observe()
    stepper.known()
    stepper.determinize(1)
    stepper.result()


def _play(game: Game, rules: Any, players: int, level: int, strategy: str) -> None:
    """Play a decision with the loop of a level, in one call and, as for bots in Python, step by step."""
    strategies = [load_strategy(game, strategy, game.folder)]
    simulator, room, packed = make_loop(game, rules, players, strategies, level)
    job, rows = blank(1, JOB), simulator.rows(1, players, True, _TRACE_ROWS)
    simulator.play_games(packed, room, job, rows, 1)
    if level == NETWORKS:
        return
    simulator.begin(packed, room, job[0])
    simulator.play_on(packed, room, rows.trace, 1, -1)
    simulator.finish(packed, room, job[0], rows, 0)
    if level == SEARCHES:
        simulator.search(packed, room, 0)
