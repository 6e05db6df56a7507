"""The members of a pooled run, and their games in order as the games of one cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from balance.experiments.experiment import Games
from balance.experiments.lineups import Lineup, Schedule
from balance.foundation.toml import Settings


class Member(Settings):
    """A run that was pooled: its place, its seed, and the most games of its cells in each tier."""

    run: str
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    games: dict[str, Games]


class PooledSchedule(Schedule):
    """The games of one cell of runs with different seeds, run after run.

    Parameters
    ----------
    players, pool, lineups, rotate
        As in `Schedule`; the same in all runs.
    seeds : mapping of int to int
        The seed of each run, and the most games of the cell in it.
    """

    def __init__(
        self, players: int, pool: int, lineups: Sequence[Lineup], rotate: bool, seeds: Mapping[int, int]
    ) -> None:
        super().__init__(players, pool, lineups, rotate, next(iter(seeds)))
        self._schedules = [Schedule(players, pool, lineups, rotate, seed) for seed in seeds]
        self._ends = np.cumsum(list(seeds.values()))

    def _spans(self, first: int, last: int) -> list[tuple[Schedule, int, int]]:
        """Split games `first`..`last`-1 into ranges of games of the runs."""
        found = []
        for schedule, start, end in zip(self._schedules, [0, *self._ends], self._ends, strict=False):
            low, high = max(first, int(start)), min(last, int(end))
            if low < high:
                found.append((schedule, low - int(start), high - int(start)))
        return found

    def deck_start(self, number: int) -> int:
        """Return the first game from `number` on that starts a new deal; each run starts with one."""
        at = int(np.searchsorted(self._ends, number, side="right"))
        if at == len(self._ends):
            return number
        start = int(self._ends[at - 1]) if at else 0
        return min(start + self._schedules[at].deck_start(number - start), int(self._ends[at]))

    def other_seeds(self, source: int, first: int, last: int) -> np.ndarray:
        """Return seeds as `Schedule.other_seeds` does."""
        return np.concatenate(
            [each.other_seeds(source, *span) for each, *span in self._spans(first, last)]
        )

    def other_lineups(self, first: int, last: int) -> np.ndarray:
        """Return line-ups as `Schedule.other_lineups` does."""
        return np.concatenate([each.other_lineups(*span) for each, *span in self._spans(first, last)])

    def games(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return games as `Schedule.games` does."""
        parts = [each.games(*span) for each, *span in self._spans(first, last)]
        decks, seeds, lineups = (np.concatenate(column) for column in zip(*parts, strict=True))
        return decks, seeds, lineups
