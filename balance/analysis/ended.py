"""Finished games of a run, read batch by batch, and games that were broken off.

A truncated game has no result. Only `Played` counts it. If more than 1 % of a cell's games are truncated, the cell
gets no verdicts, because those games may differ from the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import pandas as pd

from balance.analysis.question import Question
from balance.experiments.plan import Cell
from balance.foundation.errors import BalanceError, unknown
from balance.runs.database import open_database, reading, scan
from balance.runs.folder import RunFolder
from balance.runs.manifest import WrittenPart, part_path
from balance.runs.verify import whole_parts

BATCH_GAMES = 100_000


class EndedGames:
    """The games of some cells that ended with a winner; draws and truncated games are left out.

    Parameters
    ----------
    run : RunFolder
    cells : sequence of Cell

    Raises
    ------
    BalanceError
        A part is missing or damaged, or the cells have no logged games.
    """

    def __init__(self, run: RunFolder, cells: Sequence[Cell]) -> None:
        self._run = run
        self._parts = whole_parts(
            run.path, run.bond, checksums=True, cells={cell.number for cell in cells}
        )

    @property
    def has_rounds(self) -> bool:
        """Whether some of the games have logged rounds."""
        return any("rounds" in part.files for part in self._parts)

    def ask(
        self, sql: str, rounds: bool = False, joined: Mapping[str, pd.DataFrame] | None = None
    ) -> pd.DataFrame:
        """Run a query on each batch and return the concatenated rows.

        Parameters
        ----------
        sql : str
            A query over the views `ended` (the games), `seats` and, with `rounds`, `rounds`.
        rounds : bool
            Whether to read only games with logged rounds.
        joined : mapping of DataFrame or None
            Further tables by name.
        """
        found = []
        with reading(self._run.path), open_database() as connection:
            for name, table in (joined or {}).items():
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
    """Return the cells of the active tier, only those of the given variants and player counts if any.

    Raises
    ------
    BalanceError
        The run has no such variant or player count; the message lists those that it has.
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


MOST = 0.01  # of a cell's games
WITHHELD = "withheld"


@dataclass(frozen=True)
class Played(Question):
    """The number of games, deals, truncated games, draws and decisions in every cell."""

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant")

    @property
    def sql(self) -> str:
        return """
            SELECT players, variant, count(*)::DOUBLE AS games, count(DISTINCT deal_seed)::DOUBLE AS decks,
                   count_if(status = 'truncated')::DOUBLE AS truncated,
                   count_if(status = 'draw')::DOUBLE AS draws, sum(decisions)::DOUBLE AS decisions
            FROM played_rows WHERE seat = 0 GROUP BY ALL
        """


def none_ended(played: pd.DataFrame) -> bool:
    """Return whether every game was broken off, so there are no results."""
    return bool(played["truncated"].sum() == played["games"].sum())


def broken_cells(played: pd.DataFrame) -> set[tuple[int, str]]:
    """Return player count and variant of the cells with too many broken games."""
    too_many = played[played["truncated"] > MOST * played["games"]]
    return set(zip(too_many["players"], too_many["variant"], strict=True))


def without_broken(table: pd.DataFrame, played: pd.DataFrame) -> pd.DataFrame:
    """Return the rows about cells without too many broken games."""
    broken = broken_cells(played)
    kept = [cell not in broken for cell in zip(table["players"], table["variant"], strict=True)]
    return table[kept]


def withhold(table: pd.DataFrame, played: pd.DataFrame, baseline: str | None = None) -> pd.DataFrame:
    """Replace verdicts on cells with too many broken games by `WITHHELD`.

    Parameters
    ----------
    table : DataFrame
        ``players``, ``variant``, ``verdict``, ``more_games``.
    baseline : str or None
        The variant that each row is compared with; its broken cells count too.
    """
    broken = broken_cells(played)
    cells = zip(table["players"], table["variant"], strict=True)
    held = [(p, v) in broken or (p, baseline) in broken for p, v in cells]
    verdict = table["verdict"].mask(pd.Series(held, index=table.index, dtype=bool), WITHHELD)
    return table.assign(verdict=verdict, more_games=table["more_games"].mask(verdict == WITHHELD, 0))
