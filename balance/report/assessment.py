"""What a run shows on its first screen: verdicts by tier, changes that matter, and what reverses between tiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

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
from balance.analysis.tier_comparison import (
    EFFECTS,
    ResultKey,
    TierAnswers,
    TierComparison,
    TierResult,
    read_results,
)
from balance.analysis.verdicts import CellVerdicts, Place
from balance.experiments.measures import choose_measures
from balance.experiments.plan import Plan
from balance.experiments.planning import equal_cells
from balance.report.context import ReportContext
from balance.report.row import Row, read_verdicts


@dataclass(frozen=True)
class Assessment:
    """What a run shows."""

    context: ReportContext
    # By tier; the reference tier, whose verdicts on the rules count, comes first.
    verdicts: Mapping[str, CellVerdicts]
    rows: Mapping[str, Row]  # the rows of the grid by name, in the order of the grid
    changes: Sequence[Change] = ()  # the changes that matter, the largest first
    tradeoffs: Sequence[Tradeoff] = ()  # one for each variant, against the baseline
    by_rule: Sequence[DirectEffect] = ()  # see `balance.analysis.changes.find_direct`
    # The tiers that contradict the verdicts that count, by place (see `find_reversals`).
    reversals: Mapping[Place, set[str]] = field(default_factory=dict)
    # The tiers whose contradiction makes a verdict depend on who plays.
    doubters: set[str] = field(default_factory=set)
    equal: Sequence[str] = ()  # the variants that play the same games as the first at every player count

    @property
    def tier(self) -> str:
        """The reference tier."""
        return next(iter(self.verdicts))

    @property
    def other_tiers(self) -> list[str]:
        """The other tiers with finished games."""
        return list(self.verdicts)[1:]

    @cached_property
    def own(self) -> CellVerdicts:
        """The verdicts that count: of the tier that answers a row."""
        return {
            place: verdict
            for tier, found in self.verdicts.items()
            for place, verdict in found.items()
            if tier == self.rows[place.row].answered_by(self.context)
        }

    @cached_property
    def firm_changes(self) -> list[Change]:
        """The changes that do not reverse between tiers."""
        return [change for change in self.changes if not self.is_doubted(change.place)]

    def is_doubted(self, place: Place) -> bool:
        """Return whether the result of a cell or of its baseline reverses between tiers."""
        baseline = place._replace(variant=self.context.first)
        return place in self.reversals or baseline in self.reversals

    @cached_property
    def other_results(self) -> dict[ResultKey, list[TierResult]]:
        """The results of other tiers about seats and effects, next to those of the reference tier."""
        found: dict[ResultKey, list[TierResult]] = {}
        for kind in (*[row.kind for row in self.rows.values() if row.compares_numbers], EFFECTS):
            for result in read_results(kind, self.context.tier_comparisons):
                found.setdefault(result.key, []).append(result)
        return found


def assess(context: ReportContext, answers: Answers, rows: Sequence[Row]) -> Assessment:
    """Return what a run shows, from the answers to the questions of all sections and of the grid's rows."""
    active = TierAnswers(context.plan, answers)
    tiers = context.asked or {context.plan.tier.name: active}
    verdicts = {
        name: read_verdicts(
            [row for row in rows if row.is_asked(context, name)], context.evidence(each.answers, name)
        )
        for name, each in {context.reference: tiers[context.reference], **tiers}.items()
    }
    named = {row.name: row for row in rows}
    doubters = _who_may_doubt(context, tiers)
    counted = [context.reference, context.plan.tier.name] if len(context.plan.variants) > 1 else []
    pairs = {name: _pairs_of(context, tiers[name]) for name in dict.fromkeys(counted)}
    effects = [
        change
        for name, table in pairs.items()
        for change in judge_effects(
            table,
            verdicts[name],
            context.plan,
            context.family(EFFECTS, name),
            rows,
        )
        if name == named[change.row].answered_by(context)
    ]
    return Assessment(
        context,
        verdicts,
        named,
        find_changes(effects),
        find_tradeoffs(effects),
        _by_rule(context, pairs),
        find_reversals(verdicts, context.tier_comparisons, doubters, named),
        doubters,
        _equal_variants(context.plan),
    )


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


def _who_may_doubt(context: ReportContext, tiers: Mapping[str, TierAnswers]) -> set[str]:
    """Return the tiers whose contradiction makes a verdict depend on who plays.

    Where networks or searchers play the reference tier, they are the other networks and searchers, and players who make
    mistakes: a weaker strategy that plays without mistakes says less about the rules.
    """
    if not tiers[context.reference].plan.tier.is_strong:
        return set(tiers)
    return {name for name, each in tiers.items() if each.plan.tier.is_strong or each.plan.tier.loss}


def _by_rule(context: ReportContext, pairs: Mapping[str, pd.DataFrame]) -> list[DirectEffect]:
    own = [measure.name for measure in context.plan.game.analytics.MEASURES]
    return find_direct(pairs[context.reference], ["score", *own]) if pairs else []


def find_reversals(
    verdicts: Mapping[str, CellVerdicts],
    comparisons: Mapping[str, TierComparison],
    doubters: set[str],
    rows: Mapping[str, Row],
) -> dict[Place, set[str]]:
    """Return the places whose result reverses between tiers, with the tiers that contradict the reference tier.

    For rows of a `Row.kind`, see `balance.analysis.tier_comparison.reversals`. Other rows reverse if two tiers show
    different words. Only the contradiction of `doubters` counts, unless `Row.any_tier_reverses`.
    """
    found: dict[Place, set[str]] = {}
    for row in rows.values():
        for result in read_results(row.kind, comparisons):
            if result.reverses and (row.any_tier_reverses or result.tier in doubters):
                place = Place(row.name, result.key.players, result.key.variant)
                found.setdefault(place, set()).add(result.tier)
    first, *others = verdicts
    for tier in filter(doubters.__contains__, others):  # a set has another order in each process
        for place, verdict in verdicts[tier].items():
            own = verdicts[first].get(place)
            if not rows[place.row].kind and own and own.contradicts(verdict):
                found.setdefault(place, set()).add(tier)
    return found
