"""One pass over a run in flat memory: what many questions ask for, added up chunk by chunk.

A chunk is a range of game numbers of one player count in all variants of one tier, cut where a deck begins, so that
the games of a deck, and the pairs of a game under two variants, are always together. Whatever is asked
is a sum over decks; sums of chunks add up to those of the run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb
import pandas as pd

from balance.analysis.question import Question
from balance.analysis.sums import STRATUM, column
from balance.analysis.tenths import TENTHS
from balance.contract.records import SHARED_SOURCES
from balance.errors import BalanceError, unknown
from balance.log.database import open_database, reading, scan
from balance.log.folder import RunFolder
from balance.log.manifest import WrittenPart, part_path
from balance.log.verify import whole_parts
from balance.plan.experiment import MOST_GAMES
from balance.plan.plan import Cell, Plan
from balance.progress import SILENCE, Progress

CHUNK_ROWS = 100_000  # rows of seats of a chunk
_MOST_WORKERS = 4  # chunks in memory at a time
_KEYS = {
    "game_id", "tier", "variant", "players", "seat", "strategy", "deck_seed", "status", "rank",
    "win_share", "score", "round", "rounds", "source", "lineup",
}  # fmt: skip
"""Columns that a chunk's tables are made by; of all others those that a question names are read."""
_PARTS = 16  # chunks whose sums are kept before they are added up
_MOST_STRATA = 100  # line-ups; the sums of more would not stay small

Answers = Mapping[Question, pd.DataFrame]
"""A frame for each question, found by the question itself."""


def gather(
    run: RunFolder, questions: Iterable[Question], progress: Progress = SILENCE
) -> dict[Question, pd.DataFrame]:
    """Answer questions about the tier that is read, in one pass over a run's files.

    Returns
    -------
    dict of DataFrame
        By question, what its `read` made, rows ordered by player count, by variant as the experiment
        lists them, and by the other keys.

    Raises
    ------
    BalanceError
        A part is missing or damaged, nothing has been logged yet, or no game was played again.
    """
    asked = list(dict.fromkeys(questions))
    words = words_of(asked)
    sums: dict[Question, list[pd.DataFrame]] = {question: [] for question in asked}
    chunks = list(_chunks(run))
    planned = sum(chunk.games for chunk in chunks)
    done = 0
    with reading(run.path), open_database() as connection:
        # A chunk is too small for two threads to share; two chunks are not.
        connection.execute("SET threads = 1; SET preserve_insertion_order = false")
        progress.advance(done, planned)
        with ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_WORKERS)) as pool:
            try:
                for chunk, found in zip(
                    chunks, pool.map(partial(_ask, connection, asked, words), chunks), strict=True
                ):
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
        raise BalanceError(f"{run.path} has no games played again: play with `luck`")
    return {
        question: question.read(in_plan_order(run.plan, _add_up(question, parts), question.keys))
        for question, parts in sums.items()
    }


def words_of(asked: Iterable[Question]) -> set[str]:
    """The words of what is asked, and the columns that a chunk's tables are made by."""
    return _KEYS.union(*(re.findall(r"\w+", question.sql) for question in asked))


def wanted(columns: Iterable[str], words: set[str]) -> list[str]:
    """The columns whose names hold none but these words: all that need be read."""
    return [name for name in columns if words.issuperset(re.findall(r"\w+", name))]


_STRATUM = """
    hash(min(CASE WHEN len(list_distinct(string_split(lineup, ','))) = players
             THEN array_to_string(list_sort(string_split(lineup, ',')), ',') ELSE lineup END)
         OVER (PARTITION BY players, variant, deck_seed))
"""
"""The line-up of a deal, in SQL over games. It is played in several rotations, and where all its strategies differ
the seats are drawn by lot too; so it is the first of them in order, or who plays."""


def make_seat_rows(
    connection: duckdb.DuckDBPyConnection,
    games: str,
    seats: str,
    number: str,
    where: str = "true",
    lineups: int = 1,
) -> None:
    """Make the tables `played_rows` and `seat_rows` (see `Question.sql`).

    Parameters
    ----------
    games, seats : str
        What to select from to read the tables of these names.
    number : str
        A game's number in its cell, as SQL over its ``game_id``; `where` says which games are wanted.
    lineups : int
        How many are drawn for the deals of a cell.
    """
    stratum = _STRATUM if 1 < lineups <= _MOST_STRATA else "0"
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE played_rows AS
        WITH g AS (SELECT *, {stratum} AS {STRATUM} FROM {games} WHERE {where})
        SELECT s.*, g.* EXCLUDE (game_id, tier, variant, players),
               {number} AS number,
               (deck_seed % 2)::INT AS half, (deck_seed % {TENTHS})::INT AS tenth, (rank = 1)::INT AS is_winner
        FROM {seats} s JOIN g USING (game_id)
        WHERE {where}
        """
    )
    connection.execute(
        "CREATE OR REPLACE TEMP VIEW seat_rows AS SELECT * FROM played_rows WHERE status <> 'truncated'"
    )


def _ask(
    database: duckdb.DuckDBPyConnection, asked: Sequence[Question], words: set[str], chunk: _Chunk
) -> dict[Question, pd.DataFrame]:
    """The sums of one chunk, on a connection of its own; questions about luck where there is any.

    `words` are the names of all columns that are wanted.
    """
    with database.cursor() as connection:
        chunk.load(connection, asked, words)
        return {
            question: connection.execute(question.sql).df()
            for question in asked
            if chunk.has_luck or not question.needs_luck
        }


def _add_up(question: Question, parts: list[pd.DataFrame]) -> pd.DataFrame:
    """The sums of chunks as those of all of them."""
    frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    return frame.groupby(list(question.keys), as_index=False, sort=False, dropna=False).sum()


def in_plan_order(plan: Plan, frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Rows by player count, by variant and source as the experiment and the game list them, then by the others.

    Raises
    ------
    BalanceError
        The tables have a variant or source of chance that the run has not.
    """
    listed = {
        "variant": [variant.name for variant in plan.variants],
        "source": [*plan.game.kernel.CHANCE, *SHARED_SOURCES],
    }
    for key in listed.keys() & set(keys):
        if strange := set(frame[key]) - set(listed[key]):
            raise unknown(key, str(min(strange, key=str)), listed[key], "a table of the run")
    first = [key for key in ("players", "variant") if key in keys]
    by = [*first, *(key for key in keys if key not in first)]

    def rank(column: pd.Series) -> pd.Series:
        return column.map(listed[column.name].index) if column.name in listed else column

    return frame.sort_values(by, key=rank, kind="stable", ignore_index=True)


