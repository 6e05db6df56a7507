"""Markers: how many are taken as first, second, ... of a set."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.foundation.language import N_, tr
from balance.report.context import ReportContext
from balance.report.kit import name_winners, side_by_side
from balance.report.model import Section

ORDER = 110


def questions(context: ReportContext) -> Sequence[Means]:
    """Return markers by their order in the set, by strategy and by outcome."""
    orders = max(len(variant.rules.cards_per_marker) for variant in context.plan.variants)
    markers = {str(i + 1): f"markers_{i + 1}" for i in range(orders)}
    return [means(markers, ["players", "variant", by]) for by in ("strategy", "is_winner")]


def write(context: ReportContext, answers: Answers) -> Section:
    """Write markers of winners and of the rest, and of each strategy."""
    by_strategy, by_outcome = (
        answers[question].rename(columns={"measure": N_("order")}) for question in questions(context)
    )
    by_outcome = name_winners(by_outcome, N_("the rest"))
    caption = tr("Markers taken as first, second, ... of a set, per game and seat.")
    text = tr("The first markers of a set give the most cards: an early marker is worth more than a late one.")
    tables = [
        side_by_side("markers-won", caption, by_outcome, ["variant", "seats", "order"]),
        side_by_side("markers", caption, by_strategy, ["variant", "strategy", "order"]),
    ]
    return Section("markers", tr("Markers"), [text], tables=tables)
