"""Dice left to choose from, and turns lost to stop cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.halves import remeasure
from balance.analysis.question import Means, means
from balance.contract.words import nth
from balance.report.facts import Facts
from balance.report.figures.bars import draw_bars
from balance.report.layout import side_by_side, stem
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written
from balance.report.words import ordinal

PLACE = 130


BY_SEAT = means({"dice": "dice_seen"}, ["players", "variant", "seat"])
HALVES = means({"dice": "dice_seen"}, ["players", "variant", "seat", "half"])
BLOCKED = means(
    {"blocked": "100 * blocked::DOUBLE / nullif(own_turns, 0)"},
    ["players", "variant", "strategy"],
    top=100,
)
TEXT = (
    "All dice are used up before the next roll, so whose turn it is to roll moves on. Where the number of "
    "players divides the number of dice, it does not: then the same seat always has the first choice."
)


def questions(facts: Facts) -> Sequence[Means]:
    """Dice left by seat, in halves of the decks too, and blocked turns by strategy."""
    return [BY_SEAT, HALVES, BLOCKED]


def write(facts: Facts, answers: Answers) -> Written:
    """Dice by seat and turns lost by strategy."""
    dice = answers[BY_SEAT]
    named = dice.assign(seat=[f"{nth(seat)} seat" for seat in dice["seat"]])
    figures = []
    if dice["players"].nunique() == 1:  # seats of one player count, as bars
        for number, variant in enumerate(facts.shown):
            part = named[named["variant"] == variant]
            title = f"Dice left to choose from, variant {variant}."
            bars = part.assign(variant=part["seat"])
            drawn = draw_bars(stem("dice", number), title, bars, "dice, mean a turn")
            figures.append(replace(drawn, variant=variant))
    caption = "Turns lost to stop cards, % of a seat's turns."
    tables = [
        side_by_side(
            "dice", "Dice left when a seat takes its own, mean a turn.", named, ["variant", "seat"]
        ),
        side_by_side("blocked", caption, answers[BLOCKED], ["variant", "strategy"]),
    ]
    says = _says(facts.of_shown(answers[HALVES]))
    return Written(Section("dice", "Dice and stops", [TEXT], says, figures=figures, tables=tables))


def _says(halves: pd.DataFrame) -> list[Said]:
    """The seat with most dice, chosen on half of the decks and measured on the other."""
    most = remeasure(halves.assign(size=halves["value"]), ["variant", "players"], ["seat"])
    return [
        Said(
            f"{row.variant}: with {row.players} players the {ordinal(row.seat)} has most dice to choose from, "
            f"{write_estimate(row, 2)} a turn (n = {row.n:,} games on fresh decks).",
            row.variant,
        )
        for row in most.itertuples()
    ]
