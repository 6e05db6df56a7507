"""Combats of traced games: who wins, what changes the attacker's chance, where they are, and who holds the land."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import duckdb
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.traced import CELL, LEAST_ROWS, ratios, read_traced, shares
from balance.experiments.plan import Cell
from balance.foundation.language import N_, tr
from balance.games.grody.display.names import BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, TERRAINS
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_matrix
from balance.report.kit import figures_by_variant, in_variant_order, side_by_side, write_headlines
from balance.report.model import Figure, Section, Table
from balance.report.words import smallest_n, write_change, write_percent
from balance.stats.regression import within_effects

ORDER = 120
MOST_DRAWN = 4  # warriors of a side in the figure; larger numbers need a wider rule set and are in the table
SIZES = [N_("attackers"), N_("defenders")]
BOARD = {
    N_("held"): (
        N_("Who holds the land: the first player's gród is left, the second's right"),
        N_("% of rounds, first player's minus second's"),
        0.0,
    ),
    N_("combats"): (
        N_("Where combats are: the first player's gród is left, the second's right"),
        N_("combats per game"),
        None,
    ),
}
TEXT = N_(
    "The attacker wins if only its warriors are left. Effects on the attacker's chance compare combats with the same "
    "number of attackers and the same number of defenders; the baseline is a plain, no building and no such card. "
    "Cancelled cards don't count. Strategies play cards when they look useful, so the effects of cards are "
    "associations, not experiments. From traced games."
)
TAKE_PART = (s.SURE, s.SONG, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE, s.RETREAT)
"""Cards that a side plays before a combat is decided."""
SIDES = ("attacker", "defender")


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write heat maps for each shown variant, and tables of all comparisons; None without traces."""
    combats = read_traced(context.run, context.shown, read_combats)
    board = read_traced(context.run, context.shown, read_board)
    if combats is None or board is None:
        return None
    effects, holders = changes(combats), holdings(board)
    numbers = shares(combats, SIZES, "won")
    few = numbers[(numbers[SIZES] <= MOST_DRAWN).all(axis=1)]
    caption = tr("How often the attacker wins, by warriors of both sides")
    figures = figures_by_variant(context, "combats", caption, few, _draw, SIZES, tr("% won"), None)
    for measure, (title, unit, middle) in BOARD.items():
        part, place = holders[holders["measure"] == measure], [N_("row"), N_("column")]
        figures += figures_by_variant(context, f"board-{measure}", tr(title), part, _draw, place, tr(unit), middle)
    return Section(
        "combats", tr("Combats and the board"), [tr(TEXT)],
        write_headlines(combats, partial(_write_chances, effects)),
        figures=in_variant_order(context, figures),
        tables=_tables(combats, numbers, effects, holders),
    )  # fmt: skip


def _draw(name: str, caption: str, part: pd.DataFrame, labels: list[str], unit: str, middle: float | None) -> Figure:
    """Draw a panel of values with the half-widths of their intervals, by the columns for its rows and columns."""
    part = part.assign(half=(part["high"] - part["low"]) / 2)
    wide = part.pivot(index=labels[0], columns=labels[1], values=["value", "half"])
    title = tr("{n} per cell", n=smallest_n(part))
    values, halves = {title: wide["value"]}, {title: wide["half"]}
    return draw_matrix(name, caption, values, (tr(labels[0]), tr(labels[1])), unit, middle, halves)


def _tables(combats: pd.DataFrame, numbers: pd.DataFrame, effects: pd.DataFrame, holders: pd.DataFrame) -> list[Table]:
    changed = tr("Effects on the attacker's chance, points, at the same number of attackers and of defenders.")
    held = tr("Who holds each segment (first player's rounds minus second's, %), and combats there per game.")
    sizes = tr("% of combats that the attacker wins, by warriors.")
    is_shown = effects["low"] * effects["high"] > 0
    effects = effects.assign(importance=effects["value"].abs().where(is_shown))
    combats = combats.assign(
        terrain=combats["terrain"].map(TERRAIN_TITLES),
        building=combats["building"].map({"": "none", **BUILDING_TITLES}),
    ).rename(columns={"lead": "morale lead"})
    return [
        side_by_side("combat-changes", changed, effects, ["variant", N_("what")], 1, words=_name_causes),
        side_by_side("combats", sizes, numbers, ["variant", *SIZES], 1),
        *(
            side_by_side(name, tr(caption), shares(combats, [each], "won"), ["variant", each], 1)
            for name, (each, caption) in _BY.items()
        ),
        side_by_side("board", held, holders, ["variant", "segment", "measure"], 1),
    ]


_PLAYED_BY = {"attacker": N_("{card}, attacker"), "defender": N_("{card}, defender")}


def _name_causes(effects: pd.DataFrame) -> pd.DataFrame:
    """Return `changes` for a table: cards with their side in the language in use; other causes are plain words."""
    parts = [what.partition(", ") for what in effects["what"]]
    return effects.assign(what=[tr(_PLAYED_BY[side], card=card) if side else card for card, _, side in parts])


_BY = {
    "combat-terrain": (N_("terrain"), N_("% of combats that the attacker wins, by terrain.")),
    "combat-building": (N_("building"), N_("% of combats that the attacker wins, by building.")),
    "combat-morale": (N_("morale lead"), N_("% of combats that the attacker wins, by morale lead.")),
}
"""Tables of combats, with their column and caption."""


def _write_chances(effects: pd.DataFrame, combats: pd.DataFrame) -> str:
    """Return how often the attacker wins: in all combats, with a full team against fewer, one to one, with a fort."""
    one_to_one = (combats[SIZES] == 1).all(axis=1)
    groups = {
        N_("attackers win {share} (n = {n:,} combats)"): shares(combats, [], "won"),
        N_("a full team against fewer wins {share} (n = {n:,} combats)"): shares(
            combats[combats["leaders"] == 1], [], "won"
        ),
        N_("one against one wins {share} (n = {n:,} combats)"): shares(combats[one_to_one], [], "won"),
    }
    parts = [
        tr(words, share=write_percent(row), n=row.n) for words, table in groups.items() for row in table.itertuples()
    ]
    forts = effects[effects["what"] == BUILDING_TITLES["twierdza"]]
    parts += [
        tr(
            "a fort changes the attacker's chance by {change} points (n = {n:,} combats)",
            change=write_change(row), n=row.n,
        )
        for row in forts[forts["variant"] == combats["variant"].iloc[0]].itertuples()
    ]  # fmt: skip
    return "; ".join(parts)


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
