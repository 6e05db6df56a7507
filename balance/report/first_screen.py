"""The first screen of a chapter: question, answer, verdict grid, doubts, findings, and drawings of single numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.changes import COLUMNS as CHANGE_COLUMNS
from balance.analysis.changes import find_changes, find_tradeoffs, judged_effects
from balance.analysis.compare import pair_questions, read_pairs
from balance.analysis.gather import Answers
from balance.analysis.luck import Luck, Variance, largest_source, read_variance, variance_applies
from balance.analysis.sweeps import read_fairest_points
from balance.analysis.tier_comparison import tempo_asked
from balance.analysis.verdicts import (
    COLUMNS,
    LENGTH,
    NO_TARGET,
    NONE,
    STRATEGIES,
    TARGETS,
    box_minutes,
    pace_range,
    place_of,
)
from balance.contract.records import BOTS
from balance.experiments.measures import seconds_per_choice
from balance.experiments.plan import Plan, Tier
from balance.report.answer import advice, answer, question_of
from balance.report.context import ReportContext
from balance.report.doubts import MOST, find_doubts, not_tried, settle
from balance.report.findings import find_findings
from balance.report.grid import LUCK, Judged, contradicted, make_grid, read_cells
from balance.report.screen import Grid, Screen
from balance.report.terms import terms_of
from balance.report.words import capital, fairest_words


def luck_tier(plan: Plan) -> Tier | None:
    """Return the tier whose luck is shown: the last listed one with `luck`, by custom the strongest; None without."""
    return next((tier for tier in reversed(plan.tiers) if tier.luck), None)


def make_screen(context: ReportContext, answers: Answers, warnings: Sequence[str]) -> Screen:
    """Return the first screen of a run with finished games."""
    plan = context.plan
    variants = [variant.name for variant in plan.variants]
    judged = judge_run(context, answers)
    findings = find_findings(judged, context.thresholds, context.tier_comparisons, box_minutes(plan))
    doubts = find_doubts(judged, context.tier_comparisons)
    more = len(doubts) - MOST
    notes = (
        [f"{more} more results that depend on the bots are listed under By tier."] if more > 0 else []
    )
    if not context.other_tiers and not plan.tier.searches_alone:
        notes.append(not_tried(plan))
    changed = [
        row.variant for row in judged.changes.itertuples() if not judged.is_doubted(place_of(row))
    ]
    return Screen(
        question_of(plan),
        capital(answer(judged, variants, _best(context, answers))),
        advice(judged, variants),
        make_grid(judged, plan.experiment.players, _by_change(variants, changed), _units(context)),
        findings,
        list(warnings),
        doubts[:MOST],
        settle(plan) if doubts else "",
        notes,
        terms_of(context),
        (changed or variants[1:] or variants)[0],
    )


def empty_screen(context: ReportContext, warnings: Sequence[str]) -> Screen:
    """Return the first screen of a run without a finished game."""
    text = "No game was finished, so there are no results."
    return Screen(
        question_of(context.plan), text, "", Grid([], [], []), [], list(warnings), variant=context.first
    )


def judge_run(context: ReportContext, answers: Answers) -> Judged:
    """Return the verdicts of all tiers, what variants change, and the results that reverse between tiers."""
    plan = context.plan
    cells = {plan.tier.name: read_cells(plan, answers, context.whole_measures, context.families, True)}
    for name, each in list(context.asked.items())[1:]:
        cells[name] = read_cells(
            each.plan, each.answers, tempo_asked(each.plan), context.families, False
        )
    changes, tradeoffs = pd.DataFrame(columns=CHANGE_COLUMNS), []
    if len(plan.variants) > 1:
        asked = pair_questions(context.first, list(context.measures.values()))
        effects = read_pairs(plan, asked, answers, context.families)
        judged, main = (
            judged_effects(effects, context.thresholds, context.families),
            cells[plan.tier.name],
        )
        changes = find_changes(judged, main, context.first)
        tradeoffs = find_tradeoffs(judged, main, context.first)
    reversals = contradicted(cells, context.tier_comparisons)
    return Judged(
        context.first,
        cells,
        changes,
        tradeoffs,
        reversals,
        _luck_cells(context, answers),
        pace_range(plan),
    )


def _luck_cells(context: ReportContext, answers: Answers) -> pd.DataFrame:
    """Return the cells of the luck row: the games that the largest source decides, or, without replays, the plan's
    share of wins.
    """
    tier = luck_tier(context.plan)
    asked = {
        context.plan.tier.name: answers,
        **{name: each.answers for name, each in context.asked.items()},
    }
    if tier is None or tier.name not in asked:
        if not variance_applies(context.plan):
            return pd.DataFrame(columns=COLUMNS)
        table = read_variance(answers[Variance()])
        table = table[(table["outcome"] == "wins") & (table["source"] == "strategy")].assign(source="")
    else:
        table = largest_source(asked[tier.name][Luck()]).replace({"source": {BOTS: "bots' lots"}})
    table = table.rename(columns={"source": "name"}).assign(row=LUCK, kind=NONE, word=NO_TARGET)
    return table[COLUMNS]


def _units(context: ReportContext) -> dict[str, str]:
    """Return the units of the grid rows whose unit depends on the run."""
    box, tier = box_minutes(context.plan), luck_tier(context.plan)
    low, high = seconds_per_choice(context.plan)
    fits = f"; fits {box[0]:g}–{box[1]:g}" if box else ""
    luck = "plan's share of wins, %"
    if tier:
        luck = "% of games it decides"
        luck += f"; {tier.name}" if tier.name != context.plan.tier.name else ""
    return {
        STRATEGIES: f"furthest of {len(context.plan.tier.strategies)}, % of its seats",
        TARGETS: f"met, of {len(context.plan.experiment.targets)}",
        LENGTH: f"minutes at {low:g}–{high:g} s a choice{fits}",
        LUCK: luck,
    }


def _by_change(variants: Sequence[str], changed: Sequence[str]) -> list[str]:
    """Return the variants in grid order: the first, then as listed; if there are many, the largest changes first."""
    if len(variants) <= 4:
        return list(variants)
    return [
        variants[0],
        *dict.fromkeys(name for name in [*changed, *variants[1:]] if name != variants[0]),
    ]


def _best(context: ReportContext, answers: Answers) -> str:
    """Return which points of a sweep may be the fairest at each player count; "" if the run is no sweep."""
    if not context.plan.points:
        return ""
    table = read_fairest_points(context.plan, answers, context.families)
    return " ".join(fairest_words(rows) for _, rows in table.groupby("players", sort=False))
