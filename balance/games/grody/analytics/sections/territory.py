"""Territory: segments and warriors of winners and of the others by round; needs a log of rounds."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.leads import half_time, reached
from balance.analysis.question import Question, means
from balance.foundation.language import N_, tr, trc
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.kit import name_winners, side_by_side, write_headlines
from balance.report.model import Section
from balance.report.words import smallest_n, write_estimate

ORDER = 110
BY_ROUND = means(
    {name: name for name in (N_("segments"), N_("warriors"))},
    ["players", "variant", "round", "is_winner"],
    table="round_rows",
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return segments and warriors after each round, of winners and of the others; nothing without a log of rounds."""
    return [BY_ROUND] if context.has_rounds else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write curves of segments, a panel for each shown variant, and warriors in the table; None without rounds."""
    if not context.has_rounds:
        return None
    data = reached(answers[BY_ROUND].sort_values("is_winner", ascending=False, kind="stable"))
    data = name_winners(data)
    segments = context.of_shown(data[data["measure"] == "segments"])
    labels = tr("round"), tr("segments owned, mean")
    how = Curves("round", labels, curve="seats", panel="variant")
    figure = draw_curves("territory", tr("Segments owned by round."), segments, how)
    caption = tr("Segments and warriors of a seat after a round, mean.")
    table = side_by_side("territory", caption, data, ["variant", "measure", "seats", "round"])
    text = tr("Winners are the winners at the end of the game. The curves show the rounds that enough games reach.")
    headlines = write_headlines(segments, _segments_at_half_time)
    return Section("territory", tr("Territory"), [text], headlines, figures=[figure], tables=[table])


def _segments_at_half_time(rows: pd.DataFrame) -> str:
    """Return how many segments winners and the others own in the middle of the rounds in the figure."""
    middle = half_time(rows["round"])
    half = rows[rows["round"] == middle]
    own = {row.is_winner: write_estimate(row) for row in half.itertuples()}
    values = {"round": middle, "n": smallest_n(half, trc("n ≥", "seats"))}
    return tr(
        "after round {round} winners own {winners} segments, the others own {others} segments ({n})",
        winners=own.get(1, "–"), others=own.get(0, "–"), **values,
    )  # fmt: skip
