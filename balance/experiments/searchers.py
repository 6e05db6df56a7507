"""Searchers: `search-N`, or a TOML file with ``kind = "search"``; their switches, priors and values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from balance.contract.game import Game
from balance.contract.records import MOST_SHORTLISTED, blank
from balance.engine.buffers import (
    BY_VALUE,
    BY_VISITS,
    OWN_DEALS,
    SCORE_LEAD,
    SEARCHER,
    SHARED_DEALS,
    STAGES,
    WIN_CHANCE,
    Searchers,
    table_type,
)
from balance.engine.networks import ALIKE, SHORTLIST
from balance.experiments.networks import (
    Network,
    check_network,
    check_network_plays,
    count_networks,
    find_network,
    pack_networks,
)
from balance.experiments.profiles import (
    NO_PROFILE,
    Number,
    Profile,
    check_counts,
    check_has_weights,
    check_profile,
    fill_weights,
    load_profile,
)
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr
from balance.foundation.toml import Settings, locate, read_toml, validate

_MOST_ITERATIONS = 1_000_000
_MOST_DIGITS = 10  # of the iterations in a name that are read
_NAME = re.compile(r"(?:([\w-]+?)-)?search-(-?\d+)")
_TRAINED = {"shortlist": SHORTLIST, "group_limit": ALIKE}
"""Switches that a network sets: it scores the shortlist that it was trained on, of its own profile."""
GUIDED = {"network_prior": True, "prior_temperature": 1.5, "exploration": 0.4, **_TRAINED}
"""Switches of a searcher whose prior is a network, in every game; see docs/networks.md for how they were chosen."""
_CODES: Mapping[str, Mapping[Any, int]] = {
    "reward": {"win": WIN_CHANCE, "lead": SCORE_LEAD},
    "final": {"visits": BY_VISITS, "value": BY_VALUE},
    "deals": {"own": OWN_DEALS, "shared": SHARED_DEALS},
}
"""Numbers of the words of switches, for the compiled loop."""

# For a game that ships no searcher: rollouts to the end, with its first profile.
_PLAIN: dict[str, Any] = {
    "exploration": 0.4, "prior_temperature": 1.5, "shortlist": 10, "group_limit": 2, "horizon": 0, "reward": "win",
    "final": "visits",
}  # fmt: skip

Stages = Annotated[list[Number], Field(min_length=STAGES, max_length=STAGES)]
Iterations = Annotated[int, Field(ge=1, le=_MOST_ITERATIONS)]
Shortlist = Annotated[int, Field(ge=1, le=MOST_SHORTLISTED)]


class Value(Settings):
    """A value file: weights of the features of a position, from which win chances are computed."""

    title: str
    description: str
    game: str  # that the features belong to
    training: dict[str, Any] = Field(default={})  # how the weights were trained
    # Player count to feature to its weight at each stage of the game.
    weights: dict[str, dict[str, Stages]]


class Switches(Settings):
    """The numbers and words of a searcher, see docs/searchers.md."""

    iterations: Iterations
    exploration: Annotated[float, Field(ge=0, le=10)]
    prior_temperature: Annotated[float, Field(gt=0, le=100)]
    shortlist: Shortlist
    group_limit: Shortlist
    horizon: Annotated[int, Field(ge=0, le=1000)]
    reward: Literal["win", "lead"]
    final: Literal["visits", "value"]
    deals: Literal["own", "shared"] = "own"
    network_prior: bool = False
    network_playouts: bool = False


class Search(Settings):
    """A searcher with all names resolved, as stored in `run.json`."""

    switches: Switches
    prior: Profile
    playout: Profile
    value: Value | None = None
    network: Network | None = None


class _File(Settings):
    """A searcher's file; missing keys have the game's defaults."""

    kind: Literal["search"]
    title: str = ""
    description: str = ""
    prior: str | None = None
    playout: str | None = None
    value: str | None = None
    network: str | None = None
    network_prior: bool | None = None
    network_playouts: bool | None = None
    weights: dict[str, Number] | None = None
    iterations: int | None = None
    exploration: Number | None = None
    prior_temperature: Number | None = None
    shortlist: int | None = None
    group_limit: int | None = None
    horizon: int | None = None
    reward: str | None = None
    final: str | None = None
    deals: str | None = None


def named_search(game: Game, name: str) -> Search | None:
    """Return the searcher of a name ``search-N`` or ``NETWORK-search-N``; None for another name."""
    if not (found := _NAME.fullmatch(name)):
        return None
    iterations = int(found[2][:_MOST_DIGITS])
    if not 1 <= iterations <= _MOST_ITERATIONS:
        raise BalanceError(tr("{name}: iterations must be between 1 and {most:,}", name=name, most=_MOST_ITERATIONS))
    return default_search(game, iterations, found[1])


def default_search(game: Game, iterations: int, network: str | None = None) -> Search:
    """Return the game's own searcher with this number of iterations per decision, and a shipped network as prior."""
    keys: dict[str, Any] = {"kind": "search", "iterations": iterations}
    guided = {"network": network, "network_prior": True} if network else {}
    return load_search(game, keys | guided, _default_file(game))


