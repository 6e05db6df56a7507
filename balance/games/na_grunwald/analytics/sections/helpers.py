"""Helpers: how many a seat has after each round; needs a log of rounds."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Question, means
from balance.foundation.language import tr
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.kit import side_by_side
from balance.report.model import Section

ORDER = 120
BY_ROUND = means({"helpers": "helpers"}, ["players", "variant", "round"], table="round_rows")


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the helpers of a seat after each round; nothing without a log of rounds."""
    return [BY_ROUND] if context.has_rounds else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a curve for every variant; None without a log of rounds."""
    if not context.has_rounds:
        return None
    data = answers[BY_ROUND]
    how = Curves("round", (tr("round"), tr("helpers of a seat, mean")), palette=context.colours)
    figure = draw_curves("helpers", tr("Helpers by round."), data, how)
    caption = tr("Helpers of a seat after each round.")
    table = side_by_side("helpers", caption, data, ["variant", "round"])
    text = tr(
        "The mean number of helpers after each round. Early choices shows how the win share differs with one more."
    )
    return Section("helpers", tr("Helpers"), [text], figures=[figure], tables=[table])
