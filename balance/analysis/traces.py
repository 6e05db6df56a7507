"""The traced games of a run, cell by cell: what is read of them is bounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb

from balance.log.database import connect
from balance.log.folder import RunFolder
from balance.plan.plan import Cell

GAMES = 5_000  # of a cell, the first
LEAST_GAMES = 100
"""Traced in a cell, below which nothing is said of it."""


def traced_cells(
    run: RunFolder, variants: Sequence[str]
) -> Iterator[tuple[Cell, duckdb.DuckDBPyConnection, str]]:
    """The cells of these variants with enough traced games, in the tier that is read.

    Yields
    ------
    Cell
    DuckDBPyConnection
        With a view for each table.
    str
        SQL that tells the games to read by their ``game_id``.
    """
    experiment = run.plan.experiment
    most = GAMES if experiment.log == "trace" else min(GAMES, experiment.trace)
    cells = [
        cell
        for cell in run.plan.tier_cells
        if cell.variant.name in variants and min(most, cell.tier.most_games) >= LEAST_GAMES
    ]
    if not cells:
        return
    with connect(run.path, run.bond, cells={cell.number for cell in cells}) as connection:
        for cell in cells:
            last = cell.first_id + min(most, cell.tier.most_games) - 1
            yield cell, connection, f"game_id BETWEEN {cell.first_id} AND {last}"
