"""DuckDB over the Parquet parts of a run, so that memory does not grow with the run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from balance.errors import BalanceError
from balance.log.parts import TABLES, check_part


def open_database() -> duckdb.DuckDBPyConnection:
    """An empty database in memory that prints no progress bar of its own."""
    connection = duckdb.connect()
    # In a notebook without ipywidgets the setting is refused, and there is no bar either.
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    return connection


@contextmanager
def reading(run: Path) -> Iterator[None]:
    """What DuckDB raises inside the block, as what it means.

    Raises
    ------
    BalanceError
        The files of the run can't be read, or are not what a run's are.
    KeyboardInterrupt
        The user stopped a query, of which DuckDB makes an error of its own.
    """
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        problem = str(error).partition("\n")[0]
        raise BalanceError(
            f"cannot read {run}: {problem}; play it again with: balance run --resume {run}"
        ) from None
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


@contextmanager
def connect(run: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with a view for each table of the run.

    Raises
    ------
    BalanceError
        The run has no games, a part is cut short, or as `reading`.
    """
    with reading(run), open_database() as connection:
        for table in TABLES:
            parts = sorted((run / table).glob("*.parquet"))
            for part in parts:
                check_part(part, table, run)
            if parts:
                pattern = str(run / table / "*.parquet").replace("'", "''")
                connection.execute(
                    f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{pattern}', union_by_name = true)"
                )
            elif table in ("games", "seats"):
                raise BalanceError(f"{run} has no {table} yet")
        yield connection
