"""Helpers: how soon everybody has them, where rounds were logged."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Question, means
from balance.report.facts import Facts
from balance.report.figures.curves import Curves, draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Section
from balance.report.section import Written

PLACE = 120
BY_ROUND = means({"helpers": "helpers"}, ["players", "variant", "round"], table="round_rows")


def questions(facts: Facts) -> Sequence[Question]:
    """Helpers of a seat after each round."""
    return [BY_ROUND] if facts.has_rounds else []


def write(facts: Facts, answers: Answers) -> Written | None:
    """The curve of every variant."""
    if not facts.has_rounds:
        return None
    data = answers[BY_ROUND]
    figure = draw_curves(
        "helpers",
        "Helpers by round.",
        data.assign(curve=data["variant"]),
        Curves("round", ("round", "helpers of a seat, mean"), palette=facts.colours),
    )
    table = side_by_side("helpers", "Helpers of a seat after each round.", data, ["variant", "round"])
    text = [
        "How soon everybody has the helpers. What having one more early goes with is in Early choices."
    ]
    return Written(Section("helpers", "Helpers", text, figures=[figure], tables=[table]))
