"""Seats: is one of them favoured?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from balance.analysis.changes import Change
from balance.analysis.shares import SEATS, judged_seats, seat_wins_question
from balance.analysis.verdicts import Verdict, fairness_verdicts
from balance.contract.sides import SEAT
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr
from balance.foundation.text import nth, seat_name
from balance.report.context import Evidence, ReportContext
from balance.report.row import SideRow
from balance.report.words import ordinal, write_wins


class Seats(SideRow):
    """Is a seat favoured? The number is the win share of the seat furthest from fair."""

    name = SEATS
    title = N_("Seats fair")
    anchor = "seats"
    needs = (SEAT,)
    by = SEAT
    numbers = N_("seat furthest from fair, % of wins")
    measure = "seat_win_share"
    mirrored = True

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield how fair the seats are; where wins alone and shared were asked for, they are named too."""
        shares = judged_seats(evidence.plan, evidence.answers, evidence.family)
        wins = evidence.answers.get(seat_wins_question())
        for each in fairness_verdicts(self.name, shares, "seat"):
            seat = int(each.name)
            alone = "" if wins is None else write_wins(wins, each.players, each.variant, seat)
            slots = self.slots(evidence.plan, each) | {"wins": alone}
            words = tr("the {nth} player wins {value} % of games{wins}, fair {fair}", **slots)
            yield replace(each, words=words)

    def term(self, context: ReportContext) -> str:
        return tr(
            "Fair: every seat is within {margin:g} % of a fair share ({bands}; `seat_margin`). Unfair: a seat lies "
            "outside; more than twice as far from fair is marked as a problem. The number is the win share of the seat "
            "furthest from fair.",
            margin=context.thresholds.seat_margin,
            bands=self.bands(context),
        )

    def write_name(self, name: str) -> str:
        return nth(int(name)) if name else ""

    def name_in_full(self, name: str) -> str:
        return seat_name(int(name)) if name else ""

    def slots(self, plan: Plan, verdict: Verdict) -> dict[str, Any]:
        return super().slots(plan, verdict) | {"nth": ordinal(int(verdict.name))}

    def disagreement(self, verdict: Verdict) -> str:
        assert verdict.spread is not None
        name, low, high, networks = verdict.spread
        return tr(
            "the {nth} player wins {low} to {high} % of games, depending on which of {n} equally strong players play",
            nth=ordinal(int(name)), low=f"{low:.0f}", high=f"{high:.0f}", n=networks,
        )  # fmt: skip

    def problem_in_short(self, plan: Plan, verdict: Verdict, where: str) -> str:
        return tr("the {nth} {value} % {where}", where=where, **self.slots(plan, verdict))

    def change_slots(self, plan: Plan, change: Change) -> dict[str, Any]:
        return super().change_slots(plan, change) | {"nth": ordinal(int(change.group))}

    def change(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        return tr("The {nth} player: {levels} % of wins, fair {fair}.", **slots)

    def change_in_short(self, plan: Plan, change: Change) -> str:
        return tr("the {nth} {levels}", **self.change_slots(plan, change))

    def verb(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        if change.effect > 0:
            return tr("gives the {nth} player more wins ({levels} %, fair {fair})", **slots)
        return tr("gives the {nth} player fewer wins ({levels} %, fair {fair})", **slots)

    def brief(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        return tr("wins of the {nth} player with {players} ({levels} %)", **slots)


ROW = Seats()
