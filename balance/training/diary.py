"""Diaries: what a training found so far, from which it goes on when it was killed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from balance.errors import BalanceError
from balance.files import read_text
from balance.log.files import append_line, replace_file
from balance.plan.pooling import differences

_NAMED = 5  # of what has changed


class Diary:
    """What every generation was found to be worth, line by line, from which a killed training goes on.

    A search is a function of its seed and of what it was told: telling it the same again brings it to where it was.

    Parameters
    ----------
    path : Path or None
        None keeps nothing.
    told : dict
        What the training is of and what decides it, each under a name to be read in a message; a diary of another
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
        replace_file(path, "".join(f"{line}\n" for line in lines).encode())  # without a torn line

    @staticmethod
    def _read(path: Path, head: str, told: dict[str, Any]) -> list[Any]:
        first, *lines = read_text(path).split("\n")
        if first != head:
            raise _changed(path, first, told)
        found = []
        for number, line in enumerate(lines[:-1], 2):  # what follows the last line end is torn
            try:
                found.append(_read_line(line))
            except (ValueError, TypeError, RecursionError):
                raise BalanceError(
                    f"{path}: line {number} is damaged; remove it and the lines below it to keep what stands above, or "
                    f"the whole file to begin again"
                ) from None
        return found

    def recall(self, generation: int) -> np.ndarray | None:
        """What was found of a generation, if it was measured before."""
        return np.array(self._known[generation]) if generation < len(self._known) else None

    def note(self, found: np.ndarray) -> None:
        """Write what was found of the next generation."""
        if self._path is not None:
            append_line(self._path, _write_line(found.tolist()))

    def remove(self) -> None:
        """Forget it all, once the result is written."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _changed(path: Path, head: str, told: dict[str, Any]) -> BalanceError:
    """Return the error for a diary whose first line is of another training; names what differs."""
    try:
        names = differences(json.loads(head), json.loads(json.dumps(told)))
    except (ValueError, AttributeError, RecursionError):
        names = []
    more = ", ..." if len(names) > _NAMED else ""
    changed = f" (changed: {', '.join(names[:_NAMED])}{more})" if names else ""
    return BalanceError(
        f"{path}: is of another training{changed}; restore what was changed, or remove the file to start again, or "
        f"choose another --out"
    )


def _write_line(found: list[Any]) -> str:
    """What was found of a generation, and a checksum of it."""
    text = json.dumps(found)
    return f"{zlib.crc32(text.encode()):08x} {text}"


def _read_line(line: str) -> list[Any]:
    """What was found of a generation; ValueError where the line is not as it was written."""
    checksum, _, text = line.partition(" ")
    if int(checksum, 16) != zlib.crc32(text.encode()):
        raise ValueError("another checksum")
    found: list[Any] = json.loads(text)
    return found


NO_DIARY = Diary(None, {})
MakeDiary = Callable[[str], Diary]
"""From the stage of a training to its diary."""


def no_diaries(stage: str) -> Diary:
    """None is kept."""
    return NO_DIARY


class Diaries:
    """The diaries of a training: a file for each player count and stage, until its result is written.

    Parameters
    ----------
    beside : Path or None
        The files are named after this one; None keeps nothing.
    told : dict
        What the training is of, as in `Diary`.
    """

    def __init__(self, beside: Path | None, told: dict[str, Any]) -> None:
        self._beside, self._told = beside, told
        self._kept: list[Diary] = []

    def at(self, players: int) -> MakeDiary:
        """What opens the diary of a stage for a player count."""
        return partial(self._open, players)

    def _open(self, players: int, stage: str) -> Diary:
        if self._beside is None:
            return NO_DIARY
        path = self._beside.with_name(f"{self._beside.name}.{players}.{stage}.diary")
        self._kept.append(Diary(path, {**self._told, "players": players, "stage": stage}))
        return self._kept[-1]

    def remove(self) -> None:
        """Forget them all, once the result is written."""
        for each in self._kept:
            each.remove()
