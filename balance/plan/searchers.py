"""Searchers: `search-N`, or a TOML file with ``kind = "search"``; their switches, priors and values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from balance.contract.game import Game
from balance.contract.records import blank
from balance.engine.search.records import (
    BY_VALUE,
    BY_VISITS,
    MOST_SHORTLISTED,
    OWN_DEALS,
    SCORE_LEAD,
    SEARCHER,
    SHARED_DEALS,
    STAGES,
    WIN_CHANCE,
    Searchers,
    table_type,
)
from balance.errors import BalanceError, unknown
from balance.plan.profiles import (
    Number,
    Profile,
    check_has_weights,
    check_profile,
    fill_weights,
    load_profile,
)
from balance.settings import Settings, find_file, read_toml, unknown_file, validate

MOST_ITERATIONS = 1_000_000
_NAME = re.compile(r"search-(-?\d+)")
_REWARDS = {"win": WIN_CHANCE, "lead": SCORE_LEAD}
_FINAL = {"visits": BY_VISITS, "value": BY_VALUE}
_DEALS = {"own": OWN_DEALS, "shared": SHARED_DEALS}

_PLAIN: dict[str, Any] = {  # of a game that ships no searcher: to the end, with its first profile
    "exploration": 0.4,
    "prior_temperature": 1.5,
    "shortlist": 10,
    "alike": 2,
    "horizon": 0,
    "reward": "win",
    "final": "visits",
}

Stages = Annotated[list[Number], Field(min_length=STAGES, max_length=STAGES)]
Iterations = Annotated[int, Field(ge=1, le=MOST_ITERATIONS)]
Shortlist = Annotated[int, Field(ge=1, le=MOST_SHORTLISTED)]


class Value(Settings):
    """A value file: weights of the features of a position, from which win chances are made.

    Attributes
    ----------
    game : str
        Which game's features these are.
    training : dict
        Where the weights come from.
    weights : dict
        Player count (as text) to feature to its weight at each stage of the game.
    """

    title: str
    description: str
    game: str
    training: dict[str, Any] = Field(default={})
    weights: dict[str, dict[str, Stages]]


class Switches(Settings):
    """What of a searcher is a number or a word; see docs/searchers.md."""

    iterations: Iterations
    exploration: Annotated[float, Field(ge=0, le=10)]
    prior_temperature: Annotated[float, Field(gt=0, le=100)]
    shortlist: Shortlist
    alike: Shortlist
    horizon: Annotated[int, Field(ge=0, le=1000)]
    reward: Literal["win", "lead"]
    final: Literal["visits", "value"]
    deals: Literal["own", "shared"] = "own"


class Search(Settings):
    """A searcher with all that it names looked up: what `run.json` keeps."""

    switches: Switches
    prior: Profile
    playout: Profile
    value: Value | None = None


class _File(Settings):
    """A searcher's file; what it does not say is the game's default."""

    kind: Literal["search"]
    title: str = ""
    description: str = ""
    prior: str | None = None
    playout: str | None = None
    value: str | None = None
    weights: dict[str, Number] | None = None
    iterations: int | None = None
    exploration: Number | None = None
    prior_temperature: Number | None = None
    shortlist: int | None = None
    alike: int | None = None
    horizon: int | None = None
    reward: str | None = None
    final: str | None = None
    deals: str | None = None


def named_iterations(name: str) -> int | None:
    """The N of a name ``search-N``; None if it is no such name.

    Raises
    ------
    BalanceError
        N is no number of iterations.
    """
    if not (found := _NAME.fullmatch(name)):
        return None
    iterations = int(found[1])
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise BalanceError(f"{name}: iterations must be between 1 and {MOST_ITERATIONS:,}")
    return iterations


def default_search(game: Game, iterations: int) -> Search:
    """The game's own searcher with so many iterations a decision."""
    path = game.folder / "searchers" / "default.toml"
    return _load(game, {"kind": "search", "iterations": iterations}, _defaults(game), path)


def _defaults(game: Game) -> dict[str, Any]:
    """What a searcher of this game is where a file does not say."""
    path = game.folder / "searchers" / "default.toml"
    return read_toml(path) if path.exists() else {**_PLAIN, "prior": game.shipped("profiles")[0]}


