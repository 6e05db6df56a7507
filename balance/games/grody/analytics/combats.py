"""Combats and the board in traced games: how often attackers win, and what changes it."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pandas as pd

from balance.analysis.traced import CELL, LEAST_ROWS, ratios
from balance.experiments.plan import Cell
from balance.foundation.language import N_, tr
from balance.games.grody.display.names import BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, TERRAINS
from balance.stats.regression import within_effects

TAKE_PART = (s.SURE, s.SONG, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE, s.RETREAT)
"""Cards that a side plays before a combat is decided."""
SIDES = ("attacker", "defender")


def read_combats(cell: Cell, connection: duckdb.DuckDBPyConnection, games: str) -> pd.DataFrame:
    """Return the combats of traced games, for `balance.analysis.traced.read_traced`.

    Returns
    -------
    DataFrame
        One row per combat: ``deal_seed``, the parts of the outcome ``combat``, ``won`` (whether the attacker won), and
        for each side and card of `TAKE_PART` a column ``SIDE CARD``: number of these cards that the side played and
        that were not cancelled.
    """
    found = connection.execute(_combats_sql(f"status <> 'truncated' AND {games}")).df()
    return found.drop(columns=["game_id", "number"])


def read_board(cell: Cell, connection: duckdb.DuckDBPyConnection, games: str) -> pd.DataFrame:
    """Return the boards of traced games, for `balance.analysis.traced.read_traced`.

    Returns
    -------
    DataFrame
        One row per game and segment: ``deal_seed``, ``segment``, ``column``, ``row``, ``rounds`` (rounds of the game),
        ``first`` and ``second`` (rounds at whose beginning the first or second seat owned the segment), ``combats``
        (number of combats there). The segments of the two gródy are held from the start.
    """
    land = cell.variant.rules.board
    ended = f"status <> 'truncated' AND {games}"
    played = connection.execute(f"SELECT game_id, deal_seed, rounds FROM games WHERE {ended}").df()
    columns, rows = zip(*land.places, strict=True)
    segments = pd.DataFrame({"segment": land.names, "column": columns, "row": rows})
    board = played.merge(segments, how="cross")
    board = board.merge(connection.execute(_board_sql(ended)).df(), "left", on=["game_id", "segment"])
    for seat, name in enumerate(("first", "second")):
        home = board["segment"] == land.names[land.grody[seat]]
        board[name] = board[name].where(~home, board["rounds"])
    counts = ["first", "second", "combats"]
    board[counts] = board[counts].fillna(0).astype(int)
    return board.drop(columns="game_id")


def _combats_sql(games: str) -> str:
    """Return SQL for combats; the cards of a combat lie between its beginning and its end."""
    cards = ", ".join(
        f"""count_if(outcome = 'card' AND effect = 1 AND ended = number - 1 AND card = '{CARDS[card]}'
                AND (player = attacker) = {side == "attacker"})::INT AS "{side} {CARDS[card]}" """
        for side in SIDES
        for card in TAKE_PART
    )
    of_combat = ("place", "attackers", "defenders", "terrain", "building", "lead", "leaders")
    first = ", ".join(f"any_value({name}) FILTER (outcome = 'combat') AS {name}" for name in of_combat)
    return f"""
        WITH outcomes AS (
            SELECT trace.*, deal_seed, count_if(outcome = 'combat') OVER past AS number,
                   count_if(outcome = 'fought') OVER past AS ended
            FROM trace JOIN games USING (game_id) WHERE kind = 'outcome' AND {games}
            WINDOW past AS (PARTITION BY game_id ORDER BY step)
        ), sided AS (
            SELECT *, any_value(player) FILTER (outcome = 'combat') OVER (PARTITION BY game_id, number) AS attacker
            FROM outcomes WHERE number > 0
        )
        SELECT game_id, deal_seed, number, {first},
               count_if(outcome = 'fought' AND player = attacker)::INT AS won, {cards}
        FROM sided GROUP BY ALL ORDER BY game_id, number
    """


def _board_sql(games: str) -> str:
    """Return SQL for segments: rounds at whose beginning each seat owned them after taking them, and combats there."""
    return f"""
        WITH taken AS (
            SELECT game_id, place AS segment, outcome, player,
                   lead(round, 1, rounds) OVER (PARTITION BY game_id, place, outcome ORDER BY step) - round AS held
            FROM trace JOIN games USING (game_id) WHERE outcome IN ('owner', 'combat') AND {games}
        )
        SELECT game_id, segment, sum(held) FILTER (outcome = 'owner' AND player = 0) AS first,
               sum(held) FILTER (outcome = 'owner' AND player = 1) AS second,
               count_if(outcome = 'combat') AS combats
        FROM taken GROUP BY ALL
    """


def changes(combats: pd.DataFrame) -> pd.DataFrame:
    """Return effects on the attacker's chance to win, in points, at the same number of attackers and of defenders.

    The baselines are a plain, no building and no such card. One model has all effects (see
    `balance.stats.regression.within_effects`); it compares combats with the same numbers of warriors.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``what``, ``value``, ``low``, ``high``, ``n`` (combats that have the cause).
    """
    rows = []
    for key, group in combats.groupby(CELL, sort=False):
        causes = pd.DataFrame(dict(_causes(group)), index=group.index)
        data = group[["deal_seed", "attackers", "defenders"]].join(causes).assign(won=100 * group["won"])
        names = [name for name in causes if LEAST_ROWS <= causes[name].sum() <= len(causes) - LEAST_ROWS]
        found = within_effects(data, "won", names, ["attackers", "defenders"], "deal_seed")
        for what, effect in found.items():
            rows.append((*key, what, effect.value, effect.low, effect.high, int(causes[what].sum())))
    return pd.DataFrame(rows, columns=[*CELL, "what", "value", "low", "high", "n"])


def _causes(combats: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    """Yield every possible cause by name, as a column that is 1 in the combats that have it."""
    for name in (*TERRAINS[1:], "grod"):
        yield TERRAIN_TITLES[name], (combats["terrain"] == name).astype(float)
    for name in BUILDINGS:
        yield BUILDING_TITLES[name], (combats["building"] == name).astype(float)
    for card in TAKE_PART:
        for side in SIDES:
            name = CARDS[card]
            yield f"{CARD_TITLES[name]}, {side}", (combats[f"{side} {name}"] > 0).astype(float)


_PLAYED_BY = {"attacker": N_("{card}, attacker"), "defender": N_("{card}, defender")}


def name_cause(what: str) -> str:
    """Return a cause of `changes` for a table: a card with its side in the language in use; others are plain words."""
    card, _, side = what.partition(", ")
    return tr(_PLAYED_BY[side], card=card) if side else what


def holdings(board: pd.DataFrame) -> pd.DataFrame:
    """Return who holds each segment, and how many combats are fought there.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``segment``, ``column``, ``row``, ``measure`` (``held``: rounds in which the first
        player owns it minus rounds in which the second does, percent of all rounds; ``combats``: combats per game),
        ``value``, ``low``, ``high``, ``n`` (rounds, or games).
    """
    place = ["segment", "column", "row"]
    board = board.assign(more=board["first"] - board["second"])
    held = ratios(board, place, "more", "rounds")
    held[["value", "low", "high"]] *= 100
    parts = {"held": held, "combats": ratios(board, place, "combats")}
    both = pd.concat([part.assign(measure=name) for name, part in parts.items()])
    columns = [*CELL, *place, "measure", "value", "low", "high", "n"]
    return both.sort_index(kind="stable", ignore_index=True)[columns]
