"""Cards: how many are played, and how many steps each makes."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.foundation.language import N_, tr
from balance.games.polska.kernel.state import KINDS, STEPPING
from balance.report.context import ReportContext
from balance.report.kit import largest_on_holdout, name_largest, side_by_side, write_cell_headlines
from balance.report.model import Section
from balance.report.words import write_estimate

ORDER = 120
PLAYED = {kind: f"{kind}_played" for kind in KINDS}
WORTH = {kind: f"{kind}_steps::DOUBLE / nullif({kind}_played, 0)" for kind in STEPPING}
KIND_NAMES = (N_("grey"), N_("blue"), N_("city"), N_("eagle"), N_("stop"), N_("train"), N_("coach"))
"""The kinds of cards as tables name them; their cells are translated."""
CELL = ["players", "variant", "strategy"]
GREY = means({"grey": WORTH["grey"]}, [*CELL, "half"])


def questions(context: ReportContext) -> Sequence[Means]:
    """Return cards played by variant and by strategy, and steps per card; for grey cards also by half of the deals."""
    return [means(PLAYED, ["players", "variant"]), means(PLAYED, CELL), means(WORTH, CELL), GREY]


def write(context: ReportContext, answers: Answers) -> Section:
    """Write cards played by variant and by strategy, and steps per card."""
    played, by_strategy, worth, grey = (
        answers[question].rename(columns={"measure": "card"}) for question in questions(context)
    )
    rows = ["variant", "strategy", "card"]
    tables = [
        side_by_side("cards-played", tr("Cards played, per game and seat."), played, ["variant", "card"]),
        side_by_side("worth", tr("Steps per card played."), worth, rows),
        side_by_side("played-strategy", tr("Cards played by strategy."), by_strategy, rows),
    ]
    most = largest_on_holdout(context.of_shown(grey), ["strategy"])
    headlines = write_cell_headlines(
        most,
        lambda row: tr(
            "{strategy} gets the most steps from grey cards, {steps} per card (n = {n:,} seats on held-out deals)",
            strategy=name_largest(row, "strategy", str),
            steps=write_estimate(row, 2),
            n=row.n,
        ),
    )
    return Section("cards", tr("Cards"), headlines=headlines, tables=tables)
