"""Line-ups of a cell, with their deals and rotations, game by game.

A pool of strategies plays every combination of one strategy per seat (if the pool is smaller than the table, every
arrangement with repetition). Each line-up has its own deal, and the line-ups are repeated in shuffled order, so every
strategy plays equally often. Explicit line-ups are all played on each deal. Each line-up is played in each of its
distinct rotations on the same deal. Games are generated in blocks, so that any game can be found without generating
those before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from math import comb

import numpy as np

from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.streams import derive_many

Lineup = tuple[int, ...]
_DEALS, _GAMES, _OTHER_SEEDS, _OTHER_LINEUPS = range(4)  # stages of seeds
_LEAST_BLOCK = 2_000  # games
_MOST_LINEUPS = 1_000_000  # of a pool, counting rotations; all are listed in memory


def rotations_of(lineup: Lineup) -> list[Lineup]:
    """Return the distinct rotations of a line-up, the line-up itself first."""
    n = len(lineup)
    return list(dict.fromkeys(lineup[n - shift :] + lineup[: n - shift] for shift in range(n)))


def series_seeds(seed: int) -> tuple[np.uint64, np.uint64]:
    """Return the parents of the deal seeds and of the game seeds of an experiment's seed, see `Schedule.games`."""
    return derive_many(seed, _DEALS)[0], derive_many(seed, _GAMES)[0]


def check_pool(pool: int, players: int, rotate: bool) -> None:
    """Refuse a pool with too many line-ups to list. Line-ups are counted here, not generated."""
    if pool >= players:
        count = comb(pool, players) * (players if rotate else 1)
    else:
        count = pool**players
    if count > _MOST_LINEUPS:
        raise BalanceError(
            tr(
                "strategies: {pool} strategies fill {players} seats in {count:,} ways, more than {most:,}; name fewer, "
                "or give `lineups`",
                pool=pool,
                players=players,
                count=count,
                most=_MOST_LINEUPS,
            )
        )


def _combine(pool: int, players: int, rotate: bool) -> list[Lineup]:
    """Return the line-ups of a pool; with `rotate`, one line-up for each set of rotations.

    A pool smaller than the table plays every arrangement, ABAB as well as AABB: with rotations alone, some strategies
    would never be neighbours, or never sit opposite each other.
    """
    if pool >= players:
        return list(combinations(range(pool), players))
    arranged = product(range(pool), repeat=players)
    return [each for each in arranged if not rotate or each == min(rotations_of(each))]


