"""The command `balance`, and its commands that compile games, write runs or verify them: warm, run, pool and verify.

Commands read arguments and print results; other packages do the work.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.decks import deck
from balance.cli.game_tests import test_game
from balance.cli.listing import examples, games, new
from balance.cli.live import live, try_live
from balance.cli.options import (
    Names,
    Numbers,
    Place,
    RunPlace,
    Sweep,
    dask,
    moved_game,
    quiet,
    workers,
    write_any_letter,
)
from balance.cli.output import Commands, Failure, echo, one_line_errors, print_sentence, say_players
from balance.cli.people import people
from balance.cli.reading import check, compare, plan, report
from balance.cli.replay import replay
from balance.cli.reruns import chances, components, decisions
from balance.cli.stopping import STOPPED
from balance.cli.studies import curve, exploit, ladder, restrict, sensitivity, tune
from balance.cli.training import train
from balance.foundation import __version__
from balance.foundation.language import N_, tr, trn, write_number

if TYPE_CHECKING:
    from balance.runs.folder import RunFolder


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__, prog_name="balance")
def main() -> None:
    """Play huge numbers of bot games under rule variants, and report what they show.

    \b
    Example:
      balance run --game na-grunwald --players 4 --variant base,krzyzacy-hard \\
          --strategies generalist,treasurer,quartermaster,krzyzacy-hunter --games 20000 --out runs/first
      balance report runs/first --out reports/first
    """
    write_any_letter()


for command in (
    games, examples, new, test_game, report, compare, check, plan, replay, ladder, curve, sensitivity, tune, restrict,
    exploit, try_live, live, components, decisions, chances, train, people, deck,
):  # fmt: skip
    main.add_command(command)


@main.command()
@click.option("--game", help="Compile only this game.")
@click.option(
    "--profiles-only", is_flag=True, help="Leave out networks, searchers and components, more than half of the work."
)
@one_line_errors()
def warm(game: str | None, profiles_only: bool) -> None:
    """Compile all games now, so that no later command waits.

    Games compile in parallel, one on each core. Code that is compiled already is only loaded. Run it after an install
    or a change of the rules.

    \b
    Examples:
      balance warm
      balance warm --game na-grunwald
      balance warm --profiles-only
    """
    from balance.contract.game import find_games, get_game
    from balance.foundation.compiling import cache_root, keeps_code
    from balance.studies.warming import warm_games

    found = [get_game(game)] if game else list(find_games().values())
    games = [each for each in found if not each.own_loop]
    if not games:
        echo(tr("{game} is in plain Python: there is nothing to compile", game=found[0].title))
        return
    if not keeps_code():
        raise Failure(
            tr(
                "compiled code can't be kept: {folder} can't be written; set NUMBA_CACHE_DIR to a folder that can",
                folder=cache_root(),
            )
        )
    names = ", ".join(each.name for each in games)
    print_sentence(tr("compiling {names} (about a minute each after an install or a change)", names=names), err=True)
    began = time.perf_counter()
    for done in warm_games(games, profiles_only):
        what = tr("compiled in {seconds:.0f} s", seconds=done.seconds)
        echo(f"{done.game}: {what if done.functions else tr('already compiled')}")
    echo(tr("ready after {seconds:.0f} s", seconds=time.perf_counter() - began))


@main.command()
@click.argument("source", required=False, type=RunPlace())
@click.option("--out", type=RunPlace(), help="Run folder; default runs/NAME.")
@click.option(
    "--game", help="Game to play, without an experiment file; with --resume, the folder of a game that has moved."
)
@click.option(
    "--players", type=Numbers(), help="Player counts; default those of the line-ups, or else all of the game."
)
@click.option("--variant", "variants", type=Names(), help="Variants: names or TOML files.")
@click.option(
    "--strategies",
    type=Names(),
    help="A pool of strategies; line-ups are drawn from it evenly. Default the expert, or else the strongest profile.",
)
@click.option("--lineup", "lineups", type=Names(), multiple=True, help="A line-up by seat; may be repeated.")
@click.option("--no-rotate", is_flag=True, help="Keep every line-up in its seats.")
@click.option("--games", type=int, help="Games in each cell (player count x variant) of every tier.")
@click.option(
    "--scale",
    type=click.FloatRange(min=0, max=1000, min_open=True),
    help="Multiply the games of every tier of an experiment: 0.05 for a quick run.",
)
@click.option("--tier", "tiers", type=Names(), help="Play only these tiers of the experiment; default all.")
@click.option(
    "--sweep", "sweeps", type=Sweep(), multiple=True,
    help="Play a rule key at several values: start.ducats=1..5 or start.ducats=1,3. Two sweeps make a grid.",
)  # fmt: skip
@click.option("--seed", type=int, help="Seed of the experiment.")
@click.option("--log", type=click.Choice(["games", "rounds", "trace"]), help="How much to log.")
@click.option("--trace", type=int, help="Trace the first N games of each cell.")
@click.option(
    "--luck", type=int, help="Replay the first N games of each cell, drawing each source of chance again in turn."
)
@workers
@dask
@click.option("--bot-seconds", type=float, help="Seconds that a Python bot may take for a decision; default 60.")
@click.option("--bot-memory", type=int, metavar="MIB", help="Memory of a Python bot; default 4096.")
@click.option("--resume", is_flag=True, help="Finish a run: balance run --resume RUN. With --games, extend it.")
@click.option("--run-bots", is_flag=True, help="With --resume: run Python code that the run names.")
@quiet("progress bar and no closing line")
@one_line_errors()
def run(
    source: Path | None, out: Path | None, threads: int | None, dask: str | None, resume: bool,
    run_bots: bool, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Play an experiment and log it.

    SOURCE is an experiment file or, with --resume, the folder of a run.

    \b
    Examples:
      balance run data/experiments/first-look.toml --out runs/first-look
      balance run data/experiments/first-look.toml --scale 0.05 --out runs/quick
      balance run --resume runs/first-look
      balance run --resume runs/helpers --games 50000
      balance run --resume runs/miller --run-bots
      balance run --game na-grunwald --players 2,3 --variant base,./mine.toml \\
          --strategies generalist,treasurer,mybot.py:MyBot --games 1000 --seed 7 --out runs/mine
      balance run --game na-grunwald --players 4 --strategies generalist,treasurer,quartermaster,krzyzacy-hunter \\
          --sweep krzyzacy.bonus.4=2..8..2 --games 2000 --out runs/bonus
      balance run data/experiments/polska.toml --luck 2000 --out runs/luck-of-the-dice
      balance run two-tiers.toml --tier search --out runs/search-alone
      balance run data/experiments/first-look.toml --dask tcp://lab:8786 --out /shared/runs/first-look
      balance run data/experiments/first-look.toml --out s3://bucket/runs/first-look
    """
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.sources import read_resumed, read_source
    from balance.cli.terminal import show_progress
    from balance.contract.own_games import standing_in
    from balance.runs.cluster import open_workers
    from balance.studies.playing import measure_strength, play_plan, resume_run

    options |= {"lineups": list(options["lineups"]), "sweep": dict(options.pop("sweeps"))}
    options["rotate"] = False if options.pop("no_rotate") else None
    given = {key: value for key, value in options.items() if value not in (None, [], {})}
    play: Callable[..., RunFolder]
    if resume:
        if source is not None and source.is_dir() and "game" in given:
            click.get_current_context().with_resource(standing_in(Path(given.pop("game"))))
        folder, change = read_resumed(source, out, given)
        play = partial(resume_run, folder, change, run_bots=run_bots)
    else:
        folder, plan = read_source(source, out, given)
        play = partial(play_plan, plan, folder)
    try:
        with open_workers(dask, threads) as workers, show_progress(quiet) as progress:
            finished = play(workers=workers, progress=progress)
            measure_strength(finished, workers, progress)
    except KeyboardInterrupt:
        if not (folder / "run.json").exists():  # the run had not begun
            raise
        command = f"balance run --resume {folder}"
        raise Failure(tr("stopped; resume with: {command}", command=command), STOPPED) from None
    if not quiet:
        rows = ", ".join(_count_rows(table, count) for table, count in finished.info["rows"].items())
        if players := say_players(finished.plan):
            print_sentence(players)
        place = finished.store.url if finished.store else folder
        print_sentence(f"{place}: {rows}{_say_truncated(finished)}")
        say_next(after_playing(place))


