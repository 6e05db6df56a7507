"""`parts.jsonl`: a line for every part of a run, by which damage to its files is noticed.

The process that plays a run writes it, a line when a part is there; what is not listed is not read.
A line that a killed process left unfinished counts for nothing: its part is played again.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from balance.errors import BalanceError
from balance.log.files import append_line, replace_file

NAME = "parts.jsonl"
TABLES = ("games", "seats", "rounds", "trace", "luck")
_STEM = re.compile(r"cell(\d{3,9})-(\d{9,18})")


class FileFacts(NamedTuple):
    """What a file must be."""

    rows: int
    bytes: int
    sha256: str


class WrittenPart(NamedTuple):
    """A part that was written: games `first`..`last`-1 of a cell, its files by table, and how long a worker took."""

    stem: str
    files: Mapping[str, FileFacts]
    seconds: float

    @property
    def cell(self) -> int:
        """Number of its cell."""
        return int(self.stem[4:].split("-")[0])

    @property
    def first(self) -> int:
        """Its first game."""
        return int(self.stem.split("-")[1])

    @property
    def games(self) -> int:
        """Number of its games."""
        return self.files["games"].rows

    @property
    def last(self) -> int:
        """The game after its last."""
        return self.first + self.games


def part_path(run: Path, table: str, stem: str) -> Path:
    """Where a part's rows of one table lie."""
    return run / table / f"{stem}.parquet"


def is_stem(name: str) -> bool:
    """Whether a part could have this name."""
    return _STEM.fullmatch(name) is not None


def hash_file(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_line(part: WrittenPart) -> str:
    files = {table: facts._asdict() for table, facts in part.files.items()}
    return json.dumps({"part": part.stem, "seconds": part.seconds, "files": files})


def _read_line(line: bytes) -> WrittenPart:
    data: Any = json.loads(line)
    files = {table: FileFacts(**facts) for table, facts in data["files"].items()}
    for rows, size, digest in files.values():
        if type(rows) is not int or type(size) is not int or type(digest) is not str:
            raise ValueError("a fact of another type")
    if type(data["seconds"]) not in (int, float) or not 0 <= data["seconds"] < math.inf:
        raise ValueError("no time")
    if not is_stem(data["part"]) or not {"games", "seats"} <= set(files) <= set(TABLES):
        raise ValueError("no such part")
    return WrittenPart(data["part"], files, data["seconds"])


def append_part(run: Path, part: WrittenPart) -> None:
    """Add a part to the list."""
    append_line(run / NAME, _write_line(part))


def write_manifest(run: Path, parts: Iterable[WrittenPart]) -> None:
    """Write the whole list anew, in the order of the parts' names."""
    lines = [_write_line(part) + "\n" for part in sorted(parts, key=lambda part: part.stem)]
    replace_file(run / NAME, "".join(lines).encode())


def read_manifest(run: Path, skip_damaged: bool = False) -> list[WrittenPart]:
    """The parts that are listed, in the order of their names.

    Parameters
    ----------
    skip_damaged : bool
        Take a list that is missing, or lines that can't be read, for parts that are not there.

    Raises
    ------
    BalanceError
        The list is missing or damaged.
    """
    path = run / NAME
    try:
        lines = path.read_bytes().split(b"\n")[:-1]  # what has no end was being written
    except OSError as error:
        if skip_damaged:
            return []
        reason = "is missing" if isinstance(error, FileNotFoundError) else f"({error.strerror})"
        raise BalanceError(
            f"{path}, the list of the run's parts, {reason}; play them again with: "
            f"balance run --resume {run}"
        ) from None
    parts: dict[str, WrittenPart] = {}
    for number, line in enumerate(lines, 1):
        try:
            part = _read_line(line)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            if skip_damaged:
                continue
            raise BalanceError(
                f"{path}: line {number} is damaged; play its part again with: balance run --resume {run}"
            ) from None
        parts[part.stem] = part
    return sorted(parts.values(), key=lambda part: part.stem)
