"""The tables that questions read: a row for each seat of a game, each round and each replay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import duckdb
import pandas as pd

from balance.analysis.holdout import TENTHS
from balance.analysis.question import MOST_ROUND_GAMES, STRATUM, Question, column, stratum_of_network
from balance.contract.records import MOVES_HASH
from balance.experiments.experiment import MOST_GAMES
from balance.experiments.plan import Plan

NEEDED = {
    "game_id", "tier", "variant", "players", "seat", "strategy", "deal_seed", "status", "rank",
    "win_share", "score", "round", "rounds", "source", "lineup", MOVES_HASH,
}  # fmt: skip
"""Columns of files that the tables need; other columns are read only if a question names them."""
_MOST_STRATA = 100  # line-ups; with more, the sums would become large


def words_of(questions: Iterable[Question]) -> set[str]:
    """Return the words in the SQL of the questions."""
    return {word for question in questions for word in re.findall(r"\w+", question.sql)}


def wanted(columns: Iterable[str], words: set[str]) -> list[str]:
    """Return the columns whose names consist of these words only: all others need not be read."""
    return [name for name in columns if words.issuperset(re.findall(r"\w+", name))]


def declare_names(connection: duckdb.DuckDBPyConnection, games: str) -> None:
    """Create enumerations of variants, strategies and line-ups: DuckDB groups their numbers faster than text.

    Also creates the table `lineups`, with ``field``, the sorted strategies of a line-up, and ``drawn``, a number for
    what was drawn: for the field if all its strategies differ, because seats are random too, otherwise for the
    line-up; and the table `repeats`, see `declare_repeats`. `games` is SQL to select from, with all chunks' games.
    """
    declare_repeats(connection, games)
    connection.execute(
        f"""
        CREATE TEMP TABLE names AS
        SELECT DISTINCT variant, lineup, string_split(lineup, ',') AS seats,
               array_to_string(list_sort(seats), ',') AS field
        FROM {games};
        CREATE TYPE variant_name AS ENUM (SELECT DISTINCT variant FROM names ORDER BY ALL);
        CREATE TYPE strategy_name AS ENUM (SELECT DISTINCT unnest(seats) AS strategy FROM names ORDER BY ALL);
        CREATE TYPE lineup_name AS ENUM (SELECT DISTINCT lineup FROM names ORDER BY ALL);
        CREATE TYPE field_name AS ENUM (SELECT DISTINCT field FROM names ORDER BY ALL);
        CREATE TABLE lineups AS
        SELECT lineup::lineup_name AS lineup, field::field_name AS field,
               dense_rank() OVER (ORDER BY if(len(list_distinct(seats)) = len(seats), field, lineup)) AS drawn
        FROM (SELECT DISTINCT lineup, seats, field FROM names);
        DROP TABLE names
        """
    )


NO_REPEAT = "game_id NOT IN (SELECT game_id FROM repeats)"
"""An SQL condition for the games that count, after `declare_repeats`."""


def declare_repeats(connection: duckdb.DuckDBPyConnection, games: str) -> None:
    """Create the table `repeats`: ``game_id`` of the games that their players had already played in the same way.

    Players without any chance, theirs or the game's, always play the same game: it counts once, however often it was
    played. Games of a line-up are repeats if all of them have the same moves and results; where some differ, there was
    chance, and equal games are independent draws. `games` is SQL to select from, with all games of the cells.
    """
    there = connection.execute(f"SELECT * FROM {games} LIMIT 0").df().columns
    found = "SELECT 0::BIGINT AS game_id WHERE false"
    if MOVES_HASH in there:
        found = f"""
            SELECT game_id FROM {games}
            WINDOW same AS (PARTITION BY tier, variant, players, lineup)
            QUALIFY min({MOVES_HASH}) OVER same = max({MOVES_HASH}) OVER same
                AND game_id > min(game_id) OVER same
        """
    connection.execute(f"CREATE TABLE repeats AS {found}")


def fetch(connection: duckdb.DuckDBPyConnection, question: Question) -> pd.DataFrame:
    """Return the sums of a question over the tables of a connection, with names as text."""
    found = connection.execute(question.sql).df()
    for name in found.select_dtypes("category"):
        found[name] = found[name].astype(str)
    return found


def stratum_of(plan: Plan, players: Sequence[int]) -> str:
    """Return SQL for the stratum of a deal, an aggregate of its games, at some player counts of the active tier.

    A deal is played in several rotations; its line-up is the one with the least number. See `Question.sql`.
    """
    if 1 < plan.most_lineups(players) <= _MOST_STRATA:
        return "min(drawn)::INT"
    if (count := plan.networks_apart(players)) > 1:
        return stratum_of_network("any_value(deal_seed)", count)
    return "0"


def make_seat_rows(
    connection: duckdb.DuckDBPyConnection, games: str, seats: str, stratum: str, where: str = "true"
) -> None:
    """Make the tables `played_rows`, `ended_rows` and `seat_rows` (see `Question.sql`), after `declare_names`.

    `games` and `seats` are SQL to select from for the tables of these names, and `where` selects rows of both;
    `stratum` is SQL, see `stratum_of`.
    """
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE game_rows AS
        SELECT g.* REPLACE (variant::variant_name AS variant, lineups.lineup AS lineup), field, drawn,
               NOT ({NO_REPEAT}) AS is_repeat
        FROM {games} g JOIN lineups USING (lineup) WHERE {where};
        CREATE OR REPLACE TEMP TABLE played_rows AS
        WITH deals AS (
            SELECT players, variant, deal_seed, {stratum} AS {STRATUM} FROM game_rows GROUP BY ALL
        ), g AS (
            SELECT * EXCLUDE (tier, drawn) FROM game_rows JOIN deals USING (players, variant, deal_seed)
        )
        SELECT s.* REPLACE (g.variant AS variant, strategy::strategy_name AS strategy),
               g.* EXCLUDE (game_id, variant, players), (game_id % {MOST_GAMES})::INT AS number,
               (deal_seed % 2)::TINYINT AS half, (deal_seed % {TENTHS})::TINYINT AS tenth,
               (rank = 1)::TINYINT AS is_winner
        FROM {seats} s JOIN g USING (game_id) WHERE {where};
        DROP TABLE game_rows;
        CREATE OR REPLACE TEMP VIEW ended_rows AS SELECT * FROM played_rows WHERE status <> 'truncated';
        CREATE OR REPLACE TEMP VIEW seat_rows AS SELECT * FROM ended_rows WHERE NOT is_repeat
        """
    )


