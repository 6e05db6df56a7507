"""Dice: how many are left to choose from, and turns lost to stop cards."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.foundation.language import N_, tr
from balance.foundation.text import seat_name
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_bars
from balance.report.kit import figures_by_variant, largest_on_holdout, side_by_side, write_cell_headlines
from balance.report.model import Figure, Section
from balance.report.words import ordinal, write_estimate

ORDER = 130
BY_SEAT = means({"dice": "dice_seen"}, ["players", "variant", "seat"])
HALVES = means({"dice": "dice_seen"}, ["players", "variant", "seat", "half"])
BLOCKED = means(
    {"blocked": "100 * blocked::DOUBLE / nullif(own_turns, 0)"}, ["players", "variant", "strategy"], top=100
)
TEXT = N_(
    "Players use all dice before the next roll, so the seat with the first choice changes from roll to roll. If the "
    "number of players divides the number of dice, the same seat always has the first choice."
)


def questions(context: ReportContext) -> Sequence[Means]:
    """Return dice left by seat, also by half of the deals, and blocked turns by strategy."""
    return [BY_SEAT, HALVES, BLOCKED]


def write(context: ReportContext, answers: Answers) -> Section:
    """Write dice left by seat, and turns lost by strategy."""
    dice = answers[BY_SEAT]
    figures = []
    if dice["players"].nunique() == 1:  # seats of one player count, as bars
        figures = figures_by_variant(context, "dice", tr("Dice left to choose from"), _name_seats(dice), _draw)
    caption = tr("Dice left when a seat chooses a die, mean per turn.")
    lost = tr("Turns lost to stop cards, % of a seat's turns.")
    tables = [
        side_by_side("dice", caption, dice, ["variant", "seat"], words=_name_seats),
        side_by_side("blocked", lost, answers[BLOCKED], ["variant", "strategy"]),
    ]
    most = largest_on_holdout(context.of_shown(answers[HALVES]), ["seat"])
    headlines = write_cell_headlines(
        most[most["tied"] == ""],
        lambda row: tr(
            "the {nth} player has the most dice to choose from, {dice} per turn (n = {n:,} games on held-out deals)",
            nth=ordinal(row.seat),
            dice=write_estimate(row, 2),
            n=row.n,
        ),
    )
    return Section("dice", tr("Dice and stops"), [tr(TEXT)], headlines, figures=figures, tables=tables)


def _name_seats(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(seat=[seat_name(seat) for seat in table["seat"]])


def _draw(name: str, caption: str, rows: pd.DataFrame) -> Figure:
    return draw_bars(name, caption, rows.assign(variant=rows["seat"]), tr("dice, mean per turn"))
