"""The experiment's own targets, and which variants meet all of them."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.target_checks import read_targets_table, target_questions
from balance.experiments.targets import show_targets
from balance.foundation.language import tr, trn
from balance.report.context import ReportContext
from balance.report.kit import write_verdicts
from balance.report.model import Headline, Section, Table
from balance.report.rows.targets import ROW
from balance.report.words import smallest_n, with_players, write_estimate

ORDER = 30


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the means that the targets limit."""
    return target_questions(context.plan, context.plan.experiment.targets)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the experiment's targets, and which variants meet all of them."""
    targets = context.plan.experiment.targets
    if not targets:
        return None
    table = read_targets_table(context.plan, targets, answers, "targets", context.family(ROW.name))
    frame = table[["target", "players", "variant", "group"]].copy()
    frame["target"] = frame["target"].map(show_targets(targets))
    frame["mean"] = [write_estimate(row, 2) for row in table.itertuples()]
    frame["verdict"] = write_verdicts(table)
    frame["n"] = table["n"]
    found = []
    for players, cell in table.groupby("players"):
        passed = (cell["verdict"] == "pass").groupby(cell["variant"], sort=False).all()
        good = passed.index[passed]
        text = trn(
            "With {players}, {n} of {of} variants is shown to meet all targets{names} ({checks}, {smallest} each).",
            "With {players}, {n} of {of} variants are shown to meet all targets{names} ({checks}, {smallest} each).",
            len(good),
            players=with_players([players]),
            of=len(passed),
            names=f": {'; '.join(good)}" if len(good) else "",
            checks=trn("{n} check", "{n} checks", len(cell)),
            smallest=smallest_n(cell),
        )
        found.append(Headline(text))
    note = [
        trn(
            "{n} check. Intervals are widened so that all hold together{shared}.",
            "{n} checks. Intervals are widened so that all hold together{shared}.",
            len(table),
            shared=context.shared,
        )
    ]
    tables = [Table("targets", tr("Targets."), frame, {"n": ","}, table)]
    extension = context.extension(table)
    return Section("targets", tr("Targets"), note, found, tables=tables, extension=extension)
