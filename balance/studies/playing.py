"""Play a plan into a run folder, or finish a run, for the command line and the API."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import rmtree

from balance.experiments.plan import Cell, Plan
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import MakePlan, RunFolder
from balance.runs.lock import check_vacant, hold
from balance.runs.runner import play_run
from balance.runs.workers import Workers


def play_plan(plan: Plan, folder: Path, workers: Workers | None = None, progress: Progress = SILENCE) -> RunFolder:
    """Play a plan into a new folder, after training the profiles of its tiers where they ask for it.

    A run that is stopped, by Ctrl-C or an error, can be resumed. Without `workers`, a thread on each core plays.
    """
    if plan.lacks_expert:
        progress.tell(tr("{game} has no expert: champion plays instead", game=plan.game.name))
    if any(tier.is_prepared for tier in plan.tiers):
        run = _train_first(plan, folder, progress, workers)
    else:
        run = RunFolder.create(folder, plan)
    with hold(run.path):
        play_run(run, seats_decided, workers, progress)
    return run


def resume_run(
    folder: Path, change: MakePlan | None = None, workers: Workers | None = None,
    progress: Progress = SILENCE, run_bots: bool = False,
) -> RunFolder:  # fmt: skip
    """Finish a stopped run, or extend a run; the rows are the same as without the stop. Otherwise as `play_plan`.

    `change` takes the locked run and returns the plan with which it continues; None for the run's own plan. With
    `run_bots`, Python code that only the run names may be run.
    """
    with RunFolder.open_locked(folder) as run:
        run.go_on_with(change(run) if change else None)
        run.plan = replace(run.plan, bots_allowed=run.plan.bots_allowed or run_bots)
        run.plan.check_bots_allowed(run.plan.strategies)
        play_run(run, seats_decided, workers, progress)
        return run


def play_or_resume(plan: Plan, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None) -> RunFolder:
    """Play a plan of a study into a folder, or resume the run there; a finished run is only read."""
    progress.note(tr("playing {name}", name=folder.name))
    if (folder / "run.json").exists():
        return resume_run(folder, lambda run: plan, workers, progress)
    return play_plan(plan, folder, workers, progress)


def _train_first(plan: Plan, folder: Path, progress: Progress, workers: Workers | None) -> RunFolder:
    """Begin a run with trained profiles; a killed training resumes from the diaries next to the folder."""
    from balance.training.adapting import prepare_plan  # only here, so that other runs start faster

    check_vacant(folder)  # before minutes of training
    place = folder.resolve()  # resolved, because "." has no name
    diaries = place.with_name(f"{place.name}.adapting")
    run = RunFolder.create(folder, prepare_plan(plan, diaries, progress, workers))
    rmtree(diaries, ignore_errors=True)  # the run contains the results
    return run


def seats_decided(run: RunFolder, cell: Cell, played: int) -> bool:
    """Return whether the stop rule is met. Its statistics are imported only here, so that other runs start faster."""
    from balance.analysis import sequences

    return sequences.seats_decided(run, cell, played)


def measure_strength(run: RunFolder, workers: Workers | None, progress: Progress) -> None:
    """Let the tiers of a finished run meet, if it has several; imported only here, so that other runs start faster."""
    if len(run.plan.tiers) > 1:
        from balance.studies import duels

        duels.measure_strength(run, workers, progress)
