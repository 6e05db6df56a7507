"""Networks as strategies: a TOML file with ``kind = "network"``, and its weights beside it in a NumPy ``.npz`` file.

A strategy may have several networks, trained apart. The deal of a game decides which of them plays. Those of a game in
plain Python have inputs of their own, see `balance.experiments.learned`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from math import nan, prod
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from balance.contract.game import Game
from balance.contract.records import blank
from balance.experiments.learned import PlayerInputs, check_learned, make_players, name_in_files, read_learned
from balance.experiments.profiles import (
    NO_PROFILE,
    Profile,
    Temperature,
    check_counts,
    check_has_weights,
    check_profile,
    load_profile,
    strongest_profile,
)
from balance.foundation.archives import read_arrays
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.files import resolve_path
from balance.foundation.language import tr
from balance.foundation.toml import Settings, is_path, locate, read_toml, validate

ARRAYS = ("context", "action", "bias", "out")
MOST_NETWORKS = 9  # of a strategy
_STORED = np.dtype("<f2")
_WIDEST = 8  # bytes of a number in a file
_MOST_HEADERS = 100_000  # bytes
Encoded = Annotated[list[str], Field(min_length=1, max_length=MOST_NETWORKS)]
"""Weights of each network of a strategy at a player count, see `Network`."""


class _File(Settings):
    """A network's file."""

    kind: Literal["network"]
    title: str
    description: str
    game: str
    profile: str = ""  # whose best actions the network scores; none in a game in plain Python
    weights: str  # the .npz file
    temperature: Temperature = 0.0
    context: list[str] = Field(default=[])  # names of the features, in the order of the weights
    action: list[str] = Field(default=[])
    heads: list[str] = Field(default=[])
    training: dict[str, Any] = Field(default={})


class Gain(NamedTuple):
    """What players gain against somebody, or what an exploiter gains against them, with its interval.

    In points above a fair share or, with `is_score`, in points of the game above what the players have on average.
    """

    who: str
    value: float
    low: float
    high: float
    n: float
    is_score: bool


EXPLOITER = "exploiter"  # who was trained against the players
# The best play against them, which is computed: its gain has no interval, and n is 0.
PERFECT = "perfect"


class Network(Settings):
    """A network with all names resolved, as stored in `run.json`.

    Attributes
    ----------
    profile : Profile
        Whose best actions the network scores.
    temperature : float
        0: always the highest score; otherwise each action has a chance proportional to exp(score / temperature).
    weights : dict
        Player count (as text) to the weights of each network: little-endian float16 of all arrays of
        `balance.contract.records.network_type`, one after the other, in base64.
    inputs : dict
        Player count (as text) to what the networks of a game in plain Python see.
    training : dict
        How the network was trained.
    """

    game: str
    title: str
    profile: Profile
    temperature: Temperature = 0.0
    weights: dict[str, Encoded]
    inputs: PlayerInputs = Field(default={})
    training: dict[str, Any] = Field(default={})

    def weak(self, players: int) -> list[Gain]:
        """Return what shows that the networks are weak at a player count, as their training measured it."""
        found: Any = self.training.get("strength")
        for key in (str(players), "gains"):
            found = found.get(key) if isinstance(found, Mapping) else None
        if not isinstance(found, Mapping):
            return []
        strength: Any = self.training["strength"][str(players)]
        weak, is_score = strength.get("weak"), strength.get("unit") == "score"
        named = [each for each in weak if isinstance(each, str)] if isinstance(weak, list) else []
        return [_read_gain(who, found.get(who), is_score) for who in named]


def _read_gain(who: str, numbers: Any, is_score: bool) -> Gain:
    """Return a gain of a file, with NaN for numbers that are none."""
    whole = isinstance(numbers, list) and len(numbers) == 4 and all(isinstance(each, (int, float)) for each in numbers)
    value, low, high, n = map(float, numbers) if whole else (nan, nan, nan, 0.0)
    return Gain(who, value, low, high, n, is_score)