class Schedule:
    """The games of one cell.

    Parameters
    ----------
    pool : int
        Number of strategies from which line-ups are drawn; 0 if `lineups` are given.
    lineups : sequence of tuple of int
        Explicit line-ups by strategy number.
    seed : int
        The experiment's seed.
    """

    def __init__(self, players: int, pool: int, lineups: Sequence[Lineup], rotate: bool, seed: int) -> None:
        self._seed, self._players = seed, players
        self._explicit = bool(lineups)
        if not self._explicit:
            check_pool(pool, players, rotate)
        combined = list(lineups) if lineups else _combine(pool, players, rotate)
        rotations = [rotations_of(lineup) if rotate else [lineup] for lineup in combined]
        self._rotated = np.array([lineup for each in rotations for lineup in each], np.int16)
        self._counts = np.array([len(each) for each in rotations])
        self._starts = np.cumsum(self._counts) - self._counts
        # If all strategies differ, the seating is drawn for each deal.
        self._shuffle_seats = not self._explicit and pool >= players
        self._rounds = -(-_LEAST_BLOCK // int(self._counts.sum()))
        self._block_games = self._rounds * int(self._counts.sum())

    def _block(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return deals (games,) and line-ups (games, players) of one block."""
        rng = np.random.default_rng([self._seed, self._players, number])
        order = np.tile(np.arange(len(self._counts)), (self._rounds, 1))
        if not self._explicit:
            order = rng.permuted(order, axis=1)
        deals = number * self._rounds + np.arange(self._rounds)[:, None] + 0 * order
        if not self._explicit:
            deals = number * order.size + np.arange(order.size)
        order = order.ravel()
        counts = self._counts[order]
        combination = np.repeat(np.arange(len(order)), counts)
        rotation = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        lineups = self._rotated[self._starts[order][combination] + rotation]
        if self._shuffle_seats:
            base = rng.permuted(self._rotated[self._starts[order]], axis=1)
            seats = (np.arange(self._players) - rotation[:, None]) % self._players
            lineups = base[combination[:, None], seats]
        return deals.ravel()[combination], lineups

    @property
    def pass_games(self) -> int:
        """Games of a pass, which plays every line-up once in each of its rotations."""
        return int(self._counts.sum())

    @property
    def pass_deals(self) -> int:
        """Deals of a pass."""
        return 1 if self._explicit else len(self._counts)

    @property
    def deal_games(self) -> int:
        """The most games played on one deal."""
        return int(self._counts.sum() if self._explicit else self._counts.max())

    def deal_start(self, number: int) -> int:
        """Return the first game from `number` on that starts a new deal."""
        block, within = divmod(number, self._block_games)
        deals, _ = self._block(block)
        while 0 < within < len(deals) and deals[within] == deals[within - 1]:
            within += 1
        return block * self._block_games + within

    @property
    def varies(self) -> bool:
        """Whether there is more than one line-up, counting rotations."""
        return self.pass_games > 1 or self._shuffle_seats

    def other_seeds(self, source: int, first: int, last: int) -> np.ndarray:
        """Return seeds (uint64) for replaying games `first`..`last`-1 with another draw of `source`."""
        return derive_many(self._seed, _OTHER_SEEDS, source, np.arange(first, last))

    def other_lineups(self, first: int, last: int) -> np.ndarray:
        """Return line-ups (n, players) for games `first`..`last`-1, drawn from all line-ups of the plan.

        Each line-up is as likely as in the plan and independent of the game's own, so sometimes it is the same one.
        """
        games = np.arange(first, last)
        words = derive_many(self._seed, _OTHER_LINEUPS, games)
        lineups = self._rotated[words % np.uint64(len(self._rotated))]
        if self._shuffle_seats:
            lots = derive_many(self._seed, _OTHER_LINEUPS, games[:, None], np.arange(self._players))
            lineups = np.take_along_axis(lineups, np.argsort(lots, axis=1), axis=1)
        return lineups

    def games(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return deal seeds, game seeds (uint64) and line-ups (n, players) of games `first`..`last`-1."""
        blocks = range(first // self._block_games, (last - 1) // self._block_games + 1)
        parts = [self._block(number) for number in blocks]
        kept = slice(first - blocks.start * self._block_games, None)
        deals = np.concatenate([deals for deals, _ in parts])[kept][: last - first]
        lineups = np.concatenate([lineups for _, lineups in parts])[kept][: last - first]
        return (
            derive_many(self._seed, _DEALS, deals),
            derive_many(self._seed, _GAMES, np.arange(first, last)),
            lineups,
        )


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

    def deal_start(self, number: int) -> int:
        """Return the first game from `number` on that starts a new deal; each run starts with one."""
        at = int(np.searchsorted(self._ends, number, side="right"))
        if at == len(self._ends):
            return number
        start = int(self._ends[at - 1]) if at else 0
        return min(start + self._schedules[at].deal_start(number - start), int(self._ends[at]))

    def other_seeds(self, source: int, first: int, last: int) -> np.ndarray:
        """Return seeds as `Schedule.other_seeds` does."""
        return np.concatenate([each.other_seeds(source, *span) for each, *span in self._spans(first, last)])

    def other_lineups(self, first: int, last: int) -> np.ndarray:
        """Return line-ups as `Schedule.other_lineups` does."""
        return np.concatenate([each.other_lineups(*span) for each, *span in self._spans(first, last)])

    def games(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return games as `Schedule.games` does."""
        parts = [each.games(*span) for each, *span in self._spans(first, last)]
        deals, seeds, lineups = (np.concatenate(column) for column in zip(*parts, strict=True))
        return deals, seeds, lineups
