"""A chapter about one run: one pass answers all questions, then the first screen and the sections are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from balance.analysis.ended import Played, none_ended
from balance.analysis.gather import Answers, gather
from balance.analysis.question import Question
from balance.analysis.tier_comparison import TierAnswers, tier_questions
from balance.experiments.plan import Plan
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr, trn, write_date
from balance.foundation.progress import SILENCE, Progress
from balance.people.comparison import PeopleComparison
from balance.report.context import Family, ReportContext
from balance.report.doubts import describe_tier
from balance.report.first_screen import empty_screen, make_screen
from balance.report.model import Chapter, Section
from balance.report.row import Row, find_rows
from balance.report.section import SectionWriter, find_sections, questions_of, register_families
from balance.report.sections import methods, played, rules, tiers
from balance.runs.folder import RunFolder

ALWAYS = (played, rules, methods)  # also where no game has ended


def write_chapter(run: RunFolder, progress: Progress = SILENCE, people: PeopleComparison | None = None) -> Chapter:
    """Write the first screen and all sections about one run."""
    writers = find_sections(run.plan.game)
    rows = find_rows(run.plan)
    tier_of = {writer: _tier_of(writer, run.plan) for writer in writers}
    families = _register(tier_of, rows, ReportContext(run))
    context = ReportContext(run, families, progress, people=people)
    own = [writer for writer in writers if tier_of[writer] == run.plan.tier.name]
    answers = gather(run, [*questions_of(own, context), *_questions_of(rows, context, run.plan.tier.name)], progress)
    ended = not none_ended(answers[Played()])
    if ended:
        context = replace(context, asked=_ask_tiers(context, answers, rows, tier_of))
    else:
        writers = [writer for writer in writers if writer in ALWAYS]
    sections = [section for writer in writers if (section := _write(writer, context, answers, tier_of[writer]))]
    _check_names(run, sections)
    warnings = [warning for section in sections for warning in section.warnings]
    screen = empty_screen(context, warnings)
    if ended:
        screen = make_screen(context, answers, rows, warnings)
    subtitle = _who_played(context, int(answers[Played()]["games"].sum()))
    return Chapter(run.plan.game.title, subtitle, sections, screen, context.shown)


def _tier_of(writer: SectionWriter, plan: Plan) -> str:
    """Return the tier that a section is about: that of the page, or the one whose strategies are compared."""
    return (plan.strategies_tier if getattr(writer, "ABOUT_STRATEGIES", False) else plan.tier).name


def _register(tier_of: Mapping[SectionWriter, str], rows: Sequence[Row], context: ReportContext) -> frozenset[Family]:
    """Return the families of verdicts of all sections, each in its tier, and of the rows of the grid."""
    found = register_families(rows, context)
    for tier in set(tier_of.values()):
        of_tier = [writer for writer in tier_of if tier_of[writer] == tier]
        found |= register_families(of_tier, context.in_tier(tier))
    return found


def _write(writer: SectionWriter, context: ReportContext, answers: Answers, tier: str) -> Section | None:
    """Write a section about a tier; None if it has nothing to show. Another tier than the page's is named."""
    if tier == context.plan.tier.name:
        return writer.write(context, answers)
    if tier not in context.asked:
        return None
    section = writer.write(context.in_tier(tier), context.asked[tier].answers)
    return section and replace(section, title=tr("{section}, with {tier}", section=section.title, tier=tier))


def _who_played(context: ReportContext, games: int) -> str:
    """Return how many games of the run were played, by whom and when; `games` are those of the active tier."""
    run, order = context.run, context.speakers.order
    values = {"run": run.path.name, "date": write_date(run.info["started"])}
    if len(order) > 1:
        named = {tier.name: f"{tier.name} ({describe_tier(tier)})" for tier in run.plan.tiers}
        return tr(
            "{n:,} games by bots, from {weakest} to {strongest}; {run}, played {date}; the sections show {tier}",
            n=int(run.info["rows"]["games"]),
            weakest=named[order[0]],
            strongest=named[order[-1]],
            tier=run.plan.tier.name,
            **values,
        )
    return trn("{n:,} game of {run}, played {date}", "{n:,} games of {run}, played {date}", games, **values)


def write_section(run: RunFolder, name: str) -> Section:
    """Write one section, by the name of its module; its verdicts are corrected among themselves."""
    writers = {each.__name__.rpartition(".")[2]: each for each in find_sections(run.plan.game)}
    if name not in writers:
        raise unknown("section", name, writers, str(run.path))
    writer, context = writers[name], ReportContext(run)
    answers = gather(run, [*questions_of([writer], context), Played()])
    if writer is tiers:
        context = replace(context, asked=_ask_tiers(context, answers, [], {}))
    ended = not none_ended(answers[Played()])
    found = writer.write(context, answers) if ended or writer in ALWAYS else None
    if found is None:
        raise BalanceError(tr("{run}: the section {name} has nothing to show for this run", run=run.path, name=name))
    return found


def _questions_of(rows: Sequence[Row], context: ReportContext, tier: str) -> list[Question]:
    """Return what the rows of the grid ask a tier."""
    evidence = context.evidence({}, tier)
    return [each for row in rows if row.is_asked(context, tier) for each in row.questions(evidence)]


def _ask_tiers(
    context: ReportContext, answers: Answers, rows: Sequence[Row], tier_of: Mapping[SectionWriter, str]
) -> dict[str, TierAnswers]:
    """Return the answers of this tier, then those of every other tier with finished games, for comparison.

    The questions of sections about another tier are among them.
    """
    found = {context.plan.tier.name: TierAnswers(context.plan, answers)}
    for name in context.other_tiers:
        run = context.run.in_tier(name)
        sections = [writer for writer in tier_of if tier_of[writer] == name]
        questions = [*tier_questions(run.plan), *_questions_of(rows, context, name)]
        questions += questions_of(sections, context.in_tier(name))
        asked = gather(run, questions, context.progress)
        if not none_ended(asked[Played()]):
            found[name] = TierAnswers(run.plan, asked)
    return found if len(found) > 1 else {}


def _check_names(run: RunFolder, sections: Sequence[Section]) -> None:
    """Raise if two sections, tables or figures have one name: the second would overwrite the first."""
    for names in (
        [section.anchor for section in sections],
        [table.name for section in sections for table in section.tables],
        [figure.name for section in sections for figure in section.figures],
    ):
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise run.plan.game.fault(tr("its report has {names} twice", names=", ".join(twice)))
