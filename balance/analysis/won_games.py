"""SQL over the games of some cells that ended with a winner, in batches of files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import duckdb
import pandas as pd

from balance.experiments.plan import Cell
from balance.runs.database import open_database, reading, scan
from balance.runs.folder import RunFolder
from balance.runs.manifest import WrittenPart, part_path
from balance.runs.verify import whole_parts

BATCH_GAMES = 100_000


class WonGames:
    """The games of some parts of a run that ended with a winner; draws and truncated games are left out."""

    def __init__(
        self, run: RunFolder, parts: Sequence[WrittenPart], connection: duckdb.DuckDBPyConnection
    ) -> None:
        self._run, self._parts, self._connection = run, parts, connection
        self._counts: dict[bool, int] = {}

    @property
    def has_rounds(self) -> bool:
        """Whether some of the games have logged rounds."""
        return any("rounds" in part.files for part in self._parts)

    def count(self, rounds: bool = False) -> int:
        """Return the number of games; with `rounds`, of those with logged rounds."""
        if rounds not in self._counts:
            found = self.ask("SELECT count(*) AS games FROM won", rounds=rounds)
            self._counts[rounds] = int(found["games"].sum())
        return self._counts[rounds]

    def ask(
        self, sql: str, rounds: bool = False, joined: Mapping[str, pd.DataFrame] | None = None
    ) -> pd.DataFrame:
        """Run a query on each batch and return the concatenated rows.

        The query is over the views `won` (the games) and `seats`, and over the tables that are `joined`. With `rounds`
        it is over `rounds` too, and reads only games with logged rounds.
        """
        for name, table in (joined or {}).items():
            self._connection.register(name, table)
        found = []
        for parts in self._batches(rounds):
            self._open(parts, ["games", "seats", *(["rounds"] if rounds else [])])
            found.append(self._connection.execute(sql).df())
        return pd.concat(found, ignore_index=True)

    def _batches(self, rounds: bool) -> Iterator[list[WrittenPart]]:
        batch: list[WrittenPart] = []
        for part in self._parts:
            if rounds and "rounds" not in part.files:
                continue
            if batch and sum(each.games for each in batch) + part.games > BATCH_GAMES:
                yield batch
                batch = []
            batch.append(part)
        yield batch

    def _open(self, parts: Sequence[WrittenPart], tables: Sequence[str]) -> None:
        for table in tables:
            files = [part_path(self._run.path, table, part.stem) for part in parts]
            source = scan(self._connection, f"{table}_files", files)
            self._connection.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS SELECT * FROM {source}")
        self._connection.execute(
            "CREATE OR REPLACE TEMP VIEW won AS SELECT * FROM games WHERE status = 'finished'"
        )


@contextmanager
def won_games(run: RunFolder, cells: Sequence[Cell]) -> Iterator[WonGames]:
    """Provide the games of some cells, with one database for all questions about them."""
    numbers = {cell.number for cell in cells}
    parts = whole_parts(run.path, run.bond, checksums=True, cells=numbers)
    with reading(run.path), open_database() as connection:
        yield WonGames(run, parts, connection)
