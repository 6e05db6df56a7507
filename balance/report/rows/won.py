"""Games won: how often do players win who win or lose together?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from balance.analysis.changes import Change
from balance.analysis.question import Question
from balance.analysis.spread import cell_questions
from balance.analysis.verdicts import (
    EASY,
    FITS,
    GOOD,
    HARD,
    NO_TARGET,
    NONE,
    WATCH,
    Mark,
    Verdict,
    mark_band,
    mean_verdicts,
)
from balance.contract.sides import TABLE, WINS
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.foundation.language import N_, tr
from balance.foundation.text import listed
from balance.report.context import Evidence, ReportContext
from balance.report.row import Row
from balance.report.words import amount, with_players


class Won(Row):
    """How often do players win together? The number is in percent of the games."""

    name = "games won"
    title = N_("Games won")
    order = 10
    anchor = "won"
    needs = (TABLE, WINS)
    numbers = N_("% of games")
    measure = "won"

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return the means of all measures that are not split."""
        return cell_questions(evidence.measures)

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield whether players win as often as wanted."""
        plan = evidence.plan

        def off(players: int, value: float) -> float:
            """Return how far the mean is from the wanted band, in thresholds of a change."""
            band = self.band(plan, players)
            if not band:
                return 0.0
            return max(band[0] - value, value - band[1]) / plan.experiment.thresholds.won_change

        return mean_verdicts(
            self.name, self.measure, evidence.measures, evidence.answers, evidence.family,
            lambda *cell: self.judge(plan, *cell), off,
        )  # fmt: skip

    def judge(self, plan: Plan, players: int, low: float, high: float) -> Mark:
        """Return the verdict on an interval of the share of games won."""
        if (band := self.band(plan, players)) is None:
            return Mark(NONE, NO_TARGET)
        return mark_band(low, high, band, Mark(GOOD, FITS), Mark(WATCH, HARD), Mark(WATCH, EASY))

    def limit(self, thresholds: Thresholds, baseline: float) -> float:
        return thresholds.won_change

    def band(self, plan: Plan, players: int) -> tuple[float, float] | None:
        wanted = plan.experiment.thresholds.won
        return (wanted[0], wanted[1]) if wanted else None

    def term(self, context: ReportContext) -> str:
        if not (wanted := context.thresholds.won):
            return tr(
                "The number is the share of games that the players win. How many they should win is for you to say: "
                "`won = [40, 60]` in the thresholds."
            )
        return tr(
            "Fits: players win {low:g} to {high:g} % of games (`won`). Too hard: fewer. Too easy: more.",
            low=wanted[0],
            high=wanted[1],
        )

    def levels_now(self, plan: Plan, verdicts: Sequence[Verdict]) -> str:
        """Return how often players win at each player count, if nothing says how often they should."""
        if plan.experiment.thresholds.won:
            return ""
        shares = [
            tr("{share} % with {players}", share=amount(each.value), players=with_players([each.players]))
            for each in verdicts
        ]
        if len(plan.variants) == 1:
            return tr("Players win {shares}.", shares=listed(shares))
        return tr("In {variant} players win {shares}.", variant=verdicts[0].variant, shares=listed(shares))

    def problem(self, plan: Plan, verdict: Verdict) -> str:
        """Return whether the game is too hard or too easy."""
        slots = self.slots(plan, verdict)
        if verdict.word == HARD:
            return tr("players win {value} % of games: too hard", **slots)
        return tr("players win {value} % of games: too easy", **slots)

    def change(self, plan: Plan, change: Change) -> str:
        return tr("Games won: {levels} %.", **self.change_slots(plan, change))

    def verb(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        if change.effect > 0:
            return tr("lets players win more games ({levels} %)", **slots)
        return tr("lets players win fewer games ({levels} %)", **slots)

    def brief(self, plan: Plan, change: Change) -> str:
        return tr("games won with {players} ({levels} %)", **self.change_slots(plan, change))


ROW = Won()
