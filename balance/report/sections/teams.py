"""Win shares by team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.analysis.ended import Played
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import judged_seats, share_question
from balance.contract.sides import TEAM
from balance.foundation.language import tr
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.kit import share_table, write_share_headlines
from balance.report.model import Section
from balance.report.words import write_fair, write_furthest

ORDER = 40
NEEDS = (TEAM,)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the question about teams."""
    return [share_question(context.side_share), Played()]


def write(context: ReportContext, answers: Answers) -> Section:
    """Write win shares by team."""
    shares = judged_seats(context.plan, answers, context.family)
    caption = tr("Win share by team.")
    text = tr(
        "All seats of a team win together, so seats are not judged on their own: what a seat adds is in the game's "
        "own measures. Every team has the same fair share, whatever its size. A shared victory counts in equal parts."
    )
    return Section(
        "teams", tr("Teams"), [text], write_share_headlines(context, shares, tr("teams"), _describe),
        figures=[draw_intervals("teams", caption, shares, TEAM, context.colours)],
        tables=[share_table("teams", caption, shares, TEAM, context.shared)],
        extension=context.extension(shares),
    )  # fmt: skip


def _describe(row: Any) -> str:
    """Return a clause about the team furthest from fair."""
    return tr(
        "the team {team} wins {share} % (n = {n:,} games; fair is {fair} %)",
        team=row.team,
        share=write_furthest(row),
        n=row.n,
        fair=write_fair(row.fair),
    )
