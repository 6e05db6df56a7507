"""Games played again: with one source of chance re-seeded, for the table `luck`; or some of them, by whole decks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from balance.contract.records import PLAYERS, SHARED_SOURCES
from balance.plan.plan import Cell, Part, Plan


def jobs_again(plan: Plan, part: Part, jobs: np.recarray) -> Iterator[tuple[str, np.recarray]]:
    """Each source and the jobs of a part with that source re-seeded, all else as it was.

    Another line-up comes with other streams for its bots: a stream says nothing about another bot.
    What is played hangs on the experiment's seed, the game's number and the source alone.
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
    """The first `games` games of a cell in ranges of about `size`, no deck in two of them."""
    schedule, first = plan.schedule(cell), 0
    while first < games:
        last = min(games, schedule.deck_start(first + size))
        yield first, last
        first = last
