"""Strategies: is one of them too strong or too weak?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from balance.analysis.changes import Change
from balance.analysis.ended import Played
from balance.analysis.question import Question
from balance.analysis.shares import judged_shares, share_question
from balance.analysis.verdicts import BAD, GOOD, WATCH, Mark, Verdict, is_off, mark_within, share_verdicts
from balance.contract.game import styles_of
from balance.contract.sides import RIVALS
from balance.experiments.measures import share_of
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.foundation.language import N_, tr, trn
from balance.report.context import Evidence, ReportContext
from balance.report.row import Row
from balance.report.words import amount

NONE_OFF = N_("none off")
_TOO = {1: N_("{strategy} is too strong ({value} %)"), -1: N_("{strategy} is too weak ({value} %)")}


class Strategies(Row):
    """How many strategies are off? The number is the win share of the one furthest from fair."""

    name = "strategies"
    title = N_("Strategies")
    order = 20
    anchor = "strategies"
    needs = (RIVALS,)
    every_tier = False
    about_strategies = True
    measure = "strategy_win_share"
    has_fair = True

    def applies(self, plan: Plan) -> bool:
        """Return whether strategies can be compared."""
        return len(plan.strategies_tier.strategies) > 1

    def speaking(self, context: ReportContext) -> Sequence[str]:
        """Return the tier whose strategies are compared."""
        return [context.plan.strategies_tier.name]

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return win shares by strategy, and which games were broken off."""
        return [share_question(share_of(evidence.plan, "strategy")), Played()]

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield how many strategies are off."""
        families = evidence.family(self.name)
        shares = judged_shares(evidence.plan, evidence.answers, "strategy", families)
        return share_verdicts(self.name, shares, "strategy", self.judge)

    def judge(self, cell: pd.DataFrame) -> Mark:
        """Return how many strategies of a cell are shown to be off."""
        off = int(is_off(cell).sum())
        if not off:
            mark = mark_within(cell)
            return Mark(GOOD, NONE_OFF) if mark.kind == GOOD else mark
        return Mark(WATCH if off == 1 else BAD, trn("{n} off", "{n} off", off))

    def limit(self, thresholds: Thresholds, baseline: float) -> float:
        return thresholds.strategies

    def band(self, plan: Plan, players: int) -> tuple[float, float]:
        fair, alive = plan.fair_share(players), plan.experiment.thresholds.alive
        return fair * (1 - alive / 100), fair * (1 + alive / 100)

    def unit(self, plan: Plan) -> str:
        return tr("furthest from fair of {n}, % of its seats", n=len(plan.strategies_tier.strategies))

    def term(self, context: ReportContext) -> str:
        share = context.thresholds.alive
        return tr(
            "Off: a strategy wins less than {low:g} % or more than {high:g} % of a fair share. One strategy off is "
            "marked watch, several are marked problem. The number is the win share of the strategy furthest from fair, "
            "among these strategies.",
            low=100 - share,
            high=100 + share,
        )

    def write_name(self, name: str) -> str:
        return name

    def problem(self, plan: Plan, verdict: Verdict) -> str:
        """Return all strategies that are off, the furthest first, each with its number."""
        band = self.band(plan, verdict.players)
        sides = {name: figure.side(band) for name, figure in verdict.figures.items()}
        fair = plan.fair_share(verdict.players)
        off = [name for name in sides if sides[name] and name != verdict.name]
        off.sort(key=lambda name: -abs(verdict.figures[name].value - fair))
        slots = self.slots(plan, verdict) | {"strategy": _with_style(plan, verdict.name)}
        first = tr("{strategy} wins {value} % of its seats, fair {fair}", **slots)
        others = [
            tr(_TOO[sides[name]], strategy=_with_style(plan, name), value=amount(verdict.figures[name].value))
            for name in off
        ]
        return "; ".join([first, *others])

    def change(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change) | {"strategy": _with_style(plan, change.group)}
        if change.effect > 0:
            return tr("The strategy {strategy} gets stronger: {levels} % of its seats, fair {fair}.", **slots)
        return tr("The strategy {strategy} gets weaker: {levels} % of its seats, fair {fair}.", **slots)

    def verb(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        if change.effect > 0:
            return tr("strengthens {name} ({levels} % of its seats)", **slots)
        return tr("weakens {name} ({levels} % of its seats)", **slots)


def _with_style(plan: Plan, name: str) -> str:
    """Return a strategy with what it does, as in "helpers-first (many helpers)"."""
    style = styles_of(plan.game).get(name)
    return f"{name} ({tr(style.in_short)})" if style else name


ROW = Strategies()
