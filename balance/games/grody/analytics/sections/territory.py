"""Territory: segments and warriors of winners and of the others by round; needs a log of rounds."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.leads import half_time, reached
from balance.analysis.question import Question, means
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.model import Headline, Section, write_estimate
from balance.report.section import Written, side_by_side

ORDER = 110
WHO = {1: "winners", 0: "the others"}
BY_ROUND = means(
    {name: name for name in ("segments", "warriors")},
    ["players", "variant", "round", "is_winner"],
    table="round_rows",
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return segments and warriors after each round, of winners and of the others; nothing without a log of rounds."""
    return [BY_ROUND] if context.has_rounds else []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write curves of segments, a panel for each shown variant, and warriors in the table; None without rounds."""
    if not context.has_rounds:
        return None
    data = reached(answers[BY_ROUND].sort_values("is_winner", ascending=False, kind="stable"))
    data = data.assign(seats=data["is_winner"].map(WHO))
    segments = context.of_shown(data[data["measure"] == "segments"])
    how = Curves("round", ("round", "segments owned, mean"), panel="variant")
    figure = draw_curves(
        "territory", "Segments owned by round.", segments.assign(curve=segments["seats"]), how
    )
    caption = "Segments and warriors of a seat after a round, mean."
    rows = ["variant", "measure", "seats", "round"]
    table = side_by_side("territory", caption, data, rows)
    text = [
        "Winners are the winners at the end of the game. The curves show the rounds that enough games reach."
    ]
    return Written(
        Section("territory", "Territory", text, _says(segments), figures=[figure], tables=[table])
    )


def _says(segments: pd.DataFrame) -> list[Headline]:
    """Report how many segments winners and the others own in the middle of the rounds in the figure."""
    says = []
    for variant, rows in segments.groupby("variant", sort=False):
        middle = half_time(rows["round"])
        parts = [
            f"{row.seats} own {write_estimate(row)} segments"
            for row in rows[rows["round"] == middle].itertuples()
        ]
        n = int(rows.loc[rows["round"] == middle, "n"].min())
        text = f"{variant}: after round {middle} {', '.join(parts)} (n ≥ {n:,} seats)."
        says.append(Headline(text, str(variant)))
    return says
