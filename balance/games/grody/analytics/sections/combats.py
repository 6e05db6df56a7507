"""Combats of traced games: who wins, what changes the attacker's chance, where they are, and who holds the land."""

from __future__ import annotations

from functools import partial

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.traced import read_traced, shares
from balance.foundation.language import N_, tr
from balance.games.grody.analytics.combats import changes, holdings, name_cause, read_board, read_combats
from balance.games.grody.display.names import BUILDING_TITLES, TERRAIN_TITLES
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_matrix
from balance.report.kit import figures_by_variant, in_variant_order, side_by_side, write_headlines
from balance.report.model import Figure, Section, Table
from balance.report.words import smallest_n, write_change, write_percent

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


def _name_causes(effects: pd.DataFrame) -> pd.DataFrame:
    return effects.assign(what=effects["what"].map(name_cause))


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
