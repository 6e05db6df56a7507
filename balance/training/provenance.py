"""What a trained file says of where it comes from, and what a training that resumes must find as it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import date
from importlib import metadata
from typing import Any

from balance.compiling.sources import PACKAGE, hash_sources, source_hash
from balance.contract.game import Game
from balance.plan.profiles import Profile
from balance.plan.strategies import Strategy
from balance.plan.variants import OF_ITSELF
from balance.settings import write_value

_LIBRARIES = ("cma", "numpy", "ribs")  # in which a search draws and steps


def head_lines(title: str, description: str, told: dict[str, Any], **keys: str) -> list[str]:
    """The first lines of a TOML file: what it is, and a table ``[training]`` with today's date."""
    return [
        *(
            f"{key} = {write_value(value)}"
            for key, value in {"title": title, "description": description, **keys}.items()
        ),
        "",
        "[training]",
        *(f"{key} = {write_value(value)}" for key, value in told.items()),
        f'date = "{date.today()}"',
        "",
    ]


def hash_contents(strategies: Sequence[Strategy]) -> dict[str, str]:
    """Return a hash of what each strategy is; titles and descriptions are no part of it."""
    return {f"strategy {each.name}": _hash(_without_words(each.describe())) for each in strategies}


def hash_starts(profiles: Mapping[str, Profile]) -> dict[str, str]:
    """Return a hash of what each profile is from which a search starts."""
    return {f"start {name}": _hash(_without_words(each.model_dump())) for name, each in profiles.items()}


def hash_sources_of(game: Game, styles: bool = False) -> dict[str, str]:
    """Return what else decides a training of a game: sources, libraries and, if wanted, the game's styles."""
    found = {
        "the package's sources": f"{source_hash(game.folder)}-{hash_sources([PACKAGE / 'training'])}",
        **{f"the library {name}": _version(name) for name in _LIBRARIES},
    }
    named = getattr(game.analytics, "STYLES", {}) if styles else {}
    return found | {f"style {name}": _hash(repr(style)) for name, style in named.items()}


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""


def _without_words(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    words = (*OF_ITSELF, "training")
    return {key: _without_words(each) for key, each in value.items() if key not in words}


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