def _default_file(game: Game) -> Path:
    return game.folder / "searchers" / "default.toml"


def _defaults(game: Game) -> dict[str, Any]:
    """Return the defaults of a searcher of this game."""
    path = _default_file(game)
    if path.exists():
        return read_toml(path)
    profiles = game.shipped("profiles")
    return _PLAIN | ({"prior": profiles[0]} if profiles else {})


def load_search(game: Game, data: Mapping[str, Any], path: Path) -> Search:
    """Return the searcher of a file's content; missing keys have the game's defaults."""
    where = str(path)
    given = validate(_File, data, where).model_dump(exclude_none=True)
    guided = given.get("network_prior", False)
    for key in ("prior", *_TRAINED):
        if guided and key in given:
            raise BalanceError(
                tr(
                    "{where}: {key}: leave it out, because with network_prior a network scores the actions on the "
                    "shortlist that it was trained on",
                    where=where,
                    key=key,
                )
            )
    # The players of a game in plain Python are far better than its profiles.
    own = {"network_playouts": True} if game.own_loop else {}
    merged = {**_defaults(game), **({**GUIDED, **own} if guided else {}), **given}
    if "prior" in given and "weights" not in given:
        merged.pop("weights", None)  # the default weights belong to the default prior
    switches = {name: merged[name] for name in Switches.model_fields if name in merged}
    network = find_network(game, merged["network"], path.parent) if "network" in merged else None
    prior, playout = (
        load_profile(game, name, path.parent).changed(merged.get("weights", {})) if name else NO_PROFILE
        for name in (merged.get("prior"), merged.get("playout", merged.get("prior")))
    )
    value = load_value(game, merged["value"], path.parent) if "value" in merged else None
    found = Search(
        switches=validate(Switches, switches, where),
        prior=network.profile if network and merged.get("network_prior") else prior,
        playout=network.profile if network and merged.get("network_playouts") else playout,
        value=value,
        network=network,
    )
    check_search(found, game, where)
    return found


def load_value(game: Game, name: str, folder: Path) -> Value:
    """Load a value file by name or path."""
    path = locate(tr("{game} value", game=game.name), name, game.folder / "values", folder)
    return validate(Value, read_toml(path), str(path))


def check_search(search: Search, game: Game, where: str) -> None:
    """Refuse features of the profiles and of the value that the game does not know."""
    for profile in (search.prior, search.playout):
        check_profile(profile, game, where)
    if search.switches.reward == "lead" and not hasattr(game.heuristics, "score_now"):
        raise BalanceError(
            tr('{where}: reward: {game} has no score_now, so it must be "win"', where=where, game=game.name)
        )
    if search.network:
        check_network(search.network, game, where)
    elif search.switches.network_prior or search.switches.network_playouts:
        raise BalanceError(tr("{where}: network_prior and network_playouts need a `network`", where=where))
    value = search.value
    if value is None:
        if search.switches.horizon > 0:
            raise BalanceError(tr("{where}: horizon: must be 0 (to the end of the game) without a value", where=where))
        return
    if value.game != game.name:
        raise BalanceError(
            tr(
                "{where}: value: {title!r} is for {other}, not for {game}",
                where=where, title=value.title, other=value.game, game=game.name,
            )
        )  # fmt: skip
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
    if search.network:
        check_network_plays(search.network, players, where)
    if search.value:
        named = tr("{where}: its value {title!r} has", where=where, title=search.value.title)
        check_counts(search.value.weights, players, named)


def pack_searchers(
    game: Game, searches: Sequence[Search | None], networks: Sequence[Network | None], players: int
) -> Searchers:
    """Return records of searchers and networks by strategy number, for the compiled loop at a player count."""
    count, features = len(searches), list(game.position)
    switches = blank(count, SEARCHER)
    playouts = blank(count, game.records.weights)
    tables = blank(count, table_type(len(features)))
    switches["networks"] = [count_networks(each, players) for each in networks]
    for number, search in enumerate(searches):
        if search is None:
            continue
        for name, value in search.switches.model_dump().items():
            switches[name][number] = _CODES.get(name, {}).get(value, value)
        fill_weights(playouts, number, search.playout, game, players)
        for of_players, weights in (search.value.weights if search.value else {}).items():
            for feature, stages in weights.items():
                place = (number, int(of_players), slice(None), features.index(feature))
                tables["weights"][place] = np.array(stages)
    return Searchers(switches, playouts, tables, pack_networks(game, networks, players))
