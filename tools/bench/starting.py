"""Seconds until something happens: the help page, the first game."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.record import Figure
from bench.sizes import Sizes
from bench.tasks import play_random


def starts(sizes: Sizes, quick: bool) -> Iterator[Figure]:
    """Yield start times, each in a new process; `quick` leaves out the one that must compile."""
    found = [help_time() for _ in range(sizes.repeats)]
    yield Figure("balance --help", statistics.median(found), "s")
    first_game()  # fills the cache
    found = [first_game() for _ in range(sizes.repeats)]
    yield Figure("first game, warm cache", statistics.median(found), "s")
    if not quick:
        with tempfile.TemporaryDirectory() as cache:
            yield Figure("first game, cold cache", first_game(NUMBA_CACHE_DIR=cache), "s")


def help_time() -> float:
    """Return seconds of `balance --help`."""
    command = [Path(sys.executable).parent / "balance", "--help"]
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


def first_game(**environment: str) -> float:
    """Return seconds of a process that plays one game."""
    return play_random(1, **environment).seconds
