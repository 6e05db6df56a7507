"""The tables of a run: rows of the compiled loop to Parquet parts, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from balance.course import follow_course, lead_of
from balance.errors import BalanceError
from balance.experiments import Cell, LogLevel, Plan
from balance.simulate import STATUSES, Rows

TABLES = ("games", "seats", "rounds", "trace")
ROW_GROUP = 50_000


def tables_of(level: LogLevel) -> tuple[str, ...]:
    """The tables that a part of this log level has."""
    return TABLES[: {"games": 2, "rounds": 3, "trace": 4}[level]]


class RowWriter:
    """Turns the loop's rows into Arrow tables; one for each plan and cell.

    Parameters
    ----------
    plan : Plan
    cell : Cell
    """

    def __init__(self, plan: Plan, cell: Cell) -> None:
        self._cell = cell
        self._names = [strategy.name for strategy in plan.strategies]
        self._rules = cell.variant.rules
        self._labels = plan.game.module("labels")
        self._constants = plan.game.module("rules").game_columns(self._rules)

    def tables(self, rows: Rows, lineups: np.ndarray, count: int, traced: int) -> dict[str, pa.Table]:
        """Tables of the first `count` games of `rows`.

        Parameters
        ----------
        lineups : int16 array (n, players)
        traced : int
            Trace rows in use.
        """
        games, seats = rows.games[:count], rows.seats[: count * self._cell.players]
        course = {}
        if len(rows.rounds):
            most = int(games["rounds"].max())  # a race has room for many more rounds than it takes
            scores = rows.rounds["score"][:count, :most, : self._cell.players]
            won = seats["rank"].reshape(count, -1) == 1
            course = follow_course(scores, games["rounds"], won)
        tables = {
            "games": self._games(games, lineups[:count], course),
            "seats": self._seats(games, seats),
        }
        if len(rows.rounds):
            tables["rounds"] = self._rounds(games, rows.rounds[:count, :most])
        if len(rows.trace):
            tables["trace"] = self._trace(rows.trace[:traced])
        return tables

    def _games(self, games: np.ndarray, lineups: np.ndarray, course: dict[str, np.ndarray]) -> pa.Table:
        count = len(games)
        distinct, which = _distinct_rows(lineups)
        names = [",".join(self._names[number] for number in lineup) for lineup in distinct]
        columns: dict[str, Any] = {
            "game_id": games["game_id"],
            "variant": _constant(self._cell.variant.name, count),
            "players": np.full(count, self._cell.players, np.int8),
            "deck_seed": games["deck_seed"],
            "seed": games["seed"],
            "lineup": _coded(which, names),
            "rounds": games["rounds"],
            "decisions": games["decisions"],
            "status": _coded(games["status"], STATUSES),
            "winners": games["winners"],
            "margin": games["margin"],
            **course,
        }
        columns |= {name: _constant(value, count) for name, value in self._constants.items()}
        return _table(columns, games)

    def _seats(self, games: np.ndarray, seats: np.ndarray) -> pa.Table:
        columns: dict[str, Any] = {
            "game_id": np.repeat(games["game_id"], self._cell.players),
            "variant": _constant(self._cell.variant.name, len(seats)),
            "players": np.full(len(seats), self._cell.players, np.int8),
            "seat": seats["seat"],
            "strategy": _coded(seats["strategy"], self._names),
        }
        return _table(columns, seats)

    def _rounds(self, games: np.ndarray, rounds: np.ndarray) -> pa.Table:
        """`rounds` is (games, most rounds, most seats); those played are kept."""
        players = self._cell.players
        played = games["rounds"].astype(np.int64)
        kept = rounds[:, :, :players][np.arange(rounds.shape[1]) < played[:, None]]
        game = np.repeat(np.arange(len(games)), played)
        within = np.arange(len(game)) - np.repeat(np.cumsum(played) - played, played)
        columns: dict[str, Any] = {
            "game_id": np.repeat(games["game_id"][game], players),
            "round": np.repeat(within + 1, players).astype(np.int16),
            "seat": np.tile(np.arange(players, dtype=np.int8), len(game)),
            "lead": lead_of(rounds["score"][:, :, :players])[game, within].reshape(-1),
        }
        return _table(columns, kept.reshape(-1))

    def _trace(self, trace: np.ndarray) -> pa.Table:
        codes = pa.array(np.ascontiguousarray(trace["code"])).dictionary_encode()
        used = codes.dictionary.to_pylist()
        labels = [self._labels.write_label(code, self._rules) for code in used]
        kinds = [self._labels.kind_name(code) for code in used]
        distinct = sorted(set(kinds))
        kind_of = np.array([distinct.index(kind) for kind in kinds], np.int8)
        indices = codes.indices.to_numpy()
        columns: dict[str, Any] = {
            "game_id": trace["game_id"],
            "step": trace["step"],
            "round": trace["round"],
            "seat": trace["seat"],
            "kind": _coded(kind_of[indices] if len(used) else indices, distinct),
            "label": pa.DictionaryArray.from_arrays(codes.indices, pa.array(labels, pa.string())),
            "options": trace["options"],
        }
        return pa.table(columns)


def _distinct_rows(lineups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows of an integer matrix, and for each row which of them it is."""
    base = int(lineups.max(initial=0)) + 1
    keys = np.zeros(len(lineups), np.int64)
    for seat in range(lineups.shape[1]):
        keys = keys * base + lineups[:, seat]
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return lineups[first], which


def _constant(text: str, count: int) -> pa.DictionaryArray:
    return _coded(np.zeros(count, np.int8), [text])


def _coded(indices: np.ndarray, names: Sequence[str]) -> pa.DictionaryArray:
    """A column of strings from their numbers."""
    return pa.DictionaryArray.from_arrays(
        np.ascontiguousarray(indices, np.int32), pa.array(names, pa.string())
    )


def _table(columns: dict[str, Any], own: np.ndarray) -> pa.Table:
    """`columns`, then the fields of `own` that they lack."""
    for name in own.dtype.names or ():
        if name not in columns:
            columns[name] = own[name]
    return pa.table(
        {
            name: np.ascontiguousarray(column) if isinstance(column, np.ndarray) else column
            for name, column in columns.items()
        }
    )


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
