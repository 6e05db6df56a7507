"""Ties: how often the best score is shared, and what decides then."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.ties import BROKEN, SHARED, ties_question
from balance.contract.telling import tie_break
from balance.report.facts import Facts
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written
from balance.report.words import by_players

PLACE = 82


def questions(facts: Facts) -> Sequence[Question]:
    """How often the best score is shared."""
    return [ties_question()]


def write(facts: Facts, answers: Answers) -> Written | None:
    """Ties of every variant, and how they were decided; None where every game was a draw."""
    data = answers[ties_question()]
    if data.empty:
        return None
    title, columns = tie_break(facts.plan.game.analytics)
    text = [f"Between equal scores most {title} decide."] if columns else []
    table = side_by_side("ties", "Ties, % of the games that were won.", data, ["variant", "measure"])
    says = [
        _say(str(variant), rows) for variant, rows in facts.of_shown(data).groupby("variant", sort=False)
    ]
    return Written(Section("ties", "Ties", text, says, tables=[table]))


def _say(variant: str, rows: pd.DataFrame) -> Said:
    shared, broken = (rows[rows["measure"] == measure] for measure in (SHARED, BROKEN))
    n = f"n ≥ {int(rows['n'].min()):,} games"
    if not shared["value"].any():
        most = shared["high"].max()
        bound = f"{most:.2g} % of games at most" if math.isfinite(most) else "one deck gives no interval"
        return Said(f"{variant}: the best score is never shared ({bound}; {n}).", variant)
    text = f"{variant}: the best score is shared in {by_players(shared, _percent)} ({n} each)"
    if broken["value"].any():
        text += f"; a tie-break decides {by_players(broken, _percent)}"
    return Said(f"{text}.", variant)


def _percent(row: Any) -> str:
    return f"{write_estimate(row)} % of games"