def _count_rows(table: str, count: int) -> str:
    """Return the number of rows of a table of a run."""
    if table == "games":
        return trn("{n:,} game", "{n:,} games", count)
    return tr("{count:,} {table}", count=count, table=tr(_TABLES.get(table, table)))


_TABLES = {
    "seats": N_("seats"),
    "rounds": N_("rounds"),
    "outcomes": N_("outcomes"),
    "trace": N_("trace"),
    "luck": N_("luck"),
    "paths": N_("paths"),
}


def _say_truncated(run: RunFolder) -> str:
    """Return the number of truncated games, to follow the counts of rows; "" if no game was truncated."""
    from balance.runs.database import count_truncated

    broken, games = count_truncated(run), run.info["rows"]["games"]
    if not broken:
        return ""
    values = {"games": games, "limit": run.plan.experiment.decision_limit}
    if broken == games:
        return tr("; all {games:,} games truncated at the limit of {limit:,} decisions", **values)
    return tr("; {broken:,} of {games:,} games truncated at the limit of {limit:,} decisions", broken=broken, **values)


@main.command()
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@one_line_errors()
def verify(run_folder: Path) -> None:
    """Verify a run's files against their checksums.

    Lists missing, damaged, swapped and foreign files, and how to repair the run. Exit status 0: the run is intact.
    1: it is damaged, or not a readable run.

    \b
    Example:
      balance verify runs/first-look
    """
    from balance.runs.folder import verify_run

    found = verify_run(run_folder)
    for fault in found.faults:
        echo(str(fault))
    if found.faults:
        raise SystemExit(1)
    games = trn("{n:,} game", "{n:,} games", found.games)
    if found.is_finished:
        echo(tr("{run}: intact, {games}", run=run_folder, games=games))
        return
    planned = "?" if found.planned is None else write_number(found.planned, ",")
    echo(
        tr(
            "{run}: intact so far, {games} of at most {planned}; the run is not finished",
            run=run_folder, games=games, planned=planned,
        )
    )  # fmt: skip


