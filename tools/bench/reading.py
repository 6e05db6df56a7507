"""Seconds and peak memory of playing and reading large runs, and how memory grows with the games."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.studies.playing import play_plan
from bench.playing import NA_GRUNWALD
from bench.record import Figure
from bench.sizes import Sizes
from bench.tasks import Spent, play_random, spend

REPORT = "balance report {run} --out {run}-report --quiet"
READERS = {"report": REPORT, "compare": "balance compare {run} --baseline base --quiet", "its SQL alone": "sql {run}"}
"""Readers of a run, and their tasks."""


def memory_of_playing(sizes: Sizes) -> Figure:
    """Return the peak memory of a process that plays, with the ratio to few games."""
    small, large = sizes.memory
    few, many = play_random(small).peak, play_random(large).peak
    return Figure(f"peak memory, {large:,} games", many, "MiB", many / few, f"this / {small:,} games")


def reading(sizes: Sizes) -> Iterator[Figure]:
    """Yield seconds and peak memory of every reader of a run, each in a separate process."""
    small, large = sizes.reading
    few, many = _read_all(small), _read_all(large)
    for reader, spent in many.items():
        name = f"{reader}, {large:,} games, 3 player counts, 5 variants"
        ratio = spent.peak / few[reader].peak
        yield Figure(name, spent.seconds, "s")
        yield Figure(name, spent.peak, "MiB", ratio, f"this / {small:,} games")


def traced_report(sizes: Sizes) -> Iterator[Figure]:
    """Yield seconds and peak memory of a report on champions of Korona Piastów with every move logged."""
    data = {
        "game": "korona-piastow",
        "players": [3, 4, 5],
        "strategies": ["champion"],
        "games": sizes.traced // 3,
        "log": "trace",
    }
    with tempfile.TemporaryDirectory() as name:
        run = Path(name) / "run"
        play_plan(make_plan(make_experiment(data), Path(), "bench"), run)
        spent = _read(REPORT, run)
    name = f"report, korona-piastow, {sizes.traced:,} games with trace"
    yield Figure(name, spent.seconds, "s")
    yield Figure(name, spent.peak, "MiB")


def _read_all(games: int) -> dict[str, Spent]:
    """Play a run with this number of games, and read it with every reader."""
    data = {
        "game": NA_GRUNWALD.name,
        "players": [2, 3, 4],
        "variants": ["base", "krzyzacy-soft", "krzyzacy-hard", "hire-dear", "no-events"],
        "strategies": ["generalist", "helpers-first", "quartermaster", "krzyzacy-hunter", "treasurer"],
        "games": games // 15,  # three player counts by five variants
        "log": "rounds",
    }
    with tempfile.TemporaryDirectory() as name:
        run = Path(name) / "run"
        play_plan(make_plan(make_experiment(data), Path(), "bench"), run)
        return {reader: _read(task, run) for reader, task in READERS.items()}


def _read(task: str, run: Path) -> Spent:
    return spend(*(word.format(run=run) for word in task.split()))
