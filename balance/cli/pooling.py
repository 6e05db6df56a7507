"""Several runs as input: pooled if they differ only in seed or variants, otherwise side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from balance.cli.ending import one_line_errors
from balance.cli.options import Place
from balance.cli.plain import print_sentence

if TYPE_CHECKING:
    from balance.foundation.progress import Progress
    from balance.runs.folder import RunFolder


def open_runs(paths: Sequence[Path], tier: str | None, progress: Progress) -> list[RunFolder]:
    """Open the named runs; if they can be pooled, return the pooled run alone and report it."""
    from balance.runs.folder import RunFolder
    from balance.runs.pooling import pool_next_to, why_apart

    runs = [RunFolder.open_finished(path) for path in paths]
    if len(runs) > 1:
        if why := why_apart(runs):
            progress.tell(f"the runs are shown side by side: {why}")
        else:
            runs = [pool_next_to(runs, progress)]
            progress.tell(f"pooled: {runs[0].named} ({runs[0].info['rows']['games']:,} games)")
    return [run if tier is None else run.in_tier(tier) for run in runs]


@click.command()
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True, type=Place())
@click.option("--out", required=True, type=Place(), help="Folder of the new run.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
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
        raise click.UsageError("give at least two runs")
    with show_progress(quiet, "pooling") as progress:
        pooled = pool_runs([RunFolder.open_finished(path) for path in runs], out, progress)
    print_sentence(f"{out}: {pooled.info['rows']['games']:,} games of {len(runs)} runs")
    say_next(after_playing(out))
