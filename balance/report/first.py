"""The first screen of a chapter: question, answer, verdict grid, what depends on the bots, findings."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.changes import COLUMNS as CHANGE_COLUMNS
from balance.analysis.changes import find_changes, judged_effects
from balance.analysis.compare import pair_questions, read_pairs
from balance.analysis.gather import Answers
from balance.analysis.luck import Luck, largest_source
from balance.analysis.response import read_fairest_points
from balance.analysis.tiers import tempo_asked
from balance.analysis.tradeoffs import find_tradeoffs
from balance.analysis.variance import Variance, read_variance, variance_applies
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
from balance.plan.measures import seconds_per_choice
from balance.plan.plan import Plan
from balance.plan.tiers import Tier
from balance.report.answer import advice, answer, question_of
from balance.report.doubts import MOST, find_doubts, not_tried, settle
from balance.report.facts import Facts
from balance.report.findings import find_findings
from balance.report.grid import LUCK, Judged, contradicted, make_grid, read_cells
from balance.report.screen import Grid, Screen
from balance.report.terms import terms_of
from balance.report.words import capital, fairest_words


def luck_tier(plan: Plan) -> Tier | None:
    """The tier whose luck is shown: the last listed that played games again, by custom the strongest of them."""
    return next((tier for tier in reversed(plan.tiers) if tier.luck), None)


def make_screen(facts: Facts, answers: Answers, warnings: Sequence[str]) -> Screen:
    """The first screen of a run of which games ended."""
    plan = facts.plan
    variants = [variant.name for variant in plan.variants]
    judged = judge_run(facts, answers)
    findings = find_findings(judged, facts.thresholds, facts.held, box_minutes(plan))
    doubts = find_doubts(judged, facts.held)
    more = len(doubts) - MOST
    notes = [f"{more} more that depend on the bots are told under By tier."] if more > 0 else []
    if not facts.other_tiers and not plan.tier.searches_alone:
        notes.append(not_tried(plan))
    changed = [
        row.variant for row in judged.changes.itertuples() if not judged.is_doubted(place_of(row))
    ]
    return Screen(
        question_of(plan),
        capital(answer(judged, variants, _best(facts, answers))),
        advice(judged, variants),
        make_grid(judged, plan.experiment.players, _by_change(variants, changed), _units(facts)),
        findings,
        list(warnings),
        doubts[:MOST],
        settle(plan) if doubts else "",
        notes,
        terms_of(facts),
        (changed or variants[1:] or variants)[0],
    )


def empty_screen(facts: Facts, warnings: Sequence[str]) -> Screen:
    """The first screen of a run of which no game ended."""
    text = "No game ended, so that nothing can be said of the rules."
    return Screen(
        question_of(facts.plan), text, "", Grid([], [], []), [], list(warnings), variant=facts.first
    )


def judge_run(facts: Facts, answers: Answers) -> Judged:
    """The verdicts of all tiers, what variants change, and what turns round."""
    plan = facts.plan
    cells = {plan.tier.name: read_cells(plan, answers, facts.whole_measures, facts.families, True)}
    for name, each in list(facts.asked.items())[1:]:
        cells[name] = read_cells(each.plan, each.answers, tempo_asked(each.plan), facts.families, False)
    changes, tradeoffs = pd.DataFrame(columns=CHANGE_COLUMNS), []
    if len(plan.variants) > 1:
        asked = pair_questions(facts.first, list(facts.measures.values()))
        effects = read_pairs(plan, asked, answers, facts.families)
        judged, main = judged_effects(effects, facts.thresholds, facts.families), cells[plan.tier.name]
        changes = find_changes(judged, main, facts.first)
        tradeoffs = find_tradeoffs(judged, main, facts.first)
    turned = contradicted(cells, facts.held)
    return Judged(
        facts.first, cells, changes, tradeoffs, turned, _luck_cells(facts, answers), pace_range(plan)
    )


def _luck_cells(facts: Facts, answers: Answers) -> pd.DataFrame:
    """What the largest source of chance decides; where nothing was played again, what the choice of plan explains."""
    tier = luck_tier(facts.plan)
    asked = {facts.plan.tier.name: answers, **{name: each.answers for name, each in facts.asked.items()}}
    if tier is None or tier.name not in asked:
        if not variance_applies(facts.plan):
            return pd.DataFrame(columns=COLUMNS)
        table = read_variance(answers[Variance()])
        table = table[(table["outcome"] == "wins") & (table["source"] == "strategy")].assign(source="")
    else:
        table = largest_source(asked[tier.name][Luck()]).replace({"source": {BOTS: "bots' lots"}})
    table = table.rename(columns={"source": "name"}).assign(row=LUCK, kind=NONE, word=NO_TARGET)
    return table[COLUMNS]


def _units(facts: Facts) -> dict[str, str]:
    """What the numbers of a row are, where it hangs on the run."""
    box, tier = box_minutes(facts.plan), luck_tier(facts.plan)
    low, high = seconds_per_choice(facts.plan)
    fits = f"; fits {box[0]:g}–{box[1]:g}" if box else ""
    luck = "plan's share of wins, %"
    if tier:
        luck = "% of games it turns"
        luck += f"; {tier.name}" if tier.name != facts.plan.tier.name else ""
    return {
        STRATEGIES: f"furthest of {len(facts.plan.tier.strategies)}, % of its seats",
        TARGETS: f"met, of {len(facts.plan.experiment.targets)}",
        LENGTH: f"minutes at {low:g}–{high:g} s a choice{fits}",
        LUCK: luck,
    }


def _by_change(variants: Sequence[str], changed: Sequence[str]) -> list[str]:
    """The first, then as listed; of more than fit those that change most come first."""
    if len(variants) <= 4:
        return list(variants)
    return [
        variants[0],
        *dict.fromkeys(name for name in [*changed, *variants[1:]] if name != variants[0]),
    ]


def _best(facts: Facts, answers: Answers) -> str:
    """Of a sweep which points may be the fairest at each player count; "" where nothing was swept."""
    if not facts.plan.points:
        return ""
    table = read_fairest_points(facts.plan, answers, facts.families)
    return " ".join(fairest_words(rows) for _, rows in table.groupby("players", sort=False))
