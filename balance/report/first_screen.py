"""The first screen of a chapter: question, answer, verdict grid, doubts, findings and terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from balance.analysis.changes import direction
from balance.analysis.gather import Answers
from balance.analysis.luck import luck_tier
from balance.analysis.sample_size import RunExtension
from balance.analysis.shares import SEATS
from balance.analysis.sweeps import read_fairest_points
from balance.analysis.verdicts import (
    COMEBACKS,
    FEW_GAMES,
    LENGTH,
    STRATEGIES,
    TARGETS,
    WORSE,
    CellVerdicts,
    Place,
    Verdict,
    box_minutes,
)
from balance.experiments.measures import seconds_per_choice
from balance.experiments.plan import Plan
from balance.foundation.language import tr, trn, write_number
from balance.foundation.text import listed, nth
from balance.report.answer import advice, answer, question_of
from balance.report.assessment import Assessment, assess
from balance.report.context import ReportContext
from balance.report.doubts import MOST, find_doubts, not_tried, settle
from balance.report.findings import MOST as MOST_FINDINGS
from balance.report.findings import find_facts
from balance.report.screen import (
    DEPENDS,
    LUCK,
    NOT_PLAYED,
    Grid,
    GridCell,
    GridQuestion,
    GridRow,
    Screen,
    write_name,
    write_word,
)
from balance.report.section import GridWriter
from balance.report.summary import summarise
from balance.report.terms import terms_of
from balance.report.words import (
    amount,
    capital,
    fairest_words,
    span_of,
    with_players,
    write_levels,
    write_players_range,
    write_range,
)
from balance.stats.comparisons import PLAYERS_DIFFER

_MOST_COLUMNS = 15
_MOST_RANGES = 3  # of players who differ, in a note


def make_screen(
    context: ReportContext,
    answers: Answers,
    writers: Sequence[GridWriter],
    warnings: Sequence[str],
    longer: RunExtension | None,
) -> Screen:
    """Return the first screen of a run with finished games.

    `writers` are the sections with rows in the grid; `longer` is the extension that decides which seats are fair.
    """
    plan = context.plan
    variants = [variant.name for variant in plan.variants]
    assessment = assess(context, answers, writers)
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
        terms=terms_of(context, _shown_questions(assessment)),
        summary=summarise(assessment, facts, by_rule),
        variant=(_changed(assessment) or variants[1:] or variants)[0],
    )


def _shown_questions(assessment: Assessment) -> dict[str, GridQuestion]:
    """Return the rows of the grid that have verdicts."""
    shown = _rows_of(assessment.own)
    return {name: question for name, question in assessment.questions.items() if name in shown}


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
            question=tr(assessment.questions[each.row].title),
            variant=each.variant,
            players=with_players([each.players]),
            range=_write_spread(each),
        )
        for each in found[:_MOST_RANGES]
    ]
    rest = len(found) - _MOST_RANGES
    more = [trn("{n} more", "{n} more", rest)] if rest > 0 else []
    return tr(
        "Players differ: equally strong players disagree, and more games can't decide. {ranges}.",
        ranges="; ".join([*parts, *more]),
    )


def _write_spread(verdict: Verdict) -> str:
    """Return between which values equally strong players lie; the verdict's `spread` is given."""
    assert verdict.spread is not None
    name, low, high, count = verdict.spread
    unit = tr("minutes") if verdict.row == LENGTH else "%"
    return write_players_range({_name_of(verdict.row, name): (low, high)}, count, unit)


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
    own = assessment.own | assessment.luck
    units = _units(assessment)
    rows = []
    for row, question in assessment.questions.items():
        if row not in _rows_of(own):
            continue
        heads = (tr(question.title), units.get(row) or tr(question.unit), question.anchor)
        places = [Place(row, players, variant) for players in counts for variant in shown]
        rows.append(GridRow(*heads, [_cell(assessment, own, place) for place in places]))
        for tier, verdicts in assessment.verdicts.items():
            if tier != assessment.whose(row) and row in _rows_of(verdicts):
                cells = [_other_cell(assessment, tier, place) for place in places]
                calm = all(cell.kind != "dep" for cell in cells)
                if row in (SEATS, TARGETS) or not calm:
                    rows.append(GridRow(*heads, cells, tier, calm))
    return Grid(list(counts), shown, rows)


def _rows_of(verdicts: CellVerdicts) -> set[str]:
    return {place.row for place in verdicts}


def units_of(plan: Plan, whose: str = "") -> dict[str, str]:
    """Return the unit of each row that every game has, except luck; `whose` names another tier that answers it."""
    box, (low, high) = box_minutes(plan), seconds_per_choice(plan)
    fits = "; " + tr("fits {low:g}–{high:g}", low=box[0], high=box[1]) if box else ""
    length = tr("minutes at {low:g}–{high:g} s a choice", low=low, high=high)
    return {
        SEATS: tr("furthest seat, % of wins") + whose,
        STRATEGIES: tr("furthest of {n}, % of its seats", n=len(plan.tier.strategies)),
        COMEBACKS: tr("won from behind, %") + whose,
        LENGTH: length + fits + whose,
        TARGETS: tr("met, of {n}", n=len(plan.experiment.targets)),
    }


