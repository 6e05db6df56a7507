"""The plan of a run: an experiment with all names resolved, its cells and its parts."""

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
from balance.experiments.experiment import MOST_GAMES, Experiment, LogLevel
from balance.experiments.lineups import Schedule
from balance.experiments.members import Member, PooledSchedule
from balance.experiments.strategies import Strategy, pack_strategies
from balance.experiments.tiers import Tier
from balance.experiments.variants import Variant
from balance.foundation.errors import BalanceError, unknown

PART_GAMES = {"games": 20_000, "rounds": 10_000, "trace": 2_000}
CUSTOM_PART_GAMES = 100  # a Python bot plays tens of games a second
SEARCH_PART_ITERATIONS = 10_000  # iterations per decision times games: about five seconds


@dataclass(frozen=True)
class Cell:
    """Games of one variant at one player count, played by one tier.

    Attributes
    ----------
    number : int
        Position in the plan.
    """

    number: int
    tier: Tier
    variant: Variant
    players: int

    @property
    def first_id(self) -> int:
        """`game_id` of the cell's first game. Every cell reserves ids for the most games allowed, so a run can grow."""
        return self.number * MOST_GAMES


@dataclass(frozen=True)
class Part:
    """Games `first`..`last`-1 of a cell, which one worker plays and writes as one set of files.

    With `luck`, each game is also played again, once for each of the plan's `sources`.
    """

    cell: int
    first: int
    last: int
    level: LogLevel
    luck: bool = False


