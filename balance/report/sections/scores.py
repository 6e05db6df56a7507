"""Distribution of scores and margins: median and quartiles by variant, and scores by strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.spread import quartiles, spread
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_spreads
from balance.report.model import Headline, Section, Table, write_median, write_quartiles
from balance.report.section import Written, side_by_side
from balance.report.words import by_players

ORDER = 62
CELL = ["players", "variant"]
SCORES = spread({"score": "score"}, [*CELL, "strategy"])
MARGINS = spread({"margin": "margin"}, CELL, "seat = 0 AND status = 'finished'")


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about how often each score and each margin occurs."""
    return [SCORES, MARGINS]


def write(context: ReportContext, answers: Answers) -> Written:
    """Write boxes of scores and margins, each variant next to the first."""
    scores, margins = answers[SCORES], answers[MARGINS]
    cell = scores.drop(columns="strategy").groupby([*CELL, "measure", "level"], sort=False)
    everybody = cell.sum().reset_index()
    found = pd.concat([quartiles(everybody, CELL), quartiles(margins, CELL)], ignore_index=True)
    caption = "Distribution of scores and margins."
    figure = draw_spreads("scores", caption, context.of_shown(found), context.colours)
    tables = [spread_table("scores", caption, found, ["variant", "measure"])]
    if context.has_several_strategies:
        by_strategy = quartiles(scores, [*CELL, "strategy"])
        tables.append(
            spread_table(
                "scores-strategies", "Scores by strategy.", by_strategy, ["variant", "strategy"]
            )
        )
    text = [
        "The margin is the best score less the second best. Half of all values lie between the quartiles."
    ]
    section = Section(
        "scores", "Scores and margins", text, _says(context.of_shown(found)), tables=tables
    )
    section.figures.append(figure)
    return Written(section)


def spread_table(name: str, caption: str, data: pd.DataFrame, rows: Sequence[str]) -> Table:
    """Return a table of medians with intervals and quartiles, with player counts side by side."""
    digits = int((data[["value", "low", "high"]] % 1 > 0).any(axis=None))
    shown = data.assign(quartiles=[write_quartiles(row) for row in data.itertuples()])
    return side_by_side(name, f"{caption} Medians; quartiles.", shown, rows, digits, notes=["quartiles"])


def _says(found: pd.DataFrame) -> list[Headline]:
    """Return the quartiles of scores and margins in sentences."""
    says = []
    for (variant, measure), rows in found.groupby(["variant", "measure"], sort=False):
        text = f"{variant}: half of the {measure}s lie from {by_players(rows, _write)} (n ≥ {int(rows['n'].min()):,})."
        says.append(Headline(text, str(variant)))
    return says


def _write(row: Any) -> str:
    return f"{write_quartiles(row)}, median {write_median(row)},"
