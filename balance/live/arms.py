"""What a session plays: games of variants, stage by stage, kept in memory and dropped when they take too much."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.experiments.experiment import make_experiment
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.experiments.variants import Variant, hash_rules
from balance.foundation.progress import SILENCE, Progress
from balance.runs.worker import Tables, join_tables
from balance.studies.arms import Arm, play_games, with_games

STAGES = (500, 2_000, 10_000, 50_000)
"""Games of each player count after each stage; a longer series begins with the shorter one."""
NETWORK_STAGES = (200, 1_000, 5_000, 20_000)
SLOW_STAGES = (20, 60, 200, 600)
"""The same for networks, and for searchers and bots in Python."""
ROUND_GAMES = 1_000
"""The first games of each player count whose rounds are kept."""
CLOSE_SECONDS = 2
"""The time that a thread has to end when the page is closed; then the process ends without it."""
MOST_BYTES = 800_000_000


class Stopped(KeyboardInterrupt):
    """The games being played are no longer wanted."""


class Stop(Progress):
    """Progress that stops the work when it is set; `Stopped` is raised between two slices of games.

    `say` is called with what is done before games are played, such as compiling.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._event, self._say = threading.Event(), say

    def set(self) -> None:
        """Stop the work."""
        self._event.set()

    def clear(self) -> None:
        """Let work begin again."""
        self._event.clear()

    def advance(self, done: int, planned: int) -> None:
        """Raise `Stopped` if the work is no longer wanted."""
        if self._event.is_set():
            raise Stopped

    def note(self, what: str) -> None:
        """Say what is being done, or raise `Stopped` if it is no longer wanted."""
        self.advance(0, 0)
        self._say(what)


def experiment_keys(
    game: Game, variants: Sequence[str], players: Sequence[int], strategies: Sequence[str], games: int, seed: int
) -> dict[str, Any]:
    """Return the keys of an experiment with these strategies, which logs rounds."""
    return {
        "game": game.name, "players": list(players), "variants": list(variants), "strategies": list(strategies),
        "games": games, "seed": seed, "log": "rounds",
    }  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """What a session plays, and where it writes.

    Attributes
    ----------
    variant : str
        The variant to start from: a shipped name or a path.
    out : Path
        The folder of saved variants, runs and reports.
    draft : Path or None
        The file that keeps the draft.
    workers : int or None
        Threads; None for one on each core.
    is_named : bool
        Whether the user named the file of the draft. Such a file is never moved away.
    """

    game: Game
    variant: str
    players: Sequence[int]
    strategies: Sequence[str]
    seed: int
    out: Path
    draft: Path | None = None
    workers: int | None = None
    is_named: bool = False

    def plan(self, variant: Variant, strategies: Sequence[str] = ()) -> Plan:
        """Return the plan of a variant, with the page's strategies or others."""
        pool = strategies or self.strategies
        keys = experiment_keys(self.game, [self.variant], self.players, pool, STAGES[-1], self.seed)
        plan = make_plan(make_experiment(keys, "balance live"), Path(), "balance live")
        return replace(plan, variants=[variant])


def stages_of(plan: Plan) -> tuple[int, ...]:
    """Return the games after each stage: fewer for strategies that think long."""
    if plan.tier.iterations or plan.tier.has_custom_bots:
        return SLOW_STAGES
    return NETWORK_STAGES if plan.tier.thinks_long else STAGES


class ArmStore:
    """The games of variants with one set of strategies.

    All variants have the same deals, line-ups and seeds. Games of variants that were not asked for lately are dropped
    when the store is full; they would be played again.

    Parameters
    ----------
    plan : Plan
        A plan of one variant, see `plan_variant`.
    workers : int or None
        Threads; None for one on each core.
    """

    def __init__(self, plan: Plan, workers: int | None = None, stages: Sequence[int] = ()) -> None:
        self.plan, self.workers = plan, workers
        self.stages = tuple(stages) or stages_of(plan)
        self.kept: OrderedDict[tuple[str, str], list[Tables]] = OrderedDict()

    def arm(self, variant: Variant, stage: int, progress: Progress = SILENCE) -> Arm:
        """Return the games of a variant up to a stage; play those that are missing."""
        plan = replace(self.plan, variants=[variant])
        key = variant.name, hash_rules(variant.rules)
        parts = self.kept.setdefault(key, [])
        self.kept.move_to_end(key)
        while len(parts) <= stage:
            first = self.stages[len(parts) - 1] if parts else 0
            games = with_games(plan, self.stages[len(parts)])
            parts.append(play_games(games, self.workers, progress, first, ROUND_GAMES))
        self._drop_oldest()
        return Arm(with_games(plan, self.stages[stage]), join_tables(parts[: stage + 1]))

    def _drop_oldest(self) -> None:
        """Drop games until the store fits; the two variants last asked for stay."""
        while len(self.kept) > 2 and self.bytes > MOST_BYTES:
            self.kept.popitem(last=False)

    @property
    def bytes(self) -> int:
        """Bytes of all games kept."""
        every = (table for parts in self.kept.values() for part in parts for table in part.values())
        return sum(table.nbytes for table in every)
