"""Games of a run that ended, asked batch by batch: what is found is kept, not the games.

A batch is a few parts with all their tables, so joins of games, seats and rounds never grow with the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb
import pandas as pd

from balance.errors import BalanceError, unknown
from balance.log.database import open_database, reading, scan
from balance.log.folder import RunFolder
from balance.log.manifest import WrittenPart, part_path
from balance.log.verify import whole_parts
from balance.plan.plan import Cell

BATCH_GAMES = 100_000


class EndedGames:
    """The games of some cells that ended with a result; draws and games broken off are left out.

    Parameters
    ----------
    run : RunFolder
    cells : sequence of Cell

    Raises
    ------
    BalanceError
        A part is missing or damaged, or nothing has been logged of these cells.
    """

    def __init__(self, run: RunFolder, cells: Sequence[Cell]) -> None:
        self._run = run
        self._parts = whole_parts(
            run.path, run.bond, checksums=True, cells={cell.number for cell in cells}
        )

    @property
    def has_rounds(self) -> bool:
        """Whether rounds were logged of some of them."""
        return any("rounds" in part.files for part in self._parts)

    def ask(
        self, sql: str, rounds: bool = False, beside: Mapping[str, pd.DataFrame] | None = None
    ) -> pd.DataFrame:
        """The rows that a query finds in each batch, one batch below the other.

        Parameters
        ----------
        sql : str
            Over the views `ended` (the games), `seats` and, with `rounds`, `rounds`.
        rounds : bool
            Whether to ask only the games of which rounds were logged.
        beside : mapping of DataFrame or None
            Further tables by name.
        """
        found = []
        with reading(self._run.path), open_database() as connection:
            for name, table in (beside or {}).items():
                connection.register(name, table)
            for parts in self._batches(rounds):
                self._open(connection, parts, ["games", "seats", *(["rounds"] if rounds else [])])
                found.append(connection.execute(sql).df())
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

    def _open(
        self, connection: duckdb.DuckDBPyConnection, parts: Sequence[WrittenPart], tables: Sequence[str]
    ) -> None:
        for table in tables:
            files = [part_path(self._run.path, table, part.stem) for part in parts]
            source = scan(connection, f"{table}_files", files)
            connection.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS SELECT * FROM {source}")
        connection.execute(
            "CREATE OR REPLACE TEMP VIEW ended AS SELECT * FROM games WHERE status = 'finished'"
        )


def choose_cells(
    run: RunFolder, variants: Sequence[str] | None, players: Sequence[int] | None
) -> list[Cell]:
    """The cells of the tier that is read, of these variants and player counts alone if any are given.

    Raises
    ------
    BalanceError
        The run has no such variant or player count; names those that it has.
    """
    names = [variant.name for variant in run.plan.variants]
    for name in variants or []:
        if name not in names:
            raise unknown("variant", name, names, str(run.path))
    counts = run.plan.experiment.players
    for count in players or []:
        if count not in counts:
            has = ", ".join(map(str, counts))
            raise BalanceError(f"{run.path}: no games with {count} players (there are: {has})")
    return [
        cell
        for cell in run.plan.tier_cells
        if (not variants or cell.variant.name in variants) and (not players or cell.players in players)
    ]
