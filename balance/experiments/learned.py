"""Learned players of games in plain Python, as files and as stored in a run: their inputs and weights.

The archive next to the TOML file has for each player count, such as 3, the arrays ``3/context`` and so on, each with a
row for each network, and ``3/inputs``, the schema of `balance.plain.inputs` as JSON.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.foundation.archives import read_arrays
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.plain.inputs import Inputs
from balance.plain.learned import ARRAYS, LearnedPlayer, encode, shapes_of

PlayerInputs = dict[str, dict[str, Any]]
"""Schemas by player count."""
INPUTS = "inputs"  # name of the array with a schema
_MOST_UNPACKED = 60_000_000  # bytes
_STORED = np.dtype("<f2")


def name_in_files(game: Game) -> str:
    """Return how files name a game; one in plain Python by its title, because its folder may move."""
    return game.title if game.own_loop else game.name


def read_learned(path: Path) -> tuple[PlayerInputs, dict[str, list[str]]]:
    """Return the inputs and weights of an archive, by player count."""
    arrays = read_arrays(path, _MOST_UNPACKED)
    inputs: PlayerInputs = {}
    weights: dict[str, list[str]] = {}
    for players in sorted({name.partition("/")[0] for name in arrays}):
        try:
            text = arrays[f"{players}/{INPUTS}"].astype("u1").tobytes()
            parts = [arrays[f"{players}/{name}"] for name in ARRAYS]
        except KeyError as error:
            raise BalanceError(tr("{path}: lacks an array: {name}", path=path, name=error.args[0])) from None
        try:
            inputs[players] = dict(json.loads(text))
            weights[players] = [encode(own) for own in zip(*parts, strict=True)]
        except (ValueError, TypeError, RecursionError):
            raise _damaged(str(path), players) from None
    return inputs, weights


def _damaged(where: str, players: str) -> BalanceError:
    return BalanceError(
        tr("{where}: what players see with {players} players is damaged; train again", where=where, players=players)
    )


def check_learned(inputs: PlayerInputs, texts: Sequence[str], players: str, where: str) -> None:
    """Refuse inputs that can't be read, and weights that do not fit them."""
    try:
        found = Inputs(inputs[players], int(players))
    except Exception:  # a damaged schema raises errors of many kinds
        raise _damaged(where, players) from None
    size = sum(map(prod, shapes_of(found).values())) * _STORED.itemsize
    for text in texts:
        if len(raw := _decode_text(text)) != size:
            raise BalanceError(
                tr(
                    "{where}: weights for {players} players: {count:,} numbers, must be {right:,}",
                    where=where, players=players, count=len(raw) // _STORED.itemsize,
                    right=size // _STORED.itemsize,
                )
            )  # fmt: skip
        if not np.isfinite(np.frombuffer(raw, _STORED)).all():
            raise BalanceError(
                tr("{where}: weights for {players} players: not all are finite numbers", where=where, players=players)
            )


def _decode_text(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


def make_players(inputs: Mapping[str, Any], texts: Sequence[str], players: str) -> list[LearnedPlayer]:
    """Return the players of a strategy at a player count; they share what they have read of positions."""
    found = Inputs(inputs[players], int(players))
    return [LearnedPlayer(found, arrays_of(found, text)) for text in texts]


def arrays_of(inputs: Inputs, text: str) -> dict[str, np.ndarray]:
    """Return the arrays of a player from their text."""
    numbers, first = np.frombuffer(_decode_text(text), _STORED).astype("f4"), 0
    arrays = {}
    for name, shape in shapes_of(inputs).items():
        arrays[name] = numbers[first : first + prod(shape)].reshape(shape)
        first += prod(shape)
    return arrays
