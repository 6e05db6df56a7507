"""Hope: does somebody sit through a long part of the game without a chance to win?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from balance.analysis.chances import OUT_OF_IT, told_chances
from balance.analysis.verdicts import Verdict, rate_verdicts
from balance.contract.sides import RIVALS, SEAT
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr
from balance.report.context import Evidence, Family, ReportContext
from balance.report.row import Row
from balance.report.words import amount


class Hope(Row):
    """Does a player have no hope for a third of the game? The number is the share of such games."""

    name = "hope"
    title = N_("Out of it early")
    order = 65
    anchor = "at_the_table"
    needs = (RIVALS, SEAT)
    numbers = N_("no hope for a third of the game, % of games")
    meaning = N_(
        "Seldom: in few enough games a player sits for a third of the rounds or more with less than a tenth of a fair "
        "chance to win. Often: in too many. The chances come from games of these players (balance chances)."
    )
    looks_closer = True
    every_tier = False

    def speaking(self, context: ReportContext) -> Sequence[str]:
        """Return the tier whose games were followed."""
        return [str(each) for each in context.chances["tier"].unique()]

    def families(self, context: ReportContext) -> list[Family]:
        """Return a family if games were followed."""
        return [Family(self.name, tier) for tier in self.speaking(context)]

    def aim(self, name: str) -> str:
        return OUT_OF_IT

    def band(self, plan: Plan, players: int) -> tuple[float, float]:
        return 0.0, plan.experiment.thresholds.hopeless

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield whether players sit without hope too often, in cells whose chances are true."""
        found = evidence.chances()
        if found is None or (told := told_chances(found)).empty:
            return
        rates = told[told["measure"] == OUT_OF_IT]
        families, words = evidence.family(self.name), (N_("seldom"), N_("often"))
        for verdict in rate_verdicts(self.name, rates, "group", self.band(evidence.plan, 0), families, words):
            spread = verdict.spread._replace(name="") if verdict.spread else None
            yield replace(verdict, name="", spread=spread, words=tr(OUT, share=amount(verdict.value)))


OUT = N_("in {share} % of games a player has no hope of winning for a third of the game or more")
ROW = Hope()
