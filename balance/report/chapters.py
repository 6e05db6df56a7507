"""A chapter about one run: ask everything in one pass, write the sections, put the findings first."""

from __future__ import annotations

import pandas as pd

from balance.analysis.compare import read_pairs
from balance.analysis.gather import Question, Report, gather
from balance.experiments import Plan
from balance.report import course, opening, rules_changed, winners
from balance.report.model import Chapter, Finding, Section
from balance.runfolder import RunFolder

_MOST_FINDINGS = 18
_OWN = "own "


def ask(plan: Plan) -> dict[str, Question]:
    """Everything that a chapter asks of a run; names of the game's own questions are kept apart."""
    own = plan.game.module("questions").questions(plan)
    return {
        **opening.questions(),
        **winners.questions(plan),
        **course.questions(plan),
        **rules_changed.questions(plan),
        **{f"{_OWN}{name}": question for name, question in own.items()},
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
        own.write_sections(run, _with_own(answers)),
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


def _with_own(answers: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The answers with the game's own under the names that the game gave them."""
    return {name.removeprefix(_OWN): answer for name, answer in sorted(answers.items(), key=_own_last)}


def _own_last(item: tuple[str, pd.DataFrame]) -> bool:
    return item[0].startswith(_OWN)


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
