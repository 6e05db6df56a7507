"""The Parquet parts of a run: their names, written whole or not at all, and whether they are whole."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from balance.errors import BalanceError
from balance.files import reason
from balance.plan.experiment import LogLevel
from balance.plan.plan import Part

TABLES = ("games", "seats", "rounds", "trace")
ROW_GROUP = 50_000


def tables_of(level: LogLevel) -> tuple[str, ...]:
    """The tables that a part of this log level has."""
    return TABLES[: {"games": 2, "rounds": 3, "trace": 4}[level]]


def name_part(part: Part) -> str:
    """Stem of a part's files."""
    return f"cell{part.cell:03d}-{part.first:09d}"


class WrittenPart(NamedTuple):
    """A part that is there: games `first`..`last`-1 of a cell."""

    cell: int
    first: int
    last: int
    stem: str


def list_parts(run: Path) -> list[WrittenPart]:
    """The parts of a run that are there, in the order of their names.

    Raises
    ------
    BalanceError
        One is cut short or not of this package, or there is none.
    """
    found = []
    for path in sorted((run / "games").glob("*.parquet")):
        name = re.fullmatch(r"cell(\d{3,})-(\d{9,})", path.stem)
        if name is None:
            continue  # not of this package
        rows = check_part(path, "games", run)
        for table in TABLES[1:]:
            if (other := part_path(run, table, path.stem)).exists():
                check_part(other, table, run)
        cell, first = map(int, name.groups())
        found.append(WrittenPart(cell, first, first + rows, path.stem))
    if not found:
        raise BalanceError(f"{run} has no games yet")
    return found


def damaged(path: Path, run: Path) -> BalanceError:
    """The error for a part that can't be read."""
    return BalanceError(f"{path} is cut short; play it again with: balance run --resume {run}")


def check_part(path: Path, table: str, run: Path) -> int:
    """The rows of a part's file, which has the columns that every game's have, and of their types.

    Raises
    ------
    BalanceError
        It is cut short, is someone else's, or may not be read.
    """
    try:
        file = pq.read_metadata(path)
        schema = file.schema.to_arrow_schema()
    except PermissionError as error:
        raise BalanceError(f"cannot read {path}: {reason(error)}") from None
    except (OSError, pa.ArrowException):
        raise damaged(path, run) from None
    for name, is_right in _COLUMNS[table].items():
        if name not in schema.names or not is_right(schema.field(name).type):
            raise BalanceError(f"{path} is not of this package: its column {name} is missing or odd")
    return int(file.num_rows)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


_WHOLE, _TEXT = pa.types.is_integer, pa.types.is_string
_IN_ALL = {"game_id": _WHOLE}
_COLUMNS = {
    "games": _IN_ALL
    | dict.fromkeys(("tier", "variant", "lineup", "status"), _TEXT)
    | dict.fromkeys(("players", "deck_seed", "seed", "rounds", "decisions", "winners"), _WHOLE)
    | {"margin": _is_number},
    "seats": _IN_ALL
    | dict.fromkeys(("tier", "variant", "strategy"), _TEXT)
    | dict.fromkeys(("players", "seat", "rank"), _WHOLE)
    | dict.fromkeys(("score", "win_share"), _is_number),
    "rounds": _IN_ALL
    | dict.fromkeys(("round", "seat"), _WHOLE)
    | dict.fromkeys(("lead", "score"), _is_number),
    "trace": _IN_ALL
    | dict.fromkeys(("step", "round", "seat", "options"), _WHOLE)
    | dict.fromkeys(("kind", "label"), _TEXT),
}


def part_path(run: Path, table: str, part: str) -> Path:
    """Where a part's rows of one table lie."""
    return run / table / f"{part}.parquet"


@contextmanager
def write_part(run: Path, part: str, tables: Sequence[str]) -> Iterator[PartWriter]:
    """Write a part: under temporary names, renamed when whole, `games` last.

    So a part is whole if, and only if, its `games` file is there. Whatever goes wrong, no temporary
    file is left.
    """
    writer = PartWriter(run, part, tables)
    try:
        yield writer
        writer.finish()
    except OSError as error:
        raise BalanceError(
            f"cannot write {run}: {error.strerror or error}; finished parts are safe, "
            f"go on with: balance run --resume {run}"
        ) from error
    finally:
        writer.remove_temporary()


def _repeating(schema: pa.Schema) -> list[str]:
    """Columns whose values repeat: all but 64-bit identifiers and seeds."""
    return [field.name for field in schema if field.type not in (pa.int64(), pa.uint64())]


class PartWriter:
    """The open files of one part."""

    def __init__(self, run: Path, part: str, tables: Sequence[str]) -> None:
        self._final = {table: part_path(run, table, part) for table in tables}
        self._temporary = {
            table: path.with_name(f".{path.name}.tmp") for table, path in self._final.items()
        }
        self._files: dict[str, pq.ParquetWriter] = {}

    def write(self, tables: dict[str, pa.Table]) -> None:
        """Append rows."""
        for name, table in tables.items():
            if name not in self._files:
                self._final[name].parent.mkdir(parents=True, exist_ok=True)
                self._files[name] = pq.ParquetWriter(
                    self._temporary[name],
                    table.schema,
                    compression="zstd",
                    use_dictionary=_repeating(table.schema),
                    store_schema=False,  # so that strings are read as strings
                )
            self._files[name].write_table(table, row_group_size=ROW_GROUP)

    def finish(self) -> None:
        """Close all files, then give them their names."""
        self._close()
        for name in reversed(self._final):
            os.replace(self._temporary[name], self._final[name])

    def _close(self) -> None:
        while self._files:
            self._files.popitem()[1].close()

    def remove_temporary(self) -> None:
        """Drop whatever was not finished."""
        with suppress(OSError):  # the disk is full: what is open is dropped anyway
            self._close()
        for path in self._temporary.values():
            path.unlink(missing_ok=True)


def count_rows(path: Path) -> int | None:
    """Rows of a Parquet file, or None if it is missing or cut short."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except (OSError, pa.ArrowInvalid):
        return None


def is_whole(run: Path, part: str, games: int, players: int, tables: Iterable[str]) -> bool:
    """Whether all files of a part are there and readable, with as many rows as must be."""
    expected = {"games": games, "seats": games * players}
    for table in tables:
        rows = count_rows(part_path(run, table, part))
        if rows is None or rows != expected.get(table, rows):
            return False
    return True
