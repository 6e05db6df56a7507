"""What `balance run` plays: an experiment file, options, or a run to finish."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from balance.experiments.experiment import BOT_LIMITS, Experiment, make_experiment, read_experiment
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.foundation.errors import BalanceError
from balance.runs.folder import MakePlan, RunFolder


def read_source(
    source: Path | None, out: Path | None, resume: bool, options: dict[str, Any]
) -> tuple[Path, Plan | MakePlan | None]:
    """Return the run folder and the plan that the arguments name.

    The plan is None for a run's own plan, or a function that makes the plan from the run.

    Raises
    ------
    click.UsageError
        The arguments contradict each other.
    """
    given = {key: value for key, value in options.items() if value not in (None, [], {})}
    scale = given.pop("scale", None)
    if scale is not None and (source is None or resume or "games" in given):
        raise click.UsageError(
            "--scale multiplies the games of an experiment file: leave out --games and --resume"
        )
    if resume and source is not None and not source.is_file():
        if out or given.keys() - {*BOT_LIMITS, "games", "tiers"}:
            raise click.UsageError(
                "a run is resumed with its own settings: give only its folder, and --games to extend it"
            )
        if "tiers" in given and "games" not in given:
            raise click.UsageError(
                "--tier with --resume needs --games, the new number of games of the tier"
            )
        return source, partial(_going_on, given) if given else None
    if source is not None and source.is_dir():
        raise click.UsageError(f"{source} is a folder, not an experiment file")
    tiers = given.pop("tiers", None)
    if source is not None:
        experiment = read_experiment(source)
        if tiers:
            experiment = experiment.only(tiers, str(source))
        if given:
            data = _with_options(experiment, given, source)
            experiment = make_experiment(data, f"{source} with options")
        if scale is not None:
            experiment = experiment.scaled(scale, f"{source} with --scale")
        plan = make_plan(experiment, source.parent, str(source))
        return out or Path("runs") / source.stem, plan
    if resume:
        raise click.UsageError("--resume needs the folder of a run")
    if tiers:
        raise click.UsageError("--tier chooses among the [[tiers]] of an experiment file")
    for name in ("game", "players", "games"):
        if name not in given:
            raise click.UsageError(f"without an experiment file, --{name} is needed")
    plan = make_plan(make_experiment(given), Path(), "command line")
    return out or Path("runs") / plan.game.name, plan


def _with_options(experiment: Experiment, given: dict[str, Any], source: Path) -> dict[str, Any]:
    """Return the keys of an experiment, overridden by options; --games applies to every tier."""
    data = {**experiment.model_dump(exclude_defaults=True), **given}
    if experiment.tiers:
        for option in ("strategies", "lineups"):
            if option in given:
                raise BalanceError(
                    f"{source} has [[tiers]], which name the strategies: choose with --tier"
                )
        if games := data.pop("games", None):
            data["tiers"] = [{**tier, "games": games} for tier in data["tiers"]]
    if "strategies" in given:
        data.pop("lineups", None)
    if "lineups" in given:
        data.pop("strategies", None)
    return data


def _going_on(given: dict[str, Any], run: RunFolder) -> Plan:
    """Return the run's own plan with new limits of bots, or with more games."""
    limits = {key: given[key] for key in BOT_LIMITS if key in given}
    plan = run.extend(given["games"], given.get("tiers", [])) if "games" in given else run.plan
    experiment = make_experiment({**plan.experiment.model_dump(), **limits})
    return replace(plan, experiment=experiment)
