"""The Parquet files of a part, written completely or not at all."""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from balance.experiments.experiment import LogLevel
from balance.experiments.plan import Part
from balance.foundation.files import make_folder, open_fresh, writing
from balance.foundation.language import tr
from balance.runs.manifest import TABLES, FileFacts, WrittenPart, hash_file, part_path

ROW_GROUP = 200_000
RUN_KEY = "balance.run"
"""Key of a Parquet file's metadata that names its run, see `name_run`."""


def tables_of(level: LogLevel, luck: bool) -> tuple[str, ...]:
    """Return the tables of a part with this log level; `luck`: its games are also played again."""
    tables = TABLES[: {"games": 2, "rounds": 3, "trace": 4}[level]]
    return (*tables, "luck") if luck else tables


def name_part(part: Part) -> str:
    """Return the stem of a part's file names."""
    return f"cell{part.cell:03d}-{part.first:09d}"


def name_run(identity: str) -> str:
    """Return the identity of a run with a checksum, so that a damaged identity is not mistaken for another run."""
    return identity + hashlib.sha256(identity.encode()).hexdigest()[:8]


def say_resume(run: object) -> str:
    """Return how to resume a run after an error, to follow its text."""
    return tr("; finished parts are safe, resume with: {command}", command=f"balance run --resume {run}")


@contextmanager
def write_part(run: Path, part: str, tables: Sequence[str], identity: str) -> Iterator[PartWriter]:
    """Write a part of the run with this identity under temporary names, then rename its files, `games` last.

    No temporary file is left behind after an error.
    """
    writer = PartWriter(run, part, tables, identity)
    try:
        with writing(run, say_resume(run)):
            yield writer
            writer.finish()
    finally:
        writer.remove_temporary()


def _options(table: str, schema: pa.Schema) -> dict[str, Any]:
    """Return how to write a table: small files, and the many columns of a trace fast.

    Numbers that count up are written as differences, all others except 64-bit seeds with a dictionary. Of a trace,
    only the columns by which it is read in chunks have statistics, which took a quarter of the time to write it.
    """
    counting = [name for name in ("game_id", "step") if name in schema.names]
    wide = [*counting, *(field.name for field in schema if field.type in (pa.int64(), pa.uint64()))]
    return {
        "compression": "zstd",
        "use_dictionary": [name for name in schema.names if name not in wide],
        "column_encoding": dict.fromkeys(counting, "DELTA_BINARY_PACKED"),
        "write_statistics": counting if table == "trace" else True,
        "write_batch_size": 8192,
    }


class PartWriter:
    """The open files of one part."""

    written: WrittenPart  # once it is finished

    def __init__(self, run: Path, part: str, tables: Sequence[str], identity: str) -> None:
        self._identity = identity
        self._part, self._began = part, time.perf_counter()
        self._final = {table: part_path(run, table, part) for table in tables}
        self._temporary: dict[str, Path] = {}
        self._files: dict[str, tuple[pq.ParquetWriter, BinaryIO]] = {}
        self._rows: Counter[str] = Counter()

    def write(self, tables: dict[str, pa.Table]) -> None:
        """Append rows."""
        for name, table in tables.items():
            if name not in self._files:
                self._open(name, table.schema)
            self._files[name][0].write_table(table, row_group_size=ROW_GROUP)
            self._rows[name] += table.num_rows

    def _open(self, name: str, schema: pa.Schema) -> None:
        folder = self._final[name].parent
        make_folder(folder)
        self._temporary[name], file = open_fresh(folder)
        try:
            # Without its own schema Arrow reads strings as strings.
            writer = pq.ParquetWriter(file, schema, **_options(name, schema), store_schema=False)
        except BaseException:
            file.close()
            raise
        self._files[name] = writer, file

    def finish(self) -> None:
        """Close all files, then give them their final names."""
        while self._files:
            writer, file = self._files.popitem()[1]
            with file:
                writer.add_key_value_metadata({RUN_KEY: name_run(self._identity)})
                writer.close()
        facts = {
            name: FileFacts(self._rows[name], path.stat().st_size, hash_file(path))
            for name, path in self._temporary.items()
        }
        for name in reversed(self._final):
            os.replace(self._temporary[name], self._final[name])
        self.written = WrittenPart(self._part, facts, round(time.perf_counter() - self._began, 3))

    def remove_temporary(self) -> None:
        """Remove unfinished files."""
        while self._files:
            writer, file = self._files.popitem()[1]
            with suppress(OSError), file:  # the disk is full; the open file is dropped anyway
                writer.close()
        for path in self._temporary.values():
            path.unlink(missing_ok=True)
