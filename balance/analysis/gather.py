"""One pass over a run in flat memory: what many questions ask for, added up chunk by chunk.

A chunk is a range of game numbers of one player count in all variants, cut where a deck begins, so that
the games of a deck, and the pairs of a game under two variants, are always together. Whatever is asked
is a sum over decks; sums of chunks add up to those of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pandas as pd

from balance.analysis.measures import Measure
from balance.errors import BalanceError
from balance.experiments import Plan
from balance.readings import open_database
from balance.runfolder import RunFolder
from balance.stats.intervals import Interval, Moments, cluster_interval

CHUNK_ROWS = 150_000  # rows of seats in memory at a time
_PARTS = 16  # chunks whose sums are kept before they are added up
_SUMS = ("clusters", "n", "s", "ss", "sn", "nn")
Report = Callable[[int, int], None]
"""Called with games read and games to read."""


@dataclass(frozen=True)
class Question:
    """Sums over the decks of a run.

    Attributes
    ----------
    sql : str
        A query over a chunk's tables `rows` (a row a game and seat: the columns of seats and games, and
        `number`, the game's in its cell, a `half` and `tenth` that its deck falls into by lot, and
        whether the seat has `won`) and, if it has `needs_rounds`, `points` (a row a game, round
        and seat, with `players`, `variant`, `strategy`, `deck_seed`, `number`, `win_share` and
        `final_score` beside the columns of rounds).
    keys : tuple of str
        Its columns that name a group; all others are added up over chunks.
    read : callable
        Makes the answer of the added-up frame.
    """

    sql: str
    keys: tuple[str, ...]
    read: Callable[[pd.DataFrame], pd.DataFrame] = field(default=lambda frame: frame)
    needs_rounds: bool = False


def means(
    values: Mapping[str, str], by: Sequence[str], where: str = "true", table: str = "rows"
) -> Question:
    """Means of several values in every group, with intervals, the decks being the clusters.

    Parameters
    ----------
    values : dict
        Name to SQL expression; games where it is NULL don't count.
    by : sequence of str
        Columns to group by.

    Returns
    -------
    Question
        Answered by a frame with the columns `by`, ``measure``, ``value``, ``low``, ``high``, ``n``,
        ``clusters``, ``error``.
    """
    names, keys = list(values), ", ".join(by)
    inner = ", ".join(
        f"count({sql})::DOUBLE AS n{i}, coalesce(sum(({sql})::DOUBLE), 0) AS s{i}"
        for i, sql in enumerate(values.values())
    )
    outer = ", ".join(moments_sql(f"s{i}", f"n{i}", str(i)) for i in range(len(names)))
    sql = f"""
        WITH decks AS (SELECT {keys}, deck_seed, {inner} FROM {table} WHERE {where} GROUP BY ALL)
        SELECT {keys}, {outer} FROM decks GROUP BY ALL
    """
    return Question(sql, tuple(by), lambda frame: _read_means(frame, by, names), table == "points")


def moments_sql(total: str, count: str, suffix: str) -> str:
    """The sums of `Moments` over rows that are clusters, as columns with a suffix."""
    return (
        f"count_if({count} > 0)::DOUBLE AS clusters{suffix}, sum({count}) AS n{suffix}, "
        f"sum({total}) AS s{suffix}, sum({total} * {total}) AS ss{suffix}, "
        f"sum({total} * {count}) AS sn{suffix}, sum({count} * {count}) AS nn{suffix}"
    )


def intervals_of(frame: pd.DataFrame, suffix: str = "") -> Interval:
    """Intervals, as arrays, from the columns that `moments_sql` made."""
    return cluster_interval(Moments(*(frame[f"{name}{suffix}"].to_numpy(float) for name in _SUMS)))


def interval_columns(found: Interval) -> dict[str, object]:
    """An interval of arrays as columns of a frame."""
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "clusters": found.clusters,
        "error": found.error,
    }


def require_spread(run: RunFolder, clusters: pd.Series) -> None:
    """Refuse to judge where no group has two decks: without a spread there is no interval.

    Raises
    ------
    BalanceError
        Says so.
    """
    if (clusters < 2).all():
        raise BalanceError(
            f"{run.path} has too few games for an interval: one deck only; play more games"
        )


def interval_of(row: object) -> Interval:
    """The interval in a row of such a frame, as `itertuples` gives it."""
    names = ("value", "low", "high", "n", "clusters", "error")
    return Interval(*(getattr(row, name) for name in names))


def _read_means(frame: pd.DataFrame, by: Sequence[str], names: Sequence[str]) -> pd.DataFrame:
    parts = [
        frame[list(by)].assign(measure=name, **interval_columns(intervals_of(frame, str(i))))
        for i, name in enumerate(names)
    ]
    columns = [*by, "measure", "value", "low", "high", "n", "clusters", "error"]
    return pd.concat(parts, ignore_index=True)[columns]


def measure_means(measures: Sequence[Measure], by: Sequence[str], where: str = "true") -> Question:
    """Means of measures that are split alike, in the units shown."""
    (per_game,) = {measure.per_game for measure in measures}
    where = f"{where} AND seat = 0" if per_game else where
    return means({measure.name: measure.scaled for measure in measures}, by, where)


def gather(
    run: RunFolder, questions: Mapping[str, Question], report: Report = lambda done, planned: None
) -> dict[str, pd.DataFrame]:
    """Answer questions in one pass over a run's files.

    Returns
    -------
    dict of DataFrame
        What each question's `read` made, rows ordered by player count, by variant as the experiment
        lists them, and by the other keys.

    Raises
    ------
    BalanceError
        A part is missing or damaged, or nothing has been logged yet.
    """
    sums: dict[str, list[pd.DataFrame]] = {name: [] for name in questions}
    rounds = any(question.needs_rounds for question in questions.values())
    whole = _Chunks(run)
    whole.check_whole()
    chunks = list(whole)
    planned = sum(chunk.games for chunk in chunks)
    done = 0
    with open_database() as connection:
        connection.execute("SET preserve_insertion_order = false")
        report(done, planned)
        for chunk in chunks:
            try:
                chunk.load(connection, rounds)
            except duckdb.Error as error:
                reason = str(error).splitlines()[0]
                raise BalanceError(
                    f"cannot read {run.path}: {reason}; play it again with: balance run --resume {run.path}"
                ) from None
            for name, question in questions.items():
                sums[name].append(connection.execute(question.sql).df())
                if len(sums[name]) == _PARTS:
                    sums[name] = [_add_up(question, sums[name])]
            done += chunk.games
            report(done, planned)
    return {
        name: question.read(in_plan_order(run.plan, _add_up(question, sums[name]), question.keys))
        for name, question in questions.items()
    }


def _add_up(question: Question, parts: list[pd.DataFrame]) -> pd.DataFrame:
    """The sums of chunks as those of all of them."""
    frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    return frame.groupby(list(question.keys), as_index=False, sort=False, dropna=False).sum()


def in_plan_order(plan: Plan, frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Rows by player count, by variant as the experiment lists them, then by the other keys."""
    order = {variant.name: number for number, variant in enumerate(plan.variants)}
    first = [key for key in ("players", "variant") if key in keys]
    by = [*first, *(key for key in keys if key not in first)]

    def rank(column: pd.Series) -> pd.Series:
        return column.map(order) if column.name == "variant" else column

    return frame.sort_values(by, key=rank, kind="stable", ignore_index=True)


