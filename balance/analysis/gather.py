"""Answers to many questions in one pass over a run, chunk by chunk, in constant memory.

A chunk is a range of game numbers of one player count in all variants of one tier. It starts with a new deal, so the
games of a deal, and the pairs of a game under two variants, are always in one chunk. Every question is a sum over
deals, so the sums of the chunks add up to the sums of the run.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb
import pandas as pd

from balance.analysis.holdout import TENTHS
from balance.analysis.question import STRATUM, Question, column
from balance.contract.records import SHARED_SOURCES
from balance.engine.networks import DEAL_SHIFT
from balance.experiments.experiment import MOST_GAMES
from balance.experiments.plan import Cell, Plan
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.progress import SILENCE, Progress
from balance.runs.database import connect, open_database, reading, scan
from balance.runs.folder import RunFolder
from balance.runs.manifest import WrittenPart, part_path
from balance.runs.verify import whole_parts

CHUNK_ROWS = 100_000  # rows of seats in a chunk
_MOST_WORKERS = 4  # chunks in memory at a time
_KEYS = {
    "game_id", "tier", "variant", "players", "seat", "strategy", "deal_seed", "status", "rank",
    "win_share", "score", "round", "rounds", "source", "lineup",
}  # fmt: skip
"""Columns that every chunk needs; other columns are read only if a question names them."""
_PARTS = 16  # chunks whose sums are kept before they are added up
_MOST_STRATA = 100  # line-ups; with more, the sums would become large

Answers = Mapping[Question, pd.DataFrame]
"""The answer to each question."""


def gather(
    run: RunFolder, questions: Iterable[Question], progress: Progress = SILENCE
) -> dict[Question, pd.DataFrame]:
    """Answer questions about the active tier, in one pass over a run's files.

    Returns
    -------
    dict of DataFrame
        The result of each question's `read`, with rows ordered by player count, by variant as in the experiment, and
        by the other keys.
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
        raise BalanceError(f"{run.path} has no replayed games: play with `luck`")
    return {
        question: question.read(in_plan_order(run.plan, _add_up(question, parts), question.keys))
        for question, parts in sums.items()
    }


def words_of(asked: Iterable[Question]) -> set[str]:
    """Return the words in the SQL of all questions, and the columns that every chunk needs."""
    return _KEYS.union(*(re.findall(r"\w+", question.sql) for question in asked))


def wanted(columns: Iterable[str], words: set[str]) -> list[str]:
    """Return the columns whose names consist of these words only: all others need not be read."""
    return [name for name in columns if words.issuperset(re.findall(r"\w+", name))]


_STRATUM = """
    hash(min(CASE WHEN len(list_distinct(string_split(lineup, ','))) = players
             THEN array_to_string(list_sort(string_split(lineup, ',')), ',') ELSE lineup END)
         OVER (PARTITION BY players, variant, deal_seed))
"""
"""The line-up of a deal, in SQL over games. A deal is played in several rotations, and if all strategies differ the
seats are random too; so the line-up is the first rotation in sorted order, or the sorted strategies."""


def stratum_of(plan: Plan, players: Sequence[int]) -> str:
    """Return SQL over games for the stratum of a deal at some player counts of the active tier, see `Question.sql`."""
    if 1 < plan.most_lineups(players) <= _MOST_STRATA:
        return _STRATUM
    if (count := plan.networks_apart(players)) > 1:
        return f"-1 - ((deal_seed >> {DEAL_SHIFT}) % {count})::BIGINT"
    return "0"


def without_forecast(table: pd.DataFrame, plan: Plan) -> pd.DataFrame:
    """Set ``more_games`` to 0 if several networks play: more games do not show how far other networks would differ."""
    apart = [count for count in table["players"].unique() if plan.networks_apart([count]) > 1]
    return table.assign(more_games=table["more_games"].mask(table["players"].isin(apart), 0))


