"""Comebacks: does the first half of a game matter without deciding it?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from balance.analysis.changes import Change
from balance.analysis.question import Question
from balance.analysis.spread import cell_questions
from balance.analysis.verdicts import (
    BAD,
    GOOD,
    LATE,
    OPEN_RACE,
    RUNAWAY,
    WATCH,
    Mark,
    Verdict,
    mark_band,
    mean_verdicts,
)
from balance.contract.sides import RIVALS
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.foundation.language import N_, tr, write_number
from balance.foundation.text import listed
from balance.report.context import Evidence, ReportContext
from balance.report.row import Row
from balance.report.words import amount


class Comebacks(Row):
    """Do some winners come from behind, but fewer than by chance?"""

    name = "comebacks"
    title = N_("Comebacks")
    order = 60
    anchor = "runaway"
    needs = (RIVALS,)
    numbers = N_("won from behind, %")
    measure = "comeback"

    def applies(self, plan: Plan) -> bool:
        """Return whether scores after each round were logged."""
        return plan.has_rounds

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return the means of all measures that are not split."""
        return cell_questions(evidence.measures)

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield whether the race stays open."""
        limits = evidence.plan.experiment.thresholds

        def off(players: int, value: float) -> float:
            least, most = self.band(evidence.plan, players)
            return max(least - value, value - most) / limits.comeback_change

        return mean_verdicts(
            self.name, self.measure, evidence.measures, evidence.answers, evidence.family,
            lambda *cell: self.judge(evidence.plan, *cell), off,
        )  # fmt: skip

    def judge(self, plan: Plan, players: int, low: float, high: float) -> Mark:
        """Return the verdict on an interval of the share of winners who come from behind."""
        words = Mark(GOOD, OPEN_RACE), Mark(BAD, RUNAWAY), Mark(WATCH, LATE)
        return mark_band(low, high, self.band(plan, players), *words)

    def limit(self, thresholds: Thresholds, baseline: float) -> float:
        return thresholds.comeback_change

    def band(self, plan: Plan, players: int) -> tuple[float, float]:
        return plan.experiment.thresholds.comeback_band(plan.fair_share(players))

    def term(self, context: ReportContext) -> str:
        counts = context.plan.experiment.players
        least, most = context.thresholds.comebacks
        return tr(
            "The number is the share of winners who were behind at half time. If the first half did not matter, it "
            "would be {chance} % by chance. Open: from {least:g} to {most:g} % of that chance ({bands}). Runaway: "
            "fewer. Late: more, so the first half hardly matters.",
            chance=listed([write_number(100 - context.plan.fair_share(each), ".3g") for each in counts]),
            least=least,
            most=most,
            bands=self.bands(context),
        )

    def problem(self, plan: Plan, verdict: Verdict) -> str:
        """Return how many winners come from behind; if too many, also the share expected by chance."""
        share = amount(verdict.value)
        if verdict.word != LATE:
            return tr("only {share} % of winners come from behind", share=share)
        return tr(
            "{share} % of winners come from behind, close to the {chance} % expected if the first half did not matter",
            share=share,
            chance=amount(100 - plan.fair_share(verdict.players)),
        )

    def change(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        return tr("Winners who were behind at half time: {levels} %.", **slots)

    def verb(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        if change.better < 0:
            if change.effect > 0:
                return tr("lets the first half matter less ({levels} % of winners come from behind)", **slots)
            return tr("lets leaders run away more ({levels} % of winners come from behind)", **slots)
        if change.effect > 0:
            return tr("lets more winners come from behind ({levels} %)", **slots)
        return tr("lets fewer winners come from behind ({levels} %)", **slots)

    def brief(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        return tr("winners from behind with {players} ({levels} %)", **slots)


ROW = Comebacks()
