"""Profiles: weights of a game's features, from TOML, used by greedy bots and as priors of searchers.

Weights apply to every player count, or there is a table for each: ``[weights.2]``, ``[weights.3]``, ...; the same is
true of settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field

from balance.contract.game import Game
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import N_, tr
from balance.foundation.toml import Settings, locate, read_toml, validate

RANDOM_NAME = "random"
CHAMPION = "champion"  # the name of a game's strongest profile
STRATEGY_FOLDERS = ("networks", "profiles")  # of a game; a name is looked up in this order
Number = Annotated[float, Field(allow_inf_nan=False)]
Temperature = Annotated[float, Field(ge=0, le=100)]


def strongest_profile(game: Game) -> str:
    """Return the name of a game's strongest profile, or of its first one; random for a game without profiles."""
    profiles = game.shipped("profiles")
    return CHAMPION if CHAMPION in profiles else next(iter(profiles), RANDOM_NAME)


def _of_one_kind(table: dict[str, Any]) -> dict[str, Any]:
    tables = [isinstance(value, Mapping) for value in table.values()]
    if any(tables) and not all(tables):
        raise ValueError(tr("must hold numbers, or a table for each player count, not both"))
    return table


Weights = Annotated[dict[str, Number | dict[str, Number]], AfterValidator(_of_one_kind)]


class Profile(Settings):
    """A strategy profile file.

    Attributes
    ----------
    temperature : float
        0: always the best action; otherwise each action has a chance proportional to exp(value / temperature).
    weights, settings : dict
        Feature or setting to number, or player count (as text) to a table of these.
    training : dict
        How the weights were trained, if they were.
    """

    title: str
    description: str
    temperature: Temperature = 0.0
    weights: Weights
    settings: Weights = Field(default={})
    training: dict[str, Any] = Field(default={})

    def at(self, players: int) -> dict[str, float]:
        """Return weights and settings at a player count."""
        return {**_pick(self.weights, players), **_pick(self.settings, players)}

    def lacks(self, players: int) -> bool:
        """Return whether the profile has weights by player count, but none for this count."""
        return _by_players(self.weights) and str(players) not in self.weights

    def changed(self, weights: Mapping[str, float]) -> Profile:
        """Return the profile with some weights changed, at every player count."""
        own: Any = self.weights
        merged = (
            {players: {**table, **weights} for players, table in own.items()}
            if _by_players(own)
            else {**own, **weights}
        )
        return self.model_copy(update={"weights": merged})


NO_PROFILE = Profile(title="None", description="All actions have the same value.", weights={})
"""The profile of what weighs no features: a searcher or learned player of a game that ships none."""


def _by_players(table: Mapping[str, Any]) -> bool:
    return any(isinstance(value, Mapping) for value in table.values())


def _pick(table: Mapping[str, Any], players: int) -> dict[str, float]:
    return dict(table.get(str(players), {})) if _by_players(table) else dict(table)


def load_profile(game: Game, name: str, folder: Path) -> Profile:
    """Load a profile by name or path."""
    path = locate(tr("{game} profile", game=game.name), name, game.folder / "profiles", folder)
    return read_profile(game, read_toml(path), str(path))


def read_profile(game: Game, data: dict[str, Any], where: str) -> Profile:
    """Return the profile of a file's content, checked."""
    check_weighs(game, where)
    profile = validate(Profile, data, where)
    check_profile(profile, game, where)
    return profile


def check_weighs(game: Game, where: str) -> None:
    """Refuse a game without features: every profile would take the first action, and no training could change that."""
    if not game.heuristics.FEATURES:
        raise BalanceError(
            tr(
                "{where}: {game} has no FEATURES that a profile could weigh; write them, or remove its profiles: "
                "random, search-100 and players of balance train network need none",
                where=where,
                game=game.title,
            )
        )


def check_profile(profile: Profile, game: Game, where: str) -> None:
    """Refuse weights and settings that the game's bots do not know."""
    for what, table, known in (
        (N_("feature"), profile.weights, game.heuristics.FEATURES),
        (N_("setting"), profile.settings, game.heuristics.SETTINGS),
    ):
        _check_table(table, what, known, game.players, f"{where}: {what.replace('feature', 'weight')}s")


def _check_table(
    table: Mapping[str, Any], what: str, known: Mapping[str, Any], counts: Sequence[int], where: str
) -> None:
    for name, value in table.items():
        if not isinstance(value, Mapping):
            if name not in known:
                raise unknown(what, name, known, where)
        elif name not in map(str, counts):
            raise unknown("player count", name, map(str, counts), where)
        else:
            _check_table(value, what, known, (), f"{where}.{name}")


def check_has_weights(profile: Profile, players: Sequence[int], where: str) -> None:
    """Refuse player counts for which a profile has no weights."""
    if _by_players(profile.weights):
        check_counts(profile.weights, players, f"{where}:")


def check_counts(weights: Mapping[str, Any], players: Sequence[int], where: str) -> None:
    """Refuse player counts that have no table in `weights`."""
    for count in players:
        if str(count) not in weights:
            known = ", ".join(weights)
            raise BalanceError(
                tr(
                    "{where} no weights for {players} players (there are: {known})",
                    where=where, players=count, known=known,
                )
            )  # fmt: skip


def resolve_weights(profile: Profile, game: Game, players: int) -> dict[str, float]:
    """Return a profile's weights and settings at a player count, with defaults for missing settings."""
    defaults = {name: default for name, (default, _) in game.heuristics.SETTINGS.items()}
    return {**defaults, **profile.at(players)}


def fill_weights(weights: np.recarray, number: int, profile: Profile, game: Game, players: int) -> None:
    """Write a profile's weights and settings into row `number` of the game's weights, in place."""
    for name, value in resolve_weights(profile, game, players).items():
        weights[name][number] = value