_OF_SEATS = (
    "players", "variant", "strategy", "deal_seed", STRATUM, "number", "tenth", "rounds", "is_winner", "win_share",
    "final_score",
)  # fmt: skip


def make_round_rows(
    connection: duckdb.DuckDBPyConnection, rounds: str, questions: Iterable[Question], seats: str = "true"
) -> None:
    """Make the table `round_rows` (see `Question.sql`), after `make_seat_rows`.

    `seats` is SQL for the seats that it has: one of each side (`balance.contract.sides.Sides.one_seat`). It is the
    largest table, so it has only the columns that the questions name.
    """
    words = words_of(question for question in questions if question.needs_rounds)
    there = connection.execute(f"SELECT * FROM {rounds} LIMIT 0").df().columns
    own = [f"r.{column(name)}" for name in wanted(there, words)]
    joined = [f"s.{name}" for name in wanted(_OF_SEATS, words)]
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE round_rows AS SELECT {", ".join([*own, *joined])}
        FROM {rounds} r JOIN (
            SELECT *, score AS final_score FROM seat_rows WHERE number < {MOST_ROUND_GAMES} AND ({seats})
        ) s USING (game_id, seat)
        """
    )


def make_luck_rows(connection: duckdb.DuckDBPyConnection, luck: str) -> None:
    """Make the table `luck_rows` (see `Question.sql`), after `make_seat_rows`."""
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE luck_rows AS
        SELECT s.*, l.source, l.strategy::strategy_name AS other_strategy, l.score AS other_score,
               l.rank AS other_rank, l.win_share AS other_win_share
        FROM {luck} l JOIN seat_rows s USING (game_id, seat)
        WHERE l.status <> 'truncated'
        """
    )
