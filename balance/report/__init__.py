"""Reports: a run as one HTML page, the same as Markdown, figures and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from balance.errors import BalanceError


def write_report(
    runs: Sequence[Path], out: Path, report: Callable[[int, int], None] = lambda done, planned: None
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
        A run can't be read, is not finished, or the folder can't be written.
    """
    from balance.report.chapters import write_chapter
    from balance.report.page import write_page
    from balance.runfolder import RunFolder

    opened = [RunFolder.open_finished(path) for path in runs]
    try:
        out.mkdir(parents=True, exist_ok=True)
        return write_page([write_chapter(run, report) for run in opened], out)
    except OSError as error:
        raise BalanceError(f"cannot write {out}: {error.strerror or error}") from error
