"""A champion that others gain little against: evolved in rounds, each ending with a best response, a rival of the next.

Self-play alone finds weights that answer themselves well. With three players or more that is not enough: copies of
one bot want the same places and spend themselves on them, and whoever wants others wins (a crowd is beaten by
whoever stays away from it). So candidates pay for what the best responses of earlier rounds, each alone among copies
of the candidate, win there: what can't be invaded is evolutionarily stable (Maynard Smith and Price 1973). Rivals
that grow by best responses are the double oracle of McMahan, Gordon and Blum 2003; Lanctot et al. 2017 (PSRO) and
Vinyals et al. 2019 (exploiters of a league) do so with learners.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.compiling.streams import derive_many
from balance.progress import SILENCE, Progress
from balance.training.arena import Arena
from balance.training.diary import MakeDiary, no_diaries
from balance.training.evolution import (
    RESPONSE,
    Aim,
    Budget,
    Cost,
    evolve,
    fair_shares,
    win_fitness,
)

EXPLOITED = 0.4  # share of a round's budget that its best response takes
TRIED = 0.7  # share of a best response's budget in which every start is tried
FAME = 0.25  # share of opponents that are the champion's earlier selves
INTRUDERS = 4  # drawn of the rivals for each generation, each alone among copies of the candidates
INTRUDED = 8  # decks on which
GUARD = 0.7  # fair shares of wins that a fair share won by intruders costs
SCREENED = 300  # decks on which starts of best responses are compared


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
        aim = Aim(fair_shares, _guard(field, rivals), FAME) if turn else Aim()
        share = 1 - EXPLOITED if turn < rounds - 1 else 1.0
        champion = evolve(
            field, champion, Budget(int(share * games), seed), aim, diary(f"champion-{turn}"), progress
        )
        if turn < rounds - 1:
            search = Budget(int(EXPLOITED * games), seed)
            rivals.append(_invade(arena, champion, [*known, *rivals], search, diary, progress))
    return champion


def _guard(arena: Arena, rivals: Sequence[np.ndarray]) -> Cost:
    """What some of the rivals win, each alone among copies of a candidate: half the most and half the mean."""

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
    """A best response to the arena's line-up, from the start that proves best when each has been tried for a while.

    How a start does before it is trained says little: who beats a crowd may come from far off. (Successive halving
    of Jamieson and Talwalkar 2016, in two steps.)

    Returns
    -------
    start, response : float arrays (names,)
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
    """A best response to copies of the champion."""
    alone = Arena(
        arena.game,
        arena.rules,
        arena.players,
        [arena.strategy("champion", champion)],
        [0] * (arena.players - 1),
    )
    return respond(alone, starts, budget, diary, progress)[1]
