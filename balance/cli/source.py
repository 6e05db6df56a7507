"""What `balance run` is to play: an experiment file, options, a run to finish."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from balance.errors import BalanceError
from balance.log.folder import MakePlan, RunFolder
from balance.plan.experiment import BOT_LIMITS, Experiment, make_experiment, read_experiment
from balance.plan.make import make_plan
from balance.plan.plan import Plan


def read_source(
    source: Path | None, out: Path | None, resume: bool, options: dict[str, Any]
) -> tuple[Path, Plan | MakePlan | None]:
    """The run folder and the plan (None: the run's own, or what is made of it) that the arguments mean.

    Raises
    ------
    click.UsageError
        The arguments don't fit together.
    BalanceError
        The experiment has a mistake.
    """
    given = {key: value for key, value in options.items() if value not in (None, [], {})}
    scale = given.pop("scale", None)
    if scale is not None and (source is None or resume or "games" in given):
        raise click.UsageError(
            "--scale multiplies the games of an experiment file: no --games, no --resume"
        )
    if resume and source is not None and not source.is_file():
        if out or given.keys() - {*BOT_LIMITS, "games", "tiers"}:
            raise click.UsageError(
                "a run is resumed as it began: give only its folder, and --games to make it longer"
            )
        if "tiers" in given and "games" not in given:
            raise click.UsageError("--tier with --resume needs --games: how many it is to have")
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
    """The keys of an experiment, and options over them; the number of games is that of every tier."""
    data = {**experiment.model_dump(exclude_defaults=True), **given}
    if experiment.tiers:
        for option in ("strategies", "lineups"):
            if option in given:
                raise BalanceError(f"{source} has [[tiers]], which say who plays: choose with --tier")
        if games := data.pop("games", None):
            data["tiers"] = [{**tier, "games": games} for tier in data["tiers"]]
    if "strategies" in given:
        data.pop("lineups", None)
    if "lineups" in given:
        data.pop("strategies", None)
    return data


def _going_on(given: dict[str, Any], run: RunFolder) -> Plan:
    """The run's own plan, with other limits of bots, or with more games."""
    limits = {key: given[key] for key in BOT_LIMITS if key in given}
    plan = run.longer(given["games"], given.get("tiers", [])) if "games" in given else run.plan
    experiment = make_experiment({**plan.experiment.model_dump(), **limits})
    return replace(plan, experiment=experiment)
