"""Strategies by name: `random`, a shipped profile, a profile file, or a class in a Python file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from balance.bots.custom import load_bot_class
from balance.errors import BalanceError, unknown
from balance.files import find_file
from balance.games import Game
from balance.settings import Settings, read_toml, validate

RANDOM_NAME = "random"


class Profile(Settings):
    """A strategy profile file: weights of the game's features, and how firmly they are followed."""

    title: str
    description: str
    temperature: Annotated[float, Field(ge=0, le=100, strict=False)] = 0.0
    weights: dict[str, Annotated[float, Field(strict=False)]]


@dataclass(frozen=True)
class Strategy:
    """A strategy of a run.

    Attributes
    ----------
    name : str
        As logged.
    kind : str
        ``random``, ``profile`` or ``custom``.
    profile : Profile or None
    bot : str
        ``FILE:CLASS`` of a custom bot, the file absolute.
    """

    name: str
    kind: str
    profile: Profile | None = None
    bot: str = ""

    def describe(self) -> dict[str, Any]:
        """What `run.json` keeps: enough to play the strategy again."""
        described: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.profile:
            described["profile"] = self.profile.model_dump()
        if self.bot:
            described["bot"] = self.bot
        return described


def load_strategy(game: Game, name: str, folder: Path) -> Strategy:
    """The strategy that a name, path or ``FILE.py:CLASS`` means.

    Raises
    ------
    BalanceError
        There is no such strategy, or the profile has a mistake.
    """
    if name == RANDOM_NAME:
        return Strategy(RANDOM_NAME, "random")
    if ".py:" in name:
        return _find_custom(name, folder)
    path = find_file(name, game.folder / "profiles", folder)
    if path is None:
        known = [RANDOM_NAME, *game.shipped("profiles")]
        raise unknown(f"{game.name} strategy", name, known)
    profile = validate(Profile, read_toml(path), str(path))
    features = game.module("features").FEATURES
    for feature, weight in profile.weights.items():
        if feature not in features:
            raise unknown("feature", feature, features, f"{path}: weights")
        if not math.isfinite(weight):
            raise BalanceError(f"{path}: weights.{feature}: must be a finite number, got {weight}")
    return Strategy(path.stem, "profile", profile)


def load_strategies(game: Game, names: Sequence[str], folder: Path) -> list[Strategy]:
    """All strategies of a run, each name once."""
    loaded: dict[str, Strategy] = {}
    for name in dict.fromkeys(names):
        strategy = load_strategy(game, name, folder)
        if "," in strategy.name:
            raise BalanceError(f"strategy {strategy.name!r}: a name may hold no comma; rename the file")
        if strategy.name in loaded:
            raise BalanceError(f"two strategies are called {strategy.name!r}; rename one")
        loaded[strategy.name] = strategy
    return list(loaded.values())


def restore_strategy(described: dict[str, Any]) -> Strategy:
    """The strategy that `Strategy.describe` described."""
    profile = described.get("profile")
    return Strategy(
        described["name"],
        described["kind"],
        Profile.model_validate(profile) if profile else None,
        described.get("bot", ""),
    )


def _find_custom(name: str, folder: Path) -> Strategy:
    file, _, class_name = name.rpartition(":")
    path = (folder / Path(file).expanduser()).resolve()
    if not path.is_file():
        raise BalanceError(f"strategy {name!r}: no such file: {path}")
    if not class_name.isidentifier():
        raise BalanceError(f"strategy {name!r}: write FILE.py:CLASS")
    bot = f"{path}:{class_name}"
    load_bot_class(bot)  # so that a mistake is found before the first game
    return Strategy(class_name, "custom", bot=bot)


def pack_strategies(
    strategies: Sequence[Strategy], weights_type: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    """Records of the strategies and of their weights, in order, for the compiled loop."""
    from balance.simulate import EXTERNAL, GREEDY, RANDOM, STRATEGY, blank

    kinds = {"random": RANDOM, "profile": GREEDY, "custom": EXTERNAL}
    packed = blank(len(strategies), STRATEGY)
    weights = blank(len(strategies), weights_type)
    for number, strategy in enumerate(strategies):
        packed.kind[number] = kinds[strategy.kind]
        if strategy.profile:
            packed.temperature[number] = strategy.profile.temperature
            for feature, weight in strategy.profile.weights.items():
                weights[feature][number] = weight
    return packed, weights
