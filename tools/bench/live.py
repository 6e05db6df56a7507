"""Seconds of `balance try`: from the call to its first grid, and from a line to the next grid."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import IO

from bench.record import Figure
from bench.sizes import Sizes

POOL = ("champion", "treasurer", "quartermaster", "krzyzacy-hunter")


def grids(sizes: Sizes) -> Iterator[Figure]:
    """Yield times for 10,000 games of base at a player count on two workers, with compiled code in the cache."""
    for players, pool in ((2, POOL[:1]), (4, POOL[:1]), (4, POOL)):
        first, lines = grid_times(players, pool, sizes.repeats)
        name = f"try, {players} players, {len(pool)} in the pool"
        yield Figure(f"{name}, first grid", first, "s")
        yield Figure(f"{name}, a line", statistics.median(lines), "s")


def grid_times(players: int, pool: tuple[str, ...], repeats: int) -> tuple[float, list[float]]:
    """Return the seconds to the first grid, and for each of several lines, written to a pipe."""
    call = [sys.executable, "-m", "balance", "try", "--game", "na-grunwald", "--quiet", "--workers", "2"]
    call += ["--players", str(players), "--strategies", ",".join(pool)]
    began = time.perf_counter()
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        _read_to(process.stdout, "help lists")
        first, lines = time.perf_counter() - began, []
        for number in range(repeats):
            began = time.perf_counter()
            process.stdin.write(f"krzyzacy.bonus.{players} = {7 + number % 5}\n")
            process.stdin.flush()
            _read_to(process.stdout, "runs/mine")
            lines.append(time.perf_counter() - began)
    return first, lines


def _read_to(output: IO[str], end: str) -> None:
    """Read lines up to the last line of a grid."""
    for line in output:
        if end in line:
            return
    raise AssertionError(f"balance try ended before {end!r}")
