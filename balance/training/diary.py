"""Diaries: the results of a training so far, from which it resumes; and the head of a trained file."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game, styles_of
from balance.experiments.networks import Network
from balance.experiments.profiles import Profile
from balance.experiments.saved_plan import differences
from balance.experiments.strategies import Strategy
from balance.experiments.variants import OF_ITSELF
from balance.foundation.compiling import PACKAGE, hash_sources, source_hash
from balance.foundation.errors import BalanceError
from balance.foundation.files import append_line, read_text, replace_file
from balance.foundation.language import tr
from balance.foundation.toml import write_value

_LIBRARIES = ("cma", "numpy", "ribs")  # libraries that a search depends on


def head_lines(title: str, description: str, told: dict[str, Any], **keys: str) -> list[str]:
    """Return the first lines of a TOML file: title, description, and a table ``[training]`` with today's date."""
    head = {"title": title, "description": description, **keys}
    lines, training = ([f"{key} = {write_value(value)}" for key, value in each.items()] for each in (head, told))
    return [*lines, "", "[training]", *training, f'date = "{date.today()}"', ""]


def hash_contents(strategies: Sequence[Strategy]) -> dict[str, str]:
    """Return a hash of each strategy without titles and descriptions."""
    return {f"strategy {each.name}": _hash(_without_words(each.describe())) for each in strategies}


def hash_starts(starts: Mapping[str, Profile | Network]) -> dict[str, str]:
    """Return a hash of each profile or network from which a training starts."""
    return {f"start {name}": _hash(_without_words(each.model_dump())) for name, each in starts.items()}


def hash_sources_of(game: Game, styles: bool = False) -> dict[str, str]:
    """Return hashes of what else decides a training: sources, libraries and, if wanted, the game's styles."""
    found = {
        "the package's sources": f"{source_hash(game.folder)}-{hash_sources([PACKAGE / 'training'])}",
        **{f"the library {name}": library_version(name) for name in _LIBRARIES},
    }
    named = styles_of(game) if styles else {}
    return found | {f"style {name}": _hash(repr(style)) for name, style in named.items()}


def library_version(library: str) -> str:
    """Return the version of an installed library."""
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


_NAMED = 5  # changes named in an error


class Diary:
    """The fitness of every generation, line by line, from which a killed training resumes.

    A search depends only on its seed and the fitness values that it gets: the same values restore its state. Without a
    path nothing is kept. `told` is everything that decides the training, by names for messages; a diary of another
    training is refused.
    """

    def __init__(self, path: Path | None, told: dict[str, Any]) -> None:
        self._path = path
        self._known: list[Any] = []
        if path is None:
            return
        head = json.dumps(told, sort_keys=True)
        if path.exists():
            self._known = self._read(path, head, told)
        lines = [head, *map(_write_line, self._known)]
        replace_file(path, "".join(f"{line}\n" for line in lines).encode())  # without an incomplete line

    @staticmethod
    def _read(path: Path, head: str, told: dict[str, Any]) -> list[Any]:
        first, *lines = read_text(path).split("\n")
        if first != head:
            raise other_training(path, first, told)
        found = []
        for number, line in enumerate(lines[:-1], 2):  # text after the last line end is incomplete
            try:
                found.append(_read_line(line))
            except (ValueError, TypeError, RecursionError):
                raise BalanceError(
                    tr(
                        "{path}: line {line} is damaged; remove it and the lines below it to keep the lines above, or "
                        "the whole file to start again",
                        path=path,
                        line=number,
                    )
                ) from None
        return found

    def recall(self, generation: int) -> np.ndarray | None:
        """Return the result of a generation, None if it is not in the diary."""
        return np.array(self._known[generation]) if generation < len(self._known) else None

    def note(self, found: np.ndarray) -> None:
        """Write the result of the next generation."""
        if self._path is not None:
            append_line(self._path, _write_line(found.tolist()))

    def remove(self) -> None:
        """Remove the diary, once the result is written."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def other_training(path: Path, head: str, told: dict[str, Any]) -> BalanceError:
    """Return the error for what another training, told in `head`, left in `path`; it names the differences."""
    try:
        names = differences(json.loads(head), json.loads(json.dumps(told)))
    except (ValueError, AttributeError, RecursionError):
        names = []
    more = ", ..." if len(names) > _NAMED else ""
    if not names:
        return BalanceError(
            tr("{path}: belongs to another training; remove it to start again, or choose another --out", path=path)
        )
    return BalanceError(
        tr(
            "{path}: belongs to another training (changed: {names}); undo the changes, or remove it to start again, "
            "or choose another --out",
            path=path,
            names=", ".join(names[:_NAMED]) + more,
        )
    )


def _write_line(found: list[Any]) -> str:
    """Return the line of a generation's result, with a checksum."""
    text = json.dumps(found)
    return f"{zlib.crc32(text.encode()):08x} {text}"


def _read_line(line: str) -> list[Any]:
    """Return a generation's result; ValueError if the line is damaged."""
    checksum, _, text = line.partition(" ")
    if int(checksum, 16) != zlib.crc32(text.encode()):
        raise ValueError("another checksum")
    found: list[Any] = json.loads(text)
    return found


NO_DIARY = Diary(None, {})
MakeDiary = Callable[[str], Diary]
"""A function from the stage of a training to its diary."""


def no_diaries(stage: str) -> Diary:
    """Return a diary that keeps nothing."""
    return NO_DIARY


class Diaries:
    """The diaries of a training: a file for each player count and stage, until its result is written.

    The files are named after the result; None keeps nothing. `told` is everything that decides the training, as in
    `Diary`.
    """

    def __init__(self, result: Path | None, told: dict[str, Any]) -> None:
        self._result, self._told = result, told
        self._kept: list[Diary] = []

    def at(self, players: int) -> MakeDiary:
        """Return a function that opens the diary of a stage for a player count."""
        return partial(self._open, players)

    def _open(self, players: int, stage: str) -> Diary:
        if self._result is None:
            return NO_DIARY
        path = self._result.with_name(f"{self._result.name}.{players}.{stage}.diary")
        self._kept.append(Diary(path, {**self._told, "players": players, "stage": stage}))
        return self._kept[-1]

    def remove(self) -> None:
        """Remove all diaries, once the result is written."""
        for each in self._kept:
            each.remove()
