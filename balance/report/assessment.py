"""What a run shows on its first screen: verdicts by tier, changes that matter, and what reverses between tiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

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
from balance.analysis.luck import (
    Luck,
    Variance,
    largest_source,
    luck_tier,
    read_variance,
    variance_applies,
)
from balance.analysis.shares import SEATS, seat_wins_question
from balance.analysis.tier_comparison import (
    EFFECTS,
    ResultKey,
    TierAnswers,
    TierComparison,
    TierResult,
    read_results,
    tempo_asked,
)
from balance.analysis.verdicts import (
    NO_TARGET,
    NONE,
    STRATEGIES,
    TARGETS,
    CellVerdicts,
    Place,
    Verdict,
    box_minutes,
    by_place,
    pace_range,
    read_verdicts,
    withhold_verdicts,
)
from balance.contract.records import BOTS
from balance.experiments.measures import choose_measures
from balance.experiments.plan import Plan
from balance.experiments.planning import equal_cells
from balance.report.context import ReportContext
from balance.report.screen import LUCK, GridQuestion, list_questions
from balance.report.section import GridWriter
from balance.report.words import write_wins

OF_ACTIVE_TIER = (STRATEGIES, LUCK, TARGETS)
"""The rows of the grid that the active tier answers; any players can answer the others, so the strongest do."""


@dataclass(frozen=True)
class Assessment:
    """What a run shows."""

    context: ReportContext
    # By tier; the reference tier, whose verdicts on the rules count, comes first.
    verdicts: Mapping[str, CellVerdicts]
    questions: Mapping[str, GridQuestion]  # the rows of the grid by name, in the order of the grid
    changes: Sequence[Change] = ()  # the changes that matter, the largest first
    tradeoffs: Sequence[Tradeoff] = ()  # one for each variant, against the baseline
    by_rule: Sequence[DirectEffect] = ()  # see `balance.analysis.changes.find_direct`
    # The tiers that contradict the verdicts that count, by place (see `find_reversals`).
    reversals: Mapping[Place, set[str]] = field(default_factory=dict)
    luck: CellVerdicts = field(default_factory=dict)  # the verdicts of the row `LUCK`
    # The tiers whose contradiction makes a verdict depend on who plays.
    doubters: set[str] = field(default_factory=set)
    # Of the reference tier, see `seat_wins_question`.
    wins: pd.DataFrame = field(default_factory=pd.DataFrame)
    equal: Sequence[str] = ()  # the variants that play the same games as the first at every player count

    def write_wins(self, players: int, variant: str, seat: int) -> str:
        """Return a seat's wins alone and shared, in brackets after its win share; "" where ties don't matter."""
        return write_wins(self.wins, players, variant, seat)

    @property
    def tier(self) -> str:
        """The reference tier."""
        return next(iter(self.verdicts))

    @property
    def other_tiers(self) -> list[str]:
        """The other tiers with finished games."""
        return list(self.verdicts)[1:]

    def whose(self, row: str) -> str:
        """Return the tier whose verdicts count in a row of the grid."""
        return _whose(self.context, row)

    @cached_property
    def own(self) -> CellVerdicts:
        """The verdicts that count, see `whose`."""
        return {
            place: verdict
            for tier, found in self.verdicts.items()
            for place, verdict in found.items()
            if tier == self.whose(place.row)
        }

    @cached_property
    def firm_changes(self) -> list[Change]:
        """The changes that do not reverse between tiers."""
        return [change for change in self.changes if not self.is_doubted(change.place)]

    @cached_property
    def pace(self) -> tuple[float, float]:
        """The factors on minutes at the quickest and at the slowest pace."""
        return pace_range(self.context.plan)

    @cached_property
    def box(self) -> tuple[float, float] | None:
        """The shortest and longest time that fit, in minutes; None for no stated time."""
        return box_minutes(self.context.plan)

    def is_doubted(self, place: Place) -> bool:
        """Return whether the result of a cell or of its baseline reverses between tiers."""
        baseline = place._replace(variant=self.context.first)
        return place in self.reversals or baseline in self.reversals

    @cached_property
    def other_results(self) -> dict[ResultKey, list[TierResult]]:
        """The results of other tiers about seats and effects, next to those of the reference tier."""
        found: dict[ResultKey, list[TierResult]] = {}
        for kind in (SEATS, EFFECTS):
            for result in read_results(kind, self.context.tier_comparisons):
                found.setdefault(result.key, []).append(result)
        return found


def _whose(context: ReportContext, row: str) -> str:
    """Return the tier whose verdicts count in a row."""
    return context.plan.tier.name if row in OF_ACTIVE_TIER else context.reference


def assess(context: ReportContext, answers: Answers, writers: Sequence[GridWriter]) -> Assessment:
    """Return what a run shows, from the answers to the questions of all sections.

    `writers` are the sections with rows in the grid.
    """
    active = TierAnswers(context.plan, answers)
    tiers = context.asked or {context.plan.tier.name: active}
    verdicts = {
        name: _verdicts_of(context, each, writers)
        for name, each in {context.reference: tiers[context.reference], **tiers}.items()
    }
    doubters = _who_may_doubt(context, tiers)
    counted = [context.reference, context.plan.tier.name] if len(context.plan.variants) > 1 else []
    pairs = {name: _pairs_of(context, tiers[name]) for name in dict.fromkeys(counted)}
    effects = [
        change
        for name, table in pairs.items()
        for change in judge_effects(
            table,
            verdicts[name],
            context.first,
            context.thresholds,
            context.family(EFFECTS, name),
            context.factions,
        )
        if name == _whose(context, change.row)
    ]
    return Assessment(
        context,
        verdicts,
        list_questions(writer.GRID for writer in writers),
        find_changes(effects),
        find_tradeoffs(effects),
        _by_rule(context, pairs),
        find_reversals(verdicts, context.tier_comparisons, doubters),
        _luck_verdicts(context, answers),
        doubters,
        tiers[context.reference].answers[seat_wins_question()],
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


def _verdicts_of(
    context: ReportContext, tier: TierAnswers, writers: Sequence[GridWriter]
) -> CellVerdicts:
    """Return the verdicts of a tier; only the active one is asked for all measures."""
    name = tier.plan.tier.name
    whole = name == context.plan.tier.name
    measures = context.whole_measures if whole else tempo_asked(tier.plan)
    found = read_verdicts(tier.plan, tier.answers, measures, partial(context.family, tier=name), whole)
    own = context if whole else replace(context, run=context.run.in_tier(name))
    of_game = by_place(each for writer in writers for each in writer.verdicts(own, tier.answers))
    return found | withhold_verdicts(of_game, tier.answers)


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
    verdicts: Mapping[str, CellVerdicts], comparisons: Mapping[str, TierComparison], doubters: set[str]
) -> dict[Place, set[str]]:
    """Return the places whose result reverses between tiers, with the tiers that contradict the reference tier.

    For seats and targets, see `balance.analysis.tier_comparison.reversals`. Other rows reverse if two tiers show
    different words. Only the contradiction of `doubters` counts, on targets that of every tier.
    """
    found: dict[Place, set[str]] = {}
    for kind in (SEATS, TARGETS):
        for result in read_results(kind, comparisons):
            if result.reverses and (kind == TARGETS or result.tier in doubters):
                place = Place(kind, result.key.players, result.key.variant)
                found.setdefault(place, set()).add(result.tier)
    first, *others = verdicts
    for tier in filter(doubters.__contains__, others):  # a set has another order in each process
        for place, verdict in verdicts[tier].items():
            own = verdicts[first].get(place)
            if place.row not in (SEATS, *OF_ACTIVE_TIER) and own and own.contradicts(verdict):
                found.setdefault(place, set()).add(tier)
    return found


def _luck_verdicts(context: ReportContext, answers: Answers) -> CellVerdicts:
    """Return the row of luck: the source shown to decide most, or, without replays, the plan's share of wins.

    Luck is never judged. A cell without such a source has no verdict.
    """
    asked = {name: each.answers for name, each in context.asked.items()}
    asked |= {context.plan.tier.name: answers}
    tier = luck_tier(context.plan)
    if tier is not None and tier.name in asked:
        table = largest_source(asked[tier.name][Luck()], context.family(LUCK, tier.name))
        table = table.replace({"source": {BOTS: "bots' lots"}})
    elif variance_applies(context.plan):
        table = read_variance(answers[Variance()])
        table = table[(table["outcome"] == "wins") & (table["source"] == "strategy")].assign(source="")
    else:
        return {}
    columns = ["players", "variant", "source", "value", "low", "high", "n"]
    return by_place(
        Verdict(LUCK, players, variant, NONE, NO_TARGET, source, value, low, high, n)
        for players, variant, source, value, low, high, n in zip(
            *(table[name] for name in columns), strict=True
        )
    )
