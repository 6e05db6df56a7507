"""Evolve weights by self-play: CMA-ES against a growing pool, and a league whose champions resist best responses.

Self-play alone finds weights that are good against themselves. With three or more players this is not enough: copies of
one bot compete for the same places, and a player who wants other places wins. So candidates are charged for the wins of
best responses from earlier rounds, each alone among copies of the candidate: a strategy that can't be invaded is
evolutionarily stable (Maynard Smith and Price 1973). A pool that grows by best responses is the double oracle of
McMahan, Gordon and Blum 2003; Lanctot et al. 2017 (PSRO) and Vinyals et al. 2019 (exploiters of a league) use it with
learners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.foundation.language import trn
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.training.arena import Arena
from balance.training.diary import NO_DIARY, Diary, MakeDiary, no_diaries

POPULATION = 32
ADMITTED_EVERY = 10  # generations, after which the mean joins the hall of fame
MOST_FAMOUS = 12
FAME = 0.7  # share of opponents from the hall of fame
FIRST_STEP = 0.5  # standard deviation, in units of `scales_of`
CANDIDATE_GAMES = (60, 240)
"""Fewest and most games of a candidate in a generation; three times as many once the search has narrowed."""
GENERATIONS = 200  # target number for a budget
_GAMES, _SEARCH = range(2)  # stages of seeds

Fitness = Callable[[Any], np.ndarray]
"""A function from the seat rows (n, deals, players) of candidates to their fitness (n,), higher is better."""


def win_fitness(seats: Any) -> np.ndarray:
    """Return win shares; a win shared by all seats, as in a game that never ends, counts 0: stalling must not pay."""
    by_all = (seats.shape[2] > 1) & np.isclose(seats.win_share, 1 / seats.shape[2], atol=1e-3)
    return np.asarray(np.where(by_all, 0.0, seats.win_share).mean((1, 2)))


def fair_shares(seats: Any) -> np.ndarray:
    """Return win shares, in units of a fair share."""
    return np.asarray(win_fitness(seats) * seats.shape[2])


Cost = Callable[[np.ndarray, int], np.ndarray]
"""A function from candidates (n, names) and a seed to the penalty on their fitness (n,)."""


def no_cost(rows: np.ndarray, seed: int) -> np.ndarray:
    """Nothing."""
    return np.zeros(len(rows))


@dataclass(frozen=True)
class Aim:
    """The objective of candidates."""

    fitness: Fitness = win_fitness  # from the games against opponents
    cost: Cost = no_cost  # penalty subtracted from it
    # Share of opponents that are means of earlier generations; 0: a best response to the arena's strategies alone.
    fame: float = FAME


@dataclass(frozen=True)
class Budget:
    """The budget of a training."""

    games: int  # approximate number of games
    seed: int


SELF_PLAY = Aim()
RESPONSE = Aim(fame=0.0)


def scales_of(arena: Arena, start: np.ndarray) -> np.ndarray:
    """Return the initial step of each weight: in proportion to its size, smaller for settings."""
    cautious = np.array([name in arena.game.heuristics.SETTINGS for name in arena.names])
    scales: np.ndarray = np.where(cautious, 0.15 * np.maximum(np.abs(start), 0.3), 0.3 * np.maximum(np.abs(start), 1.0))
    return scales


class Hall:
    """The hall of fame: means of earlier generations. If it is full, one of the older two thirds is dropped."""

    def __init__(self, width: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self.rows = np.zeros((0, width))

    def admit(self, row: np.ndarray) -> None:
        """Add one."""
        self.rows = np.concatenate([self.rows, row[None]])
        if len(self.rows) > MOST_FAMOUS:
            self.rows = np.delete(self.rows, self._rng.integers(2 * MOST_FAMOUS // 3), axis=0)

    def chances(self, others: int, fame: float = FAME) -> np.ndarray:
        """Return draw probabilities of opponents: of the hall (`fame` in total), then of `others` other strategies."""
        famous = len(self.rows)
        if not famous:
            return np.full(others, 1 / others)
        return np.repeat([fame / famous, (1 - fame) / others], [famous, others])


def evolve(
    arena: Arena, start: np.ndarray, budget: Budget, aim: Aim = SELF_PLAY,
    diary: Diary = NO_DIARY, progress: Progress = SILENCE,
) -> np.ndarray:  # fmt: skip
    """Find the weights that do best against the arena's strategies and, in self-play, against earlier generations.

    Returns the mean of the last generation, a float array (names,).
    """
    from cma import CMAEvolutionStrategy

    rng = np.random.default_rng(derive_many(budget.seed, _SEARCH))
    hall = Hall(len(start), rng)
    scales = scales_of(arena, start)
    options = {
        "popsize": POPULATION,
        "verbose": -9,
        "seed": np.nan,
        "randn": lambda *shape: rng.standard_normal(shape),  # not NumPy's global generator
    }
    search = CMAEvolutionStrategy(np.zeros(len(start)), FIRST_STEP, options)
    played = 0
    for generation, games in enumerate(_generations(budget)):
        steps = search.ask()
        found = diary.recall(generation)
        if found is None:
            rows, seed = start + scales * np.array(steps), derive_many(budget.seed, _GAMES, generation)
            chances, deals = hall.chances(len(arena.strategies), aim.fame), games // arena.players
            met = arena.face(rows, hall.rows, chances, deals, int(seed[0]))
            found = aim.fitness(met) - aim.cost(rows, int(seed[0]))
            diary.note(found)
        search.tell(steps, (-found).tolist())
        if aim.fame > 0 and (generation + 1) % ADMITTED_EVERY == 0:
            hall.admit(start + scales * search.mean)
        played += POPULATION * games
        progress.advance(min(played, budget.games), budget.games)
    return np.asarray(start + scales * search.mean)


def _generations(budget: Budget) -> Iterator[int]:
    """Yield the games of a candidate by generation until the budget is spent: more once the search has narrowed."""
    least, most = CANDIDATE_GAMES
    few = min(most, max(least, budget.games // (GENERATIONS * POPULATION)))
    played = 0
    while played < budget.games:
        games = few if 3 * played < budget.games else 3 * few
        yield games
        played += POPULATION * games


EXPLOITED = 0.4  # share of a round's budget that its best response takes
TRIED = 0.7  # share of a best response's budget in which every start is tried
LEAGUE_FAME = 0.25  # share of opponents that are the champion's earlier selves
INTRUDERS = 4  # rivals drawn for each generation; each plays alone among copies of the candidates
INTRUDED = 8  # deals of these games
GUARD = 0.7  # penalty, in fair shares, for each fair share won by intruders
SCREENED = 300  # deals on which starts of best responses are compared


def evolve_champion(
    arena: Arena, start: np.ndarray, budget: Budget, rounds: int, diary: MakeDiary = no_diaries,
    progress: Progress = SILENCE,
) -> np.ndarray:  # fmt: skip
    """Find the weights (names,) that do best against the arena's profiles and are least exploitable.

    The budget is that of all rounds together, approximately; one round is self-play alone (`evolve`).
    """
    champion, rivals = start, [start]
    known = [arena.row(each.profile) for each in arena.strategies if each.profile]
    games = budget.games // rounds
    for turn in range(rounds):
        progress.note(
            trn(
                "{n} player, round {round} of {rounds}", "{n} players, round {round} of {rounds}",
                arena.players, round=turn + 1, rounds=rounds,
            )
        )  # fmt: skip
        seed = int(derive_many(budget.seed, turn)[0] % 2**31)
        field = arena.joined_by(rivals[1:])
        aim = Aim(fair_shares, guard_against(field, rivals), LEAGUE_FAME) if turn else Aim()
        share = 1 - EXPLOITED if turn < rounds - 1 else 1.0
        champion = evolve(field, champion, Budget(int(share * games), seed), aim, diary(f"champion-{turn}"), progress)
        if turn < rounds - 1:
            search = Budget(int(EXPLOITED * games), seed)
            rivals.append(_invade(arena, champion, [*known, *rivals], search, diary, progress))
    return champion


def guard_against(arena: Arena, rivals: Sequence[np.ndarray]) -> Cost:
    """Return the penalty for the wins of some rivals, each alone among copies of a candidate.

    It is the mean of their maximum and their mean.
    """

    def cost(rows: np.ndarray, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        some = np.array(rivals)[rng.permutation(len(rivals))[:INTRUDERS]]
        won = arena.players * arena.face_copies(rows, some, INTRUDED, seed)
        return np.asarray(GUARD * (won.max(1) + won.mean(1)) / 2)

    return cost


def respond(
    arena: Arena, starts: Sequence[np.ndarray], budget: Budget, diary: MakeDiary = no_diaries,
    progress: Progress = SILENCE,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Find a best response to the arena's line-up, from the start that is best after a short training of each.

    Returns this start and the response, float arrays (names,). The results of an untrained start say little, because a
    best response may be far from every start. (Successive halving of Jamieson and Talwalkar 2016, in two steps.)
    """
    tried = Budget(int(TRIED * budget.games / len(starts)), budget.seed)
    found = [
        evolve(arena, start, tried, RESPONSE, diary(f"try-{budget.seed}-{number}"), progress)
        for number, start in enumerate(starts)
    ]
    rows = np.array(found)
    lots = int(derive_many(budget.seed, 1)[0])
    met = arena.face(rows, rows[:0], np.zeros(0), SCREENED, lots)
    best = int(np.argmax(win_fitness(met)))
    rest = Budget(int((1 - TRIED) * budget.games), budget.seed + 1)
    response = evolve(arena, found[best], rest, RESPONSE, diary(f"response-{budget.seed}"), progress)
    return starts[best], response


def _invade(
    arena: Arena, champion: np.ndarray, starts: Sequence[np.ndarray], budget: Budget,
    diary: MakeDiary, progress: Progress,
) -> np.ndarray:  # fmt: skip
    """Find a best response to copies of the champion."""
    copies = [arena.strategy("champion", champion)]
    alone = arena.with_table(copies, [0] * (arena.players - 1))
    return respond(alone, starts, budget, diary, progress)[1]
