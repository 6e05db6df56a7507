"""Territory: segments and warriors of winners and of the others round by round, where rounds were logged."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question, means
from balance.analysis.runaway import half_time, reached
from balance.report.facts import Facts
from balance.report.figures.curves import Curves, draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written

PLACE = 110
WHO = {1: "winners", 0: "the others"}
BY_ROUND = means(
    {name: name for name in ("segments", "warriors")},
    ["players", "variant", "round", "is_winner"],
    table="round_rows",
)


def questions(facts: Facts) -> Sequence[Question]:
    """Segments and warriors after each round, of who wins and of who doesn't."""
    return [BY_ROUND] if facts.has_rounds else []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Curves of segments, a panel for each variant that is shown; warriors in the table."""
    if not facts.has_rounds:
        return None
    data = reached(answers[BY_ROUND].sort_values("is_winner", ascending=False, kind="stable"))
    data = data.assign(seats=data["is_winner"].map(WHO))
    segments = facts.of_shown(data[data["measure"] == "segments"])
    how = Curves("round", ("round", "segments owned, mean"), panel="variant")
    figure = draw_curves(
        "territory", "Segments owned by round.", segments.assign(curve=segments["seats"]), how
    )
    caption = "Segments and warriors of a seat after a round, mean."
    rows = ["variant", "measure", "seats", "round"]
    table = side_by_side("territory", caption, data, rows)
    text = ["Winners are known only at the end. Drawn are rounds that enough games reach."]
    return Written(
        Section("territory", "Territory", text, _says(segments), figures=[figure], tables=[table])
    )


def _says(segments: pd.DataFrame) -> list[Said]:
    """What both own in the middle of the rounds that are drawn."""
    says = []
    for variant, rows in segments.groupby("variant", sort=False):
        middle = half_time(rows["round"])
        parts = [
            f"{row.seats} own {write_estimate(row)} segments"
            for row in rows[rows["round"] == middle].itertuples()
        ]
        n = int(rows.loc[rows["round"] == middle, "n"].min())
        text = f"{variant}: after round {middle} {', '.join(parts)} (n ≥ {n:,} seats)."
        says.append(Said(text, str(variant)))
    return says
