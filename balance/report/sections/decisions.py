"""Decisions: where the choice matters, and what the choices made cost, as a searcher judges them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import pandas as pd

from balance.analysis.decisions import AGREED, ALL, CLOSE, GAP, LOST, NEAR, kept_decisions, most_at_stake
from balance.analysis.gather import Answers, in_plan_order
from balance.analysis.halves import of_all_decks
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written

PLACE = 75
MEASURES = {
    GAP: "best to second best, points of win chance",
    CLOSE: f"the two within {NEAR:g} point, or not told apart, % of decisions",
    LOST: "best to the choice made, points of win chance",
    AGREED: "the best was chosen, % of decisions",
}
JUDGED = (
    "{judge} looked on at some games and said at one choice in several, drawn by lot, what is best and what is second "
    "best. What they and the choice made are worth was then found apart from that, by playouts on deals that all three "
    "share: points of the seat's chance to win, as the searcher estimates it a few decisions on, when all play as it "
    "takes them to. It is the searcher's opinion, surer of the others' replies than anybody is, and no count of wins; "
    "losses do not add up over a game: what one choice leaves, the next may still take. Intervals are clustered on "
    "decks. Stages are thirds of a game's decisions."
)
NOT_JUDGED = (
    "Which decisions matter is not known of this run. To have a searcher judge the choices of some games: "
    "balance decisions {run}, then write this report again."
)


def questions(facts: Facts) -> Sequence[Question]:
    """None: the answers lie in the run's folder."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """How much hangs on each kind of decision, and how they are made; how to find out where that is not known."""
    section = Section("decisions", "Decisions that matter")
    table = facts.of_shown(kept_decisions(facts.run))
    if table.empty:
        tier = f" --tier {shlex.quote(facts.plan.tier.name)}" if facts.other_tiers else ""
        section.paragraphs.append(NOT_JUDGED.format(run=shlex.quote(str(facts.run.path)) + tier))
        return Written(section)
    table = in_plan_order(facts.plan, table, ["players", "variant"])
    judge = str(table["judge"].iloc[0])
    section.paragraphs.append(JUDGED.format(judge=judge))
    section.says.extend(_says(most_at_stake(table), judge))
    whole = of_all_decks(table)
    whole = whole.assign(
        measure=pd.Categorical(whole["measure"].map(MEASURES), MEASURES.values()),
        importance=whole["value"].abs().where((whole["measure"] == GAP) & (whole["stage"] == ALL), 0.0),
    ).sort_values(["variant", "kind", "stage", "measure"], kind="stable")
    caption = f"Decisions by kind and stage, judged by {judge}."
    rows = ["variant", "kind", "stage", "measure"]
    section.tables.append(side_by_side("decisions", caption, whole, rows))
    return Written(section)


def _says(most: pd.DataFrame, judge: str) -> list[Said]:
    """The kind of decision on which most hangs, player counts together."""
    found = []
    for variant, rows in most.groupby("variant", sort=False):
        parts = [
            f"with {row.players} players on {row.kind}, {write_estimate(row)} points (n = {row.n:,})"
            for row in rows.itertuples()
        ]
        text = f"{variant}: most hangs, from the best choice to the second best, {'; '.join(parts)}, as {judge} judges."
        found.append(Said(text, str(variant)))
    return found
