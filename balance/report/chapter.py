"""A chapter about one run: ask everything in one pass, write the sections, put the findings first."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import gather
from balance.analysis.unfinished import Played, none_ended
from balance.log.folder import RunFolder
from balance.progress import SILENCE, Progress
from balance.report.facts import Facts
from balance.report.model import Chapter, Finding, Section
from balance.report.section import count_families, find_sections
from balance.report.sections import methods, played, rules
from balance.report.tiers import HELD, headed, not_tried

_MOST_FINDINGS = 18
ALWAYS = (played.PLACE, rules.PLACE, methods.PLACE)


def write_chapter(run: RunFolder, progress: Progress = SILENCE) -> Chapter:
    """All sections about one run."""
    writers = find_sections(run.plan.game)
    facts = Facts(run, count_families(writers, Facts(run)), progress)
    asked = [question for writer in writers for question in writer.questions(facts)]
    answers = gather(run, asked, progress)
    if none_ended(answers[Played()]):
        writers = [writer for writer in writers if writer.PLACE in ALWAYS]  # no game has a result
    written = [found for writer in writers if (found := writer.write(facts, answers))]
    findings = [finding for each in written for finding in each.findings]
    tier = run.plan.tier.name
    if facts.other_tiers:
        headings = {name: words for each in written for name, words in each.headings.items()}
        findings = [headed(finding, tier, headings) for finding in findings]
    _check_names(run, [each.section for each in written])
    games = int(answers[Played()]["games"].sum())
    whose = f" (tier {tier}, beside {', '.join(facts.other_tiers)})" if facts.other_tiers else ""
    subtitle = f"{games:,} games of {run.path.name}{whose}, played {run.info['started'][:10]}"
    sections = [_findings(facts, findings), *(each.section for each in written)]
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


def _findings(facts: Facts, found: Sequence[Finding]) -> Section:
    ordered = sorted(found, key=lambda finding: -finding.weight)
    text = [
        "The most telling first; each leads to its evidence. Intervals are 95 % each. What is called best was "
        "measured again on decks that had no part in choosing it."
    ]
    if facts.other_tiers:
        text.insert(0, HELD.format(tier=facts.plan.tier.name, others=" and ".join(facts.other_tiers)))
    elif not facts.plan.tier.searches_alone:
        text.insert(0, not_tried(facts.plan))
    return Section("findings", "Findings", text, findings=ordered[:_MOST_FINDINGS])
