"""Diaries: what a training found so far, from which it goes on when it was killed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from balance.errors import BalanceError
from balance.files import read_text
from balance.log.files import append_line, replace_file


class Diary:
    """What every generation was found to be worth, line by line, from which a killed training goes on.

    A search is a function of its seed and of what it was told: telling it the same again brings it to where it was.

    Parameters
    ----------
    path : Path or None
        None keeps nothing.
    told : dict
        What the training is of; a diary of another one is refused.
    """

    def __init__(self, path: Path | None, told: dict[str, Any]) -> None:
        self._path = path
        self._known: list[Any] = []
        if path is None:
            return
        head = json.dumps(told, sort_keys=True)
        if path.exists():
            self._known = self._read(path, head)
        lines = [head, *(json.dumps(each) for each in self._known)]
        replace_file(path, "".join(f"{line}\n" for line in lines).encode())  # without a torn line

    @staticmethod
    def _read(path: Path, head: str) -> list[Any]:
        first, *lines = read_text(path).split("\n")
        if first != head:
            raise BalanceError(
                f"{path}: is of another training; remove it, or write to another file with --out"
            )
        return [json.loads(line) for line in lines[:-1]]  # what follows the last line end is torn

    def recall(self, generation: int) -> np.ndarray | None:
        """What was found of a generation, if it was measured before."""
        return np.array(self._known[generation]) if generation < len(self._known) else None

    def note(self, found: np.ndarray) -> None:
        """Write what was found of the next generation."""
        if self._path is not None:
            append_line(self._path, json.dumps(found.tolist()))

    def remove(self) -> None:
        """Forget it all, once the result is written."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


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
