"""The command that searches for rules: tune."""

from __future__ import annotations

from pathlib import Path

import click

from balance.cli.options import Place, as_json, at_least, dask, quiet
from balance.cli.output import Failure, echo, one_line_errors


@click.command()
@click.argument("experiment", type=Place())
@click.option("--games", type=at_least(10_000), help="Games of the search, instead of the experiment's.")
@click.option(
    "--changes", type=at_least(1), help="Most values that may change, instead of the experiment's."
)
@click.option(
    "--scale",
    type=click.FloatRange(min=0, max=1000, min_open=True),
    help="Multiply the held-out games of every tier: 0.1 for a quick look.",
)
@dask
@click.option(
    "--out", type=Place(), required=True, help="Folder for tune.html, tune.md, variants and runs."
)
@as_json
@quiet("progress bar")
@one_line_errors()
def tune(
    experiment: Path, games: int | None, changes: int | None, scale: float | None, dask: str | None, out: Path,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Find the smallest rule change that meets all targets.

    EXPERIMENT is an experiment with [[targets]] and, if wanted, a [tune] table: the keys that may change, their ranges
    and the games of the search. The finalists are played by all tiers of the experiment on held-out deals; only those
    figures are quoted.

    The games are kept in OUT/runs: if stopped, run the same command again to resume. Needs Optuna:
    pip install 'game-balance[tune]'.

    \b
    Examples:
      balance tune data/experiments/tune-grody.toml --out reports/tune-grody
      balance tune data/experiments/tune-grody.toml --changes 1 --games 20000 --scale 0.1 --out reports/tune-one
      balance tune data/experiments/tune-grody.toml --dask tcp://lab:8786 --out reports/tune-lab
    """
    from balance.cli.printing import print_records, print_tuning
    from balance.cli.terminal import show_progress
    from balance.studies.tune import play_tuning, read_tuning
    from balance.studies.tune_page import check_tune, write_tune

    tuning = read_tuning(experiment, games, changes, scale)
    check_tune(out)
    try:
        with show_progress(quiet or as_json) as progress:
            results = play_tuning(tuning, out / "runs", progress, dask)
    except KeyboardInterrupt:
        raise Failure("stopped; run the same command again to resume", 1) from None
    if as_json:
        print_records(results.checks)
    else:
        print_tuning(results)
    echo(f"tune: {write_tune(results, out).resolve()}", err=as_json)
