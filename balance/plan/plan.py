"""The plan: an experiment with everything it names looked up, its cells and parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import SHARED_SOURCES
from balance.engine.search.records import Searchers
from balance.errors import BalanceError, unknown
from balance.plan.experiment import MOST_GAMES, Experiment, LogLevel
from balance.plan.lineups import Schedule
from balance.plan.members import Member, PooledSchedule
from balance.plan.strategies import Strategy, pack_strategies
from balance.plan.tiers import Tier
from balance.plan.variants import Variant

PART_GAMES = {"games": 20_000, "rounds": 10_000, "trace": 2_000}
CUSTOM_PART_GAMES = 100  # a Python bot plays tens of games a second
SEARCH_PART_ITERATIONS = 10_000  # iterations a decision times games: some five seconds


@dataclass(frozen=True)
class Cell:
    """Games of one variant at one player count, played by one tier.

    Attributes
    ----------
    number : int
        Its place in the plan.
    """

    number: int
    tier: Tier
    variant: Variant
    players: int

    @property
    def first_id(self) -> int:
        """`game_id` of its first game; every cell has room for as many as it may have, so that a run can grow."""
        return self.number * MOST_GAMES


@dataclass(frozen=True)
class Part:
    """Games `first`..`last`-1 of a cell: what one worker plays and writes as one set of files.

    With `luck` each game is played again too, once for each of the plan's `sources`.
    """

    cell: int
    first: int
    last: int
    level: LogLevel
    luck: bool = False


@dataclass
class Plan:
    """An experiment with everything it names looked up and checked.

    Attributes
    ----------
    experiment : Experiment
    game : Game
    base : the game's checked rule set
        That of ``base`` when the plan was made: what a variant changes is said against it.
    variants : list of Variant
    tiers : list of Tier
    points : dict
        Of a sweep: variant name to the values that its keys have.
    bots_allowed : bool
        Whether the Python code that strategies name may be run: the user named it, or allowed it.
    reading : int
        Which of the tiers is read: questions and pages are about one at a time.
    members : tuple of Member
        The runs that it was pooled of; empty for a run that was played as it is.
    """

    experiment: Experiment
    game: Game
    base: Any
    variants: list[Variant]
    tiers: list[Tier]
    points: Mapping[str, Mapping[str, Any]]
    bots_allowed: bool = False
    reading: int = 0
    members: tuple[Member, ...] = ()

    @cached_property
    def cells(self) -> list[Cell]:
        """Every variant at every player count, of one tier after the other."""
        every = product(self.tiers, self.variants, self.experiment.players)
        return [Cell(number, *cell) for number, cell in enumerate(every)]

    @property
    def tier(self) -> Tier:
        """The tier that is read."""
        return self.tiers[self.reading]

    @property
    def tier_cells(self) -> list[Cell]:
        """The cells of the tier that is read."""
        return [cell for cell in self.cells if cell.tier is self.tier]

    def in_tier(self, name: str, where: str) -> Plan:
        """The plan with another tier to be read.

        Raises
        ------
        BalanceError
            There is no such tier; names `where` and those that there are.
        """
        names = [tier.name for tier in self.tiers]
        if name not in names:
            raise unknown("tier", name, names, where)
        return replace(self, reading=names.index(name))

    def going_on_from(self, other: Plan, finished: bool = True) -> Plan:
        """The plan with what became of another's tiers: profiles made ready, lengths at which it was `finished`.

        What was begun and never finished can't have been looked at, and counts for nothing once it is taken back.
        """
        before = {tier.name: tier for tier in other.tiers}
        seen = finished and self.is_longer(other)
        tiers = [tier.going_on_from(before.get(tier.name, tier), seen) for tier in self.tiers]
        if not finished and all(tier.most_games == tier.finished_games for tier in tiers):
            tiers = [replace(tier, earlier=tier.earlier[:-1]) for tier in tiers]
        return replace(self, tiers=tiers)

    @property
    def seeds(self) -> dict[int, dict[str, int]]:
        """Seeds, and how many games a cell of each tier might have by them, one after the other."""
        games = {tier.name: tier.most_games for tier in self.tiers}
        found: dict[int, dict[str, int]] = {}
        for member in self.members or (Member(run="", seed=self.experiment.seed, games=games),):
            own = found.setdefault(member.seed, dict.fromkeys(games, 0))
            own |= {name: max(count, member.games.get(name, 0)) for name, count in own.items()}
        return found

    def longer(self, games: int, tiers: Sequence[str], where: str, finished: bool = True) -> Plan:
        """The plan with so many games in each cell of these tiers (none: all), where they had fewer.

        With a stop rule it is the ceiling that is raised. What is not `finished` may become shorter too, down to what
        it was when it last was.

        Raises
        ------
        BalanceError
            It has no such tier, or as many games already; or a stop rule, whose ceiling is that of all tiers.
        """
        chosen = [self.in_tier(name, where).tier for name in tiers] or self.tiers
        if self.experiment.stop and len(chosen) < len(self.tiers):
            raise BalanceError(f"{where}: a stop rule has one ceiling for all tiers; leave out --tier")
        least = {tier.name: tier.most_games if finished else tier.finished_games for tier in chosen}
        if games < (most := min(least.values())) + finished:
            had = "has {} games in each cell already; give more to make it longer"
            is_to = "is to have {} games in each cell at least; give as many or more"
            raise BalanceError(f"{where} {(had if finished else is_to).format(f'{most:,}')}")
        lengths = {tier.name: tier.most_games for tier in self.tiers}
        lengths |= {name: max(games, count) for name, count in least.items()}
        experiment = self.experiment.with_games(lengths, where)
        between = {keys.name: keys.games for keys in experiment.every_tier}
        grown = [replace(t, games=between[t.name], most_games=lengths[t.name]) for t in self.tiers]
        return replace(self, experiment=experiment, tiers=grown)

    def is_longer(self, other: Plan, finished: bool = True) -> bool:
        """Whether its cells may have more games than another's, and none fewer than when that was `finished`."""
        least = {t.name: t.most_games if finished else t.finished_games for t in other.tiers}
        lengths = {tier.name: tier.most_games for tier in other.tiers}
        changed = any(tier.most_games != lengths.get(tier.name) for tier in self.tiers)
        return changed and all(tier.most_games >= least.get(tier.name, 0) for tier in self.tiers)

    @property
    def looks(self) -> int:
        """How often its pages could be looked at while it grew, the last look too; a page shows all tiers."""
        return 1 + max(len(tier.earlier) for tier in self.tiers)

    @property
    def look_families(self) -> int:
        """By what the error of a look is divided: 1, 2, 4, ...

        What the first look may be wrong, all later ones together may not exceed: 5 % for each page by itself,
        10 % for all pages of a run, however often it is made longer (a union bound, 1 + 1/2 + 1/4 + ...).
        """
        return int(2 ** (self.looks - 1))

    @property
    def first_variant(self) -> Variant:
        """The variant that the others are compared with."""
        return self.variants[0]

    @property
    def has_rounds(self) -> bool:
        """Whether what each round ends with is logged of all games."""
        return self.experiment.log != "games"

    @property
    def strategies(self) -> list[Strategy]:
        """Those of all tiers, one after the other."""
        return [strategy for tier in self.tiers for strategy in tier.strategies]

    def check_bots_allowed(self, strategies: Iterable[Strategy]) -> None:
        """Refuse to run Python code that a run names and the user did not.

        Raises
        ------
        BalanceError
            Names file and class, and how to allow them.
        """
        bots = [strategy.bot for strategy in strategies if strategy.bot]
        if bots and not self.bots_allowed:
            raise BalanceError(
                f"the run names Python code, {', '.join(bots)} (FILE:CLASS): if you trust it, allow it with "
                f"--run-bots (in Python: run_bots=True)"
            )

    def pack_strategies(self, cell: Cell) -> tuple[np.recarray, np.recarray, Searchers | None]:
        """Records of the strategies that play a cell, see `balance.plan.strategies.pack_strategies`."""
        strategies = cell.tier.strategies_in(cell.variant.name, cell.players)
        return pack_strategies(self.game, strategies, cell.players)

    def schedule(self, cell: Cell) -> Schedule:
        """The line-ups, decks and seeds of a cell; decks and seeds are those of the other tiers too."""
        tier, players = cell.tier, cell.players
        numbers = {strategy.name: number for number, strategy in enumerate(tier.strategies)}
        lineups = [
            tuple(numbers[name] for name in lineup) for lineup in tier.lineups if len(lineup) == players
        ]
        pool = 0 if tier.lineups else len(tier.strategies)
        rotate, seeds = self.experiment.rotate, {s: games[tier.name] for s, games in self.seeds.items()}
        if len(seeds) == 1:
            return Schedule(players, pool, lineups, rotate, self.experiment.seed)
        return PooledSchedule(players, pool, lineups, rotate, seeds)

    def sources(self, cell: Cell) -> list[str]:
        """What games are played again with, re-seeded one at a time.

        The game's own sources of chance; the bots' random streams; and, where there is more than one
        line-up, who sits where.
        """
        every = [*self.game.kernel.CHANCE, *SHARED_SOURCES]
        return every if self.schedule(cell).varies else every[:-1]

    def parts(self, cell: Cell, first: int, last: int) -> list[Part]:
        """Games `first`..`last`-1 of a cell in parts; of the first `trace` and `luck` more is logged."""
        experiment = self.experiment
        parts = []
        while first < last:
            level: LogLevel = "trace" if first < experiment.trace else experiment.log
            size = _part_games(cell.tier, level)
            luck = cell.tier.luck
            limits = [limit for limit in (experiment.trace, luck, *cell.tier.earlier) if first < limit]
            end = min(last, first + size, *limits)
            parts.append(Part(cell.number, first, end, level, first < luck))
            first = end
        return parts

    def describe(self) -> dict[str, Any]:
        """The plan as `run.json` keeps it: enough to play it again without the files it came from."""
        return {
            "experiment": self.experiment.model_dump(),
            "tiers": [tier.name for tier in self.tiers],
            "base": self.base.model_dump(by_alias=True),
            "variants": {
                variant.name: variant.rules.model_dump(by_alias=True) for variant in self.variants
            },
            "reconstructions": {
                variant.name: self.game.rules.list_reconstructions(variant.rules)
                for variant in self.variants
            },
            **self._describe_players(),
            **self._describe_adapted(),
            "earlier": {tier.name: list(tier.earlier) for tier in self.tiers if tier.earlier},
            **({"members": [member.model_dump() for member in self.members]} if self.members else {}),
            "points": self.points,
            "cells": [
                {
                    "cell": cell.number,
                    "tier": cell.tier.name,
                    "variant": cell.variant.name,
                    "players": cell.players,
                    "first_game_id": cell.first_id,
                }
                for cell in self.cells
            ],
        }

    def _describe_players(self) -> dict[str, Any]:
        """Who plays; without tiers in the form that runs had before there were any."""
        if not self.experiment.tiers:
            strategies = [strategy.describe() for strategy in self.tier.strategies]
            return {"strategies": strategies, "lineups": self.tier.lineups}
        return {
            "strategies": [
                {"tier": tier.name, **strategy.describe()}
                for tier in self.tiers
                for strategy in tier.strategies
            ],
            "lineups": {tier.name: tier.lineups for tier in self.tiers},
        }

    def _describe_adapted(self) -> dict[str, Any]:
        """What profiles became before they played: tier, variant, player count and strategy to tables."""
        found: dict[str, Any] = {}
        for tier in self.tiers:
            for (variant, players), strategies in tier.adapted.items():
                at = found.setdefault(tier.name, {}).setdefault(variant, {}).setdefault(str(players), {})
                for each in strategies:
                    if each.profile:
                        at[each.name] = {
                            "weights": each.profile.weights,
                            "settings": each.profile.settings,
                            "temperature": each.profile.temperature,
                        }
        return {"adapted": found} if found else {}


def _part_games(tier: Tier, level: LogLevel) -> int:
    """So few games that a killed run loses little."""
    most = CUSTOM_PART_GAMES if tier.has_custom_bots else PART_GAMES[level]
    return min(most, max(1, SEARCH_PART_ITERATIONS // tier.iterations)) if tier.iterations else most
