"""Commands of studies: they play games of their own to answer one question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from balance.cli.options import (
    Decorator,
    Names,
    Place,
    add_options,
    as_json,
    dask,
    quiet,
    rules_played,
    settings_of,
    workers,
)
from balance.cli.output import echo, games_folder, one_line_errors, print_sentence
from balance.foundation.language import tr
from balance.studies.settings import Exploit, Ladder, Restricted, Steps, StrengthCurve, TuneLimits

if TYPE_CHECKING:
    from balance.studies.sensitivity import Sensitivity
    from balance.studies.study import Study

Asked = TypeVar("Asked")
Found = TypeVar("Found")


@dataclass(frozen=True)
class How:
    """Who plays the games of a study, and what shows its results."""

    threads: int | None
    dask: str | None
    out: Path | None
    as_json: bool
    quiet: bool


def _played(files: str, is_required: bool = False) -> Decorator:
    """Return the options that all studies have, which the command gets as one value, `how`; `files` are in the page's
    folder."""
    options = add_options(
        workers,
        dask,
        click.option("--out", type=Place(), required=is_required, help=f"Folder for {files}."),
        as_json,
        quiet("progress bar"),
    )

    def add(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def call(
            threads: int | None, dask: str | None, out: Path | None, as_json: bool, quiet: bool, **given: Any
        ) -> None:
            command(how=How(threads, dask, out, as_json, quiet), **given)

        return options(one_line_errors()(call))

    return add


def _carry_out(study: Study[Asked, Found], asked: Asked, how: How) -> None:
    """Play a study, print what it finds, and write its page if a folder is given."""
    from balance.cli.printing import print_records, print_study
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers

    if how.out is not None:
        study.check(how.out)
    with games_folder(how.out) as folder:
        with open_workers(how.dask, how.threads) as workers, show_progress(how.quiet or how.as_json) as progress:
            found = study.find(asked, folder, progress, workers)
        if how.as_json:
            print_records(study.records(found))
        else:
            print_study(study.brief(found))
        if how.out is not None:
            page = study.write(found, how.out).resolve()
            echo(tr(study.written, path=page), err=how.as_json)


@click.command()
@rules_played()
@settings_of(Ladder)
@_played("ladder.html, ladder.md, CSV files and runs")
def ladder(asked: Ladder, how: How) -> None:
    """Rank strategies by how often they win.

    Shows win shares, ratings, duels with a searcher, speed, and what a larger search budget is worth.

    With --out the games are kept in OUT/runs: if stopped, run the same command again to resume. It reads finished games
    and does not play them again.

    \b
    Examples:
      balance ladder --game na-grunwald --players 2 --out reports/ladder
      balance ladder --game polska --variant ./long-track.toml --players 4 --strategies champion,mine.toml,search-50
    """
    from balance.studies.ladder import STUDY

    _carry_out(STUDY, asked, how)


@click.command()
@rules_played()
@settings_of(StrengthCurve)
@_played("curve.html, curve.md, CSV files and runs")
def curve(asked: StrengthCurve, how: How) -> None:
    """Show how seats change with stronger play.

    Each level of play meets itself on the same deals. Shows win shares of seats, comebacks and minutes at the strongest
    level, and a forecast for twice its iterations. No forecast is shown if the lower levels did not predict the
    strongest.

    With --out the games are kept in OUT/runs: if stopped, run the same command again to resume.

    \b
    Examples:
      balance curve --game na-grunwald --players 2,3 --out reports/curve
      balance curve --game na-grunwald --players 2 --top 400 --search-games 1000 --out reports/deep
    """
    from balance.studies.curve_page import STUDY

    _carry_out(STUDY, asked, how)


@click.command()
@click.argument("experiment", required=False, type=Place())
@rules_played("all of the game, or the experiment's", or_experiment=True)
@settings_of(Steps)
@_played("sensitivity.html, sensitivity.md, CSV files and runs")
def sensitivity(experiment: Path | None, asked: Steps, how: How, **rules: Any) -> None:
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
    from balance.studies.sensitivity import STUDY

    _carry_out(STUDY, _read_sensitivity(experiment, asked, rules), how)


def _read_sensitivity(source: Path | None, asked: Steps, rules: dict[str, Any]) -> Sensitivity:
    """Return what a sensitivity analysis plays: an experiment file with options over its keys, or options alone."""
    from balance.cli.sources import read_with_options
    from balance.studies.sensitivity import Sensitivity, default_experiment

    variant = rules.pop("variant")
    options = {**rules, "strategies": list(asked.strategies) or None, "games": asked.games, "seed": asked.seed}
    given = {key: value for key, value in options.items() if value is not None}
    given |= {"variants": [variant]} if variant else {}
    if source is None:
        if asked.tier:
            raise click.UsageError(tr("--tier chooses among the [[tiers]] of an experiment file"))
        if "game" not in given:
            raise click.UsageError(tr("give --game, or an experiment file"))
        return Sensitivity(default_experiment(given), asked.keys, asked.measures)
    if "game" in given:
        raise click.UsageError(tr("{file} names the game: leave out --game", file=source))
    given |= {"tiers": [asked.tier]} if asked.tier else {}
    experiment = read_with_options(source, given)
    return Sensitivity(experiment, asked.keys, asked.measures, source.parent, str(source))


@click.command()
@rules_played()
@settings_of(Restricted)
@_played("restrict.html, restrict.md, CSV files and runs")
def restrict(asked: Restricted, how: How) -> None:
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
    from balance.studies.restrict_page import STUDY

    _carry_out(STUDY, asked, how)


@click.command()
@click.argument("experiment", type=Place())
@settings_of(TuneLimits)
@_played("tune.html, tune.md, CSV files, variants and runs", is_required=True)
def tune(experiment: Path, asked: TuneLimits, how: How) -> None:
    """Find the smallest rule change that meets all targets.

    EXPERIMENT is an experiment with [[targets]] and, if wanted, a [tune] table: the keys that may change, their ranges
    and the games of the search. All tiers of the experiment play the finalists on held-out deals; only these figures
    are quoted.

    The games are kept in OUT/runs: if stopped, run the same command again to resume. Needs Optuna:
    pip install "game-balance[tune]".

    \b
    Examples:
      balance tune data/experiments/tune-grody.toml --out reports/tune-grody
      balance tune data/experiments/tune-grody.toml --changes 1 --games 20000 --scale 0.1 --out reports/tune-one
      balance tune data/experiments/tune-grody.toml --dask tcp://lab:8786 --out reports/tune-lab
    """
    from balance.studies.tune import read_tuning
    from balance.studies.tune_page import STUDY

    _carry_out(STUDY, read_tuning(experiment, asked), how)


@click.command()
@click.argument("targets", metavar="STRATEGY|LINEUP", type=Names())
@rules_played("all that fit the target")
@settings_of(Exploit)
@workers
@dask
@click.option("--out", type=Place(), help="Write the best response as a profile or network.")
@as_json
@quiet("progress bar")
@one_line_errors()
def exploit(
    asked: Exploit, threads: int | None, dask: str | None, out: Path | None, as_json: bool, quiet: bool
) -> None:
    """Measure how far a strategy can be beaten.

    Two opponents try: a profile or network trained against it, and a searcher.

    A STRATEGY plays all other seats; a LINEUP, comma-separated, names a strategy for each of them, in order. The gain
    is the win share above a fair share, in points, on held-out seeds. Each profile of --start is trained for a short
    time, then the best of them for the rest of --games. A network learns from the results of its games (see
    `balance train network`). The gain is a lower bound: a better opponent may gain more.

    \b
    Examples:
      balance exploit --game na-grunwald --players 2 champion --out against-champion.toml
      balance exploit --game na-grunwald --variant ./mine.toml champion,random --games 300000
      balance exploit --game na-grunwald --players 2 champion --games 5000000 --dask tcp://lab:8786
      balance exploit --game na-grunwald --players 2 expert --out against-expert.toml
    """
    from balance.cli.printing import print_records
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.studies.exploit import find_exploits, list_gains, write_verdict

    with open_workers(dask, threads) as workers, show_progress(quiet or as_json, tr("training")) as progress:
        found = find_exploits(asked, out, progress, workers)
    if as_json:
        print_records(list_gains(asked, found))
    else:
        for count, exploited in found.items():
            print_sentence(write_verdict(asked, count, exploited))
    if out is not None:
        told = tr("{file}: weights for {counts} players", file=out, counts=", ".join(map(str, found)))
        echo(told, err=as_json)
