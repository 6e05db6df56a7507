"""Seats: is one of them favoured?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from balance.analysis.changes import Change
from balance.analysis.ended import Played
from balance.analysis.question import Question
from balance.analysis.shares import PRIMARY, SEATS, judged_seats, seat_wins_question, share_question
from balance.analysis.tier_comparison import SEAT_ROWS, ResultKey
from balance.analysis.verdicts import Verdict, fairness_verdicts
from balance.experiments.measures import share_of
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.foundation.language import N_, tr
from balance.foundation.text import nth
from balance.report.context import Evidence, Family, ReportContext
from balance.report.row import Row
from balance.report.words import amount, fair_of, ordinal, with_players, write_wins
from balance.stats.intervals import fair_share


class Seats(Row):
    """Is a seat favoured? The number is the win share of the seat furthest from fair."""

    name = SEATS
    title = N_("Seats fair")
    order = 10
    anchor = "seats"
    numbers = N_("furthest seat, % of wins")
    kind = SEAT_ROWS
    measure = "seat_win_share"
    has_fair = True
    mirrored = True

    def families(self, context: ReportContext) -> list[Family]:
        """Return a family for each tier, and the primary question."""
        primary = context.primary_tier
        alone = len(context.plan.variants) == 1
        found = [Family(SEATS, tier) for tier in context.tiers if not (alone and tier == primary)]
        return [*found, Family(PRIMARY, primary)] if primary else found

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return win shares by seat, and which games were broken off."""
        return [share_question(share_of(evidence.plan, "seat")), Played()]

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield how fair the seats are; where wins alone and shared were asked for, they are named too."""
        shares = judged_seats(evidence.plan, evidence.answers, evidence.family)
        wins = evidence.answers.get(seat_wins_question())
        for each in fairness_verdicts(self.name, shares, "seat"):
            seat = int(each.name)
            alone = "" if wins is None else write_wins(wins, each.players, each.variant, seat)
            words = tr(
                "the {nth} player wins {value} % of games{wins}, fair {fair}",
                nth=ordinal(seat),
                value=amount(each.value),
                wins=alone,
                fair=fair_of(each.players),
            )
            yield replace(each, words=words)

    def limit(self, thresholds: Thresholds, baseline: float) -> float:
        """Return the threshold of seats."""
        return thresholds.seats

    def band(self, thresholds: Thresholds, players: int) -> tuple[float, float]:
        """Return the shares that are fair."""
        fair, room = fair_share(players), thresholds.seat_limit(players)
        return fair - room, fair + room

    def term(self, context: ReportContext) -> str:
        """Return the limits of fair and unfair."""
        bands = [
            tr("{low:.3g} to {high:.3g} % with {players}", low=low, high=high, players=each)
            for each in context.plan.experiment.players
            for low, high in [self.band(context.thresholds, each)]
        ]
        return tr(
            "Fair: every seat is within {margin:g} % of a fair share ({bands}; `seat_margin`). Unfair: a seat lies "
            "outside; more than twice as far from fair is marked as a problem. The number is the win share of the seat "
            "furthest from fair.",
            margin=context.thresholds.seat_margin,
            bands=", ".join(bands),
        )

    def write_name(self, name: str) -> str:
        """Return the number of a seat, counted from one."""
        return nth(int(name)) if name else ""

    def problem_in_short(self, plan: Plan, verdict: Verdict, where: str) -> str:
        """Return the seat and its share."""
        value = amount(verdict.value)
        return tr(
            "the {nth} {value} % {where}", nth=ordinal(int(verdict.name)), value=value, where=where
        )

    def change(self, plan: Plan, change: Change) -> str:
        """Return the seat and its levels."""
        return tr(
            "The {nth} player: {levels} % of wins, fair {fair}.",
            nth=ordinal(int(change.group)),
            levels=self.levels(plan, change),
            fair=fair_of(change.players),
        )

    def change_in_short(self, plan: Plan, change: Change) -> str:
        """Return the seat and its levels."""
        nth = ordinal(int(change.group))
        return tr("the {nth} {levels}", nth=nth, levels=self.levels(plan, change))

    def verb(self, plan: Plan, change: Change) -> str:
        """Return whether the seat wins more or fewer games."""
        values = {
            "nth": ordinal(int(change.group)),
            "levels": self.levels(plan, change),
            "fair": fair_of(change.players),
        }
        if change.quoted > 0:
            return tr("gives the {nth} player more wins ({levels} %, fair {fair})", **values)
        return tr("gives the {nth} player fewer wins ({levels} %, fair {fair})", **values)

    def brief(self, plan: Plan, change: Change) -> str:
        """Return the wins of the seat."""
        return tr(
            "wins of the {nth} player with {players} ({levels} %)",
            nth=ordinal(int(change.group)),
            players=with_players([change.players]),
            levels=self.levels(plan, change),
        )

    def doubt_of_level(self, plan: Plan, key: ResultKey, **values: str) -> str:
        """Return the wins of the seat in both tiers."""
        return tr(
            "{variant}: with {tier} the {nth} player wins {own}, with {other_tier} {other}.",
            nth=ordinal(int(key.group)),
            **values,
        )

    def doubt_of_effect(self, plan: Plan, key: ResultKey, **values: str) -> str:
        """Return the effect on the seat in both tiers."""
        return tr(
            "{variant} moves the {nth} player's wins by {own} points with {tier}, by {other} with {other_tier}.",
            nth=ordinal(int(key.group)),
            **values,
        )


ROW = Seats()
