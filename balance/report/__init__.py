"""Reports: a run as one HTML page, the same as Markdown, figures and tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from balance.errors import BalanceError


def write_report(runs: Sequence[Path], out: Path) -> Path:
    """Write a report of one or more runs into a folder, made if need be.

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

    opened = [RunFolder.open(path) for path in runs]
    for run in opened:
        if run.info["status"] != "finished":
            raise BalanceError(
                f"{run.path} is not finished; finish it with: balance run --resume {run.path}"
            )
    try:
        out.mkdir(parents=True, exist_ok=True)
        return write_page([write_chapter(run) for run in opened], out)
    except OSError as error:
        raise BalanceError(f"cannot write {out}: {error.strerror or error}") from error
