"""The experiment's own targets, and which variants meet all of them."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.check import read_targets_table, target_questions
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.model import Said, Section, Table, write_estimate
from balance.report.section import Written
from balance.report.words import more_games

PLACE = 30


def judges(facts: Facts) -> int:
    """Targets, where there are any."""
    return int(bool(facts.plan.experiment.targets))


def questions(facts: Facts) -> Sequence[Question]:
    """The means that the targets speak of."""
    return target_questions(facts.plan, facts.plan.experiment.targets)


def write(facts: Facts, answers: Answers) -> Written | None:
    """The experiment's own targets, and which variants meet all of them."""
    targets = facts.plan.experiment.targets
    if not targets:
        return None
    table = read_targets_table(facts.plan, targets, answers, "targets", facts.families)
    frame = table[["target", "players", "variant", "group"]].copy()
    frame["mean"] = [write_estimate(row, 2) for row in table.itertuples()]
    frame["verdict"] = [
        f"{row.verdict}, {more_games(row.more_games)}" if row.more_games else row.verdict
        for row in table.itertuples()
    ]
    frame["n"] = table["n"]
    found = []
    for players, cell in table.groupby("players"):
        good = [
            name
            for name, part in cell.groupby("variant", sort=False)
            if set(part["verdict"]) == {"pass"}
        ]
        total = cell["variant"].nunique()
        text = f"With {players} players {len(good)} of {total} variants are shown to meet all targets"
        text += f": {'; '.join(good)}" if good else ""
        text += f" ({len(cell)} checks, n ≥ {int(cell['n'].min()):,} each)."
        found.append(Said(text))
    note = [f"{len(table)} checks; intervals are widened so that all hold together{facts.shared}."]
    caption = "Targets."
    tables = [Table("targets", caption, frame, {"n": ","}, table)]
    longer = facts.longer(table)
    return Written(Section("targets", "Targets", note, found, tables=tables, longer=longer))