def make_seat_rows(
    connection: duckdb.DuckDBPyConnection,
    games: str,
    seats: str,
    number: str,
    stratum: str,
    where: str = "true",
) -> None:
    """Make the tables `played_rows` and `seat_rows` (see `Question.sql`).

    Parameters
    ----------
    games, seats : str
        SQL to select from for the tables of these names.
    number : str
        SQL for a game's number in its cell, from its ``game_id``; `where` selects the games.
    stratum : str
        SQL over games, see `stratum_of`.
    """
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE played_rows AS
        WITH g AS (SELECT *, {stratum} AS {STRATUM} FROM {games} WHERE {where})
        SELECT s.*, g.* EXCLUDE (game_id, tier, variant, players),
               {number} AS number,
               (deal_seed % 2)::INT AS half, (deal_seed % {TENTHS})::INT AS tenth, (rank = 1)::INT AS is_winner
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
    """Return the sums of one chunk, on its own connection; questions about luck only if the chunk has replays.

    `words` are the names of all columns to read.
    """
    with database.cursor() as connection:
        chunk.load(connection, asked, words)
        return {
            question: connection.execute(question.sql).df()
            for question in asked
            if chunk.has_luck or not question.needs_luck
        }


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
    parts: list[WrittenPart]  # the files with these games
    first: int
    last: int
    games: int
    stratum: str  # SQL, see `stratum_of`

    @property
    def has_luck(self) -> bool:
        """Whether some of the games were replayed."""
        return any("luck" in part.files for part in self.parts)

    def load(
        self, connection: duckdb.DuckDBPyConnection, asked: Sequence[Question], words: set[str]
    ) -> None:
        """Create the tables that the questions need, of `played_rows`, `seat_rows`, `round_rows` and `luck_rows`."""
        games, seats = self._files(connection, "games", words), self._files(connection, "seats", words)
        number = f"game_id % {MOST_GAMES}"
        where = f"{number} BETWEEN {self.first} AND {self.last - 1}"
        make_seat_rows(connection, games, seats, number, self.stratum, where)
        if any(question.needs_rounds for question in asked):
            connection.execute(
                f"""
                CREATE OR REPLACE TEMP TABLE round_rows AS
                SELECT r.*, s.players, s.variant, s.strategy, s.deal_seed, s.{STRATUM}, s.number, s.tenth, s.rounds,
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
        """Return SQL to select from for a table of the parts, with only the columns whose names are in `words`."""
        stems = [part.stem for part in self.parts if table in part.files]
        files = scan(connection, f"{table}_files", [part_path(self.run, table, stem) for stem in stems])
        there = connection.execute(f"SELECT * FROM {files} LIMIT 0").df().columns
        return f"(SELECT {', '.join(map(column, wanted(there, words)))} FROM {files})"


def _chunks(run: RunFolder) -> Iterator[_Chunk]:
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
            raise BalanceError(f"{stranger} does not belong to this run, which has no such games")


def _chunks_of(run: RunFolder, cells: Sequence[Cell], parts: Sequence[WrittenPart]) -> Iterator[_Chunk]:
    """Yield the chunks of the cells of one player count."""
    end = max((part.last for part in parts), default=0)
    schedule = run.plan.schedule(cells[0])
    step = max(1, CHUNK_ROWS // (cells[0].players * len(cells)))
    stratum = stratum_of(run.plan, [cells[0].players])
    later = deque(sorted(parts, key=lambda part: part.first))
    first, inside = 0, list[WrittenPart]()
    while first < end:
        last = min(schedule.deck_start(first + step), end)
        while later and later[0].first < last:
            inside.append(later.popleft())
        inside = sorted((part for part in inside if part.last > first), key=lambda part: part.stem)
        games = sum(min(part.last, last) - max(part.first, first) for part in inside)
        if inside:
            yield _Chunk(run.path, inside, first, last, games, stratum)
        first = last


def choose_cells(
    run: RunFolder, variants: Sequence[str] | None, players: Sequence[int] | None
) -> list[Cell]:
    """Return the cells of the active tier, only those of the given variants and player counts if any."""
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


GAMES = 5_000  # the first games of each cell
LEAST_GAMES = 100
"""The least number of traced games in a cell with a result."""


def traced_cells(
    run: RunFolder, variants: Sequence[str]
) -> Iterator[tuple[Cell, duckdb.DuckDBPyConnection, str]]:
    """Yield the cells of these variants with enough traced games, in the active tier.

    Yields
    ------
    Cell
    DuckDBPyConnection
        A connection with a view for each table.
    str
        An SQL condition on ``game_id`` for the games to read.
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
