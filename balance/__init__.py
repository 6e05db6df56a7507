"""Game-balance analytics: huge numbers of bot games under rule variants, and what they show."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from balance.run import Run

__version__ = "0.1.0"


def open_run(path: str | PathLike[str]) -> Run:
    """Open a run folder for reading.

    Parameters
    ----------
    path : path
        A folder with `run.json`, of a run that is finished or still going on.

    Returns
    -------
    balance.run.Run
        Its tables as pandas frames, and SQL over them.

    Raises
    ------
    BalanceError
        There is no run, its schema is another, or a part is cut short.

    Examples
    --------
    >>> run = balance.open_run("runs/first-look")  # doctest: +SKIP
    >>> run.query("SELECT seat, avg(win_share) FROM seats GROUP BY seat")  # doctest: +SKIP
    """
    from pathlib import Path

    from balance.run import Run

    return Run(Path(path))
