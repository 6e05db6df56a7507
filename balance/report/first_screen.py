"""The first screen of a chapter: question, answer, verdict grid, doubts, findings and terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from balance.analysis.changes import direction
from balance.analysis.gather import Answers
from balance.analysis.sweeps import read_fairest_points
from balance.analysis.verdicts import (
    COMEBACKS,
    LENGTH,
    SEATS,
    STRATEGIES,
    TARGETS,
    WORSE,
    CellVerdicts,
    Place,
    Verdict,
)
from balance.experiments.measures import seconds_per_choice
from balance.foundation.text import nth
from balance.report.answer import advice, answer, question_of
from balance.report.assessment import Assessment, assess, luck_tier
from balance.report.context import ReportContext
from balance.report.doubts import MOST, find_doubts, not_tried, settle
from balance.report.findings import find_findings
from balance.report.screen import ANCHORS, LUCK, TITLES, Grid, GridCell, GridRow, Screen
from balance.report.terms import terms_of
from balance.report.words import amount, capital, fairest_words, span_of

_MOST_COLUMNS = 15


def make_screen(context: ReportContext, answers: Answers, warnings: Sequence[str]) -> Screen:
    """Return the first screen of a run with finished games."""
    plan = context.plan
    variants = [variant.name for variant in plan.variants]
    assessment = assess(context, answers)
    doubts = find_doubts(assessment)
    notes = []
    if (more := len(doubts) - MOST) > 0:
        notes.append(f"{more} more results that depend on the bots are listed under By tier.")
    if not context.other_tiers and not plan.tier.searches_alone:
        notes.append(not_tried(plan))
    changed = [change.variant for change in assessment.firm_changes]
    return Screen(
        question=question_of(plan),
        answer=capital(_fairest_points(context, answers) or answer(assessment)),
        so=advice(assessment),
        grid=make_grid(assessment, _by_change(variants, changed)),
        findings=find_findings(assessment),
        warnings=list(warnings),
        doubts=doubts[:MOST],
        settle=settle(plan) if doubts else "",
        notes=notes,
        terms=terms_of(context),
        variant=(changed or variants[1:] or variants)[0],
    )


def empty_screen(context: ReportContext, warnings: Sequence[str]) -> Screen:
    """Return the first screen of a run without a finished game."""
    text, grid = "No game was finished, so there are no results.", Grid([], [], [])
    return Screen(question_of(context.plan), text, "", grid, [], list(warnings), variant=context.first)


def _fairest_points(context: ReportContext, answers: Answers) -> str:
    """Return which points of a sweep may be the fairest at each player count; "" if the run is no sweep."""
    if not context.plan.points:
        return ""
    table = read_fairest_points(context.plan, answers, context.families)
    return " ".join(fairest_words(rows) for _, rows in table.groupby("players", sort=False))


def _by_change(variants: Sequence[str], changed: Sequence[str]) -> list[str]:
    """Return the variants in grid order: the first, then as listed; if there are many, the largest changes first."""
    others = variants[1:] if len(variants) <= 4 else [*changed, *variants[1:]]
    return list(dict.fromkeys([variants[0], *others]))


def make_grid(assessment: Assessment, variants: Sequence[str]) -> Grid:
    """Return the verdict grid: questions by player count and variant, tiers side by side."""
    counts = assessment.context.plan.experiment.players
    shown = list(variants)[: max(2, min(6, _MOST_COLUMNS // len(counts)))]
    own = assessment.own | assessment.luck
    units = _units(assessment)
    rows = []
    for row, title in TITLES.items():
        if row not in _rows_of(own):
            continue
        heads = (title, units[row], ANCHORS.get(row, row))
        places = [Place(row, players, variant) for players in counts for variant in shown]
        rows.append(GridRow(*heads, [_cell(assessment, own, place) for place in places]))
        for tier, verdicts in assessment.verdicts.items():
            if tier != assessment.whose(row) and row in _rows_of(verdicts):
                cells = [_other_cell(assessment, tier, place) for place in places]
                calm = all(cell.kind != "dep" for cell in cells)
                rows.append(GridRow(*heads, cells, tier, calm))
    return Grid(list(counts), shown, rows)


def _rows_of(verdicts: CellVerdicts) -> set[str]:
    return {place.row for place in verdicts}


def _units(assessment: Assessment) -> Mapping[str, str]:
    """Return the unit of each row."""
    plan, box = assessment.context.plan, assessment.box
    low, high = seconds_per_choice(plan)
    fits = f"; fits {box[0]:g}–{box[1]:g}" if box else ""
    whose = f"; {assessment.tier}" if assessment.tier != plan.tier.name else ""
    luck = "plan's share of wins, %"
    if tier := luck_tier(plan):
        luck = "% of games it decides"
        luck += f"; {tier.name}" if tier.name != plan.tier.name else ""
    return {
        SEATS: f"furthest seat, % of wins{whose}",
        STRATEGIES: f"furthest of {len(plan.tier.strategies)}, % of its seats",
        COMEBACKS: f"won from behind, %{whose}",
        LENGTH: f"minutes at {low:g}–{high:g} s a choice{fits}{whose}",
        LUCK: luck,
        TARGETS: f"met, of {len(plan.experiment.targets)}",
    }


def _cell(assessment: Assessment, verdicts: CellVerdicts, place: Place) -> GridCell:
    """Return a cell with the verdict that counts."""
    verdict = verdicts.get(place)
    if verdict is None:
        return GridCell("np", "–", "", "", "not played", place.variant, "same")
    reverses = place in assessment.reversals
    doubt = not reverses and assessment.is_doubted(place)
    kind, word = ("dep", "depends") if reverses else (verdict.kind, verdict.word)
    state, better = "base", 0
    if place.variant != assessment.context.first:
        base = verdicts.get(place._replace(variant=assessment.context.first))
        state, better = _compare_with_base(assessment, base, verdict)
    texts = (_name(verdict), _value(verdict, assessment.pace), _sentence(verdict))
    return GridCell(kind, word, *texts, place.variant, state, better, doubt)


def _compare_with_base(
    assessment: Assessment, base: Verdict | None, verdict: Verdict
) -> tuple[str, int]:
    """Return whether a cell changed from the baseline, and whether it got better (1) or worse (-1)."""
    if base is None:
        return "same", 0
    if verdict.row == TARGETS:
        if {base.kind, verdict.kind} <= WORSE.keys() and base.name != verdict.name:
            return "changed", int(verdict.value > base.value) - int(verdict.value < base.value)
        return "same", 0
    changes = [change for change in assessment.changes if change.place == verdict.place]
    return ("changed", direction(base, verdict, changes)) if changes else ("same", 0)


def _other_cell(assessment: Assessment, tier: str, place: Place) -> GridCell:
    """Return a cell of another tier, with its own verdict or marked as depending on the bots."""
    verdict = assessment.verdicts[tier].get(place)
    if verdict is None:
        return GridCell("np", "not played", "", "", "not played", place.variant, "same")
    reverses = tier in assessment.reversals.get(place, ())
    kind, state = ("dep", "base") if reverses else (verdict.kind, "same")
    texts = (_name(verdict), _value(verdict, assessment.pace), f"with {tier}: {_sentence(verdict)}")
    return GridCell(kind, verdict.word, *texts, place.variant, state)


def _name(verdict: Verdict) -> str:
    """Return the seat, strategy or source of chance that a number belongs to."""
    if verdict.row == TARGETS:
        return f"✗ {verdict.name}" if verdict.name else "all met" if verdict.kind == "good" else ""
    return nth(int(verdict.name)) if verdict.row == SEATS else verdict.name


def _value(verdict: Verdict, pace: tuple[float, float]) -> str:
    if verdict.row == LENGTH:
        return span_of(verdict.value, pace)
    return "" if verdict.row == TARGETS else amount(verdict.value)


def _sentence(verdict: Verdict) -> str:
    """Return a verdict as a sentence, for tooltips and screen readers."""
    title = TITLES[verdict.row]
    if verdict.row == TARGETS:
        missed = f"; missed: {verdict.name}" if verdict.name else ""
        return f"{title}: {verdict.word} met{missed}; n ≥ {verdict.n:,}"
    whose = f"{_name(verdict)} " if verdict.name else ""
    ends = f"({amount(verdict.low)} to {amount(verdict.high)})"
    return f"{title}: {verdict.word}; {whose}{amount(verdict.value)} {ends}, n = {verdict.n:,}"
