"""Commands that play games of their own to answer a question about the rules: sensitivity, tune and restrict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.options import (
    Names,
    Place,
    as_json,
    at_least,
    dask,
    quiet,
    rules_played,
    seed,
    settings_of,
    workers,
)
from balance.cli.output import echo, games_folder, one_line_errors
from balance.foundation.language import tr
from balance.studies.settings import Restricted

if TYPE_CHECKING:
    from balance.studies.sensitivity import Sensitivity


@click.command()
@click.argument("experiment", required=False, type=Place())
@rules_played("all of the game, or the experiment's", or_experiment=True)
@click.option(
    "--keys", type=Names(), help="Shell patterns of rule keys, such as 'start.*'; default all."
)
@click.option(
    "--strategies",
    type=Names(),
    help="A pool of strategies that plays; default the expert, or else the strongest profile.",
)
@click.option("--tier", metavar="NAME", help="The tier of the experiment that plays; default its first.")
@click.option(
    "--games",
    type=at_least(100),
    help="Games of each step at each player count; default 4000, or the experiment's.",
)
@click.option("--measure", "measures", type=Names(), help="Measures; default all of the game.")
@seed(None, "the games; default 1, or the experiment's")
@workers
@dask
@click.option(
    "--out", type=Place(), help="Folder for sensitivity.html, sensitivity.md, CSV files and runs."
)
@as_json
@quiet("progress bar")
@one_line_errors()
def sensitivity(
    experiment: Path | None, keys: list[str] | None, measures: list[str] | None, threads: int | None, dask: str | None,
    out: Path | None, as_json: bool, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Show what each rule key moves.

    Every key goes one step down and up, alone, on the same deals as the variant. Shows the largest effects on seats,
    factions, comebacks, length and other measures; the page (--out) has a tornado chart for each measure.

    An EXPERIMENT file gives the start (its first variant), player counts, strategies, games, seed and thresholds;
    options replace its keys.

    With --out the games are kept in OUT/runs: if stopped, run the same command again to resume.

    \b
    Examples:
      balance sensitivity --game na-grunwald --players 4 --out reports/sensitivity
      balance sensitivity --game polska --players 2,5 --keys 'steps.*,dice' --measure seat_win_share,minutes
      balance sensitivity data/experiments/first-look.toml --keys 'start.*' --games 1000
      balance sensitivity --game korona-piastow --players 4 --keys 'start.lines.*' --measure faction_win_share
      balance sensitivity --game grody --dask tcp://lab:8786 --out reports/grody
    """
    from balance.cli.printing import print_records, print_sensitivity
    from balance.cli.terminal import show_progress
    from balance.report.page import check_place
    from balance.runs.cluster import open_workers
    from balance.studies.sensitivity import FILES, play_sensitivity, read_effects, write_sensitivity

    asked = _read_sensitivity(experiment, tuple(keys or ()), options)
    if out is not None:
        check_place(out, FILES)
    with games_folder(out) as folder:
        with open_workers(dask, threads) as workers, show_progress(quiet or as_json) as progress:
            played = play_sensitivity(asked, tuple(measures or ()), folder, progress, workers)
            effects = read_effects(played, progress)
        if as_json:
            print_records(effects)
        else:
            print_sensitivity(played, effects)
        if out is not None:
            page = write_sensitivity(played, effects, out).resolve()
            echo(tr("sensitivity: {path}", path=page), err=as_json)


def _read_sensitivity(
    source: Path | None, keys: tuple[str, ...], options: dict[str, Any]
) -> Sensitivity:
    """Return what a sensitivity analysis plays: an experiment file with options over its keys, or options alone."""
    from balance.cli.sources import read_with_options
    from balance.studies.sensitivity import Sensitivity, default_experiment

    variant, tier = options.pop("variant"), options.pop("tier")
    given = {key: value for key, value in options.items() if value is not None}
    given |= {"variants": [variant]} if variant else {}
    if source is None:
        if tier:
            raise click.UsageError(tr("--tier chooses among the [[tiers]] of an experiment file"))
        if "game" not in given:
            raise click.UsageError(tr("give --game, or an experiment file"))
        return Sensitivity(default_experiment(given), keys)
    if "game" in given:
        raise click.UsageError(tr("{file} names the game: leave out --game", file=source))
    given |= {"tiers": [tier]} if tier else {}
    return Sensitivity(read_with_options(source, given), keys, source.parent, str(source))


@click.command()
@rules_played()
@settings_of(Restricted)
@click.option("--out", type=Place(), help="Folder for restrict.html, restrict.md, CSV files and runs.")
@workers
@dask
@as_json
@quiet("progress bar")
@one_line_errors()
def restrict(
    asked: Restricted,
    out: Path | None,
    threads: int | None,
    dask: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show which options of a game are needed.

    One seat may not use an option and has adapted to that; the others may. Shows what the option is worth to the seat,
    in points of win share, and how often a player uses it.

    With --out the games are kept in OUT/runs: if stopped, run the same command again to resume.

    \b
    Examples:
      balance restrict --game na-grunwald --players 2 --out reports/restrict
      balance restrict --game na-grunwald --players 3 --forbid crown-field --forbid "bid [3-9]" --games 1000
      balance restrict --game polska --players 2 --forbid card=eagle --strategy expert
    """
    from balance.cli.printing import print_records, print_restrict
    from balance.cli.terminal import show_progress
    from balance.report.page import check_place
    from balance.runs.cluster import open_workers
    from balance.studies.restrict import play_restricted, read_worth
    from balance.studies.restrict_page import FILES, write_restrict

    if out is not None:
        check_place(out, FILES)
    with games_folder(out) as folder:
        with open_workers(dask, threads) as workers, show_progress(quiet or as_json) as progress:
            played = play_restricted(asked, folder, progress, workers)
            worth = read_worth(played, progress)
        if as_json:
            print_records(worth)
        else:
            print_restrict(played, worth)
        if out is not None:
            page = write_restrict(played, worth, out).resolve()
            echo(tr("restrict: {path}", path=page), err=as_json)


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
@workers
@dask
@click.option(
    "--out", type=Place(), required=True, help="Folder for tune.html, tune.md, variants and runs."
)
@as_json
@quiet("progress bar")
@one_line_errors()
def tune(
    experiment: Path, games: int | None, changes: int | None, scale: float | None, threads: int | None,
    dask: str | None, out: Path, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Find the smallest rule change that meets all targets.

    EXPERIMENT is an experiment with [[targets]] and, if wanted, a [tune] table: the keys that may change, their ranges
    and the games of the search. All tiers of the experiment play the finalists on held-out deals; only these figures
    are quoted.

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
    from balance.report.page import check_place
    from balance.runs.cluster import open_workers
    from balance.studies.tune import play_tuning, read_tuning
    from balance.studies.tune_page import FILES, write_tune

    tuning = read_tuning(experiment, games, changes, scale)
    check_place(out, FILES)
    with (
        open_workers(dask, threads) as workers,
        games_folder(out) as folder,
        show_progress(quiet or as_json) as progress,
    ):
        results = play_tuning(tuning, folder, progress, workers)
    if as_json:
        print_records(results.checks)
    else:
        print_tuning(results)
    echo(tr("tune: {path}", path=write_tune(results, out).resolve()), err=as_json)
