"""The games of a ladder: a mixed field, each strategy against a searcher, each budget against half of it; and speed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import get_game
from balance.contract.sides import SEAT
from balance.experiments.experiment import make_experiment
from balance.experiments.lineups import Schedule
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.experiments.profiles import RANDOM_NAME, STRATEGY_FOLDERS
from balance.experiments.strategies import Strategy
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.runs.folder import RunFolder
from balance.runs.jobs import jobs_of, make_loop
from balance.runs.workers import Workers
from balance.studies.playing import play_or_resume
from balance.studies.settings import Ladder

_LEAST_SECONDS = 0.1  # of processor time for a reliable figure
_MOST_GAMES = 1 << 16


def decisions_a_second(plan: Plan, strategies: Sequence[Strategy], players: int) -> np.ndarray:
    """Return decisions with more than one option per second of processor time, with each strategy in all seats.

    The games use the first variant of the plan, without logs. NaN for Python bots, which wait for other processes.
    """
    return np.array([_rate(plan, each, players) for each in strategies])


def _rate(plan: Plan, strategy: Strategy, players: int) -> float:
    if strategy.kind == "custom":
        return float("nan")
    simulator, room, rules = make_loop(plan.game, plan.first_variant.rules, players, [strategy])
    games, took, choices = 1, 0.0, 0
    while took < _LEAST_SECONDS and games <= _MOST_GAMES:
        jobs = jobs_of(Schedule(players, 1, [], True, plan.experiment.seed), 0, games)
        rows = simulator.rows(games, players, False, 0)
        if not choices:  # the first game loads compiled code
            simulator.play_games(rules, room, jobs, rows, plan.experiment.decision_limit)
        begin = time.process_time()
        simulator.play_games(rules, room, jobs, rows, plan.experiment.decision_limit)
        took = time.process_time() - begin
        choices, games = int(rows.games.choices.sum()), 2 * games
    return choices / took if took else float("nan")


LEAST_BUDGET = 12  # iterations; with fewer, a searcher has hardly tried its shortlist
_WHERE = "ladder"  # named in error messages


@dataclass(frozen=True)
class Doubling:
    """A budget of iterations, and the half of it as opponent."""

    budget: int
    half: int

    @property
    def ratio(self) -> float:
        """Ratio of the budgets: 2, or slightly more if the budget is odd."""
        return self.budget / self.half

    @property
    def name(self) -> str:
        """Name of the doubling's run."""
        return f"trace-{self.budget}"


@dataclass
class Games:
    """The runs of a ladder."""

    field: RunFolder
    against: RunFolder
    trace: dict[Doubling, RunFolder]  # the largest first

    @property
    def searcher(self) -> str:
        """The opponent in duels."""
        return self.against.plan.tier.lineups[0][-1]

    @property
    def played(self) -> int:
        """Number of games of all runs."""
        runs = (self.field, self.against, *self.trace.values())
        return sum(int(run.info["rows"]["games"]) for run in runs)


def play_ladder(
    ladder: Ladder, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> Games:
    """Play a ladder's runs into a folder, or resume those that exist; finished runs are only read.

    `workers` play the games; None for a thread on each core.
    """
    plans = plan_ladder(ladder)  # reports all mistakes before the first game
    runs = {name: play_or_resume(plan, folder / name, progress, workers) for name, plan in plans.items()}
    trace = {each: runs[each.name] for each in doublings_of(ladder.trace)}
    return Games(runs["field"], runs["against"], trace)


def plan_ladder(ladder: Ladder) -> dict[str, Plan]:
    """Return the plans of a ladder's runs by folder name, ``field`` first."""
    return {
        name: make_plan(make_experiment(keys, _WHERE), Path(), _WHERE)
        for name, keys in _experiments(ladder)
    }


def _experiments(ladder: Ladder) -> Iterator[tuple[str, dict[str, Any]]]:
    game = get_game(ladder.game)
    game.sides.require("balance ladder", (SEAT,))
    shipped = (*game.shipped(*STRATEGY_FOLDERS), RANDOM_NAME, "search-25", "search-100")
    names = list(ladder.strategies or shipped)
    if len(names) < 2:
        raise BalanceError(
            tr("--strategies: a ladder needs at least two strategies, got only {name}", name=names[0])
        )
    if 0 < ladder.trace < 2 * LEAST_BUDGET:
        raise BalanceError(
            tr(
                "--trace: the smallest trace is {budget} iterations against {half}; 0 means no trace",
                budget=2 * LEAST_BUDGET, half=LEAST_BUDGET,
            )
        )  # fmt: skip
    counts = list(ladder.players or game.players)
    shared = {"game": ladder.game, "variants": [ladder.variant], "players": counts}
    field = {**shared, "strategies": names, "games": ladder.games}
    yield "field", {**field, "seed": seed_of(ladder.seed, 0)}
    others = [name for name in names if name != ladder.against]
    against = {**shared, "games": ladder.duels * len(others), "seed": seed_of(ladder.seed, 1)}
    yield "against", {**against, "lineups": _one_among(others, ladder.against, counts)}
    for each in doublings_of(ladder.trace):
        lineups = _one_among([f"search-{each.budget}"], f"search-{each.half}", counts)
        doubling = {**shared, "games": ladder.duels, "seed": seed_of(ladder.seed, each.budget)}
        yield each.name, {**doubling, "lineups": lineups}


def seed_of(seed: int, number: int) -> int:
    """Return the seed of a study's run: its deals differ from those of other runs and do not depend on them."""
    return int(derive_many(seed, number)[0]) >> 1


def _one_among(names: list[str], other: str, counts: list[int]) -> list[list[str]]:
    """Return line-ups of each strategy alone at a table of `other`, at each player count."""
    return [[name, *[other] * (players - 1)] for players in counts for name in names]


def doublings_of(top: int) -> list[Doubling]:
    """Return doublings from the largest budget down to `LEAST_BUDGET`; none if `top` is 0."""
    found = []
    while top // 2 >= LEAST_BUDGET:
        found.append(Doubling(top, top // 2))
        top //= 2
    return found
