"""The files of a run held against the list of its parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from balance.errors import BalanceError
from balance.files import reason
from balance.log.manifest import (
    TABLES,
    FileFacts,
    WrittenPart,
    hash_file,
    is_stem,
    part_path,
    read_manifest,
)

_READERS = 8  # files read at a time; hashing holds no lock of Python's


class Fault(NamedTuple):
    """A file that is not what it must be."""

    path: Path
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path} {self.what}; {self.remedy}"


def play_again(run: Path) -> str:
    """How to mend a part."""
    return f"play it again with: balance run --resume {run}"


def whole_parts(run: Path, checksums: bool, cells: Collection[int] | None = None) -> list[WrittenPart]:
    """The parts of a run, all of them as they were written.

    Parameters
    ----------
    checksums : bool
        Whether to read every file for its checksum; if not, its size and number of rows must do.
    cells : collection of int or None
        Numbers of the cells whose parts are wanted; None for all.

    Raises
    ------
    BalanceError
        One is missing or damaged, or there is none yet.
    """
    parts = [part for part in read_manifest(run) if cells is None or part.cell in cells]
    if not parts:
        raise BalanceError(f"{run} has no games yet")
    for fault in find_faults(run, parts, checksums):
        raise BalanceError(str(fault))
    return parts


def find_faults(run: Path, parts: Sequence[WrittenPart], checksums: bool = True) -> Iterator[Fault]:
    """What is missing, damaged or swapped among the files of `parts`."""
    files = list(_files(run, parts))
    known = {facts.sha256: path for path, facts in files}

    def look(file: tuple[Path, FileFacts]) -> Fault | None:
        what = _find_fault(*file, known if checksums else None)
        return Fault(file[0], what, play_again(run)) if what else None

    with ThreadPoolExecutor(_READERS) as pool:
        yield from filter(None, pool.map(look, files))


def _files(run: Path, parts: Iterable[WrittenPart]) -> Iterator[tuple[Path, FileFacts]]:
    for part in parts:
        for table, facts in part.files.items():
            yield part_path(run, table, part.stem), facts


def _find_fault(path: Path, facts: FileFacts, known: dict[str, Path] | None) -> str | None:
    """What is wrong with a file; `known` are the files of all checksums, or None to go by size and rows."""
    try:
        size = path.stat().st_size
        if known is not None and (digest := hash_file(path)) != facts.sha256 and digest in known:
            return f"is swapped: it is what {known[digest]} was"
        if size < facts.bytes:
            return f"is cut short ({size:,} of {facts.bytes:,} bytes)"
        same = known is None or digest == facts.sha256
        if not same or size != facts.bytes or count_rows(path) != facts.rows:
            return "is damaged: it is not what was written"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {reason(error)}"
    return None


def count_rows(path: Path) -> int | None:
    """Rows of a Parquet file, or None if its end can't be read."""
    try:
        with path.open("rb") as file:
            return int(pq.read_metadata(file).num_rows)
    except pa.ArrowException:
        return None


def find_foreign(run: Path, parts: Sequence[WrittenPart], finished: bool) -> Iterator[Fault]:
    """Files among the tables that belong to none of `parts`.

    Of a run that is not finished, a part may be there that is not listed yet.
    """
    listed = {path for path, _ in _files(run, parts)}
    folders = [run / table for table in TABLES if (run / table).is_dir()]
    for path in chain.from_iterable(sorted(folder.iterdir()) for folder in folders):
        coming = not finished and is_stem(path.stem) and path.suffix == ".parquet"
        if path not in listed and not coming and not path.name.startswith("."):
            yield Fault(path, "is no part of this run", "it is not read; remove it")
