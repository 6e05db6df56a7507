"""Variants: rule sets as TOML files, each extending another, checked by the game's own model.

A variant file holds the keys that it changes and `extends`, the shipped name or the path of the rule
set that it starts from. Tables are merged key by key; lists and values are replaced. What is said by player
count of some counts only holds for the others as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.contract.sourced import check_says_source
from balance.files import check_values, resolve_path
from balance.settings import is_path, locate, merge, read_layers

OF_ITSELF = ("title", "description")
"""What a rule set says of itself, and no rule."""


@dataclass(frozen=True)
class Variant:
    """A named, checked rule set.

    Attributes
    ----------
    name : str
        The file's stem; unique in a run.
    rules : pydantic model
        The game's `Rules`, frozen, with everything looked up.
    """

    name: str
    rules: Any


def hash_rules(rules: Any) -> str:
    """A short name of what a rule set says, its title and description apart."""
    content = rules.model_dump(by_alias=True, exclude=set(OF_ITSELF))
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


def load_variant(game: Game, name: str, folder: Path) -> Variant:
    """Read a variant by its shipped name or by path relative to `folder`.

    Raises
    ------
    BalanceError
        No such variant; a cycle of `extends`; a key or value that the rules do not have.
    """
    path = locate(f"{game.name} variant", name, game.folder / "variants", folder)
    data = read_extended(game, path)
    rules = game.rules.load_rules(data, str(path), path.parent)
    return Variant(path.stem, rules)


def load_changed(
    game: Game, name: str, changes: Mapping[str, Any], folder: Path, new_name: str, where: str
) -> Variant:
    """A variant with some keys, dotted paths such as ``start.cards``, given other values.

    Raises
    ------
    BalanceError
        The rules have no such key, or not with that value; names `where`.
    """
    path = locate(f"{game.name} variant", name, game.folder / "variants", folder)
    data = read_extended(game, path)
    layer = {
        "title": new_name,
        "description": f"{path.stem} with {new_name}",
        **nest_changes(game, changes, where),
    }
    rules = game.rules.load_rules(_lay_over(game, data, layer, where), where, folder)
    return Variant(new_name, rules)


def nest_changes(game: Game, changes: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the tables that dotted keys stand for, as a variant file has them.

    Each key is written over those before it. A key of one player count changes what a key before it says of all.

    Raises
    ------
    BalanceError
        A key or value is nested too deeply, or a number too large; names `where`.
    """
    nested: dict[str, Any] = {}
    for key, value in changes.items():
        for part in reversed(key.split(".")):
            value = {part: value}
        check_values(value, where)
        nested = merge(_say_by_count(nested, value, _counts(game)), value)
    return nested


def read_extended(game: Game, path: Path) -> dict[str, Any]:
    """The keys of a variant file merged over those of all that it extends."""
    merged: dict[str, Any] = {}
    for origin, layer in read_layers(path, f"{game.name} variant", game.folder / "variants"):
        merged = _lay_over(game, merged, _absolute_paths(game, layer, origin), str(origin))
    return merged


def _lay_over(
    game: Game, base: Mapping[str, Any], layer: Mapping[str, Any], where: str
) -> dict[str, Any]:
    """The keys of a file over those of what it extends."""
    _check_sources(base, layer, where)
    return merge(_say_by_count(base, layer, _counts(game)), layer)


def _counts(game: Game) -> list[str]:
    return [str(players) for players in game.players]


def _say_by_count(
    base: Mapping[str, Any], changes: Mapping[str, Any], counts: Sequence[str]
) -> dict[str, Any]:
    """`base` with what it says once, and `changes` by player count, said of every count."""
    said = dict(base)
    for key, value in changes.items():
        old = said.get(key)
        if not isinstance(value, Mapping) or old is None:
            continue
        if isinstance(old, Mapping):
            said[key] = _say_by_count(old, value, counts)
        elif value and set(value) <= set(counts):
            said[key] = dict.fromkeys(counts, old)
    return said


def _absolute_paths(game: Game, layer: dict[str, Any], path: Path) -> dict[str, Any]:
    """A file that a variant names is relative to the variant's own, not to one that extends it."""
    for key in game.rules.PATH_KEYS:
        value = layer.get(key)
        if isinstance(value, str) and is_path(value):
            layer[key] = str(resolve_path(value, path.parent))
    return layer


def _stays(old: Mapping[str, Any], changes: Mapping[str, Any]) -> bool:
    """Whether a table keeps some of its data: a key that `changes` lacks, or a table that is merged."""
    data = set(old) - {"name", "source", "reconstruction"}
    return any(key not in changes or isinstance(old[key], Mapping) for key in data)


def _check_sources(
    base: Mapping[str, Any], changes: Mapping[str, Any], where: str, inside: str = ""
) -> None:
    """Refuse changed data that don't say where they come from."""
    for key, value in changes.items():
        old = base.get(key)
        if not (isinstance(old, Mapping) and isinstance(value, Mapping)):
            continue
        if "source" in old:
            guessed = old.get("reconstruction") is True and _stays(old, value)
            check_says_source(value, f"{where}: {inside}{key}", guessed)
        _check_sources(old, value, where, f"{inside}{key}.")
