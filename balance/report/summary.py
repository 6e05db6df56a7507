"""A summary of half a page, for a publisher: what was tried, what is fair, what is not, and how sure that is.

It names no strategy, because its readers do not know them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from balance.analysis.verdicts import FEW_GAMES, GOOD, Verdict
from balance.foundation.language import tr, trn
from balance.report.answer import gains_and_costs, join_changes, place_problem
from balance.report.assessment import Assessment
from balance.report.findings import RULES, WEAK, Fact
from balance.report.model import Chapter
from balance.report.page import open_templates, write_page_files
from balance.report.screen import Paragraph
from balance.report.words import capital, with_players, withheld_words, write_reconstruction
from balance.stats.comparisons import PLAYERS_DIFFER

_MOST = 4  # statements of a paragraph
NAMES = ("summary.html", "summary.md")


def summarise(assessment: Assessment, facts: Sequence[Fact], by_rule: Sequence[str]) -> list[Paragraph]:
    """Return the paragraphs of the summary; an empty one is left out."""
    weak = [fact.finding.text for fact in facts if fact.group == WEAK]
    facts = [fact for fact in facts if fact.group == RULES and not fact.row.about_strategies]
    problems = [_problem(assessment, fact.problem) for fact in facts if fact.problem]
    changes = [f"{capital(join_changes(assessment, [fact.change]))}." for fact in facts if fact.change]
    found = [
        Paragraph(tr("What was tried"), list(_tried(assessment))),
        Paragraph(tr("What is fair"), list(_fair(assessment)) or [tr("Nothing is shown to be fair yet.")]),
        Paragraph(tr("What is not"), problems[:_MOST] or [tr("No problem is shown.")]),
        Paragraph(tr("What weaker players meet"), weak[:_MOST]),
        Paragraph(tr("What the variants change"), [*(f"{line}." for line in by_rule[:_MOST]), *changes[:_MOST]]),
        Paragraph(tr("What to change"), list(_advice(assessment))[:_MOST]),
        Paragraph(tr("How sure this is"), list(_certainty(assessment))),
        Paragraph(tr("Reconstructed data"), _reconstructions(assessment)),
    ]
    return [paragraph for paragraph in found if paragraph.lines]


def _tried(assessment: Assessment) -> Iterable[str]:
    plan, games = assessment.context.plan, int(assessment.context.run.info["rows"]["games"])
    counts = with_players(plan.experiment.players)
    yield trn(
        "Programs played {n:,} game of {game} with {players}.",
        "Programs played {n:,} games of {game} with {players}.",
        games,
        game=plan.game.title,
        players=counts,
    )
    for variant in plan.variants[:_MOST]:
        yield f"{variant.name}: {tr(variant.rules.description)}"


def _fair(assessment: Assessment) -> Iterable[str]:
    """Yield each question with the player counts at which the first variant is shown to be good."""
    for name, row in assessment.rows.items():
        if row.about_strategies or not row.has_standard:
            continue
        own = [each for each in assessment.own.values() if each.row == name]
        good = [each.players for each in own if each.variant == assessment.context.first and each.kind == GOOD]
        if good:
            yield tr("{question}: with {players}.", question=tr(row.title), players=with_players(good))


def _problem(assessment: Assessment, verdict: Verdict) -> str:
    ends = assessment.rows[verdict.row].ends(assessment.context.plan, verdict)
    return f"{capital(place_problem(assessment, verdict))} ({ends})."


def _advice(assessment: Assessment) -> Iterable[str]:
    """Yield what each variant gains and costs the game."""
    for each in assessment.tradeoffs:
        parts = (
            [change for change in side if not assessment.rows[change.row].about_strategies]
            for side in (each.gains, each.costs)
        )
        gains, costs = ([c for c in part if not assessment.is_doubted(c.place)] for part in parts)
        if gains or costs:
            yield gains_and_costs(assessment, replace(each, gains=gains, costs=costs, undecided=0))


def _certainty(assessment: Assessment) -> Iterable[str]:
    if primary := assessment.context.primary_question:
        yield tr(
            "Statements of two kinds hold together with 95 % confidence each, for the strategies that played: "
            "{primary}, and all others. People may play differently.",
            primary=primary,
        )
    else:
        yield tr(
            "All statements hold together with 95 % confidence for the strategies that played. People may play "
            "differently."
        )
    if text := withheld_words(assessment.context.plan):
        yield text
    if reversals := len(assessment.reversals):
        yield trn(
            "Equally strong players contradict each other on {n} result; this summary leaves it out.",
            "Equally strong players contradict each other on {n} results; this summary leaves them out.",
            reversals,
        )
    kept = [r.name for r in assessment.rows.values() if r.has_standard and not r.about_strategies]
    cells = [each for each in assessment.own.values() if each.row in kept]
    if few := sum(each.word == FEW_GAMES for each in cells):
        yield tr("{n} of {all} questions need more games.", n=few, all=len(cells))
    if differ := sum(each.word == PLAYERS_DIFFER for each in cells):
        yield tr(
            "On {n} of {all} questions equally strong players differ, and more games can't decide.",
            n=differ, all=len(cells),
        )  # fmt: skip


def _reconstructions(assessment: Assessment) -> list[str]:
    lines = assessment.context.run.info["reconstructions"].values()
    found = list(dict.fromkeys(line for each in lines for line in each))
    rest = len(found) - _MOST
    more = [tr("{n} more are listed in the report.", n=rest)] if rest > 0 else []
    return [*map(write_reconstruction, found[:_MOST]), *more]


def write_summary(chapters: Sequence[Chapter], out: Path) -> Path:
    """Write ``summary.html``, which word processors open, and ``summary.md`` into a folder; return the first."""
    contents = {
        name: open_templates(name.endswith(".md")).get_template(f"{name}.jinja").render(chapters=chapters).encode()
        for name in NAMES
    }
    write_page_files(out, NAMES[0], contents)
    return out / NAMES[0]
