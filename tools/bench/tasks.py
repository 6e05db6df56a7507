"""Tasks measured in a new process: `python -m bench.tasks TASK ...` prints seconds and peak MiB.

Each task imports what it needs, so that its time and memory include its own imports, as in a user's process, and
nothing of the other tasks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

TOOLS = Path(__file__).resolve().parents[1]
TESTS = TOOLS.parent / "tests"


class Spent(NamedTuple):
    """Time and memory of a task."""

    seconds: float
    peak: float  # MiB
    process: float  # seconds of the whole process


def play(folder: str, games: str, workers: str) -> None:
    """Play four-player random games of Na Grunwald! at level `games`."""
    from support.runs import play

    play(Path(folder) / "run", workers=int(workers), games=int(games))


def report(run: str, out: str) -> None:
    """Write a report."""
    from balance.report import write_report
    from balance.runs.folder import RunFolder

    write_report([RunFolder.open(Path(run))], Path(out))


def compare(run: str, out: str) -> None:
    """Compare all variants with base, by all measures."""
    from balance.analysis.compare import compare_variants
    from balance.runs.folder import RunFolder

    compare_variants(RunFolder.open(Path(run)), "base")


def sql(run: str, out: str) -> None:
    """Run the queries of all sections of a report, and write nothing."""
    from balance.analysis.gather import gather
    from balance.report.context import ReportContext
    from balance.report.section import find_sections, questions_of
    from balance.runs.folder import RunFolder

    opened = RunFolder.open(Path(run))
    facts = ReportContext(opened)
    gather(opened, questions_of(find_sections(opened.plan.game), facts))


TASKS = {"play": play, "report": report, "compare": compare, "sql": sql}


def in_fresh_process(task: str, *arguments: object, **environment: str) -> Spent:
    """Run a task in a separate process.

    Parameters
    ----------
    task : str
        A key of `TASKS`.
    *arguments : object
        Arguments of the task, converted to text.
    **environment : str
        Variables set in that process.
    """
    paths = os.pathsep.join(filter(None, [str(TOOLS), str(TESTS), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "bench.tasks", task, *map(str, arguments)]
    started = time.perf_counter()
    done = subprocess.run(
        command,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment, "PYTHONPATH": paths},
    )
    elapsed = time.perf_counter() - started
    seconds, peak = done.stdout.split()[-2:]
    return Spent(float(seconds), float(peak), elapsed)


def _peak() -> float:
    """Peak memory of this process so far, in MiB (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) / 1024


def _do(task: str, *arguments: str) -> None:
    started = time.perf_counter()
    TASKS[task](*arguments)
    print(time.perf_counter() - started, _peak())


if __name__ == "__main__":
    _do(*sys.argv[1:])
