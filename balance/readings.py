"""Reading a run: DuckDB over its Parquet parts, so that memory does not grow with the run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from balance.errors import BalanceError, unknown
from balance.logs import TABLES, count_rows
from balance.runfolder import RunFolder
from balance.stats.intervals import Interval, Moments, cluster_interval


def connect(run: Path) -> duckdb.DuckDBPyConnection:
    """A connection with a view for each table of the run.

    Raises
    ------
    BalanceError
        The run has no games, or a part is cut short.
    """
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    for table in TABLES:
        parts = sorted((run / table).glob("*.parquet"))
        for part in parts:
            if count_rows(part) is None:
                raise BalanceError(
                    f"{part} is cut short; play it again with: balance run --resume {run}"
                )
        if parts:
            pattern = str(run / table / "*.parquet").replace("'", "''")
            connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{pattern}')")
        elif table in ("games", "seats"):
            raise BalanceError(f"{run} has no {table} yet")
    return connection


class Run:
    """A run's tables, read from its files when asked for and not before.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.folder = RunFolder.open(path)
        connect(path).close()  # so that a damaged part is told of at once

    @property
    def info(self) -> dict[str, Any]:
        """The content of `run.json`."""
        return self.folder.info

    def query(self, sql: str) -> pd.DataFrame:
        """The result of DuckDB SQL over the views games, seats and, if logged, rounds and trace.

        Raises
        ------
        BalanceError
            The SQL is wrong; says what DuckDB says.
        """
        with connect(self.folder.path) as connection:
            try:
                return connection.execute(sql).df()
            except duckdb.Error as error:
                raise BalanceError(f"{error}".splitlines()[0]) from None

    def games(self, variant: str | None = None, players: int | None = None) -> pd.DataFrame:
        """Rows of the games table, of one variant or player count if given."""
        return self._rows("games", variant, players)

    def seats(self, variant: str | None = None, players: int | None = None) -> pd.DataFrame:
        """Rows of the seats table, of one variant or player count if given."""
        return self._rows("seats", variant, players)

    def _rows(self, table: str, variant: str | None, players: int | None) -> pd.DataFrame:
        known = [found.name for found in self.folder.plan.variants]
        if variant is not None and variant not in known:
            raise unknown("variant", variant, known, str(self.folder.path))
        with connect(self.folder.path) as connection:
            return connection.execute(
                f"SELECT * FROM {table} WHERE coalesce(variant = ?, true) "
                f"AND coalesce(players = ?, true) ORDER BY ALL",
                [variant, players],
            ).df()


def moments_by(
    connection: duckdb.DuckDBPyConnection, value: str, by: list[str], where: str = "true"
) -> pd.DataFrame:
    """Cluster moments of a seat's value in every group, the decks being the clusters.

    Parameters
    ----------
    value : str
        An SQL expression over columns of seats (`s`) and games (`g`).
    by : list of str
        Columns to group by, as SQL names with `s.` or `g.`.

    Returns
    -------
    DataFrame
        The group columns, then ``clusters``, ``n``, ``s``, ``ss``, ``sn``, ``nn`` (`Moments`).
    """
    names = [column.split(".")[-1] for column in by]
    outer = ", ".join(names)
    inner = ", ".join(f"{column} AS {name}" for column, name in zip(by, names, strict=True))
    return connection.execute(
        f"""
        WITH clusters AS (
            SELECT {inner}, g.deck_seed, count(*) AS n, sum(CAST({value} AS DOUBLE)) AS s
            FROM seats s JOIN games g USING (game_id)
            WHERE {where} GROUP BY ALL
        )
        SELECT {outer}, count(*) AS clusters, sum(n)::DOUBLE AS n, sum(s) AS s,
               sum(s * s) AS ss, sum(s * n) AS sn, sum(n * n)::DOUBLE AS nn
        FROM clusters GROUP BY ALL ORDER BY ALL
        """
    ).df()


def to_intervals(moments: pd.DataFrame) -> Iterator[tuple[Any, Interval]]:
    """Each row of `moments_by` with its interval."""
    for row in moments.itertuples(index=False):
        yield (
            row,
            cluster_interval(Moments(int(row.clusters), row.n, row.s, row.ss, row.sn, row.nn)),
        )


def with_intervals(moments: pd.DataFrame) -> pd.DataFrame:
    """The group columns with ``value``, ``low``, ``high``, ``n`` and ``clusters``."""
    groups = moments.columns[: list(moments.columns).index("clusters")]
    rows = [
        {**{name: getattr(row, name) for name in groups}, **vars(interval)}
        for row, interval in to_intervals(moments)
    ]
    return pd.DataFrame(rows, columns=[*groups, "value", "low", "high", "n", "clusters"])


def seat_intervals(run: Path, first_id: int, end_id: int) -> list[Interval]:
    """Win share of each seat in the games with ``first_id <= game_id < end_id``."""
    where = f"s.game_id >= {int(first_id)} AND s.game_id < {int(end_id)}"
    with connect(run) as connection:
        moments = moments_by(connection, "s.win_share", ["s.seat"], where)
    return [interval for _, interval in to_intervals(moments)]
