"""Strategies by name: `random`, a shipped profile, a profile file, or a class in a Python file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from balance.contract.game import Game
from balance.contract.records import blank
from balance.engine.records import EXTERNAL, GREEDY, RANDOM, STRATEGY
from balance.errors import BalanceError, unknown
from balance.files import check_regular, resolve_path
from balance.settings import Settings, find_file, read_toml, validate

RANDOM_NAME = "random"
Number = Annotated[float, Field(strict=False, allow_inf_nan=False)]


class Profile(Settings):
    """A strategy profile file: weights of the game's features, settings, and how firmly they are followed."""

    title: str
    description: str
    temperature: Annotated[float, Field(ge=0, le=100, strict=False)] = 0.0
    weights: dict[str, Number]
    settings: dict[str, Number] = Field(default={})


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
    check_profile(profile, game, str(path))
    return Strategy(path.stem, "profile", profile)


def check_profile(profile: Profile, game: Game, where: str) -> None:
    """Refuse weights and settings that the game's bots do not know.

    Raises
    ------
    BalanceError
        Names `where` and the nearest that they know.
    """
    for feature in profile.weights:
        if feature not in game.heuristics.FEATURES:
            raise unknown("feature", feature, game.heuristics.FEATURES, f"{where}: weights")
    for setting in profile.settings:
        if setting not in game.heuristics.SETTINGS:
            raise unknown("setting", setting, game.heuristics.SETTINGS, f"{where}: settings")


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


def _find_custom(name: str, folder: Path) -> Strategy:
    file, _, class_name = name.rpartition(":")
    path = resolve_path(file, folder)
    check_regular(path)
    if not class_name.isidentifier():
        raise BalanceError(f"strategy {name!r}: write FILE.py:CLASS")
    return Strategy(class_name, "custom", bot=f"{path}:{class_name}")


KINDS = {"random": RANDOM, "profile": GREEDY, "custom": EXTERNAL}


def pack_strategies(game: Game, strategies: Sequence[Strategy]) -> tuple[np.recarray, np.recarray]:
    """Records of the strategies (STRATEGY) and of their weights, in order, for the compiled loop."""
    packed = blank(len(strategies), STRATEGY)
    weights = blank(len(strategies), game.records.weights)
    for name, (default, _) in game.heuristics.SETTINGS.items():
        weights[name] = default
    for number, strategy in enumerate(strategies):
        packed.kind[number] = KINDS[strategy.kind]
        if strategy.profile:
            packed.temperature[number] = strategy.profile.temperature
            for name, value in {**strategy.profile.weights, **strategy.profile.settings}.items():
                weights[name][number] = value
    return packed, weights
