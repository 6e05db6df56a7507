"""The command `balance components`: what cards are worth, by playing games of a run again."""

from __future__ import annotations

from pathlib import Path

import click

from balance.cli.ending import one_line_errors
from balance.cli.options import Place, tier


@click.command()
@click.argument("run_folder", metavar="RUN", type=Place())
@click.option(
    "--games", type=click.IntRange(min=1), default=1000, show_default=True, help="Games of each cell."
)
@tier
@click.option("--workers", type=click.IntRange(min=1), help="Threads; default one on each core.")
@click.option("--quiet", is_flag=True, help="No progress bar and no closing line.")
@one_line_errors()
def components(run_folder: Path, games: int, tier: str | None, workers: int | None, quiet: bool) -> None:
    """Find out what the components of a game are worth: cards, knights, events.

    The first games of each cell are played again. Each time a component turns up the game goes on twice: as dealt, and
    with one more of it for a seat drawn by lot. What comes of it is kept in the run's folder, and `balance report`
    shows it beside who took the component and how often takers won.

    \b
    Examples:
      balance components runs/first-look
      balance components runs/two-tiers --tier search --games 40
    """
    from balance.analysis.components import try_components
    from balance.cli.progress import show_progress
    from balance.log.folder import RunFolder

    run = RunFolder.open_finished(run_folder, tier)
    with show_progress(quiet, "giving") as progress:
        if run.changes():
            progress.tell("the package has changed since this run: its games are played by today's")
        table = try_components(run, games, workers, progress)
    if not quiet:
        names = len(table[["family", "component"]].drop_duplicates())
        click.echo(f"{run_folder}: {names} components tried; see them with: balance report {run_folder}")
