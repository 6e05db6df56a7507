"""The first screen of a chapter: question, answer, verdict grid, doubts, findings and terms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from balance.analysis.changes import Change
from balance.analysis.gather import Answers
from balance.analysis.sample_size import RunExtension, decide
from balance.analysis.shares import SEATS, judged_seats
from balance.analysis.spread import read_cell_means
from balance.analysis.sweeps import read_fairest_points
from balance.analysis.verdicts import BAD, FEW_GAMES, GOOD, PACE_WORDS, WATCH, CellVerdicts, Place, Verdict
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed
from balance.report.answer import advice, answer, question_of
from balance.report.assessment import Assessment, assess
from balance.report.context import ReportContext
from balance.report.doubts import MOST as MOST_DOUBTS
from balance.report.doubts import describe_tier, find_doubts, no_choices, not_tried, settle, who_plays
from balance.report.findings import RULES, STYLES, WEAK, Fact, find_facts
from balance.report.row import Row, SideRow
from balance.report.screen import ALL_BEYOND, DEPENDS, FindingGroup, Grid, GridCell, GridRow, Screen, draw_strip, span
from balance.report.sections import people
from balance.report.speakers import Said, figures_of
from balance.report.summary import summarise
from balance.report.words import amount, capital, fairest_words, with_players, write_levels, write_limit
from balance.stats.comparisons import ALPHA, LEAST_DECKS, PLAYERS_DIFFER

MOST = {RULES: 5, WEAK: 2, STYLES: 2}
"""The most findings of each group."""
_MOST_COLUMNS = 15


def make_screen(context: ReportContext, answers: Answers, rows: Sequence[Row], warnings: Sequence[str]) -> Screen:
    """Return the first screen of a run with finished games; `rows` are those of the grid."""
    plan = context.plan
    variants = [variant.name for variant in plan.variants]
    assessment = assess(context, answers, rows)
    facts, by_rule = find_facts(assessment), _by_rule(assessment)
    doubts = find_doubts(assessment)
    grid = make_grid(assessment, _by_change(variants, _changed(assessment)))
    notes = []
    if (more := len(doubts) - MOST_DOUBTS) > 0:
        notes.append(
            trn(
                "{n} more result depends on who plays, see By strength of players.",
                "{n} more results depend on who plays, see By strength of players.",
                more,
            )
        )
    longer = _decide_seats(assessment, answers)
    notes.append(_count_verdicts(grid, longer))
    if not _has_choices(context, answers):
        notes.append(no_choices())
    elif not context.other_tiers and not plan.tier.searches_alone:
        notes.append(not_tried(plan))
    said = capital(_fairest_points(context, answers) or answer(assessment, facts))
    return Screen(
        question=question_of(plan),
        answer=" ".join(filter(None, (said, people.write_in_short(context)))),
        so=advice(assessment),
        grid=grid,
        groups=_group(assessment, facts),
        by_rule=by_rule,
        warnings=list(warnings),
        doubts=doubts[:MOST_DOUBTS],
        settle=settle(plan, doubts) if doubts else "",
        notes=[*filter(None, notes)],
        terms=terms_of(context, shown_rows(rows, assessment.own)),
        summary=summarise(assessment, facts, by_rule),
        speaker=context.speakers.strongest,
        longer=longer,
        variant=(_changed(assessment) or variants[1:] or variants)[0],
    )


def _has_choices(context: ReportContext, answers: Answers) -> bool:
    """Return whether a game had a decision with more than one option."""
    choices = read_cell_means(answers, context.whole_measures, ["choices"])
    return bool((choices["value"] > 0).any())


def _changed(assessment: Assessment) -> list[str]:
    """Return the variants with changes that matter, the largest change first."""
    return [said.claim.variant for said in assessment.changes]


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


def _decide_seats(assessment: Assessment, answers: Answers) -> RunExtension | None:
    """Return the extension that decides seats, of the strongest tier that needs more games; None if none does."""
    context = assessment.context
    undecided = {
        said.tier
        for said in assessment.cells.values()
        if isinstance(assessment.rows[said.claim.row], SideRow) and said.claim.word == FEW_GAMES
    }
    for tier in filter(undecided.__contains__, context.speakers.speaking):
        of_tier = context.asked[tier].answers if context.asked else answers
        run = context.run.in_tier(tier)
        shares = judged_seats(run.plan, of_tier, context.evidence(of_tier, tier).family)
        if longer := decide(run, context.of_shown(shares)):
            return longer
    return None


def _count_verdicts(grid: Grid, longer: RunExtension | None) -> str:
    """Return how many verdicts are shown and what the others lack, with the command that decides seats."""
    cells = [cell for row in grid.rows for cell in row.cells]
    lacks: list[tuple[Collection[str], str]] = [
        ({FEW_GAMES}, N_("{n} with not enough games")),
        ({PLAYERS_DIFFER}, N_("{n} where equally strong players differ")),
        ({ALL_BEYOND}, N_("{n} where all equally strong players lie outside")),
        ({DEPENDS}, N_("{n} contradicted by equally strong players")),
        (PACE_WORDS, N_("{n} that depend on the pace of play")),
    ]
    lacking = [(text, sum(cell.word in words for cell in cells)) for words, text in lacks]
    shown = sum(cell.kind in (GOOD, WATCH, BAD) for cell in cells)
    rest = len(cells) - shown - sum(count for _, count in lacking)
    parts = [tr(text, n=count) for text, count in [(N_("{n} shown"), shown), *lacking] if count]
    parts += [tr("{n} without a verdict", n=rest)] if rest else []
    text = tr("Of {n} cells of the grid: {parts}.", n=len(cells), parts=", ".join(parts))
    if not longer:
        return text
    return f"{text} {tr('To decide who is favoured ({time}): {command}', time=longer.time, command=longer.line)}"


def _group(assessment: Assessment, facts: Sequence[Fact]) -> list[FindingGroup]:
    """Return the findings, first those that stay true when people play well."""
    speakers = assessment.context.speakers
    is_split, strong = len(speakers.order) > 1, speakers.strongest
    titles = {
        RULES: (tr("What matters for people who play well") if is_split else tr("Findings")),
        WEAK: tr("What weaker players meet"),
        STYLES: tr("Among ways of playing chosen by hand ({tier})", tier=assessment.context.plan.strategies_tier.name),
    }
    none = tr("None: no result is shown and large enough to matter.")
    if is_split:
        none = tr("None: with {tier}, no result is shown and large enough to matter.", tier=strong)
    found = [
        FindingGroup(title, [fact.finding for fact in facts if fact.group == name][: MOST[name]], none)
        for name, title in titles.items()
    ]
    return [group for group in found if group.findings or group is found[0]]


def empty_screen(context: ReportContext, warnings: Sequence[str]) -> Screen:
    """Return the first screen of a run without a finished game."""
    text, grid = tr("No game was finished, so there are no results."), Grid([], [], [])
    question = question_of(context.plan)
    return Screen(question, text, "", grid, warnings=list(warnings), variant=context.first)


def _fairest_points(context: ReportContext, answers: Answers) -> str:
    """Return which points of a sweep may be the fairest at each player count; "" with fewer than two points."""
    if len(context.plan.points) < 2 or not context.has_rivals:
        return ""
    table = read_fairest_points(context.plan, answers, context.family(SEATS))
    return " ".join(fairest_words(rows) for _, rows in table.groupby("players", sort=False))


def _by_change(variants: Sequence[str], changed: Sequence[str]) -> list[str]:
    """Return the variants in grid order: the first, then as listed; if there are many, the largest changes first."""
    others = variants[1:] if len(variants) <= 4 else [*changed, *variants[1:]]
    return list(dict.fromkeys([variants[0], *others]))


def make_grid(assessment: Assessment, variants: Sequence[str]) -> Grid:
    """Return the verdict grid: questions by player count and variant."""
    counts = assessment.context.plan.experiment.players
    shown = list(variants)[: max(2, min(6, _MOST_COLUMNS // len(counts)))]
    found = []
    for row in shown_rows(assessment.rows.values(), assessment.own):
        cells = [
            cell
            for players in counts
            for cell in _cells(assessment, row, [Place(row.name, players, each) for each in shown])
        ]
        found.append(GridRow(tr(row.title), _unit(assessment, row), row.anchor, cells))
    return Grid(list(counts), shown, found, _whose_dots(assessment.context))


def _whose_dots(context: ReportContext) -> str:
    """Return whose numbers the strips show, from the top; "" with one tier."""
    names = _described(context)
    if len(names) < 2:
        return ""
    return tr("Dots, from the top: {names}. The large dot is that of the verdict.", names=", ".join(names))


def _described(context: ReportContext) -> list[str]:
    """Return the tiers from the weakest, each with the kind of its players."""
    tiers = {tier.name: describe_tier(tier) for tier in context.plan.tiers}
    return [f"{name} ({tiers[name]})" for name in context.speakers.order]


def _unit(assessment: Assessment, row: Row) -> str:
    """Return what the numbers of a row are, and who plays if only one of several tiers was asked."""
    context, unit = assessment.context, row.unit(assessment.context.plan)
    return unit if row.every_tier or len(context.asked) < 2 else f"{unit}; {row.speaking(context)[0]}"


def shown_rows(rows: Iterable[Row], verdicts: CellVerdicts) -> list[Row]:
    """Return the rows that have verdicts."""
    there = {place.row for place in verdicts}
    return [row for row in rows if row.name in there]


def _cells(assessment: Assessment, row: Row, places: Sequence[Place]) -> Iterable[GridCell]:
    """Yield the cells of a row at one player count, whose strips have one scale."""
    band = row.band(assessment.context.plan, places[0].players)
    said = {place: assessment.cells[place] for place in places if place in assessment.cells}
    figures = {place: figures_of(each, _named(each)) for place, each in said.items()} if band else {}
    spans = [span(each, said[place].tier, band) for place, each in figures.items() if each]
    ends = (min(low for low, _ in spans), max(high for _, high in spans)) if spans else None
    for place in places:
        if place not in said:
            yield GridCell("np", "–", "", "", row.missing, place.variant)
            continue
        cell = _cell(assessment, row, said[place])
        if strip := draw_strip(figures.get(place, {}), said[place].tier, band, amount, ends):
            cell = replace(cell, strip=strip, sentence=f"{cell.sentence}; {strip.alt}")
        yield cell


def _named(said: Said[Verdict]) -> str:
    """Return the thing whose number a cell shows."""
    return said.claim.spread.name if said.claim.spread else said.claim.name


def _cell(assessment: Assessment, row: Row, said: Said[Verdict]) -> GridCell:
    """Return a cell with the verdict that counts."""
    verdict, place = said.claim, said.claim.place
    cell = row.cell(assessment.context.plan, verdict)
    if len(said.by_tier) > 1:
        cell = replace(cell, sentence=tr("{verdict} (with {tier})", verdict=cell.sentence, tier=said.tier))
    if place in assessment.reversals:
        cell = replace(cell, kind="dep", word=DEPENDS)
    base = assessment.own.get(place._replace(variant=assessment.context.first))
    if place.variant == assessment.context.first or base is None:
        return cell
    changes = [each.claim for each in assessment.changes if each.claim.place == place]
    # The verdicts of the players who show the changes; others may speak in one of the two cells.
    pair = (changes[0].before, changes[0].after) if changes else (None, None)
    changed, better = row.compare(pair[0] or base, pair[1] or verdict, changes)
    return replace(cell, changed=changed, better=better, moved=what_moved(row, verdict, changes))


def what_moved(row: Row, verdict: Verdict, changes: Sequence[Change]) -> str:
    """Return the name of what changed most in a cell, if it is not the thing whose number the cell has."""
    if not changes or any(change.name == verdict.name for change in changes):
        return ""
    return row.write_name(changes[0].name)


def terms_of(context: ReportContext, rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Return terms and their meaning, in the order of the grid."""
    terms = [(tr("Intervals"), _intervals_term(context))]
    terms += [(tr(row.title), text) for row in rows if (text := row.term(context))]
    if len(context.plan.variants) > 1:
        terms.append((tr("Changed"), _changed_term(context)))
    if context.other_tiers:
        terms.append((tr("Whose verdict counts"), _tiers_term(context)))
    terms.append((tr("Who played"), _players_term(context.plan)))
    return terms


