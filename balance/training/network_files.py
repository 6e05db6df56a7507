"""What the training of a network keeps while it runs, and the files that it writes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.experiments.learned import INPUTS, name_in_files
from balance.experiments.networks import ARRAYS, MOST_NETWORKS, Network, find_network, name_profile, pack_networks
from balance.experiments.profiles import NO_PROFILE
from balance.experiments.strategies import Strategy
from balance.foundation.archives import read_arrays
from balance.foundation.errors import BalanceError
from balance.foundation.files import fresh_file, make_folder, read_text, replace_file, write_files
from balance.foundation.language import tr
from balance.foundation.text import listed
from balance.plain import learned
from balance.training.diary import head_lines, other_training
from balance.training.network_fit import Arrays

MOST_BYTES = 100_000_000  # of a file of weights in the work folder


class Stages:
    """The finished stages of a training, in a folder next to its result; without a result nothing is kept.

    `told` is everything that decides the training; a folder of another training is refused.
    """

    def __init__(self, result: Path | None, told: dict[str, Any]) -> None:
        self._folder = None if result is None else result.with_name(f"{result.name}.work")
        if self._folder is None:
            return
        head, path = json.dumps(told, sort_keys=True), self._folder / "training.json"
        if path.exists() and (first := read_text(path)) != head:
            raise other_training(self._folder, first, told)
        make_folder(self._folder)
        replace_file(path, head.encode())

    def recall(self, name: str) -> Arrays | None:
        """Return the arrays of a stage; None if it is not finished."""
        if self._folder is None or not (path := self._folder / f"{name}.npz").exists():
            return None
        return read_arrays(path, MOST_BYTES, most=MOST_BYTES)

    def keep(self, name: str, arrays: Arrays) -> None:
        """Write the arrays of a stage, whole or not at all."""
        if self._folder is None:
            return
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        replace_file(self._folder / f"{name}.npz", buffer.getvalue())

    def listed(self, name: str, kind: np.dtype, make: Callable[[], Iterator[np.ndarray]]) -> np.ndarray:
        """Return records of a stage, made part by part if it is not finished, as a file that is read where needed."""
        assert self._folder is not None, "only a training without labels keeps nothing"
        path = self._folder / f"{name}.records"
        if not path.exists():
            with fresh_file(path) as file:
                for part in make():
                    part.tofile(file)
        return np.memmap(path, kind, "r")

    def once(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """Return the arrays of a stage, made if it is not finished."""
        found = self.recall(name)
        if found is None:
            found = make()
            self.keep(name, found)
        return found

    def remove(self) -> None:
        """Remove the folder."""
        if self._folder is None:
            return
        for path in self._folder.iterdir():
            path.unlink()
        self._folder.rmdir()


def write_network(
    out: Path, game: Game, profile: str, weights: dict[int, list[Arrays]], told: dict[str, Any], text: str = ""
) -> None:
    """Write the file of one or several networks and their weights, by player count; `text` describes them."""
    names, beside = game.network_features, out.with_suffix(".npz")
    keys = {"kind": "network", "game": game.name, "profile": profile, "weights": beside.name}
    count = max(map(len, weights.values()))
    named = "A network" if count == 1 else f"{count} networks, each"
    lines = head_lines(out.stem, text or f"{named} trained by search and self-play.", told, **keys)
    features = {"context": names.context, "action": names.action, "heads": names.heads}
    tables = [[f"{what} = [", *(f'    "{name}",' for name in each), "]"] for what, each in features.items()]
    end = lines.index("")  # of the keys
    lines[end:end] = chain.from_iterable(tables)
    write_with_arrays(out, lines, stack_networks(weights, ARRAYS))


def stack_networks(weights: Mapping[int, Sequence[Arrays]], names: Sequence[str]) -> Arrays:
    """Return the arrays of a file of weights, such as ``3/context``, each with a row for each network."""
    return {
        f"{players}/{name}": np.stack([net[name] for net in nets]).astype("<f2")
        for players, nets in weights.items()
        for name in names
    }


def write_with_arrays(out: Path, lines: Sequence[str], arrays: Arrays) -> None:
    """Write a TOML file, and arrays into an .npz file beside it."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    text = "\n".join(lines).rstrip() + "\n"
    write_files({out.with_suffix(".npz"): buffer.getvalue(), out: text.encode()})


