"""Combats and the board in traced games: how often attackers win, and what changes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from balance.analysis.gather import LEAST_GAMES, traced_cells
from balance.analysis.question import scale
from balance.games.grody.display.labels import BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES
from balance.games.grody.kernel import state as s
from balance.games.grody.rules import BUILDINGS, CARDS, TERRAINS, Geography
from balance.runs.folder import RunFolder
from balance.stats.intervals import Interval, ratio_interval, share_interval
from balance.stats.regression import within_effects

TAKE_PART = (s.SURE, s.SONG, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE, s.RETREAT)
"""Cards that a side plays before a combat is decided."""
SIDES = ("attacker", "defender")


@dataclass(frozen=True)
class War:
    """Combats and boards of a run's traced games.

    Attributes
    ----------
    combats : DataFrame
        One row per combat: ``players``, ``variant``, ``deal_seed``, the parts of the outcome ``combat``, ``won``
        (whether the attacker won), and for each side and card of `TAKE_PART` a column ``SIDE CARD``: number of these
        cards that
        the side played and that were not cancelled.
    board : DataFrame
        One row per game and segment: ``players``, ``variant``, ``deal_seed``, ``segment``, ``column``, ``row``,
        ``rounds`` (rounds of the game), ``first`` and ``second`` (rounds at whose beginning the first or second seat
        owned the segment), ``combats`` (number of combats there).
    """

    combats: pd.DataFrame
    board: pd.DataFrame


def read_war(run: RunFolder, variants: Sequence[str]) -> War | None:
    """Return combats and boards of the traced games of these variants; None if too few games were traced."""
    combats, boards = [], []
    for cell, connection, games in traced_cells(run, variants):
        ended = f"status <> 'truncated' AND {games}"
        fought = connection.execute(_combats_sql(ended)).df()
        held = connection.execute(_held_sql(ended)).df()
        played = connection.execute(f"SELECT game_id, deal_seed, rounds FROM games WHERE {ended}").df()
        if len(played) >= LEAST_GAMES:
            keys = {"players": cell.players, "variant": cell.variant.name}
            board = _board(played, held, fought, cell.variant.rules.board)
            boards.append(board.assign(**keys))
            combats.append(fought.drop(columns=["game_id", "number"]).assign(**keys))
    return (
        War(pd.concat(combats, ignore_index=True), pd.concat(boards, ignore_index=True))
        if boards
        else None
    )


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
        WITH told AS (
            SELECT trace.*, deal_seed, count_if(outcome = 'combat') OVER past AS number,
                   count_if(outcome = 'fought') OVER past AS ended
            FROM trace JOIN games USING (game_id) WHERE kind = 'outcome' AND {games}
            WINDOW past AS (PARTITION BY game_id ORDER BY step)
        ), sided AS (
            SELECT *, any_value(player) FILTER (outcome = 'combat') OVER (PARTITION BY game_id, number) AS attacker
            FROM told WHERE number > 0
        )
        SELECT game_id, deal_seed, number, {first},
               count_if(outcome = 'fought' AND player = attacker)::INT AS won, {cards}
        FROM sided GROUP BY ALL ORDER BY game_id, number
    """


def _held_sql(games: str) -> str:
    """Return SQL for the number of rounds at whose beginning a seat owned a segment, for segments that were taken."""
    return f"""
        WITH taken AS (
            SELECT game_id, place, player,
                   lead(round, 1, rounds) OVER (PARTITION BY game_id, place ORDER BY step) - round AS held
            FROM trace JOIN games USING (game_id) WHERE outcome = 'owner' AND {games}
        )
        SELECT game_id, place AS segment, sum(held) FILTER (player = 0) AS first,
               sum(held) FILTER (player = 1) AS second
        FROM taken GROUP BY ALL
    """


def _board(
    played: pd.DataFrame, held: pd.DataFrame, fought: pd.DataFrame, land: Geography
) -> pd.DataFrame:
    """Return a row for each game and segment; the segments of the two gródy are held from the start."""
    columns, rows = zip(*land.places, strict=True)
    segments = pd.DataFrame({"segment": land.names, "column": columns, "row": rows})
    combats = (
        fought.groupby(["game_id", "place"]).size().rename("combats").rename_axis(["game_id", "segment"])
    )
    board = played.merge(segments, how="cross").merge(held, how="left", on=["game_id", "segment"])
    board = board.join(combats, on=["game_id", "segment"])
    for seat, name in enumerate(("first", "second")):
        home = board["segment"] == land.names[land.grody[seat]]
        board[name] = board[name].where(~home, board["rounds"])
    counts = ["first", "second", "combats"]
    board[counts] = board[counts].fillna(0).astype(int)
    return board.drop(columns="game_id")


CELL = ["players", "variant"]
LEAST = 20
"""Fewest combats from which a share or an effect is estimated."""


def _columns(found: Interval) -> dict[str, float]:
    return {name: float(getattr(found, name)) for name in ("value", "low", "high", "n")}


def shares_won(combats: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return how often the attacker wins, in percent, by columns of the combats.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high``, ``n`` (combats, at least `LEAST`).
        Intervals of shares are clustered by deal.
    """
    keys, rows = [*CELL, *by], []
    for key, group in combats.groupby(keys, sort=False):
        if len(group) >= LEAST:
            decks = group.groupby("deal_seed")["won"].agg(["sum", "count"]).to_numpy(float)
            found = scale(share_interval(ratio_interval(*decks.T)), 100)
            rows.append(dict(zip(keys, key, strict=True)) | _columns(found))
    table = pd.DataFrame(rows, columns=[*keys, "value", "low", "high", "n"])
    return table.sort_values(keys, kind="stable", ignore_index=True)


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
        names = [name for name in causes if LEAST <= causes[name].sum() <= len(causes) - LEAST]
        found = within_effects(data, "won", names, ["attackers", "defenders"], "deal_seed")
        for what, effect in found.items():
            there = {"n": int(causes[what].sum())}
            rows.append(dict(zip(CELL, key, strict=True)) | {"what": what} | _columns(effect) | there)
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
    rows = []
    for key, group in board.groupby([*CELL, *place], sort=False):
        cell = dict(zip([*CELL, *place], key, strict=True))
        sums = (
            group.assign(held=group["first"] - group["second"], games=1).groupby("deal_seed").sum(True)
        )
        held = ratio_interval(sums["held"].to_numpy(float), sums["rounds"].to_numpy(float))
        fought = ratio_interval(sums["combats"].to_numpy(float), sums["games"].to_numpy(float))
        rows.append(cell | {"measure": "held"} | _columns(scale(held, 100)))
        rows.append(cell | {"measure": "combats"} | _columns(fought))
    return pd.DataFrame(rows)
