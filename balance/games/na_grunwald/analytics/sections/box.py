"""The box: how often it would run out (SET-2)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.halves import remeasure
from balance.analysis.question import Question, means
from balance.games.na_grunwald.analytics.measures import BOX_DUCATS, BOX_HELPERS, BOX_PROVISIONS
from balance.report.facts import Facts
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, Table, write_estimate
from balance.report.section import Written

PLACE = 140
CELL = ["players", "variant"]
SHORT = {
    "ducats": f"100 * (peak_ducats > {BOX_DUCATS})::INT",
    "provisions": f"100 * (peak_provisions > {BOX_PROVISIONS})::INT",
}
IN_PLAY = means(SHORT, CELL, "seat = 0", top=100)
HALVES = means(SHORT, [*CELL, "half"], "seat = 0", top=100)
HELPERS = means({"helpers": f"100 * (helpers >= {BOX_HELPERS})::INT"}, CELL, top=100)


def questions(facts: Facts) -> Sequence[Question]:
    """How much was in play at once, and how many seats have all helpers."""
    return [IN_PLAY, HALVES, HELPERS]


def write(facts: Facts, answers: Answers) -> Written:
    """How often the box would run out (SET-2)."""
    label = {
        "ducats": f"more than {BOX_DUCATS} ducats in play, % of games",
        "provisions": f"more than {BOX_PROVISIONS} provisions in play, % of games",
        "helpers": f"all {BOX_HELPERS} helpers at the end, % of seats",
    }
    both = pd.concat([answers[IN_PLAY], answers[HELPERS]], ignore_index=True)
    both["component"] = both["measure"].map(label)
    text = [
        f"The bank never runs out here. The box has {BOX_DUCATS} ducats, 18 provision tokens, worth "
        f"{BOX_PROVISIONS} at most, and {BOX_HELPERS} helpers of each colour."
    ]
    table: Table = side_by_side(
        "box", "How often the box would be too small.", both, ["variant", "component"]
    )
    says = _says(answers[HALVES].assign(component=lambda f: f["measure"].map(label)))
    return Written(Section("box", "The box", text, says, tables=[table]))


def _says(halves: pd.DataFrame) -> list[Said]:
    """The shortest component of all cells, chosen on half of the decks, if it matters on the other."""
    worst = remeasure(halves.assign(size=halves["value"], page=0), ["page"], [*CELL, "component"])
    return [
        Said(
            f"The box is too small for {write_estimate(row)} % of games ({row.component}; {row.variant}, "
            f"{row.players} players, n = {row.n:,} games on fresh decks)."
        )
        for row in worst.itertuples()
        if row.value > 1
    ]
