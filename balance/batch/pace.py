"""How long games will take on this machine: one of each cell is played and timed before a long run begins."""

from __future__ import annotations

import time
from collections.abc import Sequence

from balance.batch.jobs import jobs_of
from balance.engine.loop import Simulator
from balance.plan.plan import Cell, Part, Plan

_PATIENCE = 3.0  # seconds of timing; cells that are left are taken to be like the others


def seconds_needed(plan: Plan, parts: Sequence[Part]) -> float:
    """Seconds that one worker would play these parts, without bots in Python; its games are not logged."""
    games: dict[int, int] = {}
    for part in parts:
        again = len(plan.sources(plan.cells[part.cell])) if part.luck else 0
        games[part.cell] = games.get(part.cell, 0) + (part.last - part.first) * (1 + again)
    timed: dict[str, dict[int, float]] = {}  # of each tier, for their paces are worlds apart
    began = time.perf_counter()
    for number in games:
        own = timed.setdefault(plan.cells[number].tier.name, {})
        if not own or time.perf_counter() - began <= _PATIENCE:
            own[number] = _seconds_a_game(plan, plan.cells[number])
    needed = 0.0
    for number, count in games.items():
        own = timed[plan.cells[number].tier.name]
        needed += count * own.get(number, sum(own.values()) / len(own))
    return needed


def _seconds_a_game(plan: Plan, cell: Cell) -> float:
    """Mean time of the games of a deck: every seat in turn."""
    simulator = Simulator(plan.game, cell.tier.iterations > 0)
    room = simulator.room(*plan.pack_strategies(cell))
    packed = plan.game.kernel.pack_rules(cell.variant.rules, cell.players)
    schedule = plan.schedule(cell)
    jobs = jobs_of(schedule, 0, schedule.deck_games)
    rows = simulator.rows(len(jobs), cell.players, False, 0)
    start = time.perf_counter()
    simulator.play_games(packed, room, jobs, rows, plan.experiment.decision_limit)
    return (time.perf_counter() - start) / len(jobs)


def write_seconds(seconds: float) -> str:
    """A time as people say it."""
    for size, unit in ((3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.{0 if seconds >= 10 * size else 1}f} {unit}"
    return f"about {round(seconds)} seconds" if seconds >= 1.5 else "about a second"
