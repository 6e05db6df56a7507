"""Teams: is one of them favoured?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from balance.analysis.changes import Change
from balance.analysis.shares import judged_seats
from balance.analysis.verdicts import Verdict, fairness_verdicts
from balance.contract.sides import TEAM
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr
from balance.report.context import Evidence, ReportContext
from balance.report.row import SideRow


class Teams(SideRow):
    """Is a team favoured? The number is the win share of the team furthest from fair."""

    name = "teams"
    title = N_("Teams fair")
    anchor = "teams"
    needs = (TEAM,)
    by = TEAM
    numbers = N_("team furthest from fair, % of wins")
    measure = "team_win_share"
    mirrored = True

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield how fair the teams are."""
        shares = judged_seats(evidence.plan, evidence.answers, evidence.family)
        for each in fairness_verdicts(self.name, shares, TEAM):
            slots = self.slots(evidence.plan, each)
            yield replace(each, words=tr("the team {name} wins {value} % of games, fair {fair}", **slots))

    def term(self, context: ReportContext) -> str:
        return tr(
            "Fair: every team is within {margin:g} % of a fair share, which is the same for all teams of a game, "
            "whatever their size ({bands}; `seat_margin`). Unfair: a team lies outside; more than twice as far from "
            "fair is marked as a problem. The number is the win share of the team furthest from fair.",
            margin=context.thresholds.seat_margin,
            bands=self.bands(context),
        )

    def write_name(self, name: str) -> str:
        return name

    def change(self, plan: Plan, change: Change) -> str:
        return tr("The team {name}: {levels} % of wins, fair {fair}.", **self.change_slots(plan, change))

    def verb(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        if change.effect > 0:
            return tr("gives the team {name} more wins ({levels} %, fair {fair})", **slots)
        return tr("gives the team {name} fewer wins ({levels} %, fair {fair})", **slots)


ROW = Teams()
