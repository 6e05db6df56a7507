"""Game-balance analytics: huge numbers of bot games under rule variants, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from balance.foundation import __version__
from balance.foundation.catalogues import use_language
from balance.foundation.errors import BalanceError, DamagedRunError, UnknownNameError, from_extra

if TYPE_CHECKING:
    from balance.live.panel import Panel
    from balance.run import Run

__all__ = [
    "BalanceError", "DamagedRunError", "UnknownNameError", "__version__", "live_panel", "open_run", "play", "play_on",
    "pool", "tune", "use_language",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__


def live_panel(
    game: str,
    variant: str = "base",
    players: Sequence[int] | None = None,
    strategies: Sequence[str] | None = None,
    seed: int = 1,
    workers: int | None = None,
) -> Panel:
    """Change rules in a notebook and watch the verdicts follow, as on the page of `balance live`.

    Needs ipywidgets. The draft is kept as long as the panel; its session saves it as a variant file.

    Parameters
    ----------
    variant : str
        The variant to start from: a shipped name or a TOML file.
    players : sequence of int or None
        Player counts; None for all of the game.
    strategies : sequence of str or None
        A pool of strategies that plays; None for the expert, or else the strongest profile.
    workers : int or None
        Threads; None for one on each core.

    Returns
    -------
    balance.live.panel.Panel
        A widget that shows itself as the result of a cell.

    Examples
    --------
    >>> balance.live_panel("na-grunwald", players=[2, 4])  # doctest: +SKIP
    """
    from pathlib import Path

    from balance.contract.game import get_game
    from balance.experiments.networks import default_player
    from balance.live.arms import Settings

    with from_extra("notebooks"):
        from balance.live.panel import Panel
    found = get_game(game)
    counts = players or found.players
    pool = strategies or [default_player(found, counts)]
    return Panel(Settings(found, variant, counts, pool, seed, Path(), None, workers))


def open_run(path: str | PathLike[str], tier: str | None = None) -> Run:
    """Open a run folder for reading.

    Parameters
    ----------
    path : path
        A folder with `run.json`, or an address in an object store such as ``s3://bucket/run``; the run may be
        unfinished.
    tier : str or None
        The tier to read, if the experiment has `[[tiers]]`; None for the first.

    Returns
    -------
    balance.run.Run
        Its tables as pandas frames, SQL over them, and every analysis of the reports.

    Examples
    --------
    >>> run = balance.open_run("runs/first-look")  # doctest: +SKIP
    >>> run.query("SELECT seat, avg(win_share) FROM seats GROUP BY seat")  # doctest: +SKIP
    """
    from balance.run import Run
    from balance.runs.mirror import run_folder

    return Run(run_folder(path), tier)


def play(
    experiment: str | PathLike[str] | Mapping[str, Any],
    out: str | PathLike[str] | None = None,
    workers: int | None = None,
    progress: bool = True,
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
    progress : bool
        Whether to show a progress bar on a terminal.

    Examples
    --------
    >>> keys = {"game": "na-grunwald", "players": [4], "strategies": ["random"], "games": 100}
    >>> balance.play(keys).seat_shares()  # doctest: +SKIP
    """
    import tempfile
    from pathlib import Path

    from balance.cli.terminal import show_progress
    from balance.experiments.experiment import make_experiment, read_experiment
    from balance.experiments.planning import make_plan
    from balance.run import Run
    from balance.runs.cluster import open_workers
    from balance.runs.mirror import run_folder
    from balance.studies.playing import measure_strength, play_plan

    if isinstance(experiment, Mapping):
        plan = make_plan(make_experiment(experiment, "experiment"), Path(), "experiment")
    else:
        source = Path(experiment)
        plan = make_plan(read_experiment(source), source.parent, str(source))
    made = Path(tempfile.mkdtemp(prefix="balance-")) / "run" if out is None else run_folder(out)
    folder = made.absolute()  # relative paths may start elsewhere later
    with open_workers(threads=workers) as playing, show_progress(quiet=not progress) as bar:
        measure_strength(play_plan(plan, folder, playing, bar), playing, bar)
    return Run(folder)


