"""Options: does somebody use each of them?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from balance.analysis.verdicts import Verdict, rate_verdicts
from balance.contract.game import options_of
from balance.experiments.measures import OPTION_USE
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr, trn
from balance.report.context import Evidence, ReportContext
from balance.report.row import Row
from balance.report.words import amount


class Options(Row):
    """Does somebody use each option? The number is the share of seats that use the rarest one."""

    name = "options"
    title = N_("Options used")
    order = 40
    anchor = "options"
    numbers = N_("least used, % of seats")
    meaning = N_(
        "Alive: enough seats use every option at least once. Dead: too few seats use one of them. The number is the "
        "share of seats that use the rarest option, in traced games."
    )

    looks_closer = True

    def aim(self, name: str) -> str:
        return OPTION_USE.name

    def applies(self, plan: Plan) -> bool:
        """Return whether the game lists its options and games were traced."""
        experiment = plan.experiment
        return bool(options_of(plan.game)) and (experiment.trace > 0 or experiment.log == "trace")

    def band(self, plan: Plan, players: int) -> tuple[float, float]:
        return plan.experiment.thresholds.options, 100.0

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield whether every option is used, in cells with enough traced games."""
        used = evidence.options_used()
        if used is None:
            return
        limits = self.band(evidence.plan, 0)
        families, words = evidence.family(self.name), (N_("alive"), N_("dead"))
        for verdict in rate_verdicts(self.name, used, "option", limits, families, words):
            cell = used[(used["players"] == verdict.players) & (used["variant"] == verdict.variant)]
            yield replace(verdict, words=_dead(cell, verdict, limits[0]))

    def term(self, context: ReportContext) -> str:
        return "" if context.options_used is None else tr(self.meaning)


def _dead(cell: pd.DataFrame, verdict: Verdict, limit: float) -> str:
    """Return how many seats use the option of a verdict, and how many more options of the cell are hardly used."""
    named = cell["option"] == verdict.name
    others = cell[(cell["high"] < limit) & ~named]
    (one,) = cell[named].itertuples()
    slots = {"option": f"{tr(one.option)} ({tr(one.set)})", "share": amount(verdict.value)}
    if others.empty:
        return tr("{option} is used by {share} % of seats", **slots)
    return trn(
        "{option} is used by {share} % of seats, and {n} more option by {most} %",
        "{option} is used by {share} % of seats, and {n} more options by at most {most} %",
        len(others),
        most=amount(float(others["value"].max())),
        **slots,
    )


ROW = Options()