@dataclass(frozen=True)
class _Chunk:
    """Games `first`..`last`-1 of all cells of one player count."""

    parts: list[str]  # stems of files
    run: Path
    most_games: int
    first: int
    last: int
    games: int

    def load(self, connection: duckdb.DuckDBPyConnection, rounds: bool) -> None:
        """Make the tables `rows` and `points`."""
        wanted = f"game_id % {self.most_games} BETWEEN {self.first} AND {self.last - 1}"
        connection.execute(
            f"""
            CREATE OR REPLACE TEMP TABLE rows AS
            SELECT s.*, g.* EXCLUDE (game_id, variant, players),
                   game_id % {self.most_games} AS number,
                   (deck_seed % 2)::INT AS half, (deck_seed % 10)::INT AS tenth, (rank = 1)::INT AS won
            FROM {self._files("seats")} s JOIN {self._files("games")} g USING (game_id) WHERE {wanted}
            """
        )
        if rounds:
            connection.execute(
                f"""
                CREATE OR REPLACE TEMP TABLE points AS
                SELECT r.*, s.players, s.variant, s.strategy, s.deck_seed, s.number, s.win_share,
                       s.score AS final_score
                FROM {self._files("rounds")} r JOIN rows s USING (game_id, seat)
                """
            )

    def _files(self, table: str) -> str:
        names = ", ".join(quote(str(self.run / table / f"{part}.parquet")) for part in self.parts)
        return f"read_parquet([{names}], union_by_name = true)"


def quote(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


class _Chunks:
    """The chunks of a run, made of the parts that are there."""

    def __init__(self, run: RunFolder) -> None:
        self._run, self._plan = run, run.plan
        self._stems = sorted(path.stem for path in (run.path / "games").glob("cell*.parquet"))
        if not self._stems:
            raise BalanceError(f"{run.path} has no games yet")
        self._parts = self._read_parts()

    def __iter__(self) -> Iterator[_Chunk]:
        for players in self._plan.experiment.players:
            cells = [cell.number for cell in self._plan.cells if cell.players == players]
            yield from self._of(players, [part for part in self._parts if part[0] in cells])

    def _read_parts(self) -> list[tuple[int, int, int, str]]:
        """Cell, first game, end and stem of every part."""
        from balance.logs import count_rows

        found = []
        for stem in self._stems:
            cell, first = int(stem[4:].split("-")[0]), int(stem.split("-")[1])
            rows = count_rows(self._run.path / "games" / f"{stem}.parquet")
            if rows is None:
                raise BalanceError(
                    f"{self._run.path / 'games' / stem}.parquet is cut short; "
                    f"play it again with: balance run --resume {self._run.path}"
                )
            found.append((cell, first, first + rows, stem))
        return found

    def check_whole(self) -> None:
        """Refuse a finished run whose parts are not all there."""
        found = sum(last - first for _, first, last, _ in self._parts)
        expected = self._run.info["rows"].get("games", found)
        if self._run.info["status"] == "finished" and found != expected:
            raise BalanceError(
                f"{self._run.path} has {found:,} of its {expected:,} games; "
                f"play those that are missing with: balance run --resume {self._run.path}"
            )

    def _of(self, players: int, parts: list[tuple[int, int, int, str]]) -> Iterator[_Chunk]:
        end = max((last for _, _, last, _ in parts), default=0)
        schedule = self._plan.schedule(players)
        step = max(1, CHUNK_ROWS // (players * len(self._plan.variants)))
        first = 0
        while first < end:
            last = min(schedule.deck_start(first + step), end)
            inside = [part for part in parts if part[1] < last and part[2] > first]
            games = sum(min(part[2], last) - max(part[1], first) for part in inside)
            if inside:
                stems = [part[3] for part in inside]
                yield _Chunk(stems, self._run.path, self._plan.experiment.most_games, first, last, games)
            first = last
