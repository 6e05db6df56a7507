"""Weights evolved by self-play: CMA-ES against a pool that grows with what was found.

Hansen and Ostermeier 2001 (CMA-ES, as the package `cma` has it). A search that only ever met its last self
would chase its own tail, so candidates meet those of before (a hall of fame: Rosin and Belew 1997), and
the strategies from which the training started.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.compiling.streams import derive_many
from balance.progress import SILENCE, Progress
from balance.training.arena import Arena
from balance.training.diary import NO_DIARY, Diary

POPULATION = 32
ADMITTED_EVERY = 10  # generations, after which the mean joins the hall of fame
MOST_FAMOUS = 12
FAME = 0.7  # share of opponents from there
FIRST_STEP = 0.5  # standard deviation, in units of `scales_of`
CANDIDATE_GAMES = (60, 240)
"""Of a candidate in a generation, at least and at most; three times as many once the search has narrowed."""
GENERATIONS = 200  # that a budget should last
_GAMES, _SEARCH = range(2)  # stages of seeds

Fitness = Callable[[Any], np.ndarray]
"""From the seat rows (n, decks, players) of candidates to how good each is (n,), higher is better."""


def win_fitness(seats: Any) -> np.ndarray:
    """Share of wins; one that all share, as where a game never ends, is nobody's: stalling must not pay."""
    by_all = np.isclose(seats.win_share, 1 / seats.shape[2], atol=1e-3)
    return np.asarray(np.where(by_all, 0.0, seats.win_share).mean((1, 2)))


def fair_shares(seats: Any) -> np.ndarray:
    """Share of wins, in fair shares."""
    return np.asarray(win_fitness(seats) * seats.shape[2])


Cost = Callable[[np.ndarray, int], np.ndarray]
"""From candidates (n, names) and a seed to what is taken off their fitness (n,)."""


def no_cost(rows: np.ndarray, seed: int) -> np.ndarray:
    """Nothing."""
    return np.zeros(len(rows))


@dataclass(frozen=True)
class Aim:
    """What candidates are judged by.

    Attributes
    ----------
    fitness : Fitness
        Of the games against opponents.
    cost : Cost
        What comes off it.
    fame : float
        Share of opponents that are means of earlier generations; 0: a best response to the arena's strategies alone.
    """

    fitness: Fitness = win_fitness
    cost: Cost = no_cost
    fame: float = FAME


@dataclass(frozen=True)
class Budget:
    """What a training may use.

    Attributes
    ----------
    games : int
        About so many.
    seed : int
    """

    games: int
    seed: int


SELF_PLAY = Aim()
RESPONSE = Aim(fame=0.0)


def scales_of(arena: Arena, start: np.ndarray) -> np.ndarray:
    """How far each weight is moved at first: by its size, settings with more care."""
    cautious = np.array([name in arena.game.heuristics.SETTINGS for name in arena.names])
    scales: np.ndarray = np.where(
        cautious, 0.15 * np.maximum(np.abs(start), 0.3), 0.3 * np.maximum(np.abs(start), 1.0)
    )
    return scales


class Hall:
    """The famous: means of earlier generations; of too many, one of the older two thirds goes."""

    def __init__(self, width: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self.rows = np.zeros((0, width))

    def admit(self, row: np.ndarray) -> None:
        """Add one."""
        self.rows = np.concatenate([self.rows, row[None]])
        if len(self.rows) > MOST_FAMOUS:
            self.rows = np.delete(self.rows, self._rng.integers(2 * MOST_FAMOUS // 3), axis=0)

    def chances(self, others: int, fame: float = FAME) -> np.ndarray:
        """Chances of the famous, `fame` together, then of so many others, to be drawn as an opponent."""
        famous = len(self.rows)
        if not famous:
            return np.full(others, 1 / others)
        return np.repeat([fame / famous, (1 - fame) / others], [famous, others])


def evolve(
    arena: Arena, start: np.ndarray, budget: Budget, aim: Aim = SELF_PLAY,
    diary: Diary = NO_DIARY, progress: Progress = SILENCE,
) -> np.ndarray:  # fmt: skip
    """The weights that do best against the arena's strategies and, in self-play, against those found before.

    Parameters
    ----------
    start : float array (names,)

    Returns
    -------
    float array (names,)
        The mean of the last generation.
    """
    from cma import CMAEvolutionStrategy

    rng = np.random.default_rng(derive_many(budget.seed, _SEARCH))
    hall = Hall(len(start), rng)
    scales = scales_of(arena, start)
    options = {"popsize": POPULATION, "verbose": -9, "seed": np.nan, "randn": _normal(rng)}
    search = CMAEvolutionStrategy(np.zeros(len(start)), FIRST_STEP, options)
    played = 0
    for generation, games in enumerate(_generations(budget)):
        steps = search.ask()
        found = diary.recall(generation)
        if found is None:
            rows, seed = start + scales * np.array(steps), derive_many(budget.seed, _GAMES, generation)
            chances, decks = hall.chances(len(arena.strategies), aim.fame), games // arena.players
            met = arena.face(rows, hall.rows, chances, decks, int(seed[0]))
            found = aim.fitness(met) - aim.cost(rows, int(seed[0]))
            diary.note(found)
        search.tell(steps, (-found).tolist())
        if aim.fame > 0 and (generation + 1) % ADMITTED_EVERY == 0:
            hall.admit(start + scales * search.mean)
        played += POPULATION * games
        progress.advance(min(played, budget.games), budget.games)
    return np.asarray(start + scales * search.mean)


def _generations(budget: Budget) -> Iterator[int]:
    """Games of a candidate in each generation, until the budget is spent: more once the search has narrowed."""
    least, most = CANDIDATE_GAMES
    few = min(most, max(least, budget.games // (GENERATIONS * POPULATION)))
    played = 0
    while played < budget.games:
        games = few if 3 * played < budget.games else 3 * few
        yield games
        played += POPULATION * games


def _normal(rng: np.random.Generator) -> Callable[..., np.ndarray]:
    """Where the search's lots come from: a generator of its own, and not NumPy's global one."""
    return lambda *shape: rng.standard_normal(shape)
