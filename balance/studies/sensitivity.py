"""Sensitivity: what each rule key moves when it goes one step down or up, on the same deals as the start variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.compare import (
    pair_questions,
    read_pairs,
    shrink_effects,
    size_in_deviations,
    widen_effects,
)
from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.contract.analytics import Measure
from balance.contract.game import get_game
from balance.experiments.experiment import Experiment, make_experiment
from balance.experiments.measures import choose_measures
from balance.experiments.networks import default_player
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.experiments.rule_steps import Step, list_steps
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import RunFolder
from balance.runs.workers import Workers
from balance.stats.comparisons import SHOWN
from balance.studies.playing import play_or_resume

_GAMES = 4000  # of each step at each player count, unless an experiment or the user says otherwise


@dataclass(frozen=True)
class Sensitivity:
    """The settings of a sensitivity analysis."""

    # Its first variant is the start. Its first tier plays; `games` is that of each step at each player count.
    experiment: Experiment
    keys: tuple[str, ...] = ()  # shell patterns of rule keys; empty for all
    folder: Path = Path()  # of relative paths in the experiment
    where: str = "sensitivity"  # the experiment's name in error messages


def default_experiment(given: Mapping[str, Any]) -> Experiment:
    """Return an experiment at all player counts of a game, by default with its strongest fast player.

    `given` are the keys that replace these.
    """
    game = get_game(given["game"])
    counts = given.get("players", list(game.players))
    data = {"players": counts, "strategies": [default_player(game, counts)], "games": _GAMES}
    return make_experiment({**data, **given})


@dataclass(frozen=True)
class SensitivityGames:
    """The run of a sensitivity analysis, its steps, and the measures that it reads."""

    steps: list[Step]
    measures: list[Measure]
    run: RunFolder

    @property
    def baseline(self) -> str:
        """The start variant."""
        return self.run.plan.first_variant.name

    @property
    def keys(self) -> int:
        """Number of keys with a step."""
        return len({step.key for step in self.steps})


def plan_sensitivity(asked: Sensitivity) -> tuple[list[Step], Plan]:
    """Return the steps, and the plan that plays each of them on the deals of the start variant."""
    plan = make_plan(_of_start(asked.experiment), asked.folder, asked.where)
    start, players = plan.experiment.variants[0], plan.experiment.players
    steps = list_steps(plan.game, start, players, asked.keys, asked.folder)
    if not steps:
        raise BalanceError(
            tr("--keys: none of these keys has a step that the game accepts at these player counts")
        )
    return steps, replace(plan, variants=[plan.first_variant, *(step.variant for step in steps)])


def _of_start(experiment: Experiment) -> Experiment:
    """Return the experiment with its first variant and first tier alone, and nothing that only a run needs."""
    left_out: dict[str, Any] = {
        "sweep": {},
        "stop": None,
        "targets": [],
        "luck": 0,
        "trace": 0,
        "adapt": 0,
        "question": "",
    }
    tiers = [tier.model_copy(update={"luck": None, "adapt": 0}) for tier in experiment.tiers[:1]]
    return experiment.model_copy(
        update={**left_out, "variants": experiment.variants[:1], "tiers": tiers, "log": "rounds"}
    )


def play_sensitivity(
    asked: Sensitivity,
    measures: Sequence[str],
    folder: Path,
    progress: Progress = SILENCE,
    workers: Workers | None = None,
) -> SensitivityGames:
    """Play all steps into a folder, or resume the run there; a finished run is only read.

    `measures` are names; none stands for all. `workers` play the games; None for a
    thread on each core.
    """
    steps, plan = plan_sensitivity(asked)  # reports all mistakes before the first game
    chosen = choose_measures(plan, measures)
    return SensitivityGames(steps, chosen, play_or_resume(plan, folder / "steps", progress, workers))


def read_effects(games: SensitivityGames, progress: Progress = SILENCE) -> pd.DataFrame:
    """Return what each step moves, the largest shown effects first.

    Returns
    -------
    DataFrame
        The columns of `balance.analysis.compare.read_pairs`, with intervals and verdicts that hold together
        over all rows. In addition ``key``, ``step`` (such as ``8 to 9``), ``direction``; ``quoted``, the effect
        shrunk for selection by size (`balance.analysis.compare.shrink_effects`); and ``size``, the quoted effect in
        standard deviations of the baseline between deals, 0 for an effect that is not shown. Ordered by player count
        and size.
    """
    plan = games.run.plan
    questions = pair_questions(games.baseline, games.measures)
    effects = read_pairs(plan, questions, gather(games.run, [*questions, Played()], progress))
    steps = {step.variant.name: step for step in games.steps}
    found = [steps[name] for name in effects["variant"]]
    quoted = shrink_effects(effects)
    size = size_in_deviations(effects, quoted)
    table = widen_effects(effects).assign(
        key=[step.key for step in found],
        step=[step.change for step in found],
        direction=[step.direction for step in found],
        quoted=quoted,
        size=np.where(effects["verdict"].isin(SHOWN) & np.isfinite(size), size, 0.0),
    )
    return table.sort_values(
        ["players", "size"], ascending=[True, False], kind="stable", ignore_index=True
    )
