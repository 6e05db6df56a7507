"""Who sits after whom: the win share of the seats after each strategy, by distance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.analysis.gather import Answers
from balance.analysis.holdout import of_all_decks
from balance.analysis.question import Question
from balance.analysis.shares import neighbours_question
from balance.contract.sides import SEAT
from balance.foundation.language import N_, tr
from balance.foundation.text import nth
from balance.report.context import ReportContext
from balance.report.kit import largest_on_holdout, spread_columns, write_cell_headline
from balance.report.model import Section, Table
from balance.report.words import write_points

ABOUT_STRATEGIES = True
ORDER = 45
NEEDS = (SEAT,)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the question about seats after each strategy; none with two players or with one strategy."""
    question = neighbours_question(context.plan)
    return [question] if question else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a table of strategies and distances, and the largest gain as estimated on held-out deals."""
    question = neighbours_question(context.plan)
    if question is None or answers[question].empty:
        return None
    answer = answers[question]
    best = largest_on_holdout(context.of_first(answer), ["after", "distance"])
    text = [
        tr(
            "Does a weak player help the next seat? The table shows a seat's win share, in points above the mean of "
            "the other seats in the same game, by its distance after a strategy; 1 is the next seat. The points of a "
            "game add up to 0, so they show where to sit, not how weak the strategy is."
        ),
        *(_largest_gain(context.first, row) for row in best.itertuples()),
    ]
    data = context.of_shown(of_all_decks(answer))
    shown = data.rename(columns={"after": "strategy"})
    shown["seat"] = [tr("{distance} after", distance=distance) for distance in data["distance"]]
    frame = spread_columns(shown, ["players", "variant", "strategy"], "seat")
    caption = tr("Points of win share of the seats after a strategy. 95 % intervals.")
    tables = [Table("neighbours", caption, frame, {"n": ","}, data)]
    return Section("neighbours", tr("Who sits after whom"), text, tables=tables, rest=True)


def _largest_gain(variant: str, row: Any) -> str:
    """Return the seat that gains most, as estimated on held-out deals."""
    text = (
        N_("the {nth} seat after {strategy} gains most: {points} on held-out deals (n = {n:,} games)")
        if row.low > 0
        else N_(
            "the largest estimate, of the {nth} seat after {strategy}, is not shown to be a gain: {points} on held-out "
            "deals (n = {n:,} games)"
        )
    )
    values = {"nth": nth(row.distance - 1), "strategy": row.after, "points": write_points(row), "n": row.n}
    return write_cell_headline(variant, row.players, tr(text, **values)).text
