"""Verify the files of a run against the list of its parts."""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from balance.foundation.errors import BalanceError, DamagedRunError
from balance.foundation.files import read_bytes, reason
from balance.foundation.language import tr
from balance.runs.manifest import (
    ADDED,
    TABLES,
    AddedTable,
    Bond,
    FileFacts,
    WrittenPart,
    added_path,
    hash_file,
    is_stem,
    part_path,
    read_manifest,
)
from balance.runs.parts import RUN_KEY, name_run

_READ_ANYWAY = 1_000_000_000  # bytes; a file up to this size is always read
_READERS = 8  # files read at a time; hashing releases Python's lock
_FOOTER = 65_536  # bytes at the end of a Parquet file that contain its metadata
_WRITTEN_BY = re.compile(RUN_KEY.encode() + rb".{2}(([0-9a-f]{64})[0-9a-f]{8})", re.DOTALL)


class Fault(NamedTuple):
    """A file with a fault, and its remedy."""

    path: Path
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path} {self.what}; {self.remedy}"


def _repair_command(run: Path) -> str:
    """Return how to repair a part."""
    return tr("play it again with: {command}", command=f"balance run --resume {run}")


def whole_parts(run: Path, bond: Bond, checksums: bool, cells: Collection[int] | None = None) -> list[WrittenPart]:
    """Return the parts of a run after checking that their files are intact; `cells` None stands for all cells.

    With `checksums`, the checksum of every file is verified; otherwise only its size and number of rows.
    """
    listed = read_manifest(run, bond).parts
    parts = [part for part in listed if cells is None or part.cell in cells]
    if not parts:
        raise BalanceError(tr("{run} has no games yet", run=run))
    for fault in find_faults(run, parts, bond.identity, checksums):
        raise DamagedRunError(str(fault))
    return parts


def find_faults(run: Path, parts: Sequence[WrittenPart], identity: str, checksums: bool = True) -> Iterator[Fault]:
    """Yield the faults of the files of `parts`: missing, damaged, swapped or from another run."""
    files = list(_files(run, parts))
    known = {facts.sha256: path for path, facts in files}
    longest = max([_READ_ANYWAY, *(facts.bytes for _, facts in files)])

    def look(file: tuple[Path, FileFacts]) -> Fault | None:
        what = _refuse_reading(file[0], longest)
        if what:
            return Fault(file[0], what, _repair_command(run))
        what = _find_fault(*file, known if checksums else None)
        if what and _is_of_another(file[0], identity):
            return _another_run(run, file[0])
        return Fault(file[0], what, _repair_command(run)) if what else None

    with ThreadPoolExecutor(_READERS) as pool:
        yield from filter(None, pool.map(look, files))


def find_other_runs(run: Path, kept: Collection[str], identity: str) -> Iterator[Fault]:
    """Yield the files of another run in the place of parts, except those with stems in `kept`."""
    for table in TABLES:
        for path in sorted((run / table).glob("*.parquet")):
            unknown = is_stem(path.stem) and path.stem not in kept
            if unknown and _is_of_another(path, identity):
                yield _another_run(run, path)


def _another_run(run: Path, path: Path) -> Fault:
    remedy = tr("restore this run's own file, or move it away and {remedy}", remedy=_repair_command(run))
    return Fault(path, tr("belongs to another run"), remedy)


def _is_of_another(path: Path, identity: str) -> bool:
    """Return whether a file's metadata name another run; a damaged file is not parsed."""
    if not path.is_file():  # a pipe would block
        return False
    try:
        with path.open("rb") as file:
            file.seek(-min(_FOOTER, path.stat().st_size), 2)
            found = _WRITTEN_BY.search(file.read())
    except OSError:
        return False
    if found is None or found[1].decode() != name_run(found[2].decode()):
        return False
    return found[2].decode() != identity


def _files(run: Path, parts: Iterable[WrittenPart]) -> Iterator[tuple[Path, FileFacts]]:
    for part in parts:
        for table, facts in part.files.items():
            yield part_path(run, table, part.stem), facts


def _refuse_reading(path: Path, longest: int) -> str | None:
    """Return the fault of a file that would take forever, or hours, to read; None if it can be read."""
    try:
        found = path.stat()
    except OSError:
        return None  # reading it reports the error
    if not stat.S_ISREG(found.st_mode):
        return tr("is not a regular file")
    is_larger = found.st_size > longest
    return tr("is damaged: it is larger than any file of the run") if is_larger else None


def _find_fault(path: Path, facts: FileFacts, known: dict[str, Path] | None) -> str | None:
    """Return the fault of a file; `known` maps all checksums to files, or is None to check only size and rows."""
    try:
        size = path.stat().st_size
        if known is not None and (digest := hash_file(path)) != facts.sha256 and digest in known:
            return tr("is swapped: it has the content of {path}", path=known[digest])
        if size < facts.bytes:
            return tr("is cut short ({size:,} of {all:,} bytes)", size=size, all=facts.bytes)
        same = known is None or digest == facts.sha256
        if not same or size != facts.bytes or _count_rows(path) != facts.rows:
            return tr("is damaged: its checksum is wrong")
    except FileNotFoundError:
        return tr("is missing")
    except OSError as error:
        return tr("cannot be read: {why}", why=reason(error))
    return None


def _count_rows(path: Path) -> int | None:
    """Return the number of rows of a Parquet file, or None if its end can't be read."""
    try:
        with path.open("rb") as file:
            return int(pq.read_metadata(file).num_rows)
    except MemoryError:
        raise
    except pa.ArrowException:
        return None


def find_foreign(run: Path, parts: Sequence[WrittenPart], finished: bool) -> Iterator[Fault]:
    """Yield files among the tables that do not belong to `parts`.

    An unfinished run may have a part that is not listed yet.
    """
    listed = {path for path, _ in _files(run, parts)}
    folders = [run / table for table in TABLES if (run / table).is_dir()]
    for path in chain.from_iterable(sorted(folder.iterdir()) for folder in folders):
        coming = not finished and is_stem(path.stem) and path.suffix == ".parquet"
        if path not in listed and not coming and not path.name.startswith("."):
            yield Fault(path, tr("is not part of this run"), tr("it is not read; remove it"))


def find_added_faults(run: Path, added: Sequence[AddedTable], identity: str) -> Iterator[Fault]:
    """Yield the faults of tables that commands added to a run; a removed table is not a fault."""
    for name in ADDED:
        found = read_added(run, name, added, identity)
        if isinstance(found, Fault):
            yield found


def read_added(run: Path, name: str, added: Sequence[AddedTable], identity: str) -> bytes | Fault | None:
    """Return the content of an added table if it is intact, otherwise its fault; None if there is no file."""
    path = added_path(run, name)
    remedy = tr("remove it, and make it again with: {command}", command=f"{ADDED[name]} {run}")
    if not path.exists():
        return None
    try:
        content = read_bytes(path, _READ_ANYWAY)
    except BalanceError as error:
        return Fault(path, tr("is not a file of the run ({why})", why=error), remedy)
    listed = [each.facts for each in added if each.name == name]
    if hashlib.sha256(content).hexdigest() in {facts.sha256 for facts in listed}:
        return content
    if _is_of_another(path, identity):
        return Fault(path, tr("belongs to another run"), remedy)
    if listed:
        return Fault(path, tr("is damaged: its checksum is wrong"), remedy)
    return Fault(path, tr("is not listed among the run's files"), remedy)
