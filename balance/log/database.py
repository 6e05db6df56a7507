"""DuckDB over the Parquet parts of a run, so that memory does not grow with the run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import duckdb

from balance.errors import BalanceError
from balance.log.parts import TABLES, count_rows, damaged


def open_database() -> duckdb.DuckDBPyConnection:
    """An empty database in memory that prints no progress bar of its own."""
    connection = duckdb.connect()
    # In a notebook without ipywidgets the setting is refused, and there is no bar either.
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    return connection


def connect(run: Path) -> duckdb.DuckDBPyConnection:
    """A connection with a view for each table of the run.

    Raises
    ------
    BalanceError
        The run has no games, or a part is cut short.
    """
    connection = open_database()
    for table in TABLES:
        parts = sorted((run / table).glob("*.parquet"))
        for part in parts:
            if count_rows(part) is None:
                raise damaged(part, run)
        if parts:
            pattern = str(run / table / "*.parquet").replace("'", "''")
            connection.execute(
                f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{pattern}', union_by_name = true)"
            )
        elif table in ("games", "seats"):
            raise BalanceError(f"{run} has no {table} yet")
    return connection
