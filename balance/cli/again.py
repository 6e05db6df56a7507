"""The commands `balance components` and `balance decisions`, which play games of a run again to find out more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from balance.cli.ending import one_line_errors
from balance.cli.options import Place, add_options, tier
from balance.cli.plain import print_sentence

if TYPE_CHECKING:
    from balance.log.folder import RunFolder


def _games_again(games: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options that both have; `games` is how many of each cell unless given."""
    count = click.IntRange(min=1)
    return add_options(
        [
            click.option(
                "--games", type=count, default=games, show_default=True, help="Games of each cell."
            ),
            tier,
            click.option("--workers", type=count, help="Threads; default one on each core."),
            click.option("--quiet", is_flag=True, help="No progress bar and no closing line."),
        ]
    )


@click.command()
@click.argument("run_folder", metavar="RUN", type=Place())
@_games_again(1000)
@one_line_errors()
def components(run_folder: Path, games: int, tier: str | None, workers: int | None, quiet: bool) -> None:
    """Measure what cards and other components are worth.

    The first games of each cell are played again. Each time a component turns up, the game continues twice: as dealt,
    and with one more of it for a seat drawn at random. The results are kept in the run's folder. `balance report` shows
    them next to how often seats took the component, and how often those seats won.

    \b
    Examples:
      balance components runs/first-look
      balance components runs/two-tiers --tier search --games 40
    """
    from balance.analysis.components import try_components
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.progress import show_progress

    run = _open(run_folder, tier)
    with show_progress(quiet, "giving") as progress:
        table = try_components(run, games, workers, progress)
    if not quiet:
        names = len(table[["family", "component"]].drop_duplicates())
        print_sentence(f"{run_folder}: {names} components tried")
        say_next(after_playing(run_folder))


@click.command()
@click.argument("run_folder", metavar="RUN", type=Place())
@click.option("--judge", default="search-100", show_default=True, help="The searcher that judges.")
@click.option(
    "--every", type=click.IntRange(min=1), default=8, show_default=True, help="Judge 1 choice in N."
)
@_games_again(100)
@one_line_errors()
def decisions(
    run_folder: Path,
    judge: str,
    every: int,
    games: int,
    tier: str | None,
    workers: int | None,
    quiet: bool,
) -> None:
    """Measure which decisions matter and what mistakes cost.

    The first games of each cell are played again, and a searcher judges each decision: how much the best choice is
    worth over the second best and over the one made. The results are kept in the run's folder; `balance report` shows
    them by kind and stage.

    \b
    Examples:
      balance decisions runs/first-look
      balance decisions runs/first-look --judge search-400 --games 40 --every 4
    """
    from balance.analysis.decisions import ALL, LOST, judge_decisions
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.progress import show_progress

    run = _open(run_folder, tier)
    with show_progress(quiet, "judging") as progress:
        table = judge_decisions(run, games, judge, every, workers, progress)
    if not quiet:
        each = table[(table["kind"] == ALL) & (table["stage"] == ALL) & (table["measure"] == LOST)]
        count = int(each.groupby(["players", "variant"])["n"].max().sum())
        print_sentence(f"{run_folder}: {count:,} decisions judged")
        say_next(after_playing(run_folder))


def _open(path: Path, tier: str | None) -> RunFolder:
    """A finished run; that it was played by other rules or bots than today's is said."""
    from balance.log.folder import RunFolder

    run = RunFolder.open_finished(path, tier)
    if changed := run.changes():
        what = ", ".join(changed)
        print_sentence(f"{path}: changed since: {what}; its games are played as they go today", err=True)
    return run
