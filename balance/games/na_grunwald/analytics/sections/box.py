"""The box: how often its ducats, provisions and helpers would run out (SET-2)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.holdout import estimate_on_holdout
from balance.analysis.question import Question, means
from balance.games.na_grunwald.analytics.measures import BOX_DUCATS, BOX_HELPERS, BOX_PROVISIONS
from balance.report.context import ReportContext
from balance.report.model import Headline, Section, Table, write_estimate
from balance.report.section import Written, side_by_side

ORDER = 140
CELL = ["players", "variant"]
SHORT = {
    "ducats": f"100 * (peak_ducats > {BOX_DUCATS})::INT",
    "provisions": f"100 * (peak_provisions > {BOX_PROVISIONS})::INT",
}
IN_PLAY = means(SHORT, CELL, "seat = 0", top=100)
HALVES = means(SHORT, [*CELL, "half"], "seat = 0", top=100)
HELPERS = means({"helpers": f"100 * (helpers >= {BOX_HELPERS})::INT"}, CELL, top=100)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the share of games with more in play than the box has, and of seats with all helpers."""
    return [IN_PLAY, HALVES, HELPERS]


def write(context: ReportContext, answers: Answers) -> Written:
    """Write how often the box would run out (SET-2)."""
    label = {
        "ducats": f"more than {BOX_DUCATS} ducats in play, % of games",
        "provisions": f"more than {BOX_PROVISIONS} provisions in play, % of games",
        "helpers": f"all {BOX_HELPERS} helpers at the end, % of seats",
    }
    both = pd.concat([answers[IN_PLAY], answers[HELPERS]], ignore_index=True)
    both["component"] = both["measure"].map(label)
    text = [
        f"In these games the bank never runs out. The box has {BOX_DUCATS} ducats, 18 provision tokens (worth at most "
        f"{BOX_PROVISIONS}) and {BOX_HELPERS} helpers of each colour."
    ]
    table: Table = side_by_side("box", "How often the box is too small.", both, ["variant", "component"])
    says = _says(answers[HALVES].assign(component=lambda f: f["measure"].map(label)))
    return Written(Section("box", "The box", text, says, tables=[table]))


def _says(halves: pd.DataFrame) -> list[Headline]:
    """Report the component that runs out most often, selected on half of the deals and measured on the other."""
    worst = estimate_on_holdout(
        halves.assign(size=halves["value"], page=0), ["page"], [*CELL, "component"]
    )
    return [
        Headline(
            f"The box is too small for {write_estimate(row)} % of games ({row.component}; {row.variant}, "
            f"{row.players} players, n = {row.n:,} games on held-out deals)."
        )
        for row in worst.itertuples()
        if row.value > 1
    ]
