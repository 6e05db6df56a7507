"""Combats of traced games: who wins, what changes the attacker's chance, where they are, and who holds the land."""

from __future__ import annotations

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.traced import read_traced, shares
from balance.games.grody.analytics.combats import changes, holdings, read_board, read_combats
from balance.games.grody.display.labels import BUILDING_TITLES, TERRAIN_TITLES
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_matrix
from balance.report.kit import figures_by_variant, in_variant_order, side_by_side
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import smallest_n, write_change, write_percent

ORDER = 120
MOST_DRAWN = (
    4  # warriors of a side in the figure; larger numbers need a wider rule set and are in the table
)
SIZES = ["attackers", "defenders"]
BOARD = {
    "held": ("Who holds the land", "% of rounds, first player's minus second's", 0.0),
    "combats": ("Where combats are", "combats per game", None),
}
TEXT = (
    "The attacker wins if only its warriors are left. Effects on the attacker's chance compare combats with the same "
    "number of attackers and the same number of defenders; the baseline is a plain, no building and no such card. "
    "Cancelled cards don't count. Strategies play cards when they look useful, so the effects of cards are "
    "associations, not experiments. From traced games."
)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write heat maps for each shown variant, and tables of all comparisons; None without traces."""
    combats = read_traced(context.run, context.shown, read_combats)
    board = read_traced(context.run, context.shown, read_board)
    if combats is None or board is None:
        return None
    effects, holders = changes(combats), holdings(board)
    numbers = shares(combats, SIZES, "won")
    few = numbers[(numbers[SIZES] <= MOST_DRAWN).all(axis=1)]
    caption = "How often the attacker wins, by warriors of both sides"
    figures = figures_by_variant(context, "combats", caption, few, _draw, SIZES, "% won", None)
    for measure, (title, unit, middle) in BOARD.items():
        caption = f"{title}: the first player's gród is left, the second's right"
        part, place = holders[holders["measure"] == measure], ["row", "column"]
        figures += figures_by_variant(
            context, f"board-{measure}", caption, part, _draw, place, unit, middle
        )
    return Section(
        "combats", "Combats and the board", [TEXT], _headlines(combats, effects),
        figures=in_variant_order(context, figures),
        tables=_tables(combats, numbers, effects, holders),
    )  # fmt: skip


def _draw(
    name: str, caption: str, part: pd.DataFrame, labels: list[str], unit: str, middle: float | None
) -> Figure:
    """Draw a panel of values with the half-widths of their intervals, by the columns for its rows and columns."""
    part = part.assign(half=(part["high"] - part["low"]) / 2)
    wide = part.pivot(index=labels[0], columns=labels[1], values=["value", "half"])
    title, (row, column) = f"{smallest_n(part)} per cell", labels
    values, halves = {title: wide["value"]}, {title: wide["half"]}
    return draw_matrix(name, caption, values, (row, column), unit, middle, halves)


def _tables(
    combats: pd.DataFrame, numbers: pd.DataFrame, effects: pd.DataFrame, holders: pd.DataFrame
) -> list[Table]:
    won = "% of combats that the attacker wins"
    changed = (
        "Effects on the attacker's chance, points, at the same number of attackers and of defenders."
    )
    held = (
        "Who holds each segment (first player's rounds minus second's, %), and combats there per game."
    )
    is_shown = effects["low"] * effects["high"] > 0
    effects = effects.assign(importance=effects["value"].abs().where(is_shown))
    combats = combats.assign(
        terrain=combats["terrain"].map(TERRAIN_TITLES),
        building=combats["building"].map({"": "none", **BUILDING_TITLES}),
    ).rename(columns={"lead": "morale lead"})
    by = {"combat-terrain": "terrain", "combat-building": "building", "combat-morale": "morale lead"}
    return [
        side_by_side("combat-changes", changed, effects, ["variant", "what"], 1),
        side_by_side("combats", f"{won}, by warriors.", numbers, ["variant", *SIZES], 1),
        *(
            side_by_side(
                name, f"{won}, by {each}.", shares(combats, [each], "won"), ["variant", each], 1
            )
            for name, each in by.items()
        ),
        side_by_side("board", held, holders, ["variant", "segment", "measure"], 1),
    ]


def _headlines(combats: pd.DataFrame, effects: pd.DataFrame) -> list[Headline]:
    """Return how often the attacker wins: in all combats, with a full team against fewer, one to one, with a fort."""
    one_to_one = (combats[SIZES] == 1).all(axis=1)
    groups = {
        "attackers win": shares(combats, [], "won"),
        "a full team against fewer wins": shares(combats[combats["leaders"] == 1], [], "won"),
        "one against one wins": shares(combats[one_to_one], [], "won"),
    }
    forts = effects[effects["what"] == BUILDING_TITLES["twierdza"]]
    headlines = []
    for variant in dict.fromkeys(combats["variant"]):
        parts = [
            f"{words} {write_percent(row)} (n = {row.n:,} combats)"
            for words, table in groups.items()
            for row in table[table["variant"] == variant].itertuples()
        ]
        parts += [
            f"a fort changes the attacker's chance by {write_change(row)} points (n = {row.n:,} combats)"
            for row in forts[forts["variant"] == variant].itertuples()
        ]
        if parts:
            headlines.append(Headline(f"{variant}: {'; '.join(parts)}.", variant))
    return headlines
