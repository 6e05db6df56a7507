"""Games of a schedule as the records that the compiled loop plays."""

from __future__ import annotations

import numpy as np

from balance.contract.records import blank
from balance.engine.records import JOB
from balance.plan.lineups import Schedule


def jobs_of(schedule: Schedule, first: int, last: int) -> np.recarray:
    """Games `first`..`last`-1 as JOB records, with their decks, seeds and line-ups; `game_id` is left 0."""
    deck_seeds, seeds, lineups = schedule.games(first, last)
    jobs = blank(len(seeds), JOB)
    jobs.deck_seed[:], jobs.seed[:] = deck_seeds, seeds
    jobs.lineup[:, : lineups.shape[1]] = lineups
    return jobs
