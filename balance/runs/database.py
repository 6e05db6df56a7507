"""DuckDB over the Parquet parts of a run, with memory that does not grow with the run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import dataset

from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.runs.folder import RunFolder
from balance.runs.manifest import TABLES, Bond, part_path
from balance.runs.verify import whole_parts


def open_database() -> duckdb.DuckDBPyConnection:
    """Return an empty database in memory without a progress bar."""
    connection = duckdb.connect()
    # A notebook without ipywidgets refuses the setting, and has no bar either.
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    return connection


def scan(connection: duckdb.DuckDBPyConnection, name: str, files: Sequence[Path]) -> str:
    """Return the SQL source that reads these Parquet files as one table; file names are taken literally.

    DuckDB reads some characters as patterns and can't quote all of them: files with such names are read by Arrow, as
    the view `name`.
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
    """Turn errors of DuckDB inside the block into errors about the run, and Ctrl-C as `stoppable` does."""
    try:
        with stoppable():
            yield
    except (duckdb.OutOfMemoryException, MemoryError):
        raise BalanceError(
            tr("not enough memory to read {run} (the run is unchanged): close other programs, then try again", run=run)
        ) from None
    except duckdb.Error as error:
        problem = str(error).partition("\n")[0]
        raise BalanceError(
            tr(
                "cannot read {run}: {why}; play it again with: {command}",
                run=run,
                why=problem,
                command=f"balance run --resume {run}",
            )
        ) from None


@contextmanager
def stoppable() -> Iterator[None]:
    """Turn DuckDB's own error for Ctrl-C during a query back into KeyboardInterrupt."""
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
    """Return a connection with a view for each table of the run; `cells` None stands for the cells of all tiers.

    With `checksums`, the checksum of every file is verified, and not only its size and rows.
    """
    place = run.absolute()
    parts = whole_parts(place, bond, checksums, cells)
    with reading(run), open_database() as connection:
        for table in TABLES:
            files = [part_path(place, table, part.stem) for part in parts if table in part.files]
            if files:
                source = scan(connection, f"{table}_files", files)
                connection.execute(f"CREATE VIEW {table} AS SELECT * FROM {source}")
        yield connection


def most_in_a_game(run: RunFolder, column: str) -> int:
    """Return the largest value of a column of the games of the active tier, such as its rounds."""
    with connect(run.path, run.bond, cells={each.number for each in run.plan.tier_cells}) as connection:
        (most,) = connection.execute(f"SELECT max({column}) FROM games").fetchone()
    return int(most)


def count_truncated(run: RunFolder) -> int:
    """Return the number of games of all cells that were truncated at the limit of decisions."""
    with connect(run.path, run.bond) as connection:
        (count,) = connection.execute("SELECT count(*) FROM games WHERE status = 'truncated'").fetchone()
    return int(count)
