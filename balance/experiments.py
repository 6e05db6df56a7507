"""Experiments: what to play, as a TOML file or from the command line, and the plan made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from balance.bots.strategies import Strategy, load_strategies, restore_strategy
from balance.errors import BalanceError
from balance.games import Game, get_game
from balance.lineups import Schedule
from balance.settings import Settings, read_toml, validate
from balance.sweeps import make_points
from balance.targets import Target
from balance.variants import Variant, load_variant

LogLevel = Literal["games", "rounds", "trace"]
PART_GAMES = {"games": 20_000, "rounds": 10_000, "trace": 2_000}
CUSTOM_PART_GAMES = 100  # a Python bot plays tens of games a second


class Stop(Settings):
    """Stop a cell when every seat is decided against a threshold in points, or at the ceiling."""

    threshold_points: Annotated[float, Field(gt=0, lt=50, strict=False)] = 1.0
    ceiling: int = Field(ge=1, le=100_000_000)


class Thresholds(Settings):
    """Percentage points of win share that do not matter: what verdicts call balanced or the same."""

    seats: Annotated[float, Field(gt=0, lt=50, strict=False)] = 1.0
    strategies: Annotated[float, Field(gt=0, lt=50, strict=False)] = 3.0


class Experiment(Settings):
    """What to play; the keys of an experiment file."""

    game: str
    players: list[int] = Field(min_length=1)
    variants: list[str] = Field(default=["base"], min_length=1)
    strategies: list[str] = Field(default=[])
    lineups: list[list[str]] = Field(default=[])
    rotate: bool = True
    games: int = Field(ge=1, le=100_000_000)
    seed: int = Field(default=1, ge=0, lt=2**63)
    log: LogLevel = "games"
    trace: int = Field(default=0, ge=0)
    decision_limit: int = Field(default=100_000, ge=1, le=1_000_000)
    stop: Stop | None = None
    sweep: dict[str, Annotated[list[Any], Field(min_length=1)]] = Field(default={}, max_length=2)
    targets: list[Target] = Field(default=[])
    thresholds: Thresholds = Thresholds()

    @model_validator(mode="after")
    def _who_plays(self) -> Experiment:
        if bool(self.strategies) == bool(self.lineups):
            raise ValueError("give either `strategies` (a field) or `lineups`")
        if self.stop and self.stop.ceiling < self.games:
            raise ValueError(f"stop.ceiling must be at least `games` ({self.games})")
        named = {key: getattr(self, key) for key in ("players", "variants", "strategies")}
        for key, values in [*named.items(), *((f"sweep.{key}", v) for key, v in self.sweep.items())]:
            if any(values.count(value) > 1 for value in values):
                raise ValueError(f"{key}: something is named twice in {values}")
        return self

    @property
    def most_games(self) -> int:
        """The most games that a cell may have."""
        return self.stop.ceiling if self.stop else self.games


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
    """Games `first`..`last`-1 of a cell: what one worker plays and writes as one set of files."""

    cell: int
    first: int
    last: int
    level: LogLevel

    @property
    def name(self) -> str:
        """Stem of its files."""
        return f"cell{self.cell:03d}-{self.first:09d}"


class Plan:
    """An experiment with everything it names looked up and checked.

    Parameters
    ----------
    experiment : Experiment
    game : Game
    variants : list of Variant
    strategies : list of Strategy
        All that the line-ups name, by number.
    lineups : list of list of str
    points : dict
        Of a sweep: variant name to the values that its keys have.
    """

    def __init__(
        self,
        experiment: Experiment,
        game: Game,
        variants: list[Variant],
        strategies: list[Strategy],
        lineups: list[list[str]],
        points: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self.experiment, self.game = experiment, game
        self.variants, self.strategies = variants, strategies
        self.lineups, self.points = lineups, points
        self.cells = [
            Cell(number, variant, players, number * experiment.most_games)
            for number, (variant, players) in enumerate(
                (variant, players) for variant in variants for players in experiment.players
            )
        ]

    @property
    def has_custom_bots(self) -> bool:
        """Whether Python is asked during games."""
        return any(strategy.kind == "custom" for strategy in self.strategies)

    def schedule(self, players: int) -> Schedule:
        """The line-ups, decks and seeds at one player count."""
        numbers = {strategy.name: number for number, strategy in enumerate(self.strategies)}
        lineups = [
            tuple(numbers[name] for name in lineup) for lineup in self.lineups if len(lineup) == players
        ]
        field = 0 if self.lineups else len(self.strategies)
        return Schedule(players, field, lineups, self.experiment.rotate, self.experiment.seed)

    def parts(self, cell: Cell, first: int, last: int) -> list[Part]:
        """Games `first`..`last`-1 of a cell in parts; the first `trace` games are traced."""
        experiment = self.experiment
        parts = []
        while first < last:
            traced = first < experiment.trace
            level: LogLevel = "trace" if traced else experiment.log
            size = CUSTOM_PART_GAMES if self.has_custom_bots else PART_GAMES[level]
            end = min(last, first + size, experiment.trace if traced else last)
            parts.append(Part(cell.number, first, end, level))
            first = end
        return parts

    def describe(self) -> dict[str, Any]:
        """The plan as `run.json` keeps it: enough to play it again without the files it came from."""
        return {
            "experiment": self.experiment.model_dump(),
            "variants": {
                variant.name: variant.rules.model_dump(by_alias=True) for variant in self.variants
            },
            "reconstructions": {
                variant.name: self.game.module("rules").list_reconstructions(variant.rules)
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


def read_experiment(path: Path) -> Experiment:
    """Read and check an experiment file."""
    return validate(Experiment, read_toml(path), str(path))


def make_experiment(data: Mapping[str, Any], where: str = "command line") -> Experiment:
    """Check an experiment given as keys and values."""
    return validate(Experiment, data, where)


def make_plan(experiment: Experiment, folder: Path, where: str) -> Plan:
    """Look up everything an experiment names; paths are relative to `folder`.

    Raises
    ------
    BalanceError
        Something named does not exist, has a mistake, or does not fit the game.
    """
    game = get_game(experiment.game)
    for players in experiment.players:
        if players not in game.players:
            counts = ", ".join(map(str, game.players))
            raise BalanceError(
                f"{where}: players: {game.name} has no {players}-player game (there are: {counts})"
            )
    variants = [load_variant(game, name, folder) for name in experiment.variants]
    if len({variant.name for variant in variants}) < len(variants):
        raise BalanceError(f"{where}: variants: two files have the same name")
    points = _sweep(experiment, game, variants, folder, where)
    named = experiment.strategies or [name for lineup in experiment.lineups for name in lineup]
    strategies = load_strategies(game, named, folder)
    logged_names = {
        name: strategy.name for name, strategy in zip(dict.fromkeys(named), strategies, strict=True)
    }
    lineups = [[logged_names[name] for name in lineup] for lineup in experiment.lineups]
    _check_lineups(experiment, where)
    plan = Plan(experiment, game, variants, strategies, lineups, points)
    if experiment.targets:
        from balance.analysis.check import target_questions

        target_questions(plan, experiment.targets, f"{where}: targets")
    return plan


def _sweep(
    experiment: Experiment, game: Game, variants: list[Variant], folder: Path, where: str
) -> dict[str, dict[str, Any]]:
    """Add the points of a sweep to `variants`; one that changes nothing is the variant it starts from."""
    if not experiment.sweep:
        return {}
    start, named = variants[0], {"title", "description"}
    points = {}
    for variant, point in make_points(game, experiment.variants[0], experiment.sweep, folder, where):
        if variant.rules.model_dump(exclude=named) == start.rules.model_dump(exclude=named):
            points[start.name] = point
        else:
            points[variant.name] = point
            variants.append(variant)
    return points


def _check_lineups(experiment: Experiment, where: str) -> None:
    sizes = {len(lineup) for lineup in experiment.lineups}
    if not sizes:
        return
    for players in experiment.players:
        if players not in sizes:
            raise BalanceError(f"{where}: lineups: none has {players} strategies for {players} seats")
    for size in sizes - set(experiment.players):
        raise BalanceError(f"{where}: lineups: one has {size} strategies, but players has no {size}")


def restore_plan(described: Mapping[str, Any]) -> Plan:
    """The plan that `Plan.describe` described."""
    experiment = Experiment.model_validate(described["experiment"])
    game = get_game(experiment.game)
    rules = game.module("rules").Rules
    variants = [
        Variant(name, rules.model_validate(data)) for name, data in described["variants"].items()
    ]
    strategies = [restore_strategy(data) for data in described["strategies"]]
    return Plan(experiment, game, variants, strategies, described["lineups"], described["points"])
