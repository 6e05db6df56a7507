"""Distribution of scores and margins: median and quartiles by variant, and scores by strategy."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.spread import quartiles, spread
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_spreads
from balance.report.kit import CELL, side_by_side, write_headlines
from balance.report.model import Section, Table
from balance.report.words import by_players, smallest_n, write_median, write_quartiles

ORDER = 62
SCORES = spread({"score": "score"}, [*CELL, "strategy"])
MARGINS = spread({"margin": "margin"}, CELL, "seat = 0 AND status = 'finished'")


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about how often each score and each margin occurs."""
    return [SCORES, MARGINS]


def write(context: ReportContext, answers: Answers) -> Section:
    """Write boxes of scores and margins, each variant next to the first."""
    scores, margins = answers[SCORES], answers[MARGINS]
    cell = scores.drop(columns="strategy").groupby([*CELL, "measure", "level"], sort=False)
    everybody = cell.sum().reset_index()
    found = pd.concat([quartiles(everybody, CELL), quartiles(margins, CELL)], ignore_index=True)
    caption = "Distribution of scores and margins."
    figure = draw_spreads("scores", caption, context.of_shown(found), context.colours)
    tables = [spread_table("scores", caption, found, ["variant", "measure"])]
    if context.has_several_strategies:
        parts, rows = quartiles(scores, [*CELL, "strategy"]), ["variant", "strategy"]
        tables.append(spread_table("scores-strategies", "Scores by strategy.", parts, rows))
    text = [
        "The margin is the best score less the second best. Half of all values lie between the quartiles."
    ]
    headlines = write_headlines(context.of_shown(found), _middle_half, by=["measure"])
    return Section("scores", "Scores and margins", text, headlines, figures=[figure], tables=tables)


def spread_table(name: str, caption: str, data: pd.DataFrame, rows: Sequence[str]) -> Table:
    """Return a table of medians with intervals and quartiles, with player counts side by side."""
    digits = int((data[["value", "low", "high"]] % 1 > 0).any(axis=None))
    shown = data.assign(quartiles=[write_quartiles(row) for row in data.itertuples()])
    return side_by_side(name, f"{caption} Medians; quartiles.", shown, rows, digits, notes=["quartiles"])


def _middle_half(rows: pd.DataFrame) -> str:
    """Return the quartiles of scores or of margins of a variant."""
    where = by_players(rows, lambda row: f"{write_quartiles(row)}, median {write_median(row)},")
    return f"half of the {rows['measure'].iloc[0]}s lie from {where} ({smallest_n(rows)})"
