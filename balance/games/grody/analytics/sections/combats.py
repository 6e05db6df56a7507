"""Combats of traced games: who wins, what changes the attacker's chance, where they are, and who holds the land."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.games.grody.analytics.combats import War, changes, holdings, read_war, shares_won
from balance.games.grody.display.labels import BUILDING_TITLES, TERRAIN_TITLES
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_matrix
from balance.report.model import Figure, Headline, Section, Table, write_estimate
from balance.report.section import Written, side_by_side, stem

ORDER = 120
MOST_DRAWN = (
    4  # warriors of a side in the figure; larger numbers need a wider rule set and are in the table
)
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


def questions(context: ReportContext) -> Sequence[Question]:
    """Return nothing: combats are in traces, which `read_war` reads."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write heat maps for each shown variant, and tables of all comparisons; None without traces."""
    war = read_war(context.run, context.shown)
    if war is None:
        return None
    effects, board = changes(war.combats), holdings(war.board)
    numbers = shares_won(war.combats, ["attackers", "defenders"])
    figures = [
        replace(figure, variant=variant)
        for number, variant in enumerate(context.shown)
        for figure in [
            *_draw_numbers(stem("combats", number), variant, numbers),
            *_draw_board(number, variant, board),
        ]
    ]
    tables = [*_tables(war, numbers, effects), _board_table(board)]
    says = _says(war.combats, effects)
    return Written(
        Section("combats", "Combats and the board", [TEXT], says, figures=figures, tables=tables)
    )


def _draw_numbers(name: str, variant: str, numbers: pd.DataFrame) -> list[Figure]:
    """Draw how often the attacker wins, by the number of attackers and of defenders."""
    part = numbers[(numbers["variant"] == variant) & (numbers["attackers"] <= MOST_DRAWN)]
    part = part[part["defenders"] <= MOST_DRAWN]
    if part.empty:
        return []
    caption = f"How often the attacker wins, by warriors of both sides, variant {variant}."
    labels = ("attackers", "defenders")
    values, halves = _wide(part, labels)
    return [draw_matrix(name, caption, values, labels, "% won", None, halves)]


def _draw_board(number: int, variant: str, board: pd.DataFrame) -> list[Figure]:
    """Draw the board from above: the first player's gród on the left, the second's on the right."""
    figures = []
    for measure, (title, unit, middle) in BOARD.items():
        part = board[(board["variant"] == variant) & (board["measure"] == measure)]
        if len(part):
            labels = ("row", "column")
            values, halves = _wide(part, labels)
            caption = f"{title}, variant {variant}: the first player's gród is left, the second's right."
            name = stem(f"board-{measure}", number)
            figures.append(draw_matrix(name, caption, values, labels, unit, middle, halves))
    return figures


def _wide(part: pd.DataFrame, labels: tuple[str, str]) -> tuple[dict[str, pd.DataFrame], ...]:
    """Return one panel of values and one of the half-widths of their intervals, by rows and columns."""
    part = part.assign(half=(part["high"] - part["low"]) / 2)
    wide = part.pivot(index=labels[0], columns=labels[1], values=["value", "half"])
    title = f"n ≥ {int(part['n'].min()):,} per cell"
    return {title: wide["value"]}, {title: wide["half"]}


def _tables(war: War, numbers: pd.DataFrame, effects: pd.DataFrame) -> list[Table]:
    combats = war.combats.assign(
        terrain=war.combats["terrain"].map(TERRAIN_TITLES),
        building=war.combats["building"].map({"": "none", **BUILDING_TITLES}),
    ).rename(columns={"lead": "morale lead"})
    won = "% of combats that the attacker wins"
    effects = effects.assign(
        importance=effects["value"].abs().where(effects["low"] * effects["high"] > 0)
    )
    return [
        side_by_side(
            "combat-changes",
            "Effects on the attacker's chance, points, at the same number of attackers and of defenders.",
            effects,
            ["variant", "what"],
            1,
        ),
        side_by_side(
            "combats", f"{won}, by warriors.", numbers, ["variant", "attackers", "defenders"], 1
        ),
        *(
            side_by_side(name, f"{won}, by {by}.", shares_won(combats, [by]), ["variant", by], 1)
            for name, by in (
                ("combat-terrain", "terrain"),
                ("combat-building", "building"),
                ("combat-morale", "morale lead"),
            )
        ),
    ]


def _board_table(board: pd.DataFrame) -> Table:
    caption = (
        "Who holds each segment (first player's rounds minus second's, %), and combats there per game."
    )
    return side_by_side("board", caption, board, ["variant", "segment", "measure"], 1)


def _says(combats: pd.DataFrame, effects: pd.DataFrame) -> list[Headline]:
    """Report how often the attacker wins: in all combats, with a full team against fewer, one to one, with a fort."""
    groups = (
        ("attackers win", shares_won(combats)),
        ("a full team against fewer wins", shares_won(combats[combats["leaders"] == 1])),
        (
            "one against one wins",
            shares_won(combats[(combats["attackers"] == 1) & (combats["defenders"] == 1)]),
        ),
    )
    says = []
    for variant in dict.fromkeys(combats["variant"]):
        parts = [
            f"{words} {write_estimate(row)} % (n = {int(row.n):,} combats)"
            for words, table in groups
            for row in table[table["variant"] == variant].itertuples()
        ]
        forts = effects[
            (effects["variant"] == variant) & (effects["what"] == BUILDING_TITLES["twierdza"])
        ]
        parts += [
            f"a fort changes the attacker's chance by {row.value:+.1f} points ({row.low:+.1f} to {row.high:+.1f}, "
            f"n = {int(row.n):,} combats)"
            for row in forts.itertuples()
        ]
        if parts:
            says.append(Headline(f"{variant}: {'; '.join(parts)}.", variant))
    return says
