"""Factions: is one of them, such as a dynasty or a role, favoured?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.changes import Change
from balance.analysis.ended import Played
from balance.analysis.question import Question
from balance.analysis.shares import judged_shares, share_question
from balance.analysis.verdicts import Verdict, fairness_verdicts
from balance.contract.game import faction_column
from balance.experiments.measures import share_of
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr
from balance.report.context import Evidence
from balance.report.row import FairRow


class Factions(FairRow):
    """Is a faction favoured? The number is the win share of the faction furthest from fair."""

    name = "factions"
    title = N_("Factions fair")
    order = 30
    anchor = "factions"
    numbers = N_("faction furthest from fair, % of its games")
    meaning = N_(
        "Fair and unfair with the limits of seats. The number is the win share of the faction furthest from fair, in "
        "the games in which it was drawn."
    )
    measure = "faction_win_share"

    def applies(self, plan: Plan) -> bool:
        """Return whether the game has factions."""
        return bool(faction_column(plan.game))

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return win shares by faction, and which games were broken off."""
        return [share_question(share_of(evidence.plan, faction_column(evidence.plan.game))), Played()]

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield how fair the factions are."""
        for each in fairness_verdicts(self.name, judged_factions(evidence), "faction"):
            slots = self.slots(evidence.plan, each)
            slots |= {"faction": slots["name"], "share": slots["value"]}
            words = tr("{faction} wins {share} % of its games, fair {fair}", **slots)
            yield replace(each, words=words)

    def name_of_group(self, plan: Plan, group: str) -> str:
        return dict(share_of(plan, faction_column(plan.game)).groups).get(group, group)

    def change(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        return tr("{faction}: {levels} % of its games, fair {fair}.", faction=slots["name"], **slots)

    def verb(self, plan: Plan, change: Change) -> str:
        slots = self.change_slots(plan, change)
        if change.effect > 0:
            return tr("strengthens {name} ({levels} % of its games, fair {fair})", **slots)
        return tr("weakens {name} ({levels} % of its games, fair {fair})", **slots)


def judged_factions(evidence: Evidence) -> pd.DataFrame:
    """Return the win shares of factions with their verdicts, in a column ``faction`` of names on pages."""
    column = faction_column(evidence.plan.game)
    families = evidence.family(ROW.name)
    table = judged_shares(evidence.plan, evidence.answers, column, families)
    table = table.rename(columns={column: "faction"})
    names = [ROW.name_of_group(evidence.plan, str(each)) for each in table["faction"]]
    return table.assign(faction=names)


ROW = Factions()
