"""A chapter about one run: ask everything in one pass, write the sections, put the findings first."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import gather
from balance.analysis.unfinished import Played
from balance.log.folder import RunFolder
from balance.progress import SILENCE, Progress
from balance.report.facts import Facts
from balance.report.model import Chapter, Finding, Section
from balance.report.section import count_families, find_sections
from balance.report.sections import methods, played, rules

_MOST_FINDINGS = 18
ALWAYS = (played.PLACE, rules.PLACE, methods.PLACE)


def write_chapter(run: RunFolder, progress: Progress = SILENCE) -> Chapter:
    """All sections about one run."""
    writers = find_sections(run.plan.game)
    facts = Facts(run, count_families(writers, Facts(run)))
    asked = [question for writer in writers for question in writer.questions(facts)]
    answers = gather(run, asked, progress)
    if answers[Played()]["truncated"].sum() == answers[Played()]["games"].sum():
        writers = [writer for writer in writers if writer.PLACE in ALWAYS]  # no game has a result
    written = [found for writer in writers if (found := writer.write(facts, answers))]
    findings = [finding for each in written for finding in each.findings]
    _check_names(run, [each.section for each in written])
    games = int(run.info["rows"]["games"])
    subtitle = f"{games:,} games of {run.path.name}, played {run.info['started'][:10]}"
    sections = [_findings(findings), *(each.section for each in written)]
    return Chapter(run.plan.game.title, subtitle, sections)


def _check_names(run: RunFolder, sections: Sequence[Section]) -> None:
    """Refuse two sections, tables or figures of one name: the second would be written over the first."""
    for names in (
        [section.anchor for section in sections],
        [table.name for section in sections for table in section.tables],
        [figure.name for section in sections for figure in section.figures],
    ):
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise run.plan.game.fault(f"its report has {', '.join(twice)} twice")


def _findings(found: Sequence[Finding]) -> Section:
    ordered = sorted(found, key=lambda finding: -finding.weight)
    text = [
        "The most telling first; each leads to its evidence. Intervals are 95 % each. What is called best was "
        "measured again on decks that had no part in choosing it."
    ]
    return Section("findings", "Findings", text, findings=ordered[:_MOST_FINDINGS])
