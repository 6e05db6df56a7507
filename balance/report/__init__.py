"""Reports: a run as an HTML page, with the same content as Markdown, figures and tables."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress

if TYPE_CHECKING:
    import pandas as pd

    from balance.people.comparison import PeopleComparison
    from balance.people.folder import People
    from balance.report.model import Chapter
    from balance.runs.folder import RunFolder


class Report(NamedTuple):
    """A written report: its HTML page, and a chapter for each run."""

    page: Path
    chapters: list[Chapter]


def write_report(
    runs: Sequence[RunFolder], out: Path, progress: Progress = SILENCE, people: People | None = None
) -> Report:
    """Write a report of one or more runs into a folder, which is created if necessary.

    `progress` counts the games read from each run, and reports runs that cannot be compared. Games of `people` are
    compared with the runs of their game, whose lengths then use the pace of these people.
    """
    from balance.report.chapter import write_chapter
    from balance.report.figures.saving import second_process
    from balance.report.page import check_place, write_page

    check_place(out)
    with _writing(out.absolute()), _without_collector(), second_process():
        chapters = [write_chapter(run, progress, _compare_people(run, people)) for run in runs]
        differences = [_compare(runs[0], run, progress) for run in runs[1:]]
        return Report(write_page([*filter(None, differences), *chapters], out), chapters)


def _compare_people(run: RunFolder, people: People | None) -> PeopleComparison | None:
    """Return the comparison with people's games, and set their pace; None if there are none of this game.

    At a player count with too few games with minutes it is the pace over all counts.
    """
    from balance.people.comparison import compare_people

    if people is None or people.game.name != run.plan.game.name:
        return None
    found = compare_people(run, people)
    if found.pace is not None:
        paces = {each: found.paces.get(each, found.pace) for each in run.plan.experiment.players}
        run.judge_by(
            seconds_per_choice={
                str(players): [round(pace.low, 1), round(pace.high, 1)] for players, pace in paces.items()
            }
        )
    return found


def _compare(one: RunFolder, other: RunFolder, progress: Progress) -> Chapter | None:
    """Return a chapter about the differences between two runs; None if they cannot be compared."""
    from balance.analysis.compare import NothingSharedError, compare_runs
    from balance.report.context import ReportContext
    from balance.report.model import Chapter
    from balance.report.sections.effects import write_differences

    names = (one.path.name, other.path.name)
    context = ReportContext(one, compared=other.plan)
    try:
        table = compare_runs(one, other, progress=progress)
    except NothingSharedError as error:
        progress.tell(str(error))
        return None
    section = write_differences(context, table, *names)
    subtitle = tr("{run} compared with {other}", run=names[1], other=names[0])
    return Chapter(one.plan.game.title, subtitle, [section])


def write_comparison(run: RunFolder, effects: pd.DataFrame, baseline: str, out: Path) -> Path:
    """Write effects (`balance.analysis.compare.compare_variants`) as a page with forest plots and a CSV."""
    from balance.report.context import ReportContext
    from balance.report.model import Chapter
    from balance.report.page import write_page
    from balance.report.sections import effects as section
    from balance.report.sections import methods, rules

    context = ReportContext(run)
    sections = [section.write_effects(context, effects, baseline), rules.write(context, {}), methods.write(context, {})]
    subtitle = tr("Effects of rules against {baseline}, run {run}", baseline=baseline, run=run.path.name)
    if context.other_tiers:
        tier, others = run.plan.tier.name, ", ".join(context.other_tiers)
        subtitle += ", " + tr("tier {tier} (other tiers: {others})", tier=tier, others=others)
    with _writing(out.absolute()):
        return write_page([Chapter(run.plan.game.title, subtitle, sections)], out)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Switch Python's garbage collector off, which would search all figures often although they stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Create the folder before the work begins, and turn file errors into a `BalanceError` of one line.

    After an error, a folder that was created here is removed, so a new folder always holds a whole page.
    """
    missing: list[Path] = []
    try:
        missing += [folder for folder in (out, *out.parents) if not folder.exists()]
        out.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException as error:
        if out in missing:
            shutil.rmtree(out, ignore_errors=True)
        with suppress(OSError):
            for folder in missing[1:]:
                folder.rmdir()
        if isinstance(error, OSError):
            text = tr("cannot write {path}: {reason}", path=out, reason=error.strerror or error)
            raise BalanceError(text) from error
        raise