def load_search(game: Game, data: Mapping[str, Any], path: Path) -> Search:
    """The searcher of a file's content; what it does not say is the game's default.

    Raises
    ------
    BalanceError
        An unknown key, a wrong value, or a profile or value file that is not there or not of this game.
    """
    return _load(game, data, _defaults(game), path)


def _load(game: Game, own: Mapping[str, Any], default: Mapping[str, Any], path: Path) -> Search:
    where = str(path)
    given = validate(_File, own, where).model_dump(exclude_none=True)
    merged = {**default, **given}
    if "prior" in given and "weights" not in given:
        merged.pop("weights", None)  # the default's are those of its own prior
    changes = merged.get("weights", {})
    switches = {name: merged[name] for name in Switches.model_fields if name in merged}
    prior = load_profile(game, merged["prior"], path.parent).changed(changes)
    playout = prior
    if "playout" in merged:
        playout = load_profile(game, merged["playout"], path.parent).changed(changes)
    value = None
    if "value" in merged:
        value = load_value(game, merged["value"], path.parent)
    found = Search(
        switches=validate(Switches, switches, where), prior=prior, playout=playout, value=value
    )
    check_search(found, game, where)
    return found


def load_value(game: Game, name: str, folder: Path) -> Value:
    """A value file by name or path.

    Raises
    ------
    BalanceError
        There is no such file, or it has a mistake.
    """
    path = find_file(name, game.folder / "values", folder)
    if path is None:
        raise unknown_file(f"{game.name} value", name, game.shipped("values"), folder)
    return validate(Value, read_toml(path), str(path))


def check_search(search: Search, game: Game, where: str) -> None:
    """Refuse what the game does not know: features of the profiles and of the value.

    Raises
    ------
    BalanceError
        Names `where` and what it should be.
    """
    for profile in (search.prior, search.playout):
        check_profile(profile, game, where)
    if search.switches.reward == "lead" and not hasattr(game.heuristics, "score_now"):
        raise BalanceError(f'{where}: reward: {game.name} has no score_now, so it must be "win"')
    value = search.value
    if value is None:
        if search.switches.horizon > 0:
            raise BalanceError(f"{where}: horizon: without a value only 0, to the end of the game")
        return
    if value.game != game.name:
        raise BalanceError(f"{where}: value: {value.title!r} is of {value.game}, not of {game.name}")
    for players, weights in value.weights.items():
        if players not in map(str, game.players):
            raise unknown("player count", players, map(str, game.players), f"{where}: value: weights")
        for feature in weights:
            if feature not in game.position:
                known = game.position
                raise unknown("feature", feature, known, f"{where}: value: weights.{players}")


def check_players_known(search: Search, players: Sequence[int], where: str) -> None:
    """Refuse player counts for which a searcher's value or profiles have no weights."""
    check_has_weights(search.prior, players, where)
    check_has_weights(search.playout, players, where)
    if search.value is None:
        return
    for count in players:
        if str(count) not in search.value.weights:
            known = ", ".join(search.value.weights)
            raise BalanceError(
                f"{where}: its value {search.value.title!r} has no weights for {count} players "
                f"(there are: {known})"
            )


def pack_searchers(game: Game, searches: Sequence[Search | None], players: int) -> Searchers:
    """Records of the searchers by the number of their strategy, for the compiled loop at a player count."""
    count, features = len(searches), list(game.position)
    switches = blank(count, SEARCHER)
    playouts = blank(count, game.records.weights)
    tables = blank(count, table_type(len(features)))
    for number, search in enumerate(searches):
        if search is None:
            continue
        own = search.switches.model_dump()
        own |= {
            "reward": _REWARDS[own["reward"]],
            "final": _FINAL[own["final"]],
            "deals": _DEALS[own["deals"]],
        }
        for name, value in own.items():
            switches[name][number] = value
        fill_weights(playouts, number, search.playout, game, players)
        for of_players, weights in (search.value.weights if search.value else {}).items():
            for feature, stages in weights.items():
                place = (number, int(of_players), slice(None), features.index(feature))
                tables["weights"][place] = np.array(stages)
    return Searchers(switches, playouts, tables)
