"""Answers to many questions in one pass over a run, chunk by chunk, in constant memory.

A chunk is a range of game numbers of one player count in all variants of one tier. It starts with a new deal, so the
games of a deal, and the pairs of a game under two variants, are always in one chunk. Every question is a sum over
deals, so the sums of the chunks add up to the sums of the run.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb
import pandas as pd

from balance.analysis.question import Question, column
from balance.analysis.row_tables import (
    NEEDED,
    NO_REPEAT,
    declare_names,
    declare_repeats,
    fetch,
    make_luck_rows,
    make_round_rows,
    make_seat_rows,
    stratum_of,
    wanted,
    words_of,
)
from balance.contract.records import SHARED_SOURCES
from balance.experiments.experiment import MOST_GAMES
from balance.experiments.plan import Cell, Plan
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.runs.database import connect, open_database, reading, scan
from balance.runs.folder import RunFolder
from balance.runs.manifest import WrittenPart, part_path
from balance.runs.verify import whole_parts

CHUNK_ROWS = 201_000  # rows of seats in a chunk, which holds whole files if there are few variants
_MOST_WORKERS = 4  # chunks in memory at a time
_PARTS = 16  # chunks whose sums are kept before they are added up

Answers = Mapping[Question, pd.DataFrame]
"""The answer to each question."""


def gather(run: RunFolder, questions: Iterable[Question], progress: Progress = SILENCE) -> dict[Question, pd.DataFrame]:
    """Answer questions about the active tier, in one pass over a run's files.

    An answer is the result of the question's `read`, with rows ordered by player count, by variant as in the
    experiment, and by the other keys.
    """
    asked = list(dict.fromkeys(questions))
    words = NEEDED | words_of(asked)
    sums: dict[Question, list[pd.DataFrame]] = {question: [] for question in asked}
    chunks = list(_chunks(run))
    planned = sum(chunk.games for chunk in chunks)
    done = 0
    with reading(run.path), open_database() as connection:
        # A chunk is too small for two threads to share; two chunks are not.
        connection.execute("SET threads = 1; SET preserve_insertion_order = false")
        declare_names(connection, _select(connection, run.path, "games", _parts_of(chunks), words))
        progress.advance(done, planned)
        with ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_WORKERS)) as pool:
            try:
                for chunk, found in zip(chunks, pool.map(partial(_ask, connection, asked, words), chunks), strict=True):
                    for question, part in found.items():
                        parts = sums[question]
                        parts.append(part)
                        if len(parts) == _PARTS:
                            parts[:] = [_add_up(question, parts)]
                    done += chunk.games
                    progress.advance(done, planned)
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
    if not all(sums.values()):
        raise BalanceError(tr("{run} has no replayed games: play with `luck`", run=run.path))
    return {
        question: question.read(in_plan_order(run.plan, _add_up(question, parts), question.keys))
        for question, parts in sums.items()
    }


def _ask(
    database: duckdb.DuckDBPyConnection, asked: Sequence[Question], words: set[str], chunk: Chunk
) -> dict[Question, pd.DataFrame]:
    """Return the sums of one chunk, on its own connection, for the questions that it can answer.

    `words` are the names of all columns to read.
    """
    asked = [question for question in asked if chunk.answers(question)]
    with database.cursor() as connection:
        chunk.load(connection, asked, words)
        return {question: fetch(connection, question) for question in asked}


def _add_up(question: Question, parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Add up the sums of chunks."""
    frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    return frame.groupby(list(question.keys), as_index=False, sort=False, dropna=False).sum()


