"""Games of a plan played on threads and kept in memory."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

import pyarrow as pa

from balance.batch.runner import compile_loops
from balance.batch.worker import PartPlayer
from balance.plan.plan import Cell, Part, Plan
from balance.progress import SILENCE, Progress

Tables = dict[str, pa.Table]
"""The tables ``games`` and ``seats`` of all cells of a plan, as a run logs them."""
_KEPT = ("games", "seats")
_SLICE = 500  # games, and iterations of a searcher, played between two looks for Ctrl-C
_PATIENCE = 0.2  # seconds; Windows hears Ctrl-C only between two waits
LEAST_GAMES = 20


def play_games(plan: Plan, workers: int | None = None, progress: Progress = SILENCE) -> Tables:
    """Play all cells of a plan; the same games as its run has, with the same rows.

    Raises
    ------
    BalanceError
        A custom bot failed.
    KeyboardInterrupt
        The user stopped it; what was played is dropped.
    """
    compile_loops(plan, progress)
    parts = [part for cell in plan.cells for part in _slices(plan, cell)]
    with _crew(plan, workers) as (pool, play):
        futures = [pool.submit(play, part) for part in parts]
        _follow(futures, parts, progress)
        found = [future.result() for future in futures]
    return {name: pa.concat_tables([each[name] for each in found]) for name in _KEPT}


def games_in(
    plan: Plan, seconds: float, most: int, workers: int | None = None, progress: Progress = SILENCE
) -> int:
    """How many games a cell, at most `most`, are played in so many seconds, from the pace of a deck's in each."""
    compile_loops(plan, progress)
    player, needed = PartPlayer(plan, threading.Event()), 0.0
    try:
        for cell in plan.cells:
            games = plan.schedule(cell).deck_games
            _play_part(player, Part(cell.number, 0, 1, "games"))  # starts the processes of bots
            began = time.perf_counter()
            _play_part(player, Part(cell.number, 0, games, "games"))
            needed += (time.perf_counter() - began) / games
    finally:
        player.close()
    return max(LEAST_GAMES, min(most, int(seconds * _count(workers) / needed)))


def _slices(plan: Plan, cell: Cell) -> Iterator[Part]:
    size = max(1, _SLICE // max(1, cell.tier.iterations))
    for first in range(0, cell.tier.games, size):
        last = min(first + size, cell.tier.games)
        yield Part(cell.number, first, last, plan.experiment.log)


def _count(workers: int | None) -> int:
    return workers or os.cpu_count() or 1


@contextmanager
def _crew(
    plan: Plan, workers: int | None
) -> Iterator[tuple[ThreadPoolExecutor, Callable[[Part], Tables]]]:
    """Threads, and what plays a part on one of them; when the block is left by an exception, they stop."""
    stop, local, players = threading.Event(), threading.local(), list[PartPlayer]()

    def play(part: Part) -> Tables:
        if not hasattr(local, "player"):
            local.player = PartPlayer(plan, stop)
            players.append(local.player)
        return _play_part(local.player, part)

    pool = ThreadPoolExecutor(_count(workers), thread_name_prefix="balance")
    try:
        yield pool, play
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
        for player in players:
            player.close()


def _play_part(player: PartPlayer, part: Part) -> Tables:
    batches = list(player.tables(part))
    return {name: pa.concat_tables([batch[name] for batch in batches]) for name in _KEPT}


def _follow(futures: Sequence[Future[Tables]], parts: Sequence[Part], progress: Progress) -> None:
    """Wait for all, or for the first that fails."""
    games = {future: part.last - part.first for future, part in zip(futures, parts, strict=True)}
    planned, done, waiting = sum(games.values()), 0, set(futures)
    while waiting:
        progress.advance(done, planned)
        finished, waiting = wait(waiting, _PATIENCE, FIRST_COMPLETED)
        for future in finished:
            future.result()
            done += games[future]
    progress.advance(done, planned)
