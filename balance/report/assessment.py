"""What a run shows on its first screen: verdicts, changes that matter, and what equally strong players contradict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from balance.analysis.changes import (
    Change,
    DirectEffect,
    Tradeoff,
    find_changes,
    find_direct,
    find_tradeoffs,
    judge_effects,
)
from balance.analysis.compare import pair_questions, read_pairs
from balance.analysis.gather import Answers
from balance.analysis.tier_comparison import EFFECTS, TierAnswers
from balance.analysis.verdicts import CellVerdicts, Place, Verdict
from balance.experiments.measures import choose_measures
from balance.experiments.plan import Plan
from balance.experiments.planning import equal_cells
from balance.report.context import ReportContext
from balance.report.row import Row, read_verdicts
from balance.report.speakers import Said


@dataclass(frozen=True)
class Assessment:
    """What a run shows."""

    context: ReportContext
    rows: Mapping[str, Row]  # the rows of the grid by name, in the order of the grid
    cells: Mapping[Place, Said[Verdict]]
    # On the judged measures, of every variant compared with the first.
    effects: Sequence[Said[Change]] = ()
    by_rule: Sequence[DirectEffect] = ()  # see `balance.analysis.changes.find_direct`
    equal: Sequence[str] = ()  # the variants that play the same games as the first at every player count

    @cached_property
    def own(self) -> CellVerdicts:
        """The verdicts that count."""
        return {place: said.claim for place, said in self.cells.items()}

    @cached_property
    def changes(self) -> list[Said[Change]]:
        """The changes that matter and that no equally strong player contradicts, the largest first."""
        said_of = {said.claim.key: said for said in self.effects}
        matter = [said_of[change.key] for change in find_changes([said.claim for said in self.effects])]
        return [said for said in matter if not self.is_doubted(said.claim.place) and not self.doubters(said)]

    @cached_property
    def tradeoffs(self) -> list[Tradeoff]:
        """What each variant gains and costs against the baseline, for those who speak for the rules."""
        return find_tradeoffs([said.claim for said in self.effects if not self.is_of_styles(said)])

    def is_of_styles(self, said: Said[Any]) -> bool:
        """Return whether it is about strategies that were chosen by hand, although stronger players played too."""
        speakers, row = self.context.speakers, self.rows[said.claim.row]
        return row.about_strategies and said.tier not in speakers.strong and said.tier != speakers.order[-1]

    @cached_property
    def reversals(self) -> dict[Place, list[str]]:
        """The places whose verdict players contradict who are at least as strong, with their tiers."""
        found = {place: self.doubters(said) for place, said in self.cells.items()}
        return {place: tiers for place, tiers in found.items() if tiers}

    def doubters(self, said: Said[Any]) -> list[str]:
        """Return the tiers, at least as strong as the one that speaks, that contradict it; for some rows all may."""
        row = self.rows[said.claim.row]
        others = [*said.by_tier] if row.any_tier_reverses else self.context.speakers.doubting(said.tier)
        found = {tier: said.by_tier[tier] for tier in said.by_tier if tier in others}
        return [tier for tier, other in found.items() if self._contradict(said.claim, other)]

    def _contradict(self, one: Verdict | Change, other: Any) -> bool:
        """Return whether two results are shown and opposite, such as two seats that are favoured."""
        if isinstance(one, Change) or one.contradicts(other):
            return bool(one.contradicts(other))
        band = self.rows[one.row].band(self.context.plan, one.players)
        there = other.figure_of(one.name)
        return bool(there) and there.side(band) == -one.figure.side(band) != 0

    def is_doubted(self, place: Place) -> bool:
        """Return whether equally strong players contradict each other in a cell or in its baseline."""
        baseline = place._replace(variant=self.context.first)
        return place in self.reversals or baseline in self.reversals


def assess(context: ReportContext, answers: Answers, rows: Sequence[Row]) -> Assessment:
    """Return what a run shows, from the answers to the questions of all sections and of the grid's rows."""
    tiers = context.asked or {context.plan.tier.name: TierAnswers(context.plan, answers)}
    named = {row.name: row for row in rows}
    verdicts = {
        name: read_verdicts([row for row in rows if row.is_asked(context, name)], context.evidence(each.answers, name))
        for name, each in tiers.items()
    }
    claims: dict[Place, dict[str, Verdict]] = {}
    for tier, found in verdicts.items():
        for place, verdict in found.items():
            claims.setdefault(place, {})[tier] = verdict
    heard = {place: context.speakers.hear(found, named[place.row].speaking(context)) for place, found in claims.items()}
    cells = {place: said for place, said in heard.items() if said}
    if len(context.plan.variants) == 1:
        return Assessment(context, named, cells)
    pairs = {name: _pairs_of(context, each) for name, each in tiers.items()}
    return Assessment(
        context,
        named,
        cells,
        _hear_effects(context, pairs, verdicts, named, cells),
        _by_rule(context, pairs),
        _equal_variants(context.plan),
    )


def _hear_effects(
    context: ReportContext,
    pairs: Mapping[str, pd.DataFrame],
    verdicts: Mapping[str, CellVerdicts],
    rows: Mapping[str, Row],
    cells: Mapping[Place, Said[Verdict]],
) -> list[Said[Change]]:
    """Return the effects on judged measures, as all tiers show them.

    Profiles that are weaker than who speaks in a cell don't speak about its changes: the levels are not theirs.
    """
    claims: dict[tuple[Place, str], dict[str, Change]] = {}
    for tier, table in pairs.items():
        families = context.family(EFFECTS, tier)
        for change in judge_effects(table, verdicts[tier], context.plan, families, rows.values()):
            if rows[change.row].is_asked(context, tier):
                claims.setdefault(change.key, {})[tier] = change
    heard = []
    for (place, _), found in claims.items():
        speaking = rows[place.row].speaking(context)
        if place in cells and cells[place].tier in speaking:
            weaker = speaking[speaking.index(cells[place].tier) + 1 :]
            speaking = [t for t in speaking if t not in weaker or t in context.speakers.strong]
        heard.append(context.speakers.hear(found, speaking))
    return [said for said in heard if said]


def _equal_variants(plan: Plan) -> list[str]:
    """Return the variants that play the same games as the first at every player count."""
    cells = equal_cells(plan, plan.first_variant.name)
    return [
        variant.name
        for variant in plan.variants
        if all((players, variant.name) in cells for players in plan.experiment.players)
    ]


def _pairs_of(context: ReportContext, tier: TierAnswers) -> pd.DataFrame:
    """Return all effects in a tier, of every variant compared with the first."""
    questions = pair_questions(context.first, choose_measures(tier.plan, None))
    return read_pairs(tier.plan, questions, tier.answers, context.family(EFFECTS, tier.plan.tier.name))


def _by_rule(context: ReportContext, pairs: Mapping[str, pd.DataFrame]) -> list[DirectEffect]:
    """Return the largest direct effects of each variant, with the strongest players that show some."""
    own = [measure.name for measure in context.plan.game.analytics.MEASURES]
    found: dict[str, list[DirectEffect]] = {}
    for tier in context.speakers.speaking:
        by_variant: dict[str, list[DirectEffect]] = {}
        for each in find_direct(pairs[tier], ["score", *own]):
            by_variant.setdefault(each.variant, []).append(each)
        found = by_variant | found
    return [each for variant in context.plan.variants for each in found.get(variant.name, [])]
