"""A run folder opened: its tables as frames, SQL over them, and means of what a user defines."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

import duckdb
import pandas as pd

from balance.analysis.gather import gather
from balance.analysis.question import Question, means
from balance.analysis.response import points_of
from balance.errors import BalanceError, unknown
from balance.log.database import connect
from balance.log.folder import RunFolder


class Opened:
    """A run's tables, read from its files when asked for and not before.

    Parameters
    ----------
    path : Path
    tier : str or None
        Whose games are read, and no other's; None for the first tier of the experiment.
    """

    def __init__(self, path: Path, tier: str | None = None) -> None:
        found = RunFolder.open(path)
        self.folder = found if tier is None else found.in_tier(tier)
        with self._connect(checksums=True):
            pass  # so that a damaged part is told of at once

    def _connect(self, checksums: bool = False) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        cells = {cell.number for cell in self.folder.plan.tier_cells}
        return connect(self.folder.path, self.folder.bond, checksums, cells)

    @property
    def tier(self) -> str:
        """The name of the tier that is read."""
        return self.folder.plan.tier.name

    @property
    def tiers(self) -> list[str]:
        """The names of all tiers, as the experiment lists them."""
        return [tier.name for tier in self.folder.plan.tiers]

    def in_tier(self, name: str) -> Self:
        """The same run as another tier played it.

        Raises
        ------
        BalanceError
            There is no such tier; names those that there are.
        """
        return type(self)(self.folder.path, name)

    @property
    def points(self) -> pd.DataFrame:
        """What the sweep's keys are in every ``variant``, a column each; empty where the run is no sweep."""
        return points_of(self.folder.plan).drop(columns="point", errors="ignore")

    @property
    def info(self) -> dict[str, Any]:
        """The content of `run.json`."""
        return self.folder.info

    def query(self, sql: str) -> pd.DataFrame:
        """The result of DuckDB SQL over the tier's views games, seats and, if logged, rounds, trace and luck.

        Raises
        ------
        BalanceError
            The SQL is wrong; says what DuckDB says.
        """
        with self._connect() as connection:
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
        if variant is not None:
            self._check_variant(variant)
        with self._connect() as connection:
            return connection.execute(
                f"SELECT * FROM {table} WHERE coalesce(variant = ?, true) "
                f"AND coalesce(players = ?, true) ORDER BY ALL",
                [variant, players],
            ).df()

    def _check_variant(self, name: str) -> None:
        known = [found.name for found in self.folder.plan.variants]
        if name not in known:
            raise unknown("variant", name, known, str(self.folder.path))

    def mean(self, value: str, by: Sequence[str] = (), share: bool = False) -> pd.DataFrame:
        """Means of what you define: an SQL expression over a seat's row and its game's, in every cell.

        Parameters
        ----------
        value : str
            For example ``win_share`` or ``(out_round > 0)::INT``; seats of which it is NULL don't count. For what
            a game has once, say ``CASE WHEN seat = 0 THEN margin END``.
        by : sequence of str
            Columns to split by: of seats, of games, or ``half`` (0 or 1), into which a deck falls by lot.
        share : bool
            Whether every value lies from 0 to 1; then all is in percent.

        Returns
        -------
        DataFrame
            ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high`` (95 %, cluster-robust on the
            deck), ``n`` (seats), ``decks``.

        Raises
        ------
        BalanceError
            The SQL is wrong, or there is no such column; says what DuckDB says.
        """
        asked = {"mean": f"100 * ({value})" if share else value}
        question = means(asked, ["players", "variant", *by], top=100 if share else None)
        try:
            found = self._ask(question)
        except BalanceError as error:
            cause = error.__context__  # what the files are read with blames them
            if not isinstance(cause, duckdb.Error) or isinstance(cause, duckdb.IOException):
                raise
            raise BalanceError(f"{cause}".splitlines()[0]) from None
        if share and not found["value"].dropna().between(0, 100).all():
            raise BalanceError(f"{value} is no share: its mean is not from 0 to 1")
        return found.drop(columns=["measure", "error"]).rename(columns={"clusters": "decks"})

    def _ask(self, question: Question) -> pd.DataFrame:
        return gather(self.folder, [question])[question]
