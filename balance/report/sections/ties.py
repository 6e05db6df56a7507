"""Ties: how often the best score is shared, and how often a tie-break decides."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.spread import BROKEN, SHARED, ties_question
from balance.contract.sides import RIVALS
from balance.contract.view import tie_break
from balance.foundation.language import tr, trc
from balance.report.context import ReportContext
from balance.report.kit import side_by_side, write_headlines
from balance.report.model import Section
from balance.report.words import by_players, smallest_n, write_percent

ORDER = 82
NEEDS = (RIVALS,)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the question about shared best scores."""
    return [ties_question()]


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the ties of every variant, and how often a tie-break decided; None if every game was a draw."""
    data = answers[ties_question()]
    if data.empty:
        return None
    title, columns = tie_break(context.plan.game.analytics)
    text = [tr("Between equal scores, the most {title} decide.", title=tr(title))] if columns else []
    table = side_by_side("ties", tr("Ties, % of the games that were won."), data, ["variant", "measure"])
    headlines = write_headlines(context.of_shown(data), _ties)
    return Section("ties", tr("Ties"), text, headlines, tables=[table], rest=True)


def _ties(rows: pd.DataFrame) -> str:
    """Return how often the best score is shared in a variant, and how often a tie-break decides."""
    shared, broken = (rows[rows["measure"] == measure] for measure in (SHARED, BROKEN))
    n = smallest_n(rows, trc("n ≥", "games"))
    if not shared["value"].any():
        most = shared["high"].max()
        bound = (
            tr("at most {share:.2g} % of games", share=most)
            if math.isfinite(most)
            else tr("one deal gives no interval")
        )
        return tr("the best score is never shared ({bound}; {n})", bound=bound, n=n)

    def write(row: object) -> str:
        return write_percent(row, tr("of games"))

    text = tr("the best score is shared in {shares} ({n} each)", shares=by_players(shared, write), n=n)
    if broken["value"].any():
        text += "; " + tr("a tie-break decides {shares}", shares=by_players(broken, write))
    return text
