"""What `balance run` plays: an experiment file, options, or a run to finish."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from balance.contract.game import get_game
from balance.experiments.experiment import BOT_LIMITS, Experiment, make_experiment, read_experiment
from balance.experiments.networks import default_player
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr
from balance.runs.folder import MakePlan, RunFolder

_SCALES_A_FILE = N_("--scale multiplies the games of an experiment file: leave out --games and --resume")


def read_source(source: Path | None, out: Path | None, given: dict[str, Any]) -> tuple[Path, Plan]:
    """Return the folder and the plan of a new run: an experiment file with options over its keys, or options alone."""
    if source is not None:
        plan = make_plan(read_with_options(source, given), source.parent, str(source))
        return out or Path("runs") / source.stem, plan
    if "scale" in given:
        raise click.UsageError(tr(_SCALES_A_FILE))
    if "tiers" in given:
        raise click.UsageError(tr("--tier chooses among the [[tiers]] of an experiment file"))
    for name in ("game", "games"):
        if name not in given:
            raise click.UsageError(tr("without an experiment file, {option} is needed", option=f"--{name}"))
    if "players" not in given:
        fitting = sorted({len(lineup) for lineup in given.get("lineups", [])})
        given["players"] = fitting or list(get_game(given["game"]).players)
    if not given.keys() & {"strategies", "lineups"}:
        given["strategies"] = [default_player(get_game(given["game"]), given["players"])]
    plan = make_plan(make_experiment(given), Path(), tr("command line"))
    return out or Path("runs") / Path(plan.game.name).name, plan  # the name may be a path


def read_with_options(source: Path, given: dict[str, Any]) -> Experiment:
    """Return the experiment of a file, with options over its keys."""
    given = dict(given)
    scale, tiers = given.pop("scale", None), given.pop("tiers", None)
    if scale is not None and "games" in given:
        raise click.UsageError(tr(_SCALES_A_FILE))
    if source.is_dir():
        raise click.UsageError(tr("{path} is a folder, not an experiment file", path=source))
    experiment = read_experiment(source)
    if tiers:
        experiment = experiment.only(tiers, str(source))
    if given:
        data = _with_options(experiment, given, source)
        experiment = make_experiment(data, tr("{file} with options", file=source))
    if scale is not None:
        experiment = experiment.scaled(scale, tr("{file} with --scale", file=source))
    return experiment


def _with_options(experiment: Experiment, given: dict[str, Any], source: Path) -> dict[str, Any]:
    """Return the keys of an experiment, overridden by options; --games applies to every tier."""
    data = {**experiment.model_dump(exclude_defaults=True), **given}
    if experiment.tiers:
        for option in ("strategies", "lineups"):
            if option in given:
                text = N_("{path} has [[tiers]], which name the strategies: choose with --tier")
                raise BalanceError(tr(text, path=source))
        if games := data.pop("games", None):
            data["tiers"] = [{**tier, "games": games} for tier in data["tiers"]]
    if "strategies" in given:
        data.pop("lineups", None)
    if "lineups" in given:
        data.pop("strategies", None)
    return data


def read_resumed(source: Path | None, out: Path | None, given: dict[str, Any]) -> tuple[Path, MakePlan | None]:
    """Return the folder of a run, and a function that makes the plan with which it continues (None: its own).

    The run is named by its folder, or by its experiment file.
    """
    if "scale" in given:
        raise click.UsageError(tr(_SCALES_A_FILE))
    if source is None:
        raise click.UsageError(tr("--resume needs the folder of a run"))
    if source.is_file():
        folder, plan = read_source(source, out, given)
        return folder, lambda run: plan
    if out or given.keys() - {*BOT_LIMITS, "games", "tiers"}:
        raise click.UsageError(
            tr("a run is resumed with its own settings: give only its folder, and --games to extend it")
        )
    if "tiers" in given and "games" not in given:
        raise click.UsageError(tr("--tier with --resume needs --games, the new number of games of the tier"))
    return source, partial(_change_plan, given) if given else None


def _change_plan(given: dict[str, Any], run: RunFolder) -> Plan:
    """Return the run's own plan with new limits of bots, or with more games."""
    limits = {key: given[key] for key in BOT_LIMITS if key in given}
    plan = run.extend(given["games"], given.get("tiers", [])) if "games" in given else run.plan
    experiment = make_experiment({**plan.experiment.model_dump(), **limits})
    return replace(plan, experiment=experiment)
