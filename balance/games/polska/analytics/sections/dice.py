"""Dice: how many are left to choose from, and turns lost to stop cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.holdout import estimate_on_holdout
from balance.analysis.question import Means, means
from balance.foundation.text import nth
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_bars
from balance.report.model import Headline, Section, write_estimate
from balance.report.section import Written, side_by_side, stem
from balance.report.words import ordinal

ORDER = 130


BY_SEAT = means({"dice": "dice_seen"}, ["players", "variant", "seat"])
HALVES = means({"dice": "dice_seen"}, ["players", "variant", "seat", "half"])
BLOCKED = means(
    {"blocked": "100 * blocked::DOUBLE / nullif(own_turns, 0)"},
    ["players", "variant", "strategy"],
    top=100,
)
TEXT = (
    "Players use all dice before the next roll, so the seat with the first choice changes from roll to roll. If the "
    "number of players divides the number of dice, the same seat always has the first choice."
)


def questions(context: ReportContext) -> Sequence[Means]:
    """Return dice left by seat, also by half of the deals, and blocked turns by strategy."""
    return [BY_SEAT, HALVES, BLOCKED]


def write(context: ReportContext, answers: Answers) -> Written:
    """Write dice left by seat, and turns lost by strategy."""
    dice = answers[BY_SEAT]
    named = dice.assign(seat=[f"{nth(seat)} seat" for seat in dice["seat"]])
    figures = []
    if dice["players"].nunique() == 1:  # seats of one player count, as bars
        for number, variant in enumerate(context.shown):
            part = named[named["variant"] == variant]
            title = f"Dice left to choose from, variant {variant}."
            bars = part.assign(variant=part["seat"])
            drawn = draw_bars(stem("dice", number), title, bars, "dice, mean per turn")
            figures.append(replace(drawn, variant=variant))
    caption = "Turns lost to stop cards, % of a seat's turns."
    tables = [
        side_by_side(
            "dice", "Dice left when a seat chooses a die, mean per turn.", named, ["variant", "seat"]
        ),
        side_by_side("blocked", caption, answers[BLOCKED], ["variant", "strategy"]),
    ]
    says = _says(context.of_shown(answers[HALVES]))
    return Written(Section("dice", "Dice and stops", [TEXT], says, figures=figures, tables=tables))


def _says(halves: pd.DataFrame) -> list[Headline]:
    """Report the seat with the most dice to choose from, selected on half of the deals and measured on the other."""
    most = estimate_on_holdout(halves.assign(size=halves["value"]), ["variant", "players"], ["seat"])
    return [
        Headline(
            f"{row.variant}: with {row.players} players the {ordinal(row.seat)} seat has the most dice to choose from, "
            f"{write_estimate(row, 2)} per turn (n = {row.n:,} games on held-out deals).",
            row.variant,
        )
        for row in most.itertuples()
    ]
