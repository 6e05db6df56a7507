"""Profiles: weights of a game's features, from TOML; greedy bots and searchers' priors follow them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from balance.contract.game import Game
from balance.errors import unknown
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


def load_profile(game: Game, name: str, folder: Path) -> Profile:
    """The profile that a name or path means.

    Raises
    ------
    BalanceError
        There is no such profile, or it has a mistake.
    """
    path = find_file(name, game.folder / "profiles", folder)
    if path is None:
        raise unknown(f"{game.name} profile", name, game.shipped("profiles"))
    profile = validate(Profile, read_toml(path), str(path))
    check_profile(profile, game, str(path))
    return profile


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


def fill_weights(weights: np.recarray, number: int, profile: Profile, game: Game) -> None:
    """Write a profile's weights and settings into row `number` of the game's weights, in place."""
    defaults = {name: default for name, (default, _) in game.heuristics.SETTINGS.items()}
    for name, value in {**defaults, **profile.weights, **profile.settings}.items():
        weights[name][number] = value