@main.command()
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True, type=RunPlace())
@click.option("--out", required=True, type=Place(), help="Folder of the new run.")
@moved_game
@quiet("progress bar")
@one_line_errors()
def pool(runs: tuple[Path, ...], out: Path, quiet: bool) -> None:
    """Combine several runs into one; the originals stay.

    Runs that differ only in their seed become one run with more deals. Runs of one seed that differ only in their
    variants become one run with more variants, whose games are paired. Everything else that decides the games must be
    the same: players, strategies, log level, the package and its rules.

    \b
    Example:
      balance run data/experiments/sample.toml --seed 1 --out runs/monday
      balance run data/experiments/sample.toml --seed 2 --out runs/tuesday
      balance pool runs/monday runs/tuesday --out runs/both
    """
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.runs.folder import RunFolder
    from balance.runs.pooling import pool_runs

    if len(runs) < 2:
        raise click.UsageError(tr("give at least two runs"))
    with show_progress(quiet, tr("pooling")) as progress:
        pooled = pool_runs([RunFolder.open_finished(path) for path in runs], out, progress)
    values = {"place": out, "games": pooled.info["rows"]["games"], "runs": len(runs)}
    print_sentence(tr("{place}: {games:,} games of {runs} runs", **values))
    say_next(after_playing(out))
