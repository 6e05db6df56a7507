"""Reports: a run as one HTML page, the same as Markdown, figures and tables."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from balance.errors import BalanceError
from balance.progress import SILENCE, Progress

if TYPE_CHECKING:
    import pandas as pd

    from balance.log.folder import RunFolder
    from balance.report.model import Chapter


class Report(NamedTuple):
    """A report that was written: its HTML page, and what stands on it of each run."""

    page: Path
    chapters: list[Chapter]


def write_report(runs: Sequence[RunFolder], out: Path, progress: Progress = SILENCE) -> Report:
    """Write a report of one or more runs into a folder, made if need be.

    Parameters
    ----------
    progress : Progress
        Told of games read, run after run, and of runs between which nothing can be compared.

    Raises
    ------
    BalanceError
        A run can't be read, or the folder can't be written.
    """
    from balance.report.chapter import write_chapter
    from balance.report.page import check_place, write_page

    check_place(out)
    with _writing(out.absolute()):
        chapters = [write_chapter(run, progress) for run in runs]
        apart = [_write_apart(runs[0], run, progress) for run in runs[1:]]
        return Report(write_page([*filter(None, apart), *chapters], out), chapters)


def _write_apart(one: RunFolder, other: RunFolder, progress: Progress) -> Chapter | None:
    """What differs between two runs that stand on a page one after the other; None where nothing can be compared."""
    from balance.analysis.side_by_side import NothingSharedError, compare_runs
    from balance.report.facts import Facts
    from balance.report.model import Chapter
    from balance.report.sections.effects import write_differences

    names = (one.path.name, other.path.name)
    facts = Facts(one, max(1, other.plan.look_families // one.plan.look_families))
    try:
        table = compare_runs(one, other, progress=progress)
    except NothingSharedError as error:
        progress.tell(str(error))
        return None
    section = write_differences(facts, table, *names)
    return Chapter(one.plan.game.title, f"{names[1]} beside {names[0]}", [section])


def write_comparison(run: RunFolder, effects: pd.DataFrame, baseline: str, out: Path) -> Path:
    """Write effects (`balance.analysis.compare.compare_variants`) as a page with forest plots and a CSV.

    Raises
    ------
    BalanceError
        The folder can't be written.
    """
    from balance.report.facts import Facts
    from balance.report.model import Chapter
    from balance.report.page import write_page
    from balance.report.sections import effects as section
    from balance.report.sections import methods, rules

    facts = Facts(run)
    sections = [
        section.write_effects(facts, effects, baseline),
        rules.write(facts, {}).section,
        methods.write(facts, {}).section,
    ]
    subtitle = f"Effects of rules against {baseline}, run {run.path.name}"
    if facts.other_tiers:
        subtitle += f", tier {run.plan.tier.name} (beside {', '.join(facts.other_tiers)})"
    with _writing(out.absolute()):
        return write_page([Chapter(run.plan.game.title, subtitle, sections)], out)


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """A folder to write into, made before the work begins; what goes wrong with files is one line.

    A folder that was not there before is there afterwards only with the whole page in it.
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
            raise BalanceError(f"cannot write {out}: {error.strerror or error}") from error
        raise
