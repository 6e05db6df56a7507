"""A champion that others gain little against: evolved in rounds, each ending with best responses that join its rivals.

Self-play alone finds weights that answer themselves well. With three players or more that is not enough: copies of
one bot want the same places and spend themselves on them, and whoever wants others wins (a crowd is beaten by
whoever stays away from it). So candidates pay for what the best responses of earlier rounds, each alone among copies
of the candidate, win there: what can't be invaded is evolutionarily stable (Maynard Smith and Price 1973). Rivals
that grow by best responses are the double oracle of McMahan, Gordon and Blum 2003; Lanctot et al. 2017 (PSRO) and
Vinyals et al. 2019 (exploiters of a league) do so with learners.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from balance.compiling.streams import derive_many
from balance.progress import SILENCE, Progress
from balance.training.arena import Arena
from balance.training.evolution import (
    NO_DIARY,
    RESPONSE,
    Aim,
    Budget,
    Cost,
    Diary,
    evolve,
    win_fitness,
)

RESPONSES = 2  # best responses a round
EXPLOITED = 0.25  # share of a round's budget that they take
FAME = 0.25  # share of opponents that are the champion's earlier selves
INTRUDERS = 4  # drawn of the rivals for each generation, each alone among copies of the candidates
INTRUDED = 8  # decks on which
GUARD = 0.7  # fair shares of wins that a fair share won by intruders costs
SCREENED = 300  # decks on which starts of best responses are compared

MakeDiary = Callable[[str], Diary]


def no_diaries(stage: str) -> Diary:
    """None is kept."""
    return NO_DIARY


def evolve_champion(
    arena: Arena, start: np.ndarray, budget: Budget, rounds: int, diary: MakeDiary = no_diaries,
    progress: Progress = SILENCE,
) -> np.ndarray:  # fmt: skip
    """The weights that do best against the arena's profiles and can be exploited least.

    Parameters
    ----------
    start : float array (names,)
    budget : Budget
        Of all rounds together, about.
    rounds : int
        1 is self-play alone, see `balance.training.evolution.evolve`.

    Returns
    -------
    float array (names,)
    """
    champion, rivals = start, [start]
    known = [arena.row(each.profile) for each in arena.strategies if each.profile]
    games = budget.games // rounds
    for turn in range(rounds):
        progress.note(f"{arena.players} players, round {turn + 1} of {rounds}")
        seed = int(derive_many(budget.seed, turn)[0] % 2**31)
        field = arena.joined_by(rivals[1:])
        aim = Aim(_in_fair_shares, _guard(field, rivals), FAME) if turn else Aim()
        share = 1 - EXPLOITED if turn < rounds - 1 else 1.0
        champion = evolve(
            field, champion, Budget(int(share * games), seed), aim, diary(f"champion-{turn}"), progress
        )
        if turn < rounds - 1:
            rivals += _respond(arena, champion, [*known, *rivals], games, seed, diary, progress)
    return champion


def _in_fair_shares(seats: Any) -> np.ndarray:
    return np.asarray(win_fitness(seats) * seats.shape[2])


def _guard(arena: Arena, rivals: Sequence[np.ndarray]) -> Cost:
    """What some of the rivals win, each alone among copies of a candidate: half the most and half the mean."""

    def cost(rows: np.ndarray, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        some = np.array(rivals)[rng.permutation(len(rivals))[:INTRUDERS]]
        won = arena.players * arena.face_copies(rows, some, INTRUDED, seed)
        return np.asarray(GUARD * (won.max(1) + won.mean(1)) / 2)

    return cost


def _respond(
    arena: Arena, champion: np.ndarray, starts: Sequence[np.ndarray], games: int, seed: int,
    diary: MakeDiary, progress: Progress,
) -> list[np.ndarray]:  # fmt: skip
    """Best responses to copies of the champion, from the starts that do best against it."""
    alone = Arena(
        arena.game,
        arena.rules,
        arena.players,
        [arena.strategy("champion", champion)],
        [0] * (arena.players - 1),
    )
    shares = arena.face_copies(champion[None], np.array(starts), SCREENED, seed)[0]
    budget = int(EXPLOITED * games / RESPONSES)
    return [
        evolve(
            alone,
            starts[place],
            Budget(budget, seed + number),
            RESPONSE,
            diary(f"response-{seed}-{number}"),
            progress,
        )
        for number, place in enumerate(np.argsort(-shares, kind="stable")[:RESPONSES])
    ]
