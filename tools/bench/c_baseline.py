"""Speed of random games of Na Grunwald! compared with a C program, `na_grunwald.c`.

The program is a yardstick of speed only: no user's game is played with it. A test compares its results with those of
the compiled rules.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.playing import NA_GRUNWALD, Measure, alternate, bare_loop, ratio_of, whole_run
from bench.record import Figure
from bench.sizes import Sizes

SOURCE = Path(__file__).with_name("na_grunwald.c")
C_COMPILER = "cc"
C_OPTIONS = ("-std=c11", "-O3", "-march=native")
C = "hand-written C"


def compile_c(folder: Path, *options: str) -> Path | None:
    """Compile the program into a folder and return its path; None without a C compiler."""
    compiler = shutil.which(C_COMPILER)
    if compiler is None:
        return None
    program = folder / SOURCE.stem
    subprocess.run([compiler, *C_OPTIONS, *options, "-o", program, SOURCE], check=True)
    return program


def call_c(program: Path, *words: object) -> dict[str, Any]:
    """Call the program and return what it prints, see `na_grunwald.c`."""
    done = subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def c_loop(program: Path, players: int, games: int) -> Measure:
    """Measures games a second of the program, without the start of its process."""

    def measure() -> float:
        return games / float(call_c(program, players, games, 1)["seconds"])

    return measure


def c_speeds(sizes: Sizes) -> Iterator[Figure]:
    """Yield games a second of the program and of the compiled loop next to it, by player count.

    Yields nothing without a C compiler.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = compile_c(Path(folder))
        if program is None:
            print(f"There is no {C_COMPILER}: speeds are not compared with {C}.", file=sys.stderr)
            return
        for players in (4, 3, 2):
            measures = [
                c_loop(program, players, sizes.c_random),
                bare_loop(NA_GRUNWALD, "random", players, sizes.random),
                whole_run("random", players, sizes.random, "games"),
            ]
            c, bare, level = alternate(measures, sizes.repeats)
            name = f"{C}, random, {players} players"
            ratio = (ratio_of(level, c), "level games / this")
            yield Figure(name, statistics.median(c), "games/s", *ratio)
            name = f"no logs, random, {players} players, next to {C}"
            yield Figure(name, statistics.median(bare), "games/s", ratio_of(bare, c), f"this / {C}")