def join_networks(game: Game, names: Sequence[str], out: Path) -> dict[int, int]:
    """Write a strategy that has the networks of several files; return how many it has at each player count."""
    folder = Path.cwd()
    if game.own_loop:
        raise BalanceError(
            tr(
                "the networks of {game} are trained and measured together: train them with --networks {count}",
                game=game.title,
                count=len(names),
            )
        )
    joined = [find_network(game, name, folder) for name in names]
    first, *others = (name_profile(game, name, folder) for name in names)
    if any(other != first for other in others):
        raise BalanceError(
            tr(
                "networks that score the best actions of different profiles can't be one strategy: {profiles}",
                profiles=listed([first, *others]),
            )
        )
    seen: set[str] = set()
    for name, network in zip(names, joined, strict=True):
        texts = {text for own in network.weights.values() for text in own}
        if seen & texts:
            raise BalanceError(tr("{name}: it has a network that another one of these files has too", name=name))
        seen |= texts
    weights: dict[int, list[Arrays]] = {}
    for network in joined:
        for players in map(int, network.weights):
            rows = pack_networks(game, [network], players)[0]
            own = [{each: row[each].copy() for each in ARRAYS} for row in rows]
            weights[players] = weights.get(players, []) + own
    most = max(map(len, weights.values()))
    if most > MOST_NETWORKS:
        raise BalanceError(
            tr("{count} networks, but a strategy can have at most {most}", count=most, most=MOST_NETWORKS)
        )
    parts = [part for network in joined for part in _trainings(network)]
    told: dict[str, Any] = {f"network_{number}": part for number, part in enumerate(parts, 1)}
    if len(rules := {part.get("rules") for part in parts}) == 1 and None not in rules:
        told["rules"] = rules.pop()  # by these rules the whole strategy is trained, see `adapt_networks`
    write_network(out, game, first, dict(sorted(weights.items())), told)
    return {players: len(own) for players, own in sorted(weights.items())}


def _trainings(network: Network) -> list[dict[str, Any]]:
    """Return how each network of a strategy was trained."""
    parts = [part for key, part in network.training.items() if key.startswith("network_")]
    return parts or [network.training]


def write_learned(
    out: Path,
    game: Game,
    inputs: Mapping[int, Any],
    weights: Mapping[int, Sequence[Arrays]],
    told: dict[str, Any],
    text: str = "Players trained by self-play from the rules alone.",
) -> None:
    """Write the file of learned players, and their inputs and weights by player count beside it."""
    arrays = stack_networks(weights, learned.ARRAYS)
    for players, schema in inputs.items():
        arrays[f"{players}/{INPUTS}"] = np.frombuffer(json.dumps(schema).encode(), "u1")
    beside = out.with_suffix(".npz").name
    keys: dict[str, Any] = {"kind": "network", "game": name_in_files(game), "weights": beside}
    keys["temperature"] = temperature_of(next(iter(inputs.values())))
    write_with_arrays(out, head_lines(out.stem, text, told, **keys), arrays)


def temperature_of(schema: Mapping[str, Any]) -> float:
    """Return the temperature of players: where something is hidden, they draw from what they learned."""
    return 0.0 if schema["open"] else 1.0


def as_learned(game: Game, players: int, schema: Mapping[str, Any], nets: Sequence[Arrays], name: str) -> Strategy:
    """Return the weights of learned players as a strategy."""
    network = Network(
        game=name_in_files(game),
        title=name,
        profile=NO_PROFILE,
        temperature=temperature_of(schema),
        weights={str(players): [learned.encode([net[each] for each in learned.ARRAYS]) for net in nets]},
        inputs={str(players): dict(schema)},
    )
    return Strategy(name, "network", network=network)