def in_plan_order(plan: Plan, frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Sort rows by player count, by variant and source in the order of experiment and game, then by the other keys."""
    listed = {
        "variant": [variant.name for variant in plan.variants],
        "source": [*plan.game.kernel.CHANCE, *SHARED_SOURCES],
    }
    for key in listed.keys() & set(keys):
        if strange := set(frame[key]) - set(listed[key]):
            raise unknown(key, str(min(strange, key=str)), listed[key], tr("a table of the run"))
    first = [key for key in ("players", "variant") if key in keys]
    by = [*first, *(key for key in keys if key not in first)]

    def rank(column: pd.Series) -> pd.Series:
        return column.map(listed[column.name].index) if column.name in listed else column

    return frame.sort_values(by, key=rank, kind="stable", ignore_index=True)


@dataclass(frozen=True)
class Chunk:
    """Games `first`..`last`-1 of all cells of one player count of a tier."""

    run: Path
    parts: list[WrittenPart]  # the files with these games
    first: int
    last: int
    games: int
    stratum: str  # SQL, see `stratum_of`
    seats: str  # SQL for the seats that rows of rounds have
    leads: bool  # whether it is the first of its player count

    @property
    def has_luck(self) -> bool:
        """Whether some of the games were replayed."""
        return any("luck" in part.files for part in self.parts)

    def answers(self, question: Question) -> bool:
        """Return whether the chunk has rows for a question; the first chunk answers even without rows."""
        has_rows = self.leads or self.first < question.first_games
        return has_rows and (self.has_luck or not question.needs_luck)

    def load(self, connection: duckdb.DuckDBPyConnection, asked: Sequence[Question], words: set[str]) -> None:
        """Create the tables that the questions need, of `played_rows`, `seat_rows`, `round_rows` and `luck_rows`."""
        where = f"game_id % {MOST_GAMES} BETWEEN {self.first} AND {self.last - 1}"
        select = partial(_select, connection, self.run, parts=self.parts, words=words)
        make_seat_rows(connection, select("games"), select("seats"), self.stratum, where)
        if any(question.needs_rounds for question in asked):
            make_round_rows(connection, select("rounds"), asked, self.seats)
        if any(question.needs_luck for question in asked):
            make_luck_rows(connection, select("luck"))


def _select(
    connection: duckdb.DuckDBPyConnection, run: Path, table: str, parts: Iterable[WrittenPart], words: set[str]
) -> str:
    """Return SQL to select from for a table of the parts, with only the columns whose names are in `words`."""
    stems = [part.stem for part in parts if table in part.files]
    files = scan(connection, f"{table}_files", [part_path(run, table, stem) for stem in stems])
    there = connection.execute(f"SELECT * FROM {files} LIMIT 0").df().columns
    return f"(SELECT {', '.join(map(column, wanted(there, words)))} FROM {files})"


def _parts_of(chunks: Iterable[Chunk]) -> list[WrittenPart]:
    """Return the files of all chunks, each once."""
    return list({part.stem: part for chunk in chunks for part in chunk.parts}.values())


def _chunks(run: RunFolder) -> Iterator[Chunk]:
    """Yield the chunks of the active tier, from the existing parts."""
    cells = run.plan.tier_cells
    parts = whole_parts(run.path, run.bond, checksums=True, cells={cell.number for cell in cells})
    _check_cells(run, parts)
    for players in run.plan.experiment.players:
        of_players = [cell for cell in cells if cell.players == players]
        numbers = {cell.number for cell in of_players}
        inside = [part for part in parts if part.cell in numbers]
        yield from _chunks_of(run, of_players, inside)


def _check_cells(run: RunFolder, parts: Sequence[WrittenPart]) -> None:
    """Raise if a part has more games than its cell."""
    for part in parts:
        if part.last > run.plan.cells[part.cell].tier.most_games:
            stranger = part_path(run.path, "games", part.stem)
            raise BalanceError(tr("{file} does not belong to this run, which has no such games", file=stranger))


def _chunks_of(run: RunFolder, cells: Sequence[Cell], parts: Sequence[WrittenPart]) -> Iterator[Chunk]:
    """Yield the chunks of the cells of one player count."""
    end = max((part.last for part in parts), default=0)
    schedule = run.plan.schedule(cells[0])
    step = max(1, CHUNK_ROWS // (cells[0].players * len(cells)))
    stratum, seats = stratum_of(run.plan, [cells[0].players]), run.plan.game.sides.one_seat
    # A chunk ends with a file if a file ends between two deals, so that most files are read once.
    ends = sorted({part.last for part in parts if schedule.deal_start(part.last) == part.last})
    later = deque(sorted(parts, key=lambda part: part.first))
    first, leads, inside = 0, True, list[WrittenPart]()
    while first < end:
        last = min(schedule.deal_start(first + step), end)
        if (at := bisect_right(ends, last)) and ends[at - 1] > first:
            last = ends[at - 1]
        while later and later[0].first < last:
            inside.append(later.popleft())
        inside = sorted((part for part in inside if part.last > first), key=lambda part: part.stem)
        games = sum(min(part.last, last) - max(part.first, first) for part in inside)
        if inside:
            yield Chunk(run.path, inside, first, last, games, stratum, seats, leads)
            leads = False
        first = last


def choose_cells(run: RunFolder, variants: Sequence[str] | None, players: Sequence[int] | None) -> list[Cell]:
    """Return the cells of the active tier, only those of the given variants and player counts if any."""
    names = [variant.name for variant in run.plan.variants]
    for name in variants or []:
        if name not in names:
            raise unknown("variant", name, names, str(run.path))
    counts = run.plan.experiment.players
    for count in players or []:
        if count not in counts:
            has = ", ".join(map(str, counts))
            raise BalanceError(
                trn(
                    "{run}: no games with {n} player (there are: {has})",
                    "{run}: no games with {n} players (there are: {has})",
                    count,
                    run=run.path,
                    has=has,
                )
            )
    return [
        cell
        for cell in run.plan.tier_cells
        if (not variants or cell.variant.name in variants) and (not players or cell.players in players)
    ]


GAMES = 5_000  # the first games of each cell
LEAST_GAMES = 100
"""The least number of traced games in a cell with a result."""


def traced_cells(run: RunFolder, variants: Sequence[str]) -> Iterator[tuple[Cell, duckdb.DuckDBPyConnection, str]]:
    """Yield the cells of these variants with enough traced games, in the active tier.

    Yields
    ------
    Cell
    DuckDBPyConnection
        A connection with a view for each table.
    str
        An SQL condition on ``game_id`` for the games to read, without repeats.
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
        declare_repeats(connection, "games")
        for cell in cells:
            last = cell.first_id + min(most, cell.tier.most_games) - 1
            games = f"game_id BETWEEN {cell.first_id} AND {last}"
            yield cell, connection, f"({games} AND {NO_REPEAT})"
