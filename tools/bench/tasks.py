"""Commands and tasks in a process of their own: `python -m bench.tasks TASK ...` prints its peak memory in MiB.

A task imports what it needs, so that its time and memory include its imports, as for a user, and nothing else.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

TOOLS = Path(__file__).resolve().parents[1]


class Spent(NamedTuple):
    """Time of a process, from call to end, and its peak memory."""

    seconds: float
    cpu: float  # seconds of processor time, those of the processes that it started included
    peak: float  # MiB, without that of processes that it started


def balance(*words: str) -> None:
    """Call the command line."""
    from balance.__main__ import main

    sys.argv = ["balance", *words]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise


def sql(run: str) -> None:
    """Run the queries of all sections of a report, and write nothing."""
    from balance.analysis.gather import gather
    from balance.report.context import ReportContext
    from balance.report.section import find_sections, questions_of
    from balance.runs.folder import RunFolder

    opened = RunFolder.open(Path(run))
    facts = ReportContext(opened)
    gather(opened, questions_of(find_sections(opened.plan.game), facts))


TASKS = {"balance": balance, "sql": sql}


def spend(task: str, *words: object, source: Path = TOOLS.parent, **environment: str) -> Spent:
    """Run a task in a separate process.

    Parameters
    ----------
    task : str
        A key of `TASKS`.
    *words : object
        Arguments of the task, converted to text.
    source : Path
        The folder of the package.
    **environment : str
        Variables set in that process.
    """
    paths = os.pathsep.join(filter(None, [str(source), str(TOOLS), os.environ.get("PYTHONPATH")]))
    before, began = _cpu_of_children(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "bench.tasks", task, *map(str, words)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=source,  # which Python searches first
        env={**os.environ, **environment, "PYTHONPATH": paths},
    )
    return Spent(time.perf_counter() - began, _cpu_of_children() - before, float(done.stdout.split()[-1]))


def play_random(games: int, **environment: str) -> Spent:
    """Play four-player random games of Na Grunwald! in a separate process, on two workers."""
    words = f"run --game na-grunwald --players 4 --strategies random --games {games} --workers 2 --quiet --out"
    with tempfile.TemporaryDirectory() as folder:
        return spend("balance", *words.split(), Path(folder) / "run", **environment)


def _cpu_of_children() -> float:
    """Return the processor time of all processes that this one started and that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peak() -> float:
    """Return the peak memory of this process so far, in MiB (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) / 1024


if __name__ == "__main__":
    TASKS[sys.argv[1]](*sys.argv[2:])
    print(_peak())
