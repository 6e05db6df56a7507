"""What a ladder plays: a mixed field, each strategy against a searcher, and each budget against half of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.compiling.streams import derive_many
from balance.contract.game import get_game
from balance.errors import BalanceError
from balance.log.folder import RunFolder
from balance.plan.experiment import make_experiment
from balance.plan.make import make_plan
from balance.plan.plan import Plan
from balance.plan.profiles import RANDOM_NAME
from balance.playing import play_plan
from balance.progress import SILENCE, Progress

LEAST_BUDGET = 12  # iterations; below that a searcher has hardly looked at its shortlist
WHERE = "ladder"  # what mistakes name


@dataclass(frozen=True)
class Ladder:
    """What a ladder is of.

    Attributes
    ----------
    game, variant : str
    players : tuple of int
        Empty: all counts of the game.
    strategies : tuple of str
        The field; empty: all shipped profiles, ``random``, ``search-25`` and ``search-100``.
    against : str
        Whom each of them meets alone.
    games : int
        Of the mixed field, at each player count.
    duels : int
        Games of each strategy against `against`, and of each budget against half of it.
    trace : int
        The largest budget of the skill trace; 0 for none.
    seed : int
    """

    game: str
    variant: str
    players: tuple[int, ...]
    strategies: tuple[str, ...]
    against: str
    games: int
    duels: int
    trace: int
    seed: int


@dataclass(frozen=True)
class Doubling:
    """A budget of iterations and the half that it is played against."""

    budget: int
    half: int

    @property
    def ratio(self) -> float:
        """Of the two: 2, or a little more where the budget is odd."""
        return self.budget / self.half


@dataclass
class Games:
    """The runs of a ladder.

    Attributes
    ----------
    field : RunFolder
    against : RunFolder
    trace : dict of RunFolder
        By doubling, the largest first.
    """

    field: RunFolder
    against: RunFolder
    trace: dict[Doubling, RunFolder]

    @property
    def searcher(self) -> str:
        """Whom each strategy met alone."""
        return self.against.plan.tier.lineups[0][-1]

    @property
    def played(self) -> int:
        """Games of all runs."""
        runs = (self.field, self.against, *self.trace.values())
        return sum(int(run.info["rows"]["games"]) for run in runs)


def play_ladder(ladder: Ladder, folder: Path, progress: Progress = SILENCE) -> Games:
    """Play a ladder's runs into a folder, or go on with those that are there; finished ones are only read.

    Raises
    ------
    BalanceError
        Something named is not there, or a run in the folder is of another ladder.
    KeyboardInterrupt
        The user stopped it; it can go on.
    """
    plans = plan_ladder(ladder)  # all mistakes are told of before the first game
    doublings = {name_of(each): each for each in doublings_of(ladder.trace)}
    runs = {name: _play(plan, folder / name, progress, name) for name, plan in plans.items()}
    trace = {doublings[name]: run for name, run in runs.items() if name in doublings}
    return Games(runs["field"], runs["against"], trace)


def _play(plan: Plan, folder: Path, progress: Progress, name: str) -> RunFolder:
    progress.note(f"playing {name}")
    resume = (folder / "run.json").exists()
    return play_plan(plan, folder, resume=resume, progress=progress)


def plan_ladder(ladder: Ladder) -> dict[str, Plan]:
    """The plans of a ladder's runs by the names of their folders, ``field`` first."""
    return {
        name: make_plan(make_experiment(keys, WHERE), Path(), WHERE)
        for name, keys in _experiments(ladder)
    }


def _experiments(ladder: Ladder) -> Iterator[tuple[str, dict[str, Any]]]:
    game = get_game(ladder.game)
    names = list(
        ladder.strategies or (*game.shipped("profiles"), RANDOM_NAME, "search-25", "search-100")
    )
    if len(names) < 2:
        raise BalanceError(f"--strategies: {names[0]} alone is no ladder; name two or more")
    if 0 < ladder.trace < 2 * LEAST_BUDGET:
        least = f"{2 * LEAST_BUDGET} iterations against {LEAST_BUDGET}"
        raise BalanceError(f"--trace: a trace begins with {least}; 0 is none")
    counts = list(ladder.players or game.players)
    shared = {"game": ladder.game, "variants": [ladder.variant], "players": counts}
    field = {**shared, "strategies": names, "games": ladder.games}
    yield "field", {**field, "seed": _seed_of(ladder, 0)}
    others = [name for name in names if name != ladder.against]
    against = {**shared, "games": ladder.duels * len(others), "seed": _seed_of(ladder, 1)}
    yield "against", {**against, "lineups": _one_among(others, ladder.against, counts)}
    for each in doublings_of(ladder.trace):
        lineups = _one_among([f"search-{each.budget}"], f"search-{each.half}", counts)
        doubling = {**shared, "games": ladder.duels, "seed": _seed_of(ladder, each.budget)}
        yield name_of(each), {**doubling, "lineups": lineups}


def _seed_of(ladder: Ladder, number: int) -> int:
    """Each run has decks of its own, and the same whatever else is played."""
    return int(derive_many(ladder.seed, number)[0]) >> 1


def _one_among(names: list[str], other: str, counts: list[int]) -> list[list[str]]:
    """Each of them alone at a table of the other, at each player count."""
    return [[name, *[other] * (players - 1)] for players in counts for name in names]


def doublings_of(top: int) -> list[Doubling]:
    """From the largest budget down to `LEAST_BUDGET`, none where `top` is 0."""
    found = []
    while top // 2 >= LEAST_BUDGET:
        found.append(Doubling(top, top // 2))
        top //= 2
    return found


def name_of(doubling: Doubling) -> str:
    """What the run of a doubling is called."""
    return f"trace-{doubling.budget}"
