"""The box: how often its ducats, provisions and helpers would run out (SET-2)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.verdicts import Verdict
from balance.foundation.language import N_, tr
from balance.games.na_grunwald.analytics import BOX_DUCATS, BOX_HELPERS, BOX_PROVISIONS
from balance.games.na_grunwald.analytics.rows.box import IN_PLAY, ROW
from balance.report.context import ReportContext
from balance.report.kit import share_of_seats, side_by_side, write_cell_headline
from balance.report.model import Section
from balance.report.words import amount

ORDER = 140
HELPERS = share_of_seats({"helpers": f"helpers >= {BOX_HELPERS}"})
LABELS = {  # with the numbers of the box, because labels are data too
    "ducats": N_("more than 48 ducats in play, % of games"),
    "provisions": N_("more than 54 provisions in play, % of games"),
    "helpers": N_("all 5 helpers at the end, % of seats"),
}


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the share of games with more in play than the box has, and of seats with all helpers."""
    return [IN_PLAY, HELPERS]


def write(context: ReportContext, answers: Answers) -> Section:
    """Write how often the box would run out (SET-2), and where, with the figures of the grid."""
    both = pd.concat([answers[IN_PLAY], answers[HELPERS]], ignore_index=True)
    both["component"] = both["measure"].map(LABELS)
    table = side_by_side("box", tr("How often the box is too small."), both, ["variant", "component"])
    short = [each for each in ROW.verdicts(context.evidence(answers)) if each.is_problem]
    headlines = [
        write_cell_headline(verdict.variant, verdict.players, _with_interval(verdict))
        for verdict in sorted(short, key=lambda verdict: -verdict.value)
    ]
    text = tr(
        "The games are played on as if the bank never ran out. This section counts the games in which more was needed "
        "than the box has: {ducats} ducats, 18 provision tokens (worth at most {provisions}) and {helpers} helpers of "
        "each colour.",
        ducats=BOX_DUCATS, provisions=BOX_PROVISIONS, helpers=BOX_HELPERS,
    )  # fmt: skip
    return Section("box", tr("The box"), [text], headlines, tables=[table])


def _with_interval(verdict: Verdict) -> str:
    return tr(
        "{words} ({low} to {high}, n = {n:,})",
        words=verdict.words, low=amount(verdict.low), high=amount(verdict.high), n=verdict.n,
    )  # fmt: skip