def load_network(game: Game, data: Mapping[str, Any], path: Path) -> Network:
    """Return the network of a file's content, with the weights from the file beside it."""
    where = str(path)
    given = validate(_File, data, where)
    _check_features(game, given, where)
    source = path.parent / given.weights
    inputs: PlayerInputs = {}
    if game.own_loop:
        inputs, weights = read_learned(source)
    else:
        weights = _read_weights(game, source)
    found = Network(
        game=given.game,
        title=given.title,
        profile=load_profile(game, given.profile, path.parent) if given.profile else NO_PROFILE,
        temperature=given.temperature,
        weights=weights,
        inputs=inputs,
        training=given.training,
    )
    check_network(found, game, str(source))
    return found


def find_network(game: Game, name: str, folder: Path) -> Network:
    """Load a network by name or path, for a searcher or training that uses it."""
    path = _locate(game, name, folder)
    data = read_toml(path)
    if data.get("kind") != "network":
        raise BalanceError(tr('{path}: not a network: it has no kind = "network"', path=path))
    return load_network(game, data, path)


EXPERT = "expert"  # the name of a game's strongest network


def has_expert(game: Game, players: Sequence[int]) -> bool:
    """Return whether the game ships an expert for these player counts."""
    if EXPERT not in game.shipped("networks"):
        return False
    return {*map(str, players)} <= find_network(game, EXPERT, game.folder).weights.keys()


def default_player(game: Game, players: Sequence[int]) -> str:
    """Return who plays where no player is named, the same in every command: the strongest that is fast.

    It is the expert if there is one for these player counts, or else the strongest profile.
    """
    return EXPERT if has_expert(game, players) else strongest_profile(game)


def strongest_searcher(game: Game, players: Sequence[int], iterations: int) -> str:
    """Return the name of a searcher: with the expert as prior, if the game has one for these player counts."""
    name = f"search-{iterations}"
    return f"{EXPERT}-{name}" if has_expert(game, players) else name


def name_profile(game: Game, name: str, folder: Path) -> str:
    """Return the name of a network's profile as its file has it; a path is made absolute."""
    path = _locate(game, name, folder)
    profile = str(read_toml(path).get("profile", ""))
    return str(resolve_path(profile, path.parent)) if is_path(profile) else profile


def check_expert_trained(game: Game, name: str) -> None:
    """Refuse the expert of a game in plain Python that has none yet; in other games the champion plays instead."""
    if name == EXPERT and game.own_loop and EXPERT not in game.shipped("networks"):
        raise BalanceError(
            tr(
                "{game} has no expert yet; train it first: {command}",
                game=game.title,
                command=f"balance train network --game {game.name}",
            )
        )


def _locate(game: Game, name: str, folder: Path) -> Path:
    check_expert_trained(game, name)
    return locate(tr("{game} network", game=game.name), name, game.folder / "networks", folder)


def _check_features(game: Game, given: _File, where: str) -> None:
    """Refuse a network of another game or with other features."""
    if given.game != name_in_files(game):
        raise BalanceError(
            tr(
                "{where}: game: {title!r} is for {other}, not for {game}",
                where=where, title=given.title, other=given.game, game=name_in_files(game),
            )
        )  # fmt: skip
    if game.own_loop:
        return
    if not game.network_functions:
        raise BalanceError(
            tr("{where}: {game} has no features for networks (see docs/networks.md)", where=where, game=game.name)
        )
    for what in ("context", "action", "heads"):
        own, known = getattr(given, what), list(getattr(game.network_features, what))
        if own == known:
            continue
        if strange := [name for name in own if name not in known]:
            raise unknown("feature", strange[0], known, f"{where}: {what}")
        if missing := [name for name in known if name not in own]:
            raise BalanceError(
                tr(
                    "{where}: {what}: lacks the feature {feature!r}; train the network again",
                    where=where,
                    what=what,
                    feature=missing[0],
                )
            )
        raise BalanceError(
            tr("{where}: {what}: the features must be in the order of the game's; train again", where=where, what=what)
        )


