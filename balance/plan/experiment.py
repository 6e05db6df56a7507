"""Experiments: what to play, as a TOML file or as keys from the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from balance.engine.custom import Limits
from balance.plan.targets import Target
from balance.settings import Settings, read_toml, validate

LogLevel = Literal["games", "rounds", "trace"]
BOT_LIMITS = ("bot_seconds", "bot_memory")
"""Keys that have no part in how games go: a run goes on with others."""


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
    luck: int = Field(default=0, ge=0)
    decision_limit: int = Field(default=100_000, ge=1, le=1_000_000)
    bot_seconds: Annotated[float, Field(ge=0.1, le=86_400, strict=False)] = 60.0
    bot_memory: int = Field(default=4096, ge=256, le=1_048_576)
    stop: Stop | None = None
    sweep: dict[str, Annotated[list[Any], Field(min_length=1)]] = Field(default={}, max_length=2)
    targets: list[Target] = Field(default=[])
    thresholds: Thresholds = Thresholds()

    @model_validator(mode="after")
    def _who_plays(self) -> Experiment:
        if bool(self.strategies) == bool(self.lineups):
            raise ValueError("give either `strategies` (a pool) or `lineups`")
        if self.stop and self.stop.ceiling < self.games:
            raise ValueError(f"stop.ceiling must be at least `games` ({self.games})")
        named = {key: getattr(self, key) for key in ("players", "variants", "strategies")}
        for key, values in [*named.items(), *((f"sweep.{key}", v) for key, v in self.sweep.items())]:
            if any(values.count(value) > 1 for value in values):
                raise ValueError(f"{key}: something is named twice in {values}")
        return self

    @property
    def bot_limits(self) -> Limits:
        """What a bot in Python may take."""
        return Limits(self.bot_seconds, self.bot_memory)

    @property
    def most_games(self) -> int:
        """The most games that a cell may have."""
        return self.stop.ceiling if self.stop else self.games


def read_experiment(path: Path) -> Experiment:
    """Read and check an experiment file."""
    return validate(Experiment, read_toml(path), str(path))


def make_experiment(data: Mapping[str, Any], where: str = "command line") -> Experiment:
    """Check an experiment given as keys and values."""
    return validate(Experiment, data, where)
