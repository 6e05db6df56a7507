"""A chapter about one run: ask everything in one pass, judge it, write the first screen and the sections; or one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from balance.analysis.gather import Answers, gather
from balance.analysis.luck import Luck
from balance.analysis.tiers import Asked, tier_questions
from balance.analysis.unfinished import Played, none_ended
from balance.errors import BalanceError, unknown
from balance.log.folder import RunFolder
from balance.progress import SILENCE, Progress
from balance.report.facts import Facts
from balance.report.first import empty_screen, luck_tier, make_screen
from balance.report.model import Chapter, Section
from balance.report.section import count_families, find_sections
from balance.report.sections import methods, played, rules, tiers

ALWAYS = (played.PLACE, rules.PLACE, methods.PLACE)


def write_chapter(run: RunFolder, progress: Progress = SILENCE) -> Chapter:
    """The first screen and all sections about one run."""
    writers = find_sections(run.plan.game)
    facts = Facts(run, count_families(writers, Facts(run)), progress)
    asked = [question for writer in writers for question in writer.questions(facts)]
    answers = gather(run, asked, progress)
    ended = not none_ended(answers[Played()])
    if ended:
        facts = replace(facts, asked=_ask_tiers(facts, answers))
    else:
        writers = [writer for writer in writers if writer.PLACE in ALWAYS]  # no game has a result
    written = [found for writer in writers if (found := writer.write(facts, answers))]
    sections = [each.section for each in written]
    _check_names(run, sections)
    warnings = [warning for each in written for warning in each.warnings]
    screen = make_screen(facts, answers, warnings) if ended else empty_screen(facts, warnings)
    tier = run.plan.tier.name
    games = int(answers[Played()]["games"].sum())
    whose = f" (tier {tier}, beside {', '.join(facts.other_tiers)})" if facts.other_tiers else ""
    subtitle = f"{games:,} games of {run.path.name}{whose}, played {run.info['started'][:10]}"
    return Chapter(run.plan.game.title, subtitle, sections, screen, facts.shown)


def write_section(run: RunFolder, name: str) -> Section:
    """One section alone, by the name of its module; its verdicts are corrected among themselves.

    Raises
    ------
    BalanceError
        There is no such section, naming those that there are; or it has nothing to say of this run.
    """
    writers = {each.__name__.rpartition(".")[2]: each for each in find_sections(run.plan.game)}
    if name not in writers:
        raise unknown("section", name, writers, str(run.path))
    writer, facts = writers[name], Facts(run)
    answers = gather(run, [*writer.questions(facts), Played()])
    if writer.PLACE == tiers.PLACE:
        facts = replace(facts, asked=_ask_tiers(facts, answers))
    ended = not none_ended(answers[Played()])
    found = writer.write(facts, answers) if ended or writer.PLACE in ALWAYS else None
    if found is None:
        raise BalanceError(f"{run.path}: the section {name} has nothing to say of this run")
    return found.section


def _ask_tiers(facts: Facts, answers: Answers) -> dict[str, Asked]:
    """The other tiers of which games ended, asked about what can be held against this one; it comes first."""
    found = {facts.plan.tier.name: Asked(facts.plan, answers)}
    for name in facts.other_tiers:
        run = facts.run.in_tier(name)
        luck = [Luck()] if run.plan.tier is luck_tier(facts.plan) else []
        asked = gather(run, [*tier_questions(run.plan), *luck], facts.progress)
        if not none_ended(asked[Played()]):
            found[name] = Asked(run.plan, asked)
    return found if len(found) > 1 else {}


def _check_names(run: RunFolder, sections: Sequence[Section]) -> None:
    """Refuse two sections, tables or figures of one name: the second would be written over the first."""
    for names in (
        [section.anchor for section in sections],
        [table.name for section in sections for table in section.tables],
        [figure.name for section in sections for figure in section.figures],
    ):
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise run.plan.game.fault(f"its report has {', '.join(twice)} twice")
