"""`parts.jsonl`: a line for every part of a run, by which damage to its files is noticed.

The process that plays a run writes it, a line when a part is there; what is not listed is not read.
A line that a killed process left unfinished counts for nothing: its part is played again.

Every line has the identity of its run (`balance.log.identity`), and `run.json` of a finished run has a hash of the
lines of all parts, so that files of another run are noticed. A table that a command adds to the run has a line too.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from balance.errors import BalanceError
from balance.files import read_bytes
from balance.log.files import append_line, replace_file

NAME = "parts.jsonl"
_MOST_BYTES = 1_000_000_000
TABLES = ("games", "seats", "rounds", "trace", "luck")
ADDED = ("components", "decisions")
"""Tables that commands of these names add to a run."""
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


class Bond(NamedTuple):
    """What binds a list of parts to its run.

    Attributes
    ----------
    identity : str
        Of the run, see `balance.log.identity.identify`.
    parts_hash : str or None
        What `run.json` of a finished run has as the hash of the list; None: the list may still grow.
    """

    identity: str
    parts_hash: str | None = None


class AddedTable(NamedTuple):
    """A table that a command added to the run, one of `ADDED`."""

    name: str
    facts: FileFacts


class Listed(NamedTuple):
    """What a list has: parts in the order of their names, and added tables.

    An added table is there twice for as long as its new file takes the place of its old one.
    """

    parts: Sequence[WrittenPart]
    added: Sequence[AddedTable] = ()


def part_path(run: Path, table: str, stem: str) -> Path:
    """Where a part's rows of one table lie."""
    return run / table / f"{stem}.parquet"


def added_path(run: Path, name: str) -> Path:
    """Return where a table lies that a command adds to the run."""
    return run / f"{name}.parquet"


def is_stem(name: str) -> bool:
    """Whether a part could have this name."""
    return _STEM.fullmatch(name) is not None


def hash_file(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_part(part: WrittenPart, identity: str) -> str:
    files = {table: facts._asdict() for table, facts in part.files.items()}
    return json.dumps({"part": part.stem, "seconds": part.seconds, "files": files, "run": identity})


def _write_added(added: AddedTable, identity: str) -> str:
    return json.dumps({"table": added.name, "file": added.facts._asdict(), "run": identity})


def _read_facts(data: Any) -> FileFacts:
    facts = FileFacts(**data)
    if type(facts.rows) is not int or type(facts.bytes) is not int or type(facts.sha256) is not str:
        raise ValueError("a fact of another type")
    return facts


def _read_line(line: bytes) -> tuple[str, WrittenPart | AddedTable]:
    """Return the identity of the run that wrote a line, and what the line lists."""
    data: Any = json.loads(line)
    if "table" in data:
        if data["table"] not in ADDED:
            raise ValueError("no such table")
        return data["run"], AddedTable(data["table"], _read_facts(data["file"]))
    files = {table: _read_facts(facts) for table, facts in data["files"].items()}
    if type(data["seconds"]) not in (int, float) or not 0 <= data["seconds"] < math.inf:
        raise ValueError("no time")
    if not is_stem(data["part"]) or not {"games", "seats"} <= set(files) <= set(TABLES):
        raise ValueError("no such part")
    return data["run"], WrittenPart(data["part"], files, data["seconds"])


def append_part(run: Path, part: WrittenPart, identity: str) -> None:
    """Add a part to the list."""
    append_line(run / NAME, _write_part(part, identity))


def append_added(run: Path, added: AddedTable, identity: str) -> None:
    """Add a table that a command adds to the run to the list."""
    append_line(run / NAME, _write_added(added, identity))


def _order(parts: Iterable[WrittenPart]) -> list[WrittenPart]:
    return sorted(parts, key=lambda part: part.stem)


def write_manifest(run: Path, listed: Listed, identity: str) -> None:
    """Write the whole list again, in the order of the parts' names."""
    lines = [_write_part(part, identity) for part in _order(listed.parts)]
    lines += [_write_added(each, identity) for each in listed.added]
    replace_file(run / NAME, "".join(f"{line}\n" for line in lines).encode())


def hash_parts(parts: Iterable[WrittenPart], identity: str) -> str:
    """Return a SHA-256 of the lines of all parts, in the order of their names."""
    digest = hashlib.sha256()
    for part in _order(parts):
        digest.update(f"{_write_part(part, identity)}\n".encode())
    return digest.hexdigest()


def read_manifest(run: Path, bond: Bond, skip_damaged: bool = False) -> Listed:
    """Return what is listed, bound to the run.

    Parameters
    ----------
    skip_damaged : bool
        Whether to pass over what a resumed run plays again: a list that is missing, lines that can't be read or are
        not those with which the run was finished.

    Raises
    ------
    BalanceError
        The list is missing or damaged, or it has a line of another run.
    """
    parts: dict[str, WrittenPart] = {}
    added: list[AddedTable] = []
    for number, line in enumerate(_read_lines(run, skip_damaged), 1):
        try:
            identity, entry = _read_line(line)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            if skip_damaged:
                continue
            raise BalanceError(
                f"{run / NAME}: line {number} is damaged; play its part again with: "
                f"balance run --resume {run}"
            ) from None
        if identity != bond.identity:
            raise BalanceError(
                f"{run / NAME}: line {number} is of another run than {run / 'run.json'}; put back the files of this "
                f"run, or remove the folder and play the experiment again"
            )
        if isinstance(entry, WrittenPart):
            parts[entry.stem] = entry
        else:
            added.append(entry)
    if not skip_damaged and bond.parts_hash not in (None, hash_parts(parts.values(), bond.identity)):
        raise BalanceError(
            f"{run / NAME} is not the list with which {run} was finished; if the run is being extended wait until it "
            f"is finished, else play what is missing with: balance run --resume {run}"
        )
    return Listed(_order(parts.values()), added)


def _read_lines(run: Path, skip_damaged: bool) -> list[bytes]:
    path = run / NAME
    remedy = f"play its parts again with: balance run --resume {run}"
    try:
        return read_bytes(path, _MOST_BYTES).split(b"\n")[:-1]  # what has no end was being written
    except BalanceError as error:
        if skip_damaged:
            return []
        raise BalanceError(f"{error}, the list of the run's parts; {remedy}") from None
