"""Game-balance analytics: huge numbers of bot games under rule variants, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from balance.version import __version__

if TYPE_CHECKING:
    from balance.log.folder import RunFolder
    from balance.plan.plan import Plan
    from balance.run import Run

__all__ = ["__version__", "open_run", "play", "play_on", "pool"]


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


def play_on(
    path: str | PathLike[str], games: int, tier: str | None = None, workers: int | None = None,
    run_bots: bool = False,
) -> Run:  # fmt: skip
    """Make a finished run longer: until each cell has so many games.

    Parameters
    ----------
    path : path
        The run folder; what is there stays, and new parts come beside it.
    games : int
        That each cell has then; with a stop rule the ceiling.
    tier : str or None
        Whose cells grow; None for those of all tiers.
    workers : int or None
        Threads; None for one on each core.
    run_bots : bool
        Whether Python code that the run names may be run.

    Returns
    -------
    balance.run.Run

    Raises
    ------
    BalanceError
        It has as many games already, or the package, its rules or a bot changed since it began.

    Examples
    --------
    >>> balance.play_on("runs/first-look", 40_000).seat_shares()  # doctest: +SKIP
    """
    from pathlib import Path

    from balance.cli.progress import show_progress
    from balance.playing import play_plan
    from balance.run import Run

    folder = Path(path).absolute()

    def longer(run: RunFolder) -> Plan:
        return run.longer(games, [tier] if tier else [])

    with show_progress(quiet=False) as progress:
        play_plan(longer, folder, resume=True, workers=workers, progress=progress, run_bots=run_bots)
    return Run(folder, tier)


def pool(paths: Sequence[str | PathLike[str]], out: str | PathLike[str]) -> Run:
    """Make one run of several: of other seeds, whose decks are added, or of other variants on the same decks.

    Parameters
    ----------
    paths : sequence of path
        Run folders, which stay as they are.
    out : path
        The folder of the new run, new or empty.

    Returns
    -------
    balance.run.Run

    Raises
    ------
    BalanceError
        The runs differ in more than that, one is not finished or damaged, or the folder can't be used.

    Examples
    --------
    >>> balance.pool(["runs/monday", "runs/tuesday"], "runs/both").seat_shares()  # doctest: +SKIP
    """
    from pathlib import Path

    from balance.log.folder import RunFolder
    from balance.log.pooling import pool_runs
    from balance.run import Run

    return Run(pool_runs([RunFolder.open_finished(Path(each)) for each in paths], Path(out)).path)
