"""Opening a game of a run: from its trace if it has one, otherwise replayed from its seeds."""

from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import duckdb
import pandas as pd

from balance.engine.search.thinker import Thought
from balance.experiments.experiment import MOST_GAMES
from balance.experiments.plan import Cell, Part
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr
from balance.report.replay.scenes import Replay
from balance.runs.batches import thoughts_of
from balance.runs.database import connect
from balance.runs.folder import RunFolder
from balance.runs.manifest import Bond, append_entry
from balance.runs.worker import Worker

_SPANS = 4  # ranges of game numbers listed in an error


def open_replay(path: Path, game_id: int, scratch: Path, run_bots: bool = False, thoughts: bool = False) -> Replay:
    """Open a game of a run; `scratch` is an empty folder for replaying a game without a trace.

    With `run_bots`, the run's bots in Python may be executed, if the game must be replayed. `thoughts` includes the
    searchers' thoughts, which requires replaying the game.
    """
    run = RunFolder.open(path)
    run.plan = replace(run.plan, bots_allowed=run_bots)
    with connect(run.path, run.bond, checksums=True) as connection:
        game = connection.execute("SELECT * FROM games WHERE game_id = ?", [game_id]).df()
        if game.empty:
            raise BalanceError(
                tr(
                    "{run} has no game {number}; games are {spans}",
                    run=path, number=game_id, spans=_games_there(connection),
                )
            )  # fmt: skip
        seats = _read(connection, "seats", game_id)
        views = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
        trace = _read(connection, "trace", game_id) if "trace" in views else pd.DataFrame()
    cell = cell_of(run, game_id)
    if trace.empty:
        trace = _play_again(run, cell, game_id, seats, scratch)
    found = _think_again(run, cell, game_id) if thoughts else {}
    return Replay(run, cell, game.iloc[0], trace, seats, found)


def _games_there(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the ranges of game numbers in the run, one for each cell."""
    cells = connection.execute(
        f"SELECT min(game_id), max(game_id) FROM games GROUP BY game_id // {MOST_GAMES} ORDER BY ALL"
    ).fetchall()
    spans = [tr("{low} to {high}", low=low, high=high) for low, high in cells[:_SPANS]]
    return ", ".join([*spans, "..."] if len(cells) > _SPANS else spans)


def _read(connection: duckdb.DuckDBPyConnection, table: str, game_id: int) -> pd.DataFrame:
    frame: pd.DataFrame = connection.execute(f"SELECT * FROM {table} WHERE game_id = ?", [game_id]).df()
    key = "seat" if table == "seats" else "step"
    return frame.sort_values(key, ignore_index=True)


def cell_of(run: RunFolder, game_id: int) -> Cell:
    """Return the cell of a game."""
    cells = (cell for cell in run.plan.cells if cell.first_id <= game_id)
    return max(cells, key=lambda cell: cell.first_id)


def twin_of(run: RunFolder, game_id: int, variant: str) -> int:
    """Return the number of the game with the same deal and players under another variant."""
    names = [each.name for each in run.plan.variants]
    if variant not in names:
        raise unknown("variant", variant, names, str(run.path))
    cell = cell_of(run, game_id)
    if cell.variant.name == variant:
        raise BalanceError(
            tr("game {number} is a game of {variant} itself; name another variant", number=game_id, variant=variant)
        )
    cells = (each for each in run.plan.cells if each.tier is cell.tier and each.players == cell.players)
    twin = next(each for each in cells if each.variant.name == variant)
    return twin.first_id + game_id - cell.first_id


def _think_again(run: RunFolder, cell: Cell, game_id: int) -> dict[int, list[Thought]]:
    if changes := run.changes():
        raise BalanceError(
            tr(
                "game {number} cannot be replayed, so its thoughts are lost: changed since {run} began: {changes}",
                number=game_id, run=run.path, changes=", ".join(changes),
            )
        )  # fmt: skip
    if not cell.tier.iterations:
        raise BalanceError(
            tr("game {number} of {run} has no searcher, so there are no thoughts to read", number=game_id, run=run.path)
        )
    return thoughts_of(run.plan, cell, game_id - cell.first_id)


def _play_again(run: RunFolder, cell: Cell, game_id: int, seats: pd.DataFrame, scratch: Path) -> pd.DataFrame:
    if changes := run.changes():
        raise BalanceError(
            tr(
                "game {number} has no trace and cannot be replayed: changed since {run} began: {changes} (log traces "
                "with --trace N)",
                number=game_id, run=run.path, changes=", ".join(changes),
            )
        )  # fmt: skip
    number = game_id - cell.first_id
    part = Part(cell.number, number, number + 1, "trace")
    with closing(Worker(run.plan, scratch, run.identity, threading.Event())) as worker:
        append_entry(scratch, worker.play(part), run.identity)
    with connect(scratch, Bond(run.identity)) as connection:
        again = _read(connection, "seats", game_id)
        if not again["score"].equals(seats["score"]):
            raise BalanceError(tr("the replay of game {number} differs from the run's rows", number=game_id))
        return _read(connection, "trace", game_id)
