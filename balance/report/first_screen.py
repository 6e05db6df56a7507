"""The first screen of a chapter: question, answer, verdict grid, doubts, findings and terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from balance.analysis.gather import Answers
from balance.analysis.sample_size import RunExtension
from balance.analysis.shares import SEATS
from balance.analysis.sweeps import read_fairest_points
from balance.analysis.verdicts import FEW_GAMES, CellVerdicts, Place
from balance.foundation.language import tr, trn
from balance.foundation.text import listed
from balance.report.answer import advice, answer, question_of
from balance.report.assessment import Assessment, assess
from balance.report.context import ReportContext
from balance.report.doubts import MOST, find_doubts, not_tried, settle
from balance.report.findings import MOST as MOST_FINDINGS
from balance.report.findings import find_facts
from balance.report.row import Row
from balance.report.screen import DEPENDS, NOT_PLAYED, Grid, GridCell, GridRow, Screen
from balance.report.summary import summarise
from balance.report.terms import terms_of
from balance.report.words import capital, fairest_words, with_players, write_levels
from balance.stats.comparisons import PLAYERS_DIFFER

_MOST_COLUMNS = 15
_MOST_RANGES = 3  # of players who differ, in a note


def make_screen(
    context: ReportContext,
    answers: Answers,
    rows: Sequence[Row],
    warnings: Sequence[str],
    longer: RunExtension | None,
) -> Screen:
    """Return the first screen of a run with finished games.

    `rows` are those of the grid; `longer` is the extension that decides which seats are fair.
    """
    plan = context.plan
    variants = [variant.name for variant in plan.variants]
    assessment = assess(context, answers, rows)
    facts, by_rule = find_facts(assessment), _by_rule(assessment)
    doubts = find_doubts(assessment)
    grid = make_grid(assessment, _by_change(variants, _changed(assessment)))
    notes = []
    if (more := len(doubts) - MOST) > 0:
        notes.append(
            trn(
                "{n} more result depends on the strategies, see By tier.",
                "{n} more results depend on the strategies, see By tier.",
                more,
            )
        )
    notes += [_few_games(grid, longer), _players_differ(assessment)]
    if not context.other_tiers and not plan.tier.searches_alone:
        notes.append(not_tried(plan))
    return Screen(
        question=question_of(plan),
        answer=capital(_fairest_points(context, answers) or answer(assessment, facts)),
        so=advice(assessment),
        grid=grid,
        findings=[fact.finding for fact in facts[:MOST_FINDINGS]],
        by_rule=by_rule,
        warnings=list(warnings),
        doubts=doubts[:MOST],
        settle=settle(plan) if doubts else "",
        notes=[*filter(None, notes)],
        terms=terms_of(context, rows),
        summary=summarise(assessment, facts, by_rule),
        variant=(_changed(assessment) or variants[1:] or variants)[0],
    )


def _changed(assessment: Assessment) -> list[str]:
    """Return the variants with changes that matter, the largest change first."""
    return [change.variant for change in assessment.firm_changes]


def _by_rule(assessment: Assessment) -> list[str]:
    """Return for each variant what its rule changes most, in words."""
    lines: dict[str, list[str]] = {}
    for each in assessment.by_rule:
        measure = assessment.context.measures[each.measure]
        levels = write_levels(each.baseline, each.level)
        text = tr(
            "{measure} {levels} with {players}",
            measure=tr(measure.label),
            levels=f"{levels} {tr(measure.unit)}" if measure.is_share else levels,
            players=with_players([each.players]),
        )
        lines.setdefault(each.variant, []).append(text)
    return [f"{variant}: {listed(parts)}" for variant, parts in lines.items()]


def _few_games(grid: Grid, longer: RunExtension | None) -> str:
    """Return how many verdicts need more games, and the command that decides seats; "" if all are decided."""
    cells = [cell for row in grid.rows if not row.tier for cell in row.cells]
    few = sum(cell.word == FEW_GAMES for cell in cells)
    if not few:
        return ""
    text = tr("Not enough games for {n} of {all} cells of the grid.", n=few, all=len(cells))
    if not longer:
        return text
    return f"{text} {tr('To decide seats ({time}): {command}', time=longer.time, command=longer.line)}"


def _players_differ(assessment: Assessment) -> str:
    """Return the verdicts that no number of games decides, because equally strong players differ; "" for none."""
    found = [each for each in assessment.own.values() if each.word == PLAYERS_DIFFER]
    if not found:
        return ""
    parts = [
        tr(
            "{question}, {variant}, {players}: {range}",
            question=tr(assessment.rows[each.row].title),
            variant=each.variant,
            players=with_players([each.players]),
            range=assessment.rows[each.row].write_spread(each),
        )
        for each in found[:_MOST_RANGES]
    ]
    rest = len(found) - _MOST_RANGES
    more = [trn("{n} more", "{n} more", rest)] if rest > 0 else []
    return tr(
        "Players differ: equally strong players disagree, and more games can't decide. {ranges}.",
        ranges="; ".join([*parts, *more]),
    )


def empty_screen(context: ReportContext, warnings: Sequence[str]) -> Screen:
    """Return the first screen of a run without a finished game."""
    text, grid = tr("No game was finished, so there are no results."), Grid([], [], [])
    question = question_of(context.plan)
    return Screen(question, text, "", grid, [], warnings=list(warnings), variant=context.first)


def _fairest_points(context: ReportContext, answers: Answers) -> str:
    """Return which points of a sweep may be the fairest at each player count; "" with fewer than two points."""
    if len(context.plan.points) < 2:
        return ""
    table = read_fairest_points(context.plan, answers, context.family(SEATS))
    return " ".join(fairest_words(rows) for _, rows in table.groupby("players", sort=False))


def _by_change(variants: Sequence[str], changed: Sequence[str]) -> list[str]:
    """Return the variants in grid order: the first, then as listed; if there are many, the largest changes first."""
    others = variants[1:] if len(variants) <= 4 else [*changed, *variants[1:]]
    return list(dict.fromkeys([variants[0], *others]))


def make_grid(assessment: Assessment, variants: Sequence[str]) -> Grid:
    """Return the verdict grid: questions by player count and variant, tiers side by side."""
    counts = assessment.context.plan.experiment.players
    shown = list(variants)[: max(2, min(6, _MOST_COLUMNS // len(counts)))]
    active, found = assessment.context.plan.tier.name, []
    for row in shown_rows(assessment.rows.values(), assessment.own):
        whose = row.answered_by(assessment.context)
        unit = row.unit(assessment.context.plan) + (f"; {whose}" if whose != active else "")
        heads = (tr(row.title), unit, row.anchor)
        places = [Place(row.name, players, variant) for players in counts for variant in shown]
        found.append(GridRow(*heads, [_cell(assessment, row, place) for place in places]))
        for tier, verdicts in assessment.verdicts.items():
            if tier != whose and row in shown_rows([row], verdicts):
                cells = [_other_cell(assessment, row, tier, place) for place in places]
                calm = all(cell.kind != "dep" for cell in cells)
                if row.kind or not calm:
                    found.append(GridRow(*heads, cells, tier, calm))
    return Grid(list(counts), shown, found)


def shown_rows(rows: Iterable[Row], verdicts: CellVerdicts) -> list[Row]:
    """Return the rows that have verdicts."""
    there = {place.row for place in verdicts}
    return [row for row in rows if row.name in there]


def _cell(assessment: Assessment, row: Row, place: Place) -> GridCell:
    """Return a cell with the verdict that counts."""
    verdict = assessment.own.get(place)
    if verdict is None:
        return GridCell("np", "–", "", "", row.missing, place.variant)
    cell = row.cell(assessment.context.plan, verdict)
    if place in assessment.reversals:
        cell = replace(cell, kind="dep", word=DEPENDS)
    if place.variant == assessment.context.first:
        return cell
    base = assessment.own.get(place._replace(variant=assessment.context.first))
    if base is None:
        return cell
    changes = [change for change in assessment.changes if change.place == place]
    changed, better = row.compare(base, verdict, changes)
    return replace(cell, changed=changed, better=better)


def _other_cell(assessment: Assessment, row: Row, tier: str, place: Place) -> GridCell:
    """Return a cell of another tier, with its own verdict or marked as depending on the strategies."""
    verdict = assessment.verdicts[tier].get(place)
    if verdict is None:
        return GridCell("np", NOT_PLAYED, "", "", tr(NOT_PLAYED), place.variant)
    cell = row.cell(assessment.context.plan, verdict)
    kind = "dep" if tier in assessment.reversals.get(place, ()) else cell.kind
    sentence = tr("with {tier}: {verdict}", tier=tier, verdict=cell.sentence)
    return replace(cell, kind=kind, sentence=sentence)
