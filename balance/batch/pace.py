"""How long games will take on this machine: one of each cell is played and timed before a long run begins."""

from __future__ import annotations

import time
from collections.abc import Sequence

from balance.batch.jobs import jobs_of
from balance.engine.loop import Simulator
from balance.plan.plan import Part, Plan

_PATIENCE = 3.0  # seconds of timing; cells that are left are taken to be like the others


def seconds_needed(plan: Plan, parts: Sequence[Part]) -> float:
    """Seconds that one worker would play these parts, without bots in Python; its games are not logged."""
    simulator = Simulator(plan.game, plan.searching > 0)
    games: dict[int, int] = {}
    for part in parts:
        again = len(plan.sources(plan.cells[part.cell].players)) if part.luck else 0
        games[part.cell] = games.get(part.cell, 0) + (part.last - part.first) * (1 + again)
    timed: dict[int, float] = {}
    began = time.perf_counter()
    for number in games:
        if timed and time.perf_counter() - began > _PATIENCE:
            break
        cell = plan.cells[number]
        room = simulator.room(*plan.pack_strategies(cell))
        packed = plan.game.kernel.pack_rules(cell.variant.rules, cell.players)
        schedule = plan.schedule(cell.players)
        jobs = jobs_of(schedule, 0, schedule.deck_games)  # a deck: every seat in turn
        rows = simulator.rows(len(jobs), cell.players, False, 0)
        start = time.perf_counter()
        simulator.play_games(packed, room, jobs, rows, plan.experiment.decision_limit)
        timed[number] = (time.perf_counter() - start) / len(jobs)
    mean = sum(timed.values()) / len(timed)
    return sum(count * timed.get(number, mean) for number, count in games.items())


def write_seconds(seconds: float) -> str:
    """A time as people say it."""
    for size, unit in ((3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.{0 if seconds >= 10 * size else 1}f} {unit}"
    return f"about {round(seconds)} seconds" if seconds >= 1.5 else "about a second"
