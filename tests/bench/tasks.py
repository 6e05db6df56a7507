"""What is measured in a fresh process: `python -m bench.tasks TASK ...` prints seconds and peak MiB.

A task imports what it needs itself, so that its time and memory hold nothing of the other tasks, and
hold its imports as a user's process would.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[1]


class Spent(NamedTuple):
    """What a task took."""

    seconds: float
    peak: float  # MiB
    process: float  # seconds of the whole process


def play(folder: str, games: str, workers: str) -> None:
    """Play four-player random games of Na Grunwald! at level `games`."""
    from support.runs import play

    play(Path(folder) / "run", workers=int(workers), games=int(games))


def report(run: str, out: str) -> None:
    """Write a report."""
    from balance.log.folder import RunFolder
    from balance.report import write_report

    write_report([RunFolder.open(Path(run))], Path(out))


def compare(run: str, out: str) -> None:
    """Compare all variants with base, by all measures."""
    from balance.analysis.compare import compare_variants
    from balance.log.folder import RunFolder

    compare_variants(RunFolder.open(Path(run)), "base")


def sql(run: str, out: str) -> None:
    """Ask what all sections of a report ask, and write nothing."""
    from balance.analysis.gather import gather
    from balance.log.folder import RunFolder
    from balance.report.facts import Facts
    from balance.report.section import find_sections

    opened = RunFolder.open(Path(run))
    facts = Facts(opened)
    sections = find_sections(opened.plan.game)
    gather(opened, [question for section in sections for question in section.questions(facts)])


TASKS = {"play": play, "report": report, "compare": compare, "sql": sql}


def in_fresh_process(task: str, *arguments: object, **environment: str) -> Spent:
    """Do a task in a process of its own.

    Parameters
    ----------
    task : str
        A key of `TASKS`.
    *arguments : object
        Of the task, as they print.
    **environment : str
        Variables set in that process.
    """
    paths = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
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
