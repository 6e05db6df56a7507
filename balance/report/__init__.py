"""Reports: a run as one HTML page, the same as Markdown, figures and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.errors import BalanceError

if TYPE_CHECKING:
    import pandas as pd

    from balance.runfolder import RunFolder


def write_report(
    runs: Sequence[RunFolder], out: Path, report: Callable[[int, int], None] = lambda done, planned: None
) -> Path:
    """Write a report of one or more runs into a folder, made if need be.

    Parameters
    ----------
    report : callable
        Called with games read and games to read, run after run.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    BalanceError
        A run can't be read, or the folder can't be written.
    """
    from balance.report.chapters import write_chapter
    from balance.report.page import write_page

    try:
        out.mkdir(parents=True, exist_ok=True)
        return write_page([write_chapter(run, report) for run in runs], out)
    except OSError as error:
        raise BalanceError(f"cannot write {out}: {error.strerror or error}") from error


def write_comparison(run: RunFolder, effects: pd.DataFrame, baseline: str, out: Path) -> Path:
    """Write effects (`balance.analysis.compare.compare_variants`) as a page with forest plots and a CSV.

    Raises
    ------
    BalanceError
        The folder can't be written.
    """
    from balance.report import rules_changed
    from balance.report.model import Chapter
    from balance.report.opening import write_methods, write_rules
    from balance.report.page import write_page

    section, _ = rules_changed.write_effects(run.plan, effects, baseline)
    subtitle = f"Effects of rules against {baseline}, run {run.path.name}"
    chapter = Chapter(run.plan.game.title, subtitle, [section, write_rules(run), write_methods(run)])
    try:
        out.mkdir(parents=True, exist_ok=True)
        return write_page([chapter], out)
    except OSError as error:
        raise BalanceError(f"cannot write {out}: {error.strerror or error}") from error
