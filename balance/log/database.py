"""DuckDB over the Parquet parts of a run, so that memory does not grow with the run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import dataset

from balance.errors import BalanceError
from balance.log.manifest import TABLES, Bond, part_path
from balance.log.verify import whole_parts


def open_database() -> duckdb.DuckDBPyConnection:
    """An empty database in memory that prints no progress bar of its own."""
    connection = duckdb.connect()
    # In a notebook without ipywidgets the setting is refused, and there is no bar either.
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    return connection


def scan(connection: duckdb.DuckDBPyConnection, name: str, files: Sequence[Path]) -> str:
    """What to select from to read these Parquet files as one table; their names are taken literally.

    DuckDB takes some characters for patterns and has no way to quote all of them: files with such names
    are read by Arrow, as the view `name`.
    """
    if any(character in str(path) for path in files for character in "*?["):
        schemas = [pq.read_schema(file) for file in map(pa.OSFile, map(str, files))]
        schema = pa.unify_schemas(schemas)
        connection.register(name, dataset.dataset([str(path) for path in files], schema=schema))
        return name
    listed = ", ".join("'" + str(path).replace("'", "''") + "'" for path in files)
    return f"read_parquet([{listed}], union_by_name = true, hive_partitioning = false)"


@contextmanager
def reading(run: Path) -> Iterator[None]:
    """What DuckDB raises inside the block, as what it means.

    Raises
    ------
    BalanceError
        The files of the run can't be read, or are not what a run's are; or they take more memory than there is.
    KeyboardInterrupt
        The user stopped a query.
    """
    try:
        with stoppable():
            yield
    except (duckdb.OutOfMemoryException, MemoryError):
        raise BalanceError(
            f"not enough memory to read {run}, which is as it was: close other programs, then try again"
        ) from None
    except duckdb.Error as error:
        problem = str(error).partition("\n")[0]
        raise BalanceError(
            f"cannot read {run}: {problem}; play it again with: balance run --resume {run}"
        ) from None


@contextmanager
def stoppable() -> Iterator[None]:
    """Ctrl-C during a query, of which DuckDB makes an error of its own, as what it is.

    Raises
    ------
    KeyboardInterrupt
        The user stopped a query.
    """
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


@contextmanager
def connect(
    run: Path, bond: Bond, checksums: bool = False, cells: Collection[int] | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with a view for each table of the run.

    Parameters
    ----------
    bond : Bond
        What binds the parts to the run.
    cells : collection of int or None
        Numbers of the cells whose games are wanted; None for all, whichever tier played them.
    checksums : bool
        Whether to hold every file against its checksum, and not only against its size and rows.

    Raises
    ------
    BalanceError
        The run has no games, a part is missing or damaged, or as `reading`.
    """
    parts = whole_parts(run.absolute(), bond, checksums, cells)
    with reading(run), open_database() as connection:
        for table in TABLES:
            files = [
                part_path(run.absolute(), table, part.stem) for part in parts if table in part.files
            ]
            if files:
                source = scan(connection, f"{table}_files", files)
                connection.execute(f"CREATE VIEW {table} AS SELECT * FROM {source}")
        yield connection