def _intervals_term(context: ReportContext) -> str:
    words = tr(
        "A word compares an interval with a threshold. The intervals in the grid and the findings are widened so that "
        "all verdicts on the page hold together with {confidence:.0f} % confidence. Not enough games: the interval "
        "includes the threshold. Fewer than {least} deals are too few. Intervals in the sections are 95 % each.",
        confidence=100 * (1 - ALPHA),
        least=LEAST_DECKS,
    )
    words = f"{words} {context.primary_words}".strip()
    strategies = [each for tier in context.plan.tiers for each in tier.strategies]
    if not any(each.uses_networks for each in strategies):
        return words
    differ = tr(
        "Players differ: networks that were trained in the same way, and play equally strongly, lie on both sides of "
        "the threshold, or are too few to show that others would not. More games can't decide this: the figure depends "
        "on how one plays, and not on the rule alone."
    )
    return f"{words} {differ}"


def _changed_term(context: ReportContext) -> str:
    limits = context.thresholds
    least = tr(
        "{seats} for a seat or team, {strategies} for a strategy, {comebacks} for comebacks or {length:g} % of the "
        "length",
        seats=write_limit(limits.seats),
        strategies=write_limit(limits.strategies),
        comebacks=write_limit(limits.comeback_change),
        length=limits.length_change,
    )
    if not context.has_rivals:
        won, length = write_limit(limits.won_change), limits.length_change
        least = tr("{won} for games won or {length:g} % of the length", won=won, length=length)
    return tr(
        "The difference on the same deals is shown, and it either changes the word or is at least {least}. Changes "
        "are ranked by their size divided by this threshold. Direct consequences of the rule are listed under What "
        "each variant changes and are not findings.",
        least=least,
    )


def _tiers_term(context: ReportContext) -> str:
    """Return whose verdicts count, and what a strip shows."""
    return tr(
        "{tiers} played the same deals, here from the weakest to the strongest. Each cell has the verdict of the "
        "strongest tier that decides it. The verdict of profiles does not count where networks or searchers that are "
        "as strong played. The verdict of any tier does not count if stronger players are shown to have another "
        "number. A strip has a dot for the number of each tier, the weakest at the top, on the band of good values; "
        "the filled dot is that of the verdict. If equally strong players show opposite results, the result depends "
        "on who plays, and is no finding about the rules.",
        tiers=listed(_described(context)),
    )


def _players_term(plan: Plan) -> str:
    """Return who played the games of the sections."""
    who = who_plays(plan)
    return f"{plan.tier.name}: {who}." if len(plan.tiers) > 1 else f"{who}."
