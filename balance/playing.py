"""The one function that plays a plan, for the command line and the API alike."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

from balance.batch.cluster import open_cluster
from balance.batch.runner import resume_run, start_run
from balance.errors import BalanceError
from balance.log.beginning import check_vacant
from balance.log.folder import MakePlan, RunFolder
from balance.plan.plan import Cell, Plan
from balance.progress import SILENCE, Progress


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
        With `resume`: None for the run's own, or what makes the plan of the run as it is when it is locked.
    workers : int or None
        Threads; None for one on each core.
    dask : str or None
        Address of a Dask scheduler whose workers play instead.
    run_bots : bool
        With `resume`: whether Python code that the run alone names may be run.

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
    place = folder.resolve()  # which has a name, also where the user's is "."
    diaries = place.with_name(f"{place.name}.adapting")
    try:
        prepared = _prepare(plan, diaries, progress)
        return start_run(prepared, folder, seats_decided, workers, progress, cluster)
    finally:
        if (folder / "run.json").exists():  # the run keeps what came of them
            rmtree(diaries, ignore_errors=True)


def _prepare(plan: Plan, diaries: Path, progress: Progress) -> Plan:
    """Train tiers that say so, by what is imported for that alone: others start sooner."""
    from balance.training.adapting import prepare_plan

    return prepare_plan(plan, diaries, progress)


def seats_decided(run: RunFolder, cell: Cell, played: int) -> bool:
    """The stop rule, whose statistics are imported by runs that have one: others start sooner."""
    from balance.analysis import sequences

    return sequences.seats_decided(run, cell, played)
