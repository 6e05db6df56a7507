"""Luck: which source of chance decides most? It is never judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from balance.analysis.luck import Luck as Replayed
from balance.analysis.luck import Variance, largest_source, luck_tier, read_variance, variance_applies
from balance.analysis.question import Question
from balance.analysis.verdicts import NO_TARGET, NONE, Verdict
from balance.contract.records import BOTS
from balance.contract.sides import SEAT
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr
from balance.report.context import Evidence, Family, ReportContext
from balance.report.row import Row


class Luck(Row):
    """What decides most: the source of chance that is shown to, or, without replays, the plan's share of wins.

    A cell without such a source has no verdict.
    """

    name = "luck"
    title = N_("Luck")
    order = 80
    anchor = "luck"
    needs = (SEAT,)
    meaning = N_(
        "Never judged: no amount of luck is right or wrong. 0: drawing this source of chance again changes no result. "
        "100: it changes results as much as another game does. A source is named only where it is shown to decide more "
        "than each other one."
    )
    every_tier = False
    has_standard = False

    def speaking(self, context: ReportContext) -> Sequence[str]:
        """Return the tier whose games were replayed, or else the one that the page is about."""
        return [(luck_tier(context.plan) or context.plan.tier).name]

    def families(self, context: ReportContext) -> list[Family]:
        """Return a family for each tier whose largest source is named: by the section, and in the grid."""
        tiers = [context.plan.tier, luck_tier(context.plan)]
        named = dict.fromkeys(tier.name for tier in tiers if tier and tier.luck)
        return [Family(self.name, tier) for tier in named]

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return the question about replayed games, or about variance if every strategy has every seat on a deal."""
        if evidence.plan.tier.luck:
            return [Replayed()]
        return [Variance()] if variance_applies(evidence.plan) else []

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield the source that decides most."""
        if evidence.plan.tier.luck:
            table = largest_source(evidence.answers[Replayed()], evidence.family(self.name))
            table = table.replace({"source": {BOTS: "bots' lots"}})
        elif variance_applies(evidence.plan):
            table = read_variance(evidence.answers[Variance()])
            of_wins = (table["outcome"] == "wins") & (table["source"] == "strategy")
            table = table[of_wins].assign(source="")
        else:
            return
        columns = ["players", "variant", "source", "value", "low", "high", "n"]
        for players, variant, *rest in zip(*(table[name] for name in columns), strict=True):
            yield Verdict(self.name, players, variant, NONE, NO_TARGET, *rest)

    def unit(self, plan: Plan) -> str:
        if luck_tier(plan):
            return tr("source that decides most; another game is 100")
        return tr("plan's share of wins, %")

    @property
    def missing(self) -> str:
        return tr("no source is shown to decide most")


ROW = Luck()
