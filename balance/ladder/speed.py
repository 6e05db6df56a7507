"""How fast strategies think, on one core of this machine."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from balance.batch.jobs import jobs_of
from balance.engine.loop import Simulator
from balance.plan.lineups import Schedule
from balance.plan.plan import Plan
from balance.plan.strategies import Strategy, pack_strategies

_LEAST_SECONDS = 0.1  # of processor time, that a figure may be trusted
_MOST_GAMES = 1 << 16


def decisions_a_second(plan: Plan, strategies: Sequence[Strategy], players: int) -> np.ndarray:
    """Decisions with more than one option a second of processor time, each strategy among itself.

    By the first variant of the plan, without logs. NaN for bots in Python, which wait for each other's processes.

    Returns
    -------
    float array (strategies,)
    """
    return np.array([_rate(plan, each, players) for each in strategies])


def _rate(plan: Plan, strategy: Strategy, players: int) -> float:
    if strategy.kind == "custom":
        return float("nan")
    simulator = Simulator(plan.game, strategy.search is not None)
    room = simulator.room(*pack_strategies(plan.game, [strategy], players))
    rules = plan.game.kernel.pack_rules(plan.first_variant.rules, players)
    games, took, choices = 1, 0.0, 0
    while took < _LEAST_SECONDS and games <= _MOST_GAMES:
        jobs = jobs_of(Schedule(players, 1, [], True, plan.experiment.seed), 0, games)
        rows = simulator.rows(games, players, False, 0)
        if not choices:  # compiled code is loaded by the first game
            simulator.play_games(rules, room, jobs, rows, plan.experiment.decision_limit)
        begin = time.process_time()
        simulator.play_games(rules, room, jobs, rows, plan.experiment.decision_limit)
        took = time.process_time() - begin
        choices, games = int(rows.games.choices.sum()), 2 * games
    return choices / took if took else float("nan")
