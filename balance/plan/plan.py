"""The plan: an experiment with everything it names looked up, its cells and parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import SHARED_SOURCES
from balance.engine.search.records import Searchers
from balance.errors import BalanceError
from balance.plan.experiment import Experiment, LogLevel
from balance.plan.lineups import Schedule
from balance.plan.strategies import Strategy, pack_strategies
from balance.plan.variants import Variant

MAIN_TIER = "main"
PART_GAMES = {"games": 20_000, "rounds": 10_000, "trace": 2_000}
CUSTOM_PART_GAMES = 100  # a Python bot plays tens of games a second
SEARCH_PART_ITERATIONS = 10_000  # iterations a decision times games: some five seconds


@dataclass(frozen=True)
class Cell:
    """Games of one variant at one player count.

    Attributes
    ----------
    number : int
        Its place in the plan.
    first_id : int
        `game_id` of its first game.
    """

    number: int
    variant: Variant
    players: int
    first_id: int


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
    strategies : list of Strategy
        All that the line-ups name, by number.
    lineups : list of list of str
    points : dict
        Of a sweep: variant name to the values that its keys have.
    bots_allowed : bool
        Whether the Python code that strategies name may be run: the user named it, or allowed it.
    """

    experiment: Experiment
    game: Game
    base: Any
    variants: list[Variant]
    strategies: list[Strategy]
    lineups: list[list[str]]
    points: Mapping[str, Mapping[str, Any]]
    bots_allowed: bool = False

    @cached_property
    def cells(self) -> list[Cell]:
        """Every variant at every player count."""
        each = product(self.variants, self.experiment.players)
        most = self.experiment.most_games
        return [
            Cell(number, variant, players, number * most)
            for number, (variant, players) in enumerate(each)
        ]

    @property
    def first_variant(self) -> Variant:
        """The variant that the others are compared with."""
        return self.variants[0]

    @property
    def has_rounds(self) -> bool:
        """Whether what each round ends with is logged of all games."""
        return self.experiment.log != "games"

    @property
    def has_custom_bots(self) -> bool:
        """Whether Python is asked during games."""
        return any(strategy.kind == "custom" for strategy in self.strategies)

    @property
    def searching(self) -> int:
        """The most iterations of a searcher; 0 where nobody searches."""
        return max(
            (each.search.switches.iterations for each in self.strategies if each.search), default=0
        )

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
        """Records of the strategies as they play a cell, see `balance.plan.strategies.pack_strategies`."""
        return pack_strategies(self.game, self.strategies, cell.players)

    def schedule(self, players: int) -> Schedule:
        """The line-ups, decks and seeds at one player count."""
        numbers = {strategy.name: number for number, strategy in enumerate(self.strategies)}
        lineups = [
            tuple(numbers[name] for name in lineup) for lineup in self.lineups if len(lineup) == players
        ]
        pool = 0 if self.lineups else len(self.strategies)
        return Schedule(players, pool, lineups, self.experiment.rotate, self.experiment.seed)

    def sources(self, players: int) -> list[str]:
        """What games are played again with, re-seeded one at a time.

        The game's own sources of chance; the bots' random streams; and, where there is more than one
        line-up, who sits where.
        """
        every = [*self.game.kernel.CHANCE, *SHARED_SOURCES]
        return every if self.schedule(players).varies else every[:-1]

    def parts(self, cell: Cell, first: int, last: int) -> list[Part]:
        """Games `first`..`last`-1 of a cell in parts; of the first `trace` and `luck` more is logged."""
        experiment = self.experiment
        parts = []
        while first < last:
            level: LogLevel = "trace" if first < experiment.trace else experiment.log
            size = self._part_games(level)
            limits = [limit for limit in (experiment.trace, experiment.luck) if first < limit]
            end = min(last, first + size, *limits)
            parts.append(Part(cell.number, first, end, level, first < experiment.luck))
            first = end
        return parts

    def _part_games(self, level: LogLevel) -> int:
        """So few games that a killed run loses little."""
        most = CUSTOM_PART_GAMES if self.has_custom_bots else PART_GAMES[level]
        return min(most, max(1, SEARCH_PART_ITERATIONS // self.searching)) if self.searching else most

    def describe(self) -> dict[str, Any]:
        """The plan as `run.json` keeps it: enough to play it again without the files it came from."""
        return {
            "experiment": self.experiment.model_dump(),
            "tiers": [MAIN_TIER],
            "base": self.base.model_dump(by_alias=True),
            "variants": {
                variant.name: variant.rules.model_dump(by_alias=True) for variant in self.variants
            },
            "reconstructions": {
                variant.name: self.game.rules.list_reconstructions(variant.rules)
                for variant in self.variants
            },
            "strategies": [strategy.describe() for strategy in self.strategies],
            "lineups": self.lineups,
            "points": self.points,
            "cells": [
                {
                    "cell": cell.number,
                    "variant": cell.variant.name,
                    "players": cell.players,
                    "first_game_id": cell.first_id,
                }
                for cell in self.cells
            ],
        }
