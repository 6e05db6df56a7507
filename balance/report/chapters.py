"""A chapter about one run: ask everything in one pass, write the sections, put the findings first."""

from __future__ import annotations

from balance.analysis.compare import read_pairs
from balance.analysis.gather import Question, Report, gather
from balance.experiments import Plan
from balance.report import course, opening, rules_changed, winners
from balance.report.model import Chapter, Finding, Section
from balance.runfolder import RunFolder

_MOST_FINDINGS = 18


def ask(plan: Plan) -> dict[str, Question]:
    """Everything that a chapter asks of a run."""
    return {
        **opening.questions(),
        **winners.questions(plan),
        **course.questions(plan),
        **rules_changed.questions(plan),
        **plan.game.module("questions").questions(plan),
    }


def write_chapter(run: RunFolder, report: Report = lambda done, planned: None) -> Chapter:
    """All sections about one run."""
    plan = run.plan
    own = plan.game.module("report")
    answers = gather(run, ask(plan), report)
    seats, found = winners.write_seats(run, answers)
    strategies, more = winners.write_strategies(run, answers)
    found += more
    sections = [opening.write_played(run, answers), opening.write_rules(run)]
    if plan.experiment.targets:
        _add(sections, found, rules_changed.write_targets(run, answers))
    sections += [seats, strategies, winners.write_points(run, answers)]
    for written in (
        winners.write_choices(run),
        course.write_tempo(run, answers),
        own.write_sections(run, answers),
    ):
        sections += written[0]
        found += written[1]
    _add(sections, found, course.write_counts(run, answers))
    if len(plan.variants) > 1:
        effects = read_pairs(plan, answers)
        _add(sections, found, rules_changed.write_effects(plan, effects, plan.variants[0].name))
    if plan.points:
        _add(sections, found, rules_changed.write_sweep(run, answers))
    sections.append(opening.write_methods(run))
    games = int(run.info["rows"]["games"])
    subtitle = f"{games:,} games of {run.path.name}, played {run.info['started'][:10]}"
    return Chapter(plan.game.title, subtitle, [_findings(found), *sections])


def _add(sections: list[Section], found: list[Finding], written: tuple[Section, list[Finding]]) -> None:
    sections.append(written[0])
    found += written[1]


def _findings(found: list[Finding]) -> Section:
    ordered = sorted(found, key=lambda finding: -finding.weight)
    text = [
        "The most telling first; each leads to its evidence. Intervals are 95 % each. What is called best was "
        "measured again on decks that had no part in choosing it."
    ]
    return Section("findings", "Findings", text, findings=ordered[:_MOST_FINDINGS])