def _units(assessment: Assessment) -> Mapping[str, str]:
    """Return the unit of each row."""
    plan = assessment.context.plan
    luck = tr("plan's share of wins, %")
    if tier := luck_tier(plan):
        luck = tr("source that decides most; another game is 100")
        luck += f"; {tier.name}" if tier.name != plan.tier.name else ""
    whose = f"; {assessment.tier}" if assessment.tier != plan.tier.name else ""
    return {**units_of(plan, whose), LUCK: luck}


def verdict_cell(verdict: Verdict, title: str, pace: tuple[float, float]) -> GridCell:
    """Return the cell of a verdict in the row `title`; for `pace` see `balance.analysis.verdicts.pace_range`."""
    texts = (_name(verdict), _value(verdict, pace), _sentence(verdict, title))
    return GridCell(verdict.kind, verdict.word, *texts, verdict.variant)


def _cell(assessment: Assessment, verdicts: CellVerdicts, place: Place) -> GridCell:
    """Return a cell with the verdict that counts."""
    verdict = verdicts.get(place)
    if verdict is None:
        missing = tr("no source is shown to decide most") if place.row == LUCK else tr(NOT_PLAYED)
        return GridCell("np", "–", "", "", missing, place.variant)
    cell = verdict_cell(verdict, assessment.questions[place.row].title, assessment.pace)
    if place in assessment.reversals:
        cell = replace(cell, kind="dep", word=DEPENDS)
    if place.variant == assessment.context.first:
        return cell
    base = verdicts.get(place._replace(variant=assessment.context.first))
    changed, better = _compare_with_base(assessment, base, verdict)
    return replace(cell, changed=changed, better=better)


def _compare_with_base(
    assessment: Assessment, base: Verdict | None, verdict: Verdict
) -> tuple[bool, int]:
    """Return whether a cell changed from the baseline, and whether it got better (1) or worse (-1)."""
    if base is None:
        return False, 0
    if verdict.row == TARGETS:
        if {base.kind, verdict.kind} <= WORSE.keys() and base.name != verdict.name:
            return True, int(verdict.value > base.value) - int(verdict.value < base.value)
        return False, 0
    changes = [change for change in assessment.changes if change.place == verdict.place]
    return (True, direction(base, verdict, changes)) if changes else (False, 0)


def _other_cell(assessment: Assessment, tier: str, place: Place) -> GridCell:
    """Return a cell of another tier, with its own verdict or marked as depending on the strategies."""
    verdict = assessment.verdicts[tier].get(place)
    if verdict is None:
        return GridCell("np", NOT_PLAYED, "", "", tr(NOT_PLAYED), place.variant)
    cell = verdict_cell(verdict, assessment.questions[place.row].title, assessment.pace)
    kind = "dep" if tier in assessment.reversals.get(place, ()) else cell.kind
    sentence = tr("with {tier}: {verdict}", tier=tier, verdict=cell.sentence)
    return replace(cell, kind=kind, sentence=sentence)


def _name(verdict: Verdict) -> str:
    """Return the seat, strategy or source of chance that a number belongs to."""
    if verdict.row == TARGETS:
        return f"✗ {verdict.name}" if verdict.name else tr("all met") if verdict.kind == "good" else ""
    return _name_of(verdict.row, verdict.name)


def _name_of(row: str, name: str) -> str:
    """Return the name of a seat, strategy, faction or source of chance; "" if a row has none."""
    return nth(int(name)) if row == SEATS else write_name(row, name) if name else ""


def _value(verdict: Verdict, pace: tuple[float, float]) -> str:
    if verdict.row == LENGTH:
        return span_of(verdict.value, pace)
    return "" if verdict.row == TARGETS else amount(verdict.value)


def _sentence(verdict: Verdict, title: str) -> str:
    """Return a verdict as a sentence, for tooltips and screen readers."""
    question, word = tr(title), write_word(verdict.word)
    if verdict.row == TARGETS:
        text = tr("{question}: {targets} met", question=question, targets=word)
        missed = "; " + tr("missed: {targets}", targets=verdict.name) if verdict.name else ""
        return f"{text}{missed}; n ≥ {write_number(verdict.n, ',')}"
    whose = f"{_name(verdict)} " if verdict.name else ""
    value = write_range(*map(amount, (verdict.value, verdict.low, verdict.high)))
    text = f"{question}: {word}; {whose}{value}, n = {write_number(verdict.n, ',')}"
    return f"{text}; {_write_spread(verdict)}" if verdict.spread else text
