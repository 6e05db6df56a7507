"""The rule keys of a game with their values in base, and what they mean by the comments that stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from balance.contract.game import Game
from balance.files import read_text
from balance.settings import read_toml

_LINE = re.compile(
    r"^(?:\[(?P<table>[^\[\]]+)\]|(?P<key>[\w-]+)\s*=.*?)(?:\s+#\s*(?P<meaning>.*))?$", re.ASCII
)
_OF_A_VARIANT = ("title", "description")


@dataclass(frozen=True)
class Key:
    """A key that a variant may change: its dotted name, its value in base, what it means and what it may be."""

    name: str
    base: Any
    meaning: str
    allowed: str = ""


def list_keys(game: Game) -> list[Key]:
    """Every key of a game's rule set, in the order of base."""
    path = game.folder / "variants" / "base.toml"
    meanings = _read_meanings(read_text(path))
    return [
        Key(name, value, meanings.get(name, ""))
        for name, value in _flatten(read_toml(path))
        if name not in _OF_A_VARIANT
    ]


def _flatten(data: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        if isinstance(value, Mapping) and value and not all(key.isdigit() for key in value):
            yield from _flatten(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _read_meanings(text: str) -> dict[str, str]:
    """The comment behind each key, and behind each heading of a table."""
    found: dict[str, str] = {}
    table = ""
    for line in text.splitlines():
        if match := _LINE.match(line):
            table = match["table"] or table
            name = match["key"] if match["key"] and not table else f"{table}.{match['key']}"
            found[name if match["key"] else table] = match["meaning"] or ""
    return found