def _read_weights(game: Game, path: Path) -> dict[str, list[str]]:
    """Return the weights of an .npz file, by player count."""
    shapes = {name: game.records.network[name].shape for name in ARRAYS}
    numbers = MOST_NETWORKS * len(game.players) * sum(map(prod, shapes.values()))

    def check(name: str, shape: tuple[int, ...]) -> None:
        must = (shape[0] if shape else 0, *shapes.get(name.partition("/")[2], ()))
        if shape != must or not 1 <= must[0] <= MOST_NETWORKS:
            raise BalanceError(
                tr(
                    "{path}: {array}: {size}, must be {right}",
                    path=path, array=name, size=_sizes(shape), right=_sizes(must),
                )
            )  # fmt: skip

    arrays = read_arrays(path, _WIDEST * numbers + _MOST_HEADERS, check)
    counts = sorted({name.partition("/")[0] for name in arrays})
    found: dict[str, list[str]] = {}
    for players in counts:
        try:
            parts = [arrays[f"{players}/{name}"] for name in ARRAYS]
        except KeyError as error:
            raise BalanceError(tr("{path}: lacks an array: {name}", path=path, name=error.args[0])) from None
        if len({len(part) for part in parts}) > 1:
            sizes = ", ".join(str(len(part)) for part in parts)
            raise BalanceError(
                tr("{path}: {players} players: arrays of {sizes} networks", path=path, players=players, sizes=sizes)
            )
        found[players] = [encode_weights(own) for own in zip(*parts, strict=True)]
    return found


def _sizes(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape)) or "one number"


def encode_weights(parts: Sequence[np.ndarray]) -> str:
    """Return arrays as base64 of their float16 numbers, one after the other."""
    with np.errstate(over="ignore"):
        return b64encode(b"".join(np.asarray(part).astype(_STORED).tobytes() for part in parts)).decode()


def check_network(network: Network, game: Game, where: str) -> None:
    """Refuse a network whose profile, player counts or weights do not fit the game."""
    if network.game != name_in_files(game):
        raise BalanceError(
            tr(
                "{where}: {title!r} is for {other}, not for {game}",
                where=where, title=network.title, other=network.game, game=name_in_files(game),
            )
        )  # fmt: skip
    check_profile(network.profile, game, where)
    if not network.weights:
        raise BalanceError(tr("{where}: no weights", where=where))
    for players in network.weights:
        if players not in map(str, game.players):
            raise unknown("player count", players, map(str, game.players), where)
        if game.own_loop:
            check_learned(network.inputs, network.weights[players], players, where)
        else:
            _decode(network, game, int(players), where)


def check_network_plays(network: Network, players: Sequence[int], where: str) -> None:
    """Refuse player counts for which a network has no weights."""
    check_has_weights(network.profile, players, where)
    check_counts(network.weights, players, f"{where}:")


def _decode(network: Network, game: Game, players: int, where: str) -> np.recarray:
    """Return the weights at a player count as records of `game.records.network`, one for each network."""
    found = blank(len(network.weights[str(players)]), game.records.network)
    if game.own_loop:
        found["player"] = make_players(network.inputs, network.weights[str(players)], str(players))
        return found
    for row, text in zip(found, network.weights[str(players)], strict=True):
        _fill(row, text, players, where)
    return found


def _fill(row: Any, text: str, players: int, where: str) -> None:
    """Fill a record of `game.records.network` from its text."""
    size = sum(row[name].size for name in ARRAYS)
    try:
        raw = b64decode(text, validate=True)
    except ValueError:
        raise BalanceError(
            tr("{where}: weights for {players} players: not base64", where=where, players=players)
        ) from None
    if len(raw) != size * _STORED.itemsize:
        counted = len(raw) // _STORED.itemsize
        raise BalanceError(
            tr(
                "{where}: weights for {players} players: {count:,} numbers, must be {right:,}",
                where=where,
                players=players,
                count=counted,
                right=size,
            )
        )
    numbers = np.frombuffer(raw, _STORED).astype("f4")
    if not np.isfinite(numbers).all():
        raise BalanceError(
            tr("{where}: weights for {players} players: not all are finite numbers", where=where, players=players)
        )
    first = 0
    for name in ARRAYS:
        last = first + row[name].size
        row[name] = numbers[first:last].reshape(row[name].shape)
        first = last


def count_networks(network: Network | None, players: int) -> int:
    """Return how many networks play at a player count; 1 for another strategy."""
    return len(network.weights[str(players)]) if network else 1


def pack_networks(game: Game, networks: Sequence[Network | None], players: int) -> np.recarray:
    """Return the weights of networks (strategies, networks), for the compiled loop at a player count."""
    most = max((count_networks(each, players) for each in networks), default=1)
    found = blank((len(networks), most), game.records.network)
    for number, network in enumerate(networks):
        if network:
            own = _decode(network, game, players, network.title)
            found[number, : len(own)] = own
    return found
