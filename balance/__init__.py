"""Game-balance analytics: huge numbers of bot games under rule variants, and what they show."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from balance.version import __version__

if TYPE_CHECKING:
    from balance.run import Run

__all__ = ["__version__", "open_run", "play"]


def open_run(path: str | PathLike[str], tier: str | None = None) -> Run:
    """Open a run folder for reading.

    Parameters
    ----------
    path : path
        A folder with `run.json`, of a run that is finished or still going on.
    tier : str or None
        Whose games are read, of an experiment with `[[tiers]]`; None for its first.

    Returns
    -------
    balance.run.Run
        Its tables as pandas frames, and SQL over them.

    Raises
    ------
    BalanceError
        There is no run, its schema is another, it has no such tier, or a part is cut short.

    Examples
    --------
    >>> run = balance.open_run("runs/first-look")  # doctest: +SKIP
    >>> run.query("SELECT seat, avg(win_share) FROM seats GROUP BY seat")  # doctest: +SKIP
    """
    from pathlib import Path

    from balance.run import Run

    return Run(Path(path), tier)


def play(
    experiment: str | PathLike[str] | Mapping[str, Any],
    out: str | PathLike[str] | None = None,
    workers: int | None = None,
) -> Run:
    """Play an experiment and open its run.

    Parameters
    ----------
    experiment : path or mapping
        An experiment file, or its keys.
    out : path or None
        The run folder, new or empty; None for a temporary one that stays until the machine clears it.
    workers : int or None
        Threads; None for one on each core.

    Returns
    -------
    balance.run.Run

    Raises
    ------
    BalanceError
        The experiment has a mistake, or the folder can't be used.

    Examples
    --------
    >>> keys = {"game": "na-grunwald", "players": [4], "strategies": ["random"], "games": 100}
    >>> balance.play(keys).seat_shares()  # doctest: +SKIP
    """
    import tempfile
    from pathlib import Path

    from balance.cli.progress import show_progress
    from balance.plan.experiment import make_experiment, read_experiment
    from balance.plan.make import make_plan
    from balance.playing import play_plan
    from balance.run import Run

    if isinstance(experiment, Mapping):
        plan = make_plan(make_experiment(experiment, "experiment"), Path(), "experiment")
    else:
        source = Path(experiment)
        plan = make_plan(read_experiment(source), source.parent, str(source))
    made = Path(tempfile.mkdtemp(prefix="balance-")) / "run" if out is None else Path(out)
    folder = made.absolute()  # relative paths may start elsewhere later
    with show_progress(quiet=False) as progress:
        play_plan(plan, folder, workers=workers, progress=progress)
    return Run(folder)
