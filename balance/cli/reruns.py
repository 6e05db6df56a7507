"""Commands that play games of a run again, to learn more about them: components, decisions and chances."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from balance.cli.options import (
    Decorator,
    RunPlace,
    add_options,
    at_least,
    dask,
    quiet,
    replayed_tier,
    workers,
)
from balance.cli.output import one_line_errors, print_sentence
from balance.foundation.language import tr, trn

if TYPE_CHECKING:
    from balance.runs.folder import RunFolder


def _games_again(games: int) -> Decorator:
    """Return the options of a command that plays games again; `games` is the default number for each cell."""
    count = click.option("--games", type=at_least(1), default=games, help="Games of each cell.")
    return add_options(count, replayed_tier, workers, dask, quiet("progress bar and no closing line"))


@click.command()
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@_games_again(1000)
@one_line_errors()
def components(
    run_folder: Path, games: int, tier: str | None, threads: int | None, dask: str | None, quiet: bool
) -> None:
    """Measure what cards and other components are worth.

    The first games of each cell are played again. Each time a component turns up, the game continues twice: as dealt,
    and with one more of that component for a seat drawn at random. The results are kept in the run's folder.
    `balance report` shows them next to how often seats took the component, and how often those seats won.

    \b
    Examples:
      balance components runs/first-look
      balance components runs/two-tiers --tier search --games 40
      balance components runs/first-look --games 100000 --dask tcp://lab:8786
    """
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.studies.reruns import try_components

    run = _open_to_play_again(run_folder, tier)
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("giving")) as progress:
        table = try_components(run, games, workers, progress)
    if not quiet:
        names = len(table[["family", "component"]].drop_duplicates())
        text = trn("{run}: {n} component tried", "{run}: {n} components tried", names, run=run_folder)
        print_sentence(text + _of_tier(run))
        say_next(after_playing(run_folder))


@click.command()
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@click.option(
    "--judge",
    help="The searcher that judges; default search-100, with the expert as prior if there is one.",
)
@click.option("--every", type=at_least(1), default=8, help="Judge one decision in N.")
@_games_again(100)
@one_line_errors()
def decisions(
    run_folder: Path, judge: str | None, every: int, games: int, tier: str | None, threads: int | None,
    dask: str | None, quiet: bool,
) -> None:  # fmt: skip
    """Measure which decisions matter and what mistakes cost.

    The first games of each cell are played again, and a searcher judges decisions: how much better the best choice is
    than the second best, and than the choice made. The results are kept in the run's folder; `balance report` shows
    them by kind and stage.

    \b
    Examples:
      balance decisions runs/first-look
      balance decisions runs/first-look --judge search-400 --games 40 --every 4
      balance decisions runs/first-look --games 10000 --dask tcp://lab:8786
    """
    from balance.analysis.decisions import ALL, LOST
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.experiments.networks import strongest_searcher
    from balance.runs.cluster import open_workers
    from balance.studies.reruns import judge_decisions

    run = _open_to_play_again(run_folder, tier)
    judge = judge or strongest_searcher(run.plan.game, run.plan.experiment.players, 100)
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("judging")) as progress:
        table = judge_decisions(run, games, judge, every, workers, progress)
    if not quiet:
        each = table[(table["kind"] == ALL) & (table["stage"] == ALL) & (table["measure"] == LOST)]
        count = int(each.groupby(["players", "variant"])["n"].max().sum())
        text = trn(
            "{run}: {n:,} decision judged", "{run}: {n:,} decisions judged", count, run=run_folder
        )
        print_sentence(text + _of_tier(run))
        say_next(after_playing(run_folder))


@click.command()
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@_games_again(1000)
@one_line_errors()
def chances(
    run_folder: Path, games: int, tier: str | None, threads: int | None, dask: str | None, quiet: bool
) -> None:
    """Follow each player's chance to win through the games of a run.

    The first games of each cell are played again, and every position after a round is looked at. From these games the
    command learns how often such positions win. It measures who sits without hope and for how long, and when games are
    decided. The results are kept in the run's folder; `balance report` shows them under "At the table".

    \b
    Examples:
      balance chances runs/first-look
      balance chances runs/first-look --tier styles --games 4000
    """
    from balance.analysis.chances import OUT_OF_IT
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.studies.reruns import follow_chances

    run = _open_to_play_again(run_folder, tier)
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("following")) as progress:
        table = follow_chances(run, games, workers, progress)
    if not quiet:
        count = int(table[table["measure"] == OUT_OF_IT]["n"].sum())
        text = trn("{run}: {n:,} game followed", "{run}: {n:,} games followed", count, run=run_folder)
        print_sentence(text + _of_tier(run))
        say_next(after_playing(run_folder))


def _open_to_play_again(path: Path, tier: str | None) -> RunFolder:
    """Open a finished run in a tier, by default the strongest quick one; warn if its rules or bots have changed."""
    from balance.runs.folder import RunFolder
    from balance.runs.strength import quick_tier

    run = RunFolder.open_finished(path, tier)
    if tier is None:
        run = run.in_tier(quick_tier(run).name)
    if changed := run.changes():
        text = tr(
            "{run}: changed since the run: {changed}; its games are played again with today's versions",
            run=path, changed=", ".join(changed),
        )  # fmt: skip
        print_sentence(text, err=True)
    return run


def _of_tier(run: RunFolder) -> str:
    """Return the active tier for a closing line, if the run has several."""
    return tr(" (tier {tier})", tier=run.plan.tier.name) if len(run.plan.tiers) > 1 else ""
