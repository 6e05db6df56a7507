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
from balance.report.model import Said, Section, Table, write_estimate
from balance.report.section import Written

PLACE = 75
MEASURES = {
    GAP: "best to second best, points",
    CLOSE: f"within {NEAR:g} point, % of decisions",
    LOST: "best to the choice made, points",
    AGREED: "best chosen, % of decisions",
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
        section.paragraphs.append(NOT_JUDGED.format(run=shlex.quote(str(facts.run.named)) + tier))
        return Written(section)
    table = in_plan_order(facts.plan, table, ["players", "variant"])
    judge = str(table["judge"].iloc[0])
    section.paragraphs.append(JUDGED.format(judge=judge))
    whole = of_all_decks(table)
    section.says.extend(_says(whole, most_at_stake(table), judge))
    for players, part in whole.groupby("players", sort=False):
        section.tables.append(_table(int(players), part, judge))
    return Written(section)


def _table(players: int, part: pd.DataFrame, judge: str) -> Table:
    """A row for each kind and, of all kinds together, each stage; the CSV has each kind by stage too."""
    shown = part[(part["kind"] == ALL) | (part["stage"] == ALL)]
    rows = []
    for key, cell in shown.groupby(["variant", "kind", "stage"], sort=False):
        by_measure = {row.measure: row for row in cell.itertuples()}
        written = [write_estimate(by_measure[name]) if name in by_measure else "–" for name in MEASURES]
        rows.append((*key, *written, int(by_measure[LOST].n)))
    frame = pd.DataFrame(rows, columns=["variant", "kind", "stage", *MEASURES.values(), "n"])
    frame = frame.sort_values(["variant", "n"], ascending=[True, False], kind="stable")
    caption = (
        f"Decisions, {players} players, judged by {judge}: points of win chance, by kind and by thirds of the game. "
        "95 % intervals; n counts decisions."
    )
    name = f"decisions-{players}"
    return Table(name, caption, frame, {"n": ","}, part, importance=frame["n"].to_list())


def _says(whole: pd.DataFrame, most: pd.DataFrame, judge: str) -> list[Said]:
    """What the choices made lose, and the kind of decision on which most hangs; player counts together."""
    found = []
    every = whole[(whole["kind"] == ALL) & (whole["stage"] == ALL)]
    for variant, rows in every.groupby("variant", sort=False):
        lost, agreed = (rows[rows["measure"] == name].itertuples() for name in (LOST, AGREED))
        parts = [
            f"{write_estimate(loss)} points with {loss.players} players ({best.value:.0f} % are its best; n = {loss.n})"
            for loss, best in zip(lost, agreed, strict=True)
        ]
        text = f"{variant}: a choice made loses, as {judge} judges, {'; '.join(parts)}."
        found.append(Said(text, str(variant)))
        parts = [
            f"{row.kind} with {row.players} players, {write_estimate(row)} points (n = {row.n:,})"
            for row in most[most["variant"] == variant].itertuples()
        ]
        if parts:
            text = f"{variant}: most hangs, from the best to the second best, on {'; '.join(parts)}; on fresh decks."
            found.append(Said(text, str(variant)))
    return found
