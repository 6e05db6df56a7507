"""Dice left to choose from, and turns lost to stop cards."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.halves import remeasure
from balance.analysis.question import Means, means
from balance.analysis.sums import literal
from balance.report.facts import Facts
from balance.report.figures.bars import draw_bars
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written

PLACE = 130


def questions(facts: Facts) -> Sequence[Means]:
    """Dice left by seat, in halves of the decks too, and blocked turns by strategy."""
    blocked = "100 * blocked::DOUBLE / nullif(own_turns, 0)"
    return [
        means({"dice": "dice_seen"}, ["players", "variant", "seat"]),
        means({"dice": "dice_seen"}, ["players", "seat", "half"], f"variant = {literal(facts.first)}"),
        means(
            {"blocked": blocked}, ["players", "strategy"], f"variant = {literal(facts.first)}", top=100
        ),
    ]


def write(facts: Facts, answers: Answers) -> Written:
    """Dice by seat and turns lost by strategy."""
    variant = facts.first
    dice, halves, blocked = (answers[question] for question in questions(facts))
    first = facts.of_first(dice)
    figure_data = first.assign(variant=[f"seat {seat}" for seat in first["seat"]])
    figures = []
    if first["players"].nunique() == 1:  # seats of one player count, as bars
        figures.append(draw_bars("dice", "Dice left to choose from.", figure_data, "dice, mean a turn"))
    tables = [
        side_by_side(
            "dice", "Dice left when a seat takes its own, mean a turn.", dice, ["variant", "seat"]
        ),
        side_by_side(
            "blocked",
            f"Turns lost to stop cards, % of a seat's turns, variant {variant}.",
            blocked,
            ["strategy"],
        ),
    ]
    text = [
        "All dice are used up before the next roll, so whose turn it is to roll moves on. Where the number of "
        "players divides the number of dice, it does not: then the same seat always has the first choice."
    ]
    section = Section("dice", "Dice and stops", text, figures=figures, tables=tables)
    return Written(section, _findings(variant, halves))


def _findings(variant: str, halves: pd.DataFrame) -> list[Finding]:
    """The seat with most dice, chosen on half of the decks and measured on the other."""
    most = remeasure(halves.assign(size=halves["value"]), ["players"], ["seat"])
    least = halves[halves["half"] == 1].groupby("players")["value"].min()
    return [
        Finding(
            f"{variant}: with {row.players} players seat {row.seat} has most dice to choose from, "
            f"{write_estimate(row, 2)} a turn (n = {row.n:,} games on fresh decks).",
            "dice",
            float(row.value - least[row.players]),
        )
        for row in most.itertuples()
    ]