@dataclass
class Plan:
    """An experiment with all names resolved and checked.

    Attributes
    ----------
    experiment : Experiment
    game : Game
    base : the game's checked rule set
        The rules of ``base`` when the plan was made; changes of variants are described relative to them.
    variants : list of Variant
    tiers : list of Tier
    points : dict
        For a sweep: variant name to the values of its keys.
    bots_allowed : bool
        Whether Python code of strategies may run: the user named it or allowed it.
    reading : int
        Index of the active tier: questions and pages are about one tier at a time.
    members : tuple of Member
        The runs of a pooled run; empty for other runs.
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
        """Every variant at every player count, tier by tier."""
        every = product(self.tiers, self.variants, self.experiment.players)
        return [Cell(number, *cell) for number, cell in enumerate(every)]

    @property
    def tier(self) -> Tier:
        """The active tier."""
        return self.tiers[self.reading]

    @property
    def tier_cells(self) -> list[Cell]:
        """The cells of the active tier."""
        return [cell for cell in self.cells if cell.tier is self.tier]

    def in_tier(self, name: str, where: str) -> Plan:
        """Return the plan with another active tier."""
        names = [tier.name for tier in self.tiers]
        if name not in names:
            raise unknown("tier", name, names, where)
        return replace(self, reading=names.index(name))

    def resumed_from(self, other: Plan, finished: bool = True) -> Plan:
        """Return the plan with the prepared profiles of another plan's tiers, and the lengths at which it `finished`.

        An extension that never finished can't have been analysed, so it does not count as an interim analysis.
        """
        before = {tier.name: tier for tier in other.tiers}
        seen = finished and self.extends(other)
        tiers = [tier.resumed_from(before.get(tier.name, tier), seen) for tier in self.tiers]
        if not finished and all(tier.most_games == tier.finished_games for tier in tiers):
            tiers = [replace(tier, earlier=tier.earlier[:-1]) for tier in tiers]
        return replace(self, tiers=tiers)

    @property
    def seeds(self) -> dict[int, dict[str, int]]:
        """Seeds in order, each with the most games of a cell by tier."""
        games = {tier.name: tier.most_games for tier in self.tiers}
        found: dict[int, dict[str, int]] = {}
        for member in self.members or (Member(run="", seed=self.experiment.seed, games=games),):
            own = found.setdefault(member.seed, dict.fromkeys(games, 0))
            own |= {name: max(count, member.games.get(name, 0)) for name, count in own.items()}
        return found

    def extend(self, games: int, tiers: Sequence[str], where: str, finished: bool = True) -> Plan:
        """Return the plan with at least `games` games in each cell of these tiers (none: all).

        With a stop rule, the ceiling is raised. A run that is not `finished` may also be shortened, down to its length
        when it last finished.

        Raises
        ------
        BalanceError
            The plan has no such tier, or enough games already; or a stop rule, which has one ceiling for all tiers.
        """
        chosen = [self.in_tier(name, where).tier for name in tiers] or self.tiers
        if self.experiment.stop and len(chosen) < len(self.tiers):
            raise BalanceError(f"{where}: a stop rule has one ceiling for all tiers; leave out --tier")
        least = {tier.name: tier.most_games if finished else tier.finished_games for tier in chosen}
        if games < (most := min(least.values())) + finished:
            had = "has {} games in each cell already; give more to extend it"
            is_to = "needs at least {} games in each cell; give this number or more"
            raise BalanceError(f"{where} {(had if finished else is_to).format(f'{most:,}')}")
        lengths = {tier.name: tier.most_games for tier in self.tiers}
        lengths |= {name: max(games, count) for name, count in least.items()}
        experiment = self.experiment.with_games(lengths, where)
        between = {keys.name: keys.games for keys in experiment.every_tier}
        grown = [replace(t, games=between[t.name], most_games=lengths[t.name]) for t in self.tiers]
        return replace(self, experiment=experiment, tiers=grown)

    def extends(self, other: Plan, finished: bool = True) -> bool:
        """Return whether cells may have more games than another plan's, and none fewer than when that `finished`."""
        least = {t.name: t.most_games if finished else t.finished_games for t in other.tiers}
        lengths = {tier.name: tier.most_games for tier in other.tiers}
        changed = any(tier.most_games != lengths.get(tier.name) for tier in self.tiers)
        return changed and all(tier.most_games >= least.get(tier.name, 0) for tier in self.tiers)

    @property
    def looks(self) -> int:
        """Number of interim analyses so far, including the last one; a page shows all tiers."""
        return 1 + max(len(tier.earlier) for tier in self.tiers)

    @property
    def look_families(self) -> int:
        """Divisor of the error rate at this interim analysis: 1, 2, 4, ...

        All later analyses together have at most the error rate of the first: 5 % for each page, 10 % for all pages of
        a run, however often it is extended (a union bound, 1 + 1/2 + 1/4 + ...).
        """
        return int(2 ** (self.looks - 1))

    @property
    def first_variant(self) -> Variant:
        """The variant with which the others are compared."""
        return self.variants[0]

    @property
    def has_rounds(self) -> bool:
        """Whether the state after each round is logged for all games."""
        return self.experiment.log != "games"

    @property
    def strategies(self) -> list[Strategy]:
        """The strategies of all tiers, tier by tier."""
        return [strategy for tier in self.tiers for strategy in tier.strategies]

    def check_bots_allowed(self, strategies: Iterable[Strategy]) -> None:
        """Refuse to run Python code that only the run names, unless the user allowed it."""
        bots = [strategy.bot for strategy in strategies if strategy.bot]
        if bots and not self.bots_allowed:
            raise BalanceError(
                f"the run names Python code, {', '.join(bots)} (FILE:CLASS): if you trust it, allow it with "
                f"--run-bots (in Python: run_bots=True)"
            )

    def pack_strategies(self, cell: Cell) -> tuple[np.recarray, np.recarray, Searchers | None]:
        """Return records of the strategies that play a cell, see `balance.experiments.strategies.pack_strategies`."""
        strategies = cell.tier.strategies_in(cell.variant.name, cell.players)
        return pack_strategies(self.game, strategies, cell.players)

    def schedule(self, cell: Cell) -> Schedule:
        """Return the line-ups, deals and seeds of a cell; all tiers have the same deals and seeds."""
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
        """Return the sources of chance that are drawn again, one at a time, when games are played again.

        These are the game's own sources, the bots' random streams and, if there is more than one line-up, the line-up.
        """
        every = [*self.game.kernel.CHANCE, *SHARED_SOURCES]
        return every if self.schedule(cell).varies else every[:-1]

    def parts(self, cell: Cell, first: int, last: int) -> list[Part]:
        """Split games `first`..`last`-1 of a cell into parts; the first `trace` and `luck` games log more."""
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
        """Return the plan as stored in `run.json`: enough to play it again without its source files."""
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
        """Return the strategies and line-ups; without tiers in the format from before tiers existed."""
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
        """Return the trained profiles: tier, variant, player count and strategy to tables."""
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
    """Return the games of a part: few enough that a killed run loses little."""
    most = CUSTOM_PART_GAMES if tier.has_custom_bots else PART_GAMES[level]
    return min(most, max(1, SEARCH_PART_ITERATIONS // tier.iterations)) if tier.iterations else most
