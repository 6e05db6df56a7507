"""Dice left to choose from, and turns lost to stop cards."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.analysis.sums import literal
from balance.report.facts import Facts
from balance.report.figures.bars import draw_bars
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written

PLACE = 130


def questions(facts: Facts) -> Sequence[Means]:
    """Dice left by seat, and blocked turns by strategy."""
    blocked = "100 * blocked::DOUBLE / nullif(own_turns, 0)"
    return [
        means({"dice": "dice_seen"}, ["players", "variant", "seat"]),
        means(
            {"blocked": blocked}, ["players", "strategy"], f"variant = {literal(facts.first)}", top=100
        ),
    ]


def write(facts: Facts, answers: Answers) -> Written:
    """Dice by seat and turns lost by strategy."""
    variant = facts.first
    dice, blocked = (answers[question] for question in questions(facts))
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
    found = []
    for players, cell in first.groupby("players"):
        gap = cell["value"].max() - cell["value"].min()
        row = next(cell.loc[[cell["value"].idxmax()]].itertuples())
        text_of = (
            f"{variant}: with {players} players seat {row.seat} has most dice to choose from, "
            f"{write_estimate(row, 2)} a turn (n = {row.n:,} games)."
        )
        found.append(Finding(text_of, "dice", float(gap)))
    return Written(Section("dice", "Dice and stops", text, figures=figures, tables=tables), found)