@dataclass(frozen=True)
class _Chunk:
    """Games `first`..`last`-1 of all cells of one player count of a tier."""

    run: Path
    parts: list[WrittenPart]  # that hold them
    first: int
    last: int
    games: int
    lineups: int  # that are drawn for deals

    @property
    def has_luck(self) -> bool:
        """Whether some of its games were played again."""
        return any("luck" in part.files for part in self.parts)

    def load(
        self, connection: duckdb.DuckDBPyConnection, asked: Sequence[Question], words: set[str]
    ) -> None:
        """Make what is asked for of `played_rows`, `seat_rows`, `round_rows` and `luck_rows` (see `Question.sql`)."""
        games, seats = self._files(connection, "games", words), self._files(connection, "seats", words)
        number = f"game_id % {MOST_GAMES}"
        where = f"{number} BETWEEN {self.first} AND {self.last - 1}"
        make_seat_rows(connection, games, seats, number, where, self.lineups)
        if any(question.needs_rounds for question in asked):
            connection.execute(
                f"""
                CREATE OR REPLACE TEMP TABLE round_rows AS
                SELECT r.*, s.players, s.variant, s.strategy, s.deck_seed, s.{STRATUM}, s.number, s.tenth, s.rounds,
                       s.is_winner, s.win_share, s.score AS final_score
                FROM {self._files(connection, "rounds", words)} r JOIN seat_rows s USING (game_id, seat)
                """
            )
        if self.has_luck and any(question.needs_luck for question in asked):
            connection.execute(
                f"""
                CREATE OR REPLACE TEMP TABLE luck_rows AS
                SELECT s.*, l.source, l.strategy AS other_strategy, l.score AS other_score,
                       l.rank AS other_rank, l.win_share AS other_win_share
                FROM {self._files(connection, "luck", words)} l JOIN seat_rows s USING (game_id, seat)
                WHERE l.status <> 'truncated'
                """
            )

    def _files(self, connection: duckdb.DuckDBPyConnection, table: str, words: set[str]) -> str:
        """What to select from to read a table of its parts: the columns alone whose names are among `words`."""
        stems = [part.stem for part in self.parts if table in part.files]
        files = scan(connection, f"{table}_files", [part_path(self.run, table, stem) for stem in stems])
        there = connection.execute(f"SELECT * FROM {files} LIMIT 0").df().columns
        return f"(SELECT {', '.join(map(column, wanted(there, words)))} FROM {files})"


def _chunks(run: RunFolder) -> Iterator[_Chunk]:
    """The chunks of the tier that is read, made of the parts that are there.

    Raises
    ------
    BalanceError
        There is no part, one is missing or damaged, or a finished run's are not all there.
    """
    cells = run.plan.tier_cells
    parts = whole_parts(run.path, run.bond, checksums=True, cells={cell.number for cell in cells})
    _check_cells(run, parts)
    for players in run.plan.experiment.players:
        of_players = [cell for cell in cells if cell.players == players]
        numbers = {cell.number for cell in of_players}
        inside = [part for part in parts if part.cell in numbers]
        yield from _chunks_of(run, of_players, inside)


def _check_cells(run: RunFolder, parts: Sequence[WrittenPart]) -> None:
    """Refuse parts with more games than a cell may have."""
    for part in parts:
        if part.last > run.plan.cells[part.cell].tier.most_games:
            stranger = part_path(run.path, "games", part.stem)
            raise BalanceError(f"{stranger} is not of this run: it has no such games")


def _chunks_of(run: RunFolder, cells: Sequence[Cell], parts: Sequence[WrittenPart]) -> Iterator[_Chunk]:
    """The chunks of the cells of one player count."""
    end = max((part.last for part in parts), default=0)
    schedule = run.plan.schedule(cells[0])
    step = max(1, CHUNK_ROWS // (cells[0].players * len(cells)))
    first = 0
    while first < end:
        last = min(schedule.deck_start(first + step), end)
        inside = [part for part in parts if part.first < last and part.last > first]
        games = sum(min(part.last, last) - max(part.first, first) for part in inside)
        if inside:
            yield _Chunk(run.path, inside, first, last, games, schedule.pass_decks)
        first = last