def play_on(
    path: str | PathLike[str], games: int, tier: str | None = None, workers: int | None = None,
    run_bots: bool = False, progress: bool = True,
) -> Run:  # fmt: skip
    """Extend a finished run until each cell has `games` games.

    Refused if the run has this number of games already, or if the package, its rules or a bot has changed since.

    Parameters
    ----------
    path : path
        The run folder; its games stay, and new parts are added.
    games : int
        Final number of games in each cell; with a stop rule, the largest number.
    tier : str or None
        The tier to extend; None for all tiers.
    workers : int or None
        Threads; None for one on each core.
    run_bots : bool
        Whether Python code that the run names may be run.
    progress : bool
        Whether to show a progress bar on a terminal.

    Examples
    --------
    >>> balance.play_on("runs/first-look", 40_000).seat_shares()  # doctest: +SKIP
    """
    from balance.cli.terminal import show_progress
    from balance.run import Run
    from balance.runs.cluster import open_workers
    from balance.runs.mirror import run_folder
    from balance.studies.playing import measure_strength, resume_run

    folder, tiers = run_folder(path).absolute(), [tier] if tier else []
    with open_workers(threads=workers) as playing, show_progress(quiet=not progress) as bar:
        run = resume_run(folder, lambda run: run.extend(games, tiers), playing, bar, run_bots)
        measure_strength(run, playing, bar)
    return Run(folder, tier)


def pool(paths: Sequence[str | PathLike[str]], out: str | PathLike[str]) -> Run:
    """Combine several runs into one: runs with different seeds add deals, runs on the same deals add variants.

    Runs that differ in more than that are refused.

    Parameters
    ----------
    paths : sequence of path
        Run folders, which stay unchanged.
    out : path
        The folder of the new run, new or empty.

    Examples
    --------
    >>> balance.pool(["runs/monday", "runs/tuesday"], "runs/both").seat_shares()  # doctest: +SKIP
    """
    from balance.foundation.files import local_path
    from balance.run import Run
    from balance.runs.folder import RunFolder
    from balance.runs.mirror import run_folder
    from balance.runs.pooling import pool_runs

    place = local_path(out)
    return Run(pool_runs([RunFolder.open_finished(run_folder(each)) for each in paths], place).path)


def tune(experiment: str | PathLike[str], out: str | PathLike[str], progress: bool = True) -> Run:
    """Find the smallest change of the rules that meets all targets of an experiment, as `balance tune`.

    Needs Optuna. A study that was stopped is resumed.

    Parameters
    ----------
    experiment : path
        An experiment file with ``[[targets]]`` and, if wanted, ``[tune]``.
    out : path
        Gets the page ``tune.html``, ``variants/`` with a file for each finalist, and CSV files: ``finalists.csv``,
        ``targets.csv`` and others.
    progress : bool
        Whether to show a progress bar on a terminal.

    Returns
    -------
    balance.run.Run
        The held-out games of the start variant and the finalists.

    Examples
    --------
    >>> run = balance.tune("data/experiments/tune-grody.toml", "reports/tune-grody")  # doctest: +SKIP
    >>> run.compare("base", ["minutes"])  # doctest: +SKIP
    """
    from pathlib import Path

    from balance.cli.terminal import show_progress
    from balance.foundation.files import local_path
    from balance.run import Run
    from balance.studies.tune import read_tuning
    from balance.studies.tune_page import STUDY

    tuning, folder = read_tuning(Path(experiment)), local_path(out).absolute()
    STUDY.check(folder)
    with show_progress(quiet=not progress) as bar:
        results = STUDY.find(tuning, folder / "runs", bar, None)
    STUDY.write(results, folder)
    return Run(results.run.path)
