"""Ties: how often the best score is shared, and how often a tie-break decides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.spread import BROKEN, SHARED, ties_question
from balance.contract.view import tie_break
from balance.report.context import ReportContext
from balance.report.model import Headline, Section, write_estimate
from balance.report.section import Written, side_by_side
from balance.report.words import by_players

ORDER = 82


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the question about shared best scores."""
    return [ties_question()]


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write the ties of every variant, and how often a tie-break decided; None if every game was a draw."""
    data = answers[ties_question()]
    if data.empty:
        return None
    title, columns = tie_break(context.plan.game.analytics)
    text = [f"Between equal scores, the most {title} decide."] if columns else []
    table = side_by_side("ties", "Ties, % of the games that were won.", data, ["variant", "measure"])
    says = [
        _say(str(variant), rows)
        for variant, rows in context.of_shown(data).groupby("variant", sort=False)
    ]
    return Written(Section("ties", "Ties", text, says, tables=[table]))


def _say(variant: str, rows: pd.DataFrame) -> Headline:
    shared, broken = (rows[rows["measure"] == measure] for measure in (SHARED, BROKEN))
    n = f"n ≥ {int(rows['n'].min()):,} games"
    if not shared["value"].any():
        most = shared["high"].max()
        bound = f"at most {most:.2g} % of games" if math.isfinite(most) else "one deal gives no interval"
        return Headline(f"{variant}: the best score is never shared ({bound}; {n}).", variant)
    text = f"{variant}: the best score is shared in {by_players(shared, _percent)} ({n} each)"
    if broken["value"].any():
        text += f"; a tie-break decides {by_players(broken, _percent)}"
    return Headline(f"{text}.", variant)


def _percent(row: Any) -> str:
    return f"{write_estimate(row)} % of games"
