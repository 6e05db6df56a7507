"""What the compiled loop needs: the loop itself with its buffers, and the games of a schedule as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import PLAYERS, SHARED_SOURCES, blank
from balance.engine.buffers import JOB, Buffers
from balance.engine.loop import PLAIN, Simulator
from balance.experiments.lineups import Schedule
from balance.experiments.plan import Cell, Part, Plan
from balance.experiments.strategies import Strategy, classifier_of, level_of, pack_strategies


def make_loop(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], level: int = PLAIN
) -> tuple[Simulator, Buffers, np.record]:
    """Return a game's compiled loop, its buffers for these strategies, and the packed rules.

    The loop can do what the strategies need, and at least `level`.
    """
    level = max(level, level_of(strategies))
    simulator = Simulator(game, level, classifier_of(game, rules, strategies))
    room = simulator.room(*pack_strategies(game, strategies, players))
    return simulator, room, game.kernel.pack_rules(rules, players)


def loop_of(plan: Plan, cell: Cell) -> tuple[Simulator, Buffers, np.record]:
    """Return the loop for the strategies and rules of a cell, as `make_loop`."""
    return make_loop(plan.game, cell.variant.rules, cell.players, cell.strategies)


def jobs_of(schedule: Schedule, first: int, last: int) -> np.recarray:
    """Return games `first`..`last`-1 as JOB records with their deals, seeds and line-ups; `game_id` stays 0."""
    return make_jobs(*schedule.games(first, last))


def make_jobs(deal_seeds: np.ndarray, seeds: np.ndarray, lineups: np.ndarray) -> np.recarray:
    """Return games as JOB records; line-ups are (games, players)."""
    jobs = blank(len(lineups), JOB)
    jobs.deal_seed[:], jobs.seed[:] = deal_seeds, seeds
    jobs.lineup[:, : lineups.shape[1]] = lineups
    return jobs


def jobs_again(plan: Plan, part: Part, jobs: np.recarray) -> Iterator[tuple[str, np.recarray]]:
    """Yield each source of chance with the jobs of a part, only that source being re-seeded.

    Another line-up also gets new random streams for its bots, because a stream means nothing to another bot. The jobs
    depend only on the experiment's seed, the game's number and the source.
    """
    cell = plan.cells[part.cell]
    players, schedule = cell.players, plan.schedule(cell)
    for number, source in enumerate(plan.sources(cell)):
        again = jobs.copy()
        seeds = schedule.other_seeds(number, part.first, part.last)
        if source in SHARED_SOURCES:
            again.seed[:] = seeds
        else:
            again.reseeded[:] = number + 1
            again.other_seed[:] = seeds
        if source == PLAYERS:
            again.lineup[:, :players] = schedule.other_lineups(part.first, part.last)
        yield source, again


def batches_of(plan: Plan, cell: Cell, games: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the first `games` games of a cell in ranges of about `size`; no deal is in two ranges."""
    schedule, first = plan.schedule(cell), 0
    while first < games:
        last = min(games, schedule.deal_start(first + size))
        yield first, last
        first = last
