"""A chapter about one run: ask everything in one pass, write the sections, put the findings first."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import gather
from balance.log.folder import RunFolder
from balance.progress import SILENCE, Progress
from balance.report.facts import Facts
from balance.report.model import Chapter, Finding, Section
from balance.report.section import find_sections

_MOST_FINDINGS = 18


def write_chapter(run: RunFolder, progress: Progress = SILENCE) -> Chapter:
    """All sections about one run."""
    facts = Facts(run)
    writers = find_sections(run.plan.game)
    asked = [question for writer in writers for question in writer.questions(facts)]
    answers = gather(run, asked, progress)
    written = [found for writer in writers if (found := writer.write(facts, answers))]
    findings = [finding for each in written for finding in each.findings]
    games = int(run.info["rows"]["games"])
    subtitle = f"{games:,} games of {run.path.name}, played {run.info['started'][:10]}"
    sections = [_findings(findings), *(each.section for each in written)]
    return Chapter(run.plan.game.title, subtitle, sections)


def _findings(found: Sequence[Finding]) -> Section:
    ordered = sorted(found, key=lambda finding: -finding.weight)
    text = [
        "The most telling first; each leads to its evidence. Intervals are 95 % each. What is called best was "
        "measured again on decks that had no part in choosing it."
    ]
    return Section("findings", "Findings", text, findings=ordered[:_MOST_FINDINGS])
