"""The box: do its ducats and provisions last (SET-2)?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from balance.analysis.question import Question
from balance.analysis.verdicts import Verdict, rate_verdicts
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr
from balance.games.na_grunwald.analytics import BOX_DUCATS, BOX_PROVISIONS
from balance.report.context import Evidence
from balance.report.kit import share_of_games
from balance.report.row import Row
from balance.report.words import amount

IN_PLAY = share_of_games({"ducats": f"peak_ducats > {BOX_DUCATS}", "provisions": f"peak_provisions > {BOX_PROVISIONS}"})
_VERDICTS = (N_("lasts"), N_("runs out"))
RUN_OUT = {
    "ducats": N_("ducats run out in {share} % of games"),
    "provisions": N_("provisions run out in {share} % of games"),
}


class Box(Row):
    """Do supplies last? The number is the share of games in which one of them is too small."""

    name = "box"
    title = N_("Supplies last")
    order = 50
    anchor = "box"
    numbers = N_("runs out most, % of games")
    meaning = N_(
        "Lasts: ducats and provisions run out in few enough games. Runs out: one of them does not last. The number is "
        "the share of games in which the supply that fails most often is too small."
    )

    def aim(self, name: str) -> str:
        return f"{name}_out"

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return the share of games with more in play than the box has."""
        return [IN_PLAY]

    def band(self, plan: Plan, players: int) -> tuple[float, float]:
        return 0.0, plan.experiment.thresholds.supplies

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield whether ducats and provisions last."""
        band = self.band(evidence.plan, 0)
        shares, families = evidence.answers[IN_PLAY], evidence.family(self.name)
        for verdict in rate_verdicts(self.name, shares, "measure", band, families, _VERDICTS):
            yield replace(verdict, words=tr(RUN_OUT[verdict.name], share=amount(verdict.value)))


ROW = Box()
