"""Play a plan, for the command line and the API."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

from balance.experiments.plan import Cell, Plan
from balance.foundation.errors import BalanceError
from balance.foundation.progress import SILENCE, Progress
from balance.runs.cluster import open_cluster
from balance.runs.folder import MakePlan, RunFolder
from balance.runs.lock import check_vacant
from balance.runs.runner import resume_run, start_run


def play_plan(
    plan: Plan | MakePlan | None,
    folder: Path,
    *,
    resume: bool = False,
    workers: int | None = None,
    progress: Progress = SILENCE,
    dask: str | None = None,
    run_bots: bool = False,
) -> RunFolder:
    """Play a plan into a run folder, or finish a run.

    Parameters
    ----------
    plan : Plan, callable or None
        With `resume`: None for the run's own plan, or a function that makes the plan from the locked run.
    workers : int or None
        Threads; None for one on each core.
    dask : str or None
        Address of a Dask scheduler whose workers play instead.
    run_bots : bool
        With `resume`: whether Python code that only the run names may be run.

    Raises
    ------
    BalanceError
        The folder can't be used or written, the run has changed, nothing answers at `dask`, or a
        custom bot failed.
    KeyboardInterrupt
        The user stopped it; the run can be resumed.
    """
    cluster = open_cluster(dask) if dask is not None else None
    if resume:
        return resume_run(folder, plan, seats_decided, workers, progress, cluster, run_bots)
    if plan is None or callable(plan):
        raise BalanceError("there is no plan to play")
    if not any(tier.is_prepared for tier in plan.tiers):
        return start_run(plan, folder, seats_decided, workers, progress, cluster)
    check_vacant(folder)  # before minutes of training
    place = folder.resolve()  # resolved, because "." has no name
    diaries = place.with_name(f"{place.name}.adapting")
    try:
        prepared = _prepare(plan, diaries, progress)
        return start_run(prepared, folder, seats_decided, workers, progress, cluster)
    finally:
        if (folder / "run.json").exists():  # the run contains the results of training
            rmtree(diaries, ignore_errors=True)


def _prepare(plan: Plan, diaries: Path, progress: Progress) -> Plan:
    """Train the tiers that need it. Training is imported only here, so that other runs start faster."""
    from balance.training.adapting import prepare_plan

    return prepare_plan(plan, diaries, progress)


def seats_decided(run: RunFolder, cell: Cell, played: int) -> bool:
    """Return whether the stop rule is met. Its statistics are imported only here, so that other runs start faster."""
    from balance.analysis import sequences

    return sequences.seats_decided(run, cell, played)
