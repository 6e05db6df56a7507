"""Variants: rule sets as TOML files, each extending another, checked by the game's own model.

A variant file contains the keys that it changes and `extends`, the shipped name or the path of the rule set that it
starts from. Tables are merged key by key; lists and values are replaced. If a key is set for some player counts only,
the other counts keep their values.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.contract.rule_tables import check_says_source
from balance.foundation.files import check_values, resolve_path
from balance.foundation.language import tr
from balance.foundation.toml import KeyPath, is_path, list_leaves, locate, merge, read_layers, write_key, write_value

OF_ITSELF = ("title", "description")
"""Keys that describe a rule set and are not rules."""


@dataclass(frozen=True)
class Variant:
    """A named, checked rule set."""

    name: str  # the file's stem; unique in a run
    rules: Any  # the game's pydantic model `Rules`, frozen, with all names resolved


def hash_rules(rules: Any) -> str:
    """Return a short hash of a rule set without its title and description."""
    content = rules.model_dump(by_alias=True, exclude=set(OF_ITSELF))
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


def load_variant(game: Game, name: str, folder: Path) -> Variant:
    """Read a variant by its shipped name or by path relative to `folder`."""
    path = locate(tr("{game} variant", game=game.name), name, game.folder / "variants", folder)
    data = read_extended(game, path)
    rules = game.rules.load_rules(data, str(path), path.parent)
    return Variant(path.stem, rules)


def load_changed(game: Game, name: str, changes: Mapping[str, Any], folder: Path, new_name: str, where: str) -> Variant:
    """Return a variant with new values of some keys, given as dotted paths such as ``start.cards``."""
    return change_variant(read_start(game, name, folder), changes, new_name, where)


@dataclass(frozen=True)
class StartVariant:
    """The keys of a variant, read once, to change them again and again."""

    game: Game
    name: str
    data: Mapping[str, Any]
    folder: Path  # of paths in changed values


def read_start(game: Game, name: str, folder: Path) -> StartVariant:
    """Read a variant by its shipped name or by path relative to `folder`."""
    path = locate(tr("{game} variant", game=game.name), name, game.folder / "variants", folder)
    return StartVariant(game, path.stem, read_extended(game, path), folder)


def with_components(start: StartVariant) -> StartVariant:
    """Return a start with the contents of the files that its keys name, such as a map, so that they are read once."""
    written = start.game.rules.load_rules(start.data, start.name, start.folder).model_dump(by_alias=True)
    found = {key: written[key] for key in start.game.rules.PATH_KEYS if key in start.data}
    return replace(start, data={**start.data, **found})


def change_variant(start: StartVariant, changes: Mapping[str, Any], new_name: str, where: str) -> Variant:
    """Return a variant with new values of some keys, as `load_changed`."""
    named = {"title": new_name, "description": f"{start.name} with {new_name}"}
    layer = {**named, **nest_changes(start.game, changes, where)}
    data = _lay_over(start.game, start.data, layer, where)
    return Variant(new_name, start.game.rules.load_rules(data, where, start.folder))


def write_variant(
    game: Game, path: Path, start: tuple[str, Path], told: Mapping[str, str], own: Mapping[str, Any],
    comments: Mapping[KeyPath, Sequence[str]] | None = None,
) -> str:  # fmt: skip
    """Return the text of a variant file that extends another.

    Parameters
    ----------
    path : Path
        Of the file; paths in it are relative to its folder.
    start : tuple of str and Path
        The variant that it extends: a shipped name or a path, and the folder of relative paths here.
    told : mapping
        Its ``title`` and ``description``.
    own : mapping
        The tables of its changed rule keys.
    comments : mapping
        Key to lines of comment above it.
    """
    name, folder = start
    seen = {
        key: _seen_from(path.parent, value, folder) if key in game.rules.PATH_KEYS and isinstance(value, str) else value
        for key, value in own.items()
    }
    keys = {"extends": _seen_from(path.parent, name, folder), **told, **seen}
    lines = []
    for key, value in list_leaves(keys):
        lines += [f"# {line}" for line in (comments or {}).get(key, ())]
        lines.append(f"{write_key(key)} = {write_value(value)}")
    return "".join(f"{line}\n" for line in lines)


def _seen_from(place: Path, name: str, folder: Path) -> str:
    """Return a name unchanged, and a path of `folder` relative to `place`."""
    if not is_path(name):
        return name
    seen = Path(os.path.relpath(resolve_path(name, folder), place)).as_posix()
    return seen if is_path(seen) else f"./{seen}"


def nest_changes(game: Game, changes: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Turn dotted keys into the tables of a variant file.

    Each key overrides those before it. A key for one player count changes an earlier key for all counts.
    """
    nested: dict[str, Any] = {}
    for key, value in changes.items():
        for part in reversed(key.split(".")):
            value = {part: value}
        check_values(value, where)
        nested = merge(_say_by_count(nested, value, _counts(game)), value)
    return nested


def read_extended(game: Game, path: Path) -> dict[str, Any]:
    """Return the keys of a variant file merged over those of all variants that it extends."""
    merged: dict[str, Any] = {}
    for origin, layer in read_layers(path, tr("{game} variant", game=game.name), game.folder / "variants"):
        merged = _lay_over(game, merged, _absolute_paths(game, layer, origin), str(origin))
    return merged


def _lay_over(game: Game, base: Mapping[str, Any], layer: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Merge the keys of a file over those that it extends."""
    _check_sources(base, layer, where)
    return merge(_say_by_count(base, layer, _counts(game)), layer)


def _counts(game: Game) -> list[str]:
    return [str(players) for players in game.players]


def _say_by_count(base: Mapping[str, Any], changes: Mapping[str, Any], counts: Sequence[str]) -> dict[str, Any]:
    """Return `base` with values for every player count where `changes` has values by player count."""
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
    """Make the paths in a variant absolute: they are relative to its own file, not to one that extends it."""
    for key in game.rules.PATH_KEYS:
        value = layer.get(key)
        if isinstance(value, str) and is_path(value):
            layer[key] = str(resolve_path(value, path.parent))
    return layer


def _stays(old: Mapping[str, Any], changes: Mapping[str, Any]) -> bool:
    """Return whether a table keeps some of its data: a key that `changes` lacks, or a table that is merged."""
    data = set(old) - {"name", "source", "reconstruction"}
    return any(key not in changes or isinstance(old[key], Mapping) for key in data)


def _check_sources(base: Mapping[str, Any], changes: Mapping[str, Any], where: str, inside: str = "") -> None:
    """Refuse changed data without a source."""
    for key, value in changes.items():
        old = base.get(key)
        if not (isinstance(old, Mapping) and isinstance(value, Mapping)):
            continue
        if "source" in old:
            guessed = old.get("reconstruction") is True and _stays(old, value)
            check_says_source(value, f"{where}: {inside}{key}", guessed)
        _check_sources(old, value, where, f"{inside}{key}.")
