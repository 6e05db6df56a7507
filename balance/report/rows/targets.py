"""Targets: how many of the experiment's own are met?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from balance.analysis.changes import Change
from balance.analysis.question import Question
from balance.analysis.target_checks import read_targets_table, target_questions
from balance.analysis.tier_comparison import rule_targets
from balance.analysis.verdicts import BAD, GOOD, OPEN, WATCH, WORSE, Verdict
from balance.experiments.plan import Plan
from balance.experiments.targets import Target, show_targets
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import listed
from balance.report.context import Evidence, Family, ReportContext
from balance.report.row import Row
from balance.report.screen import write_word


class Targets(Row):
    """How many targets are met? A target on several seats or strategies is met if all of them meet it."""

    name = "targets"
    title = N_("Your targets")
    order = 90
    anchor = "targets"
    meaning = N_("A target is met if the whole interval lies inside its bounds, for every seat or strategy.")
    any_tier_reverses = True
    has_standard = False

    def applies(self, plan: Plan) -> bool:
        """Return whether the experiment has targets."""
        return bool(plan.experiment.targets)

    def speaking(self, context: ReportContext) -> Sequence[str]:
        """Return the tier that the page is about; the others are asked for comparison."""
        return [context.plan.tier.name]

    def families(self, context: ReportContext) -> list[Family]:
        """Return a family for each tier that has targets: the others have none on strategies."""
        others = context.other_tiers if rule_targets(context.plan) else []
        return [Family(self.name, tier) for tier in (context.plan.tier.name, *others)]

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return the means that the targets limit."""
        return target_questions(evidence.plan, _asked(evidence))

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield how many targets are met, with the missed ones."""
        if targets := _asked(evidence):
            plan, families = evidence.plan, evidence.family(self.name)
            table = read_targets_table(plan, targets, evidence.answers, "targets", families)
            yield from self.count(table.assign(target=table["target"].map(show_targets(targets))))

    def count(self, table: pd.DataFrame) -> Iterable[Verdict]:
        """Yield how many targets of each cell are met; `table` is from `read_targets_table`."""
        for (players, variant), cell in table.groupby(["players", "variant"], sort=False):
            verdicts = {target: set(rows["verdict"]) for target, rows in cell.groupby("target", sort=False)}
            met = [name for name, words in verdicts.items() if words == {"pass"}]
            missed = [name for name, words in verdicts.items() if "fail" in words]
            kind = OPEN
            if len(met) == len(verdicts) or missed:
                kind = GOOD if not missed else WATCH if len(missed) == 1 else BAD
            word, nan = tr("{met} of {n}", met=len(met), n=len(verdicts)), float("nan")
            ends = (float(len(met)), nan, nan, int(cell["n"].min()))
            yield Verdict(self.name, int(players), variant, kind, word, "; ".join(missed), *ends)

    def advice(self, verdicts: Sequence[Verdict]) -> str:
        """Return which variants meet all targets."""
        kinds: dict[str, set[str]] = {}
        for verdict in verdicts:
            kinds.setdefault(verdict.variant, set()).add(verdict.kind)
        if not kinds:
            return ""
        good = [variant for variant, found in kinds.items() if found == {GOOD}]
        if not good:
            return tr("no variant is shown to meet all targets at every player count.")
        return trn(
            "{variants} meets all targets at every player count.",
            "{variants} meet all targets at every player count.",
            len(good),
            variants=listed(good),
        )

    def compare(self, base: Verdict, verdict: Verdict, changes: Sequence[Change]) -> tuple[bool, int]:
        """Return whether other targets are missed, and whether more or fewer are met."""
        if {base.kind, verdict.kind} <= WORSE.keys() and base.name != verdict.name:
            return True, int(verdict.value > base.value) - int(verdict.value < base.value)
        return False, 0

    def unit(self, plan: Plan) -> str:
        return tr("met, of {n}", n=len(plan.experiment.targets))

    def write_value(self, plan: Plan, verdict: Verdict) -> str:
        return ""

    def label(self, verdict: Verdict) -> str:
        if verdict.name:
            return f"✗ {verdict.name}"
        return tr("all met") if verdict.kind == GOOD else ""

    def sentence(self, verdict: Verdict) -> str:
        word = write_word(verdict.word)
        text = tr("{question}: {targets} met", question=tr(self.title), targets=word)
        missed = "; " + tr("missed: {targets}", targets=verdict.name) if verdict.name else ""
        return f"{text}{missed}; n ≥ {write_number(verdict.n, ',')}"

    def doubt_of_word(self, plan: Plan, verdict: Verdict) -> str:
        return tr("{targets} met", targets=write_word(verdict.word))


def _asked(evidence: Evidence) -> list[Target]:
    """Return the targets of a tier: on strategies only where the page is about it."""
    return evidence.plan.experiment.targets if evidence.is_active else rule_targets(evidence.plan)


ROW = Targets()
