"""Commands that answer questions about a run: compare, check, plan, components and decisions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from balance.cli.ending import decided, one_line_errors
from balance.cli.options import Names, Numbers, Place, add_options, as_json, thresholds, tier
from balance.cli.plain import print_sentence
from balance.foundation.errors import BalanceError

# As in `analysis.compare.sort_effects`, which is slow to import.
ORDERS = ("effect", "measure", "variant")


@click.command()
@click.argument("runs", metavar="RUN [RUN]...", nargs=-1, required=True, type=Place())
@click.option("--baseline", help="The variant that the others are compared with; default the first.")
@click.option("--measure", "measures", type=Names(), help="Measures; default all.")
@click.option(
    "--sort",
    type=click.Choice(ORDERS),
    default="effect",
    show_default=True,
    help="Order of effects at each player count. effect: the furthest from 0 first, in half-widths of its "
    "interval; measure: as in the report, variants next to each other; variant: all effects of a variant together.",
)
@click.option("--out", type=Place(), help="Folder; also write a page, forest plots and a CSV file.")
@tier
@thresholds
@as_json
@click.option("--quiet", is_flag=True, help="No progress bar and no next commands.")
@one_line_errors()
def compare(
    runs: tuple[Path, ...], baseline: str | None, measures: list[str] | None, sort: str,
    out: Path | None, tier: str | None, seat_threshold: float | None, strategy_threshold: float | None,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Compare variants: paired effects with intervals.

    Several runs are pooled if possible (see balance pool --help). If two runs can't be pooled, the effects are the
    second run minus the first, unpaired.

    \b
    Examples:
      balance compare runs/first-look
      balance compare runs/monday runs/tuesday --measure seat_win_share
      balance compare runs/first-look --baseline base --measure score,seat_win_share --out reports/effects
      balance compare runs/two-tiers --baseline base --tier search
      balance compare runs/first-look --baseline base --measure seat_win_share --json
    """
    from balance.analysis.compare import compare_runs, compare_variants, sort_effects
    from balance.cli.next_commands import after_comparing, suggest_next
    from balance.cli.pooling import open_runs
    from balance.cli.printing import print_comparison, print_differences, print_records
    from balance.cli.terminal import show_progress

    if out is not None:
        from balance.report.page import check_place

        check_place(out)
    with show_progress(quiet, "reading") as progress:
        opened = open_runs(runs, tier, progress)
        for run in opened:
            run.judge_by(seat_threshold, strategy_threshold)
        first = opened[0]
        if len(opened) == 1:
            baseline = baseline or first.plan.first_variant.name
            table = compare_variants(first, baseline, measures, progress)
        elif len(opened) > 2 or out or baseline:
            raise click.UsageError(
                "runs that can't be pooled are compared two at a time, without --baseline and --out; "
                "to see more runs side by side, use balance report"
            )
        else:
            table = compare_runs(first, opened[1], measures, progress)
    if out is not None and baseline:
        from balance.report import write_comparison

        write_comparison(first, table, baseline, out)
    table = sort_effects(table, sort)
    if as_json:
        print_records(table)
    elif baseline is None:
        print_differences(table, first, opened[1])
    else:
        print_comparison(table, baseline, first.plan)
        if not quiet:
            suggest_next(first, table, after_comparing)


@click.command()
@click.argument("run_folder", metavar="RUN", type=Place())
@click.argument("targets", metavar="[TARGETS.toml]", required=False, type=Place())
@click.option(
    "--junit", type=Place(), metavar="FILE.xml", help="Write the verdicts as JUnit XML, for CI."
)
@tier
@as_json
@click.option("--quiet", is_flag=True, help="No progress bar and no next commands.")
@one_line_errors(status=2)
def check(
    run_folder: Path, targets: Path | None, junit: Path | None, tier: str | None, as_json: bool,
    quiet: bool,
) -> None:  # fmt: skip
    """Check a run against your targets.

    Each target is met, missed or undecided.

    The targets come from TARGETS.toml (an experiment file works too), or else from the run's own experiment.

    Exit status 0: all pass. 1: one fails. 3: none fails, one is undecided. 2: the run or the targets can't be read, or
    FILE.xml can't be written. In FILE.xml each target is a test: missed is a failure, undecided is skipped.

    \b
    Examples:
      balance check runs/first-look targets.toml
      balance check runs/two-tiers targets.toml --tier search
      balance check runs/bonus --json
      balance check runs/bonus targets.toml --junit check.xml
    """
    from balance.analysis.target_checks import check_targets, exit_status
    from balance.cli.next_commands import after_checking, suggest_next
    from balance.cli.printing import print_check, print_records
    from balance.cli.terminal import show_progress
    from balance.experiments.targets import read_targets
    from balance.foundation.files import check_file
    from balance.runs.folder import RunFolder

    if junit is not None:
        check_file(junit)
    run = RunFolder.open_finished(run_folder, tier)
    wanted = read_targets(targets) if targets else run.plan.experiment.targets
    if not wanted:
        raise BalanceError(
            f"the experiment of {run_folder} has no [[targets]]; name a file that has them"
        )
    with show_progress(quiet, "reading") as progress:
        table = check_targets(run, wanted, str(targets or run_folder), progress)
    if junit is not None:
        from balance.report.junit import write_junit

        of_tier = f", tier {run.plan.tier.name}" if len(run.plan.tiers) > 1 else ""
        write_junit(table, run.plan, f"{run.plan.game.name}: {run.path.name}{of_tier}", junit)
    with decided(exit_status(table)):
        if as_json:
            print_records(table)
        else:
            print_check(table, run.plan)
            if not quiet:
                suggest_next(run, table, after_checking)


@click.command()
@click.argument("run_folder", metavar="[RUN]", required=False, type=Place())
@click.option(
    "--effect", type=float, required=True, help="Percentage points of win share worth finding."
)
@click.option("--players", type=Numbers(), help="Player counts; default 2, 3 and 4, or all of RUN.")
@click.option(
    "--power", type=float, default=0.8, show_default=True, help="Power: the chance to find the effect."
)
@click.option(
    "--comparisons",
    type=int,
    default=1,
    show_default=True,
    help="Number of comparisons corrected together.",
)
@tier
@as_json
@click.option("--quiet", is_flag=True, help="No next commands.")
@one_line_errors()
def plan(
    run_folder: Path | None, effect: float, players: list[int] | None, power: float, comparisons: int,
    tier: str | None, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Compute how many games a question needs.

    With a RUN, the answer uses the spread measured in that run.

    If the RUN has too few games, the answer is an extension of it, which counts as another interim analysis (see
    docs/statistics.md). The answer includes the estimated time on this machine.

    \b
    Examples:
      balance plan --effect 0.5
      balance plan runs/first-look --effect 0.5 --comparisons 20
      balance plan runs/two-tiers --tier search --effect 2
    """
    from balance.analysis.sample_size import plan_from_run, plan_games
    from balance.cli.next_commands import suggest_next
    from balance.cli.printing import print_plan, print_records
    from balance.runs.folder import RunFolder

    run = None
    if run_folder is not None:
        run = RunFolder.open_finished(run_folder, tier)
        table = plan_from_run(run, effect, power, comparisons, players)
    elif tier is not None:
        raise click.UsageError("--tier needs a RUN")
    else:
        table = plan_games(effect, players or (2, 3, 4), power, comparisons)
    if as_json:
        print_records(table)
    else:
        print_plan(table, effect, power, run)
        if run is not None and not quiet:
            suggest_next(run, table)


if TYPE_CHECKING:
    from balance.runs.folder import RunFolder


def _games_option(games: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the options that both commands share; `games` is the default number of games of each cell."""
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
@_games_option(1000)
@one_line_errors()
def components(run_folder: Path, games: int, tier: str | None, workers: int | None, quiet: bool) -> None:
    """Measure what cards and other components are worth.

    The first games of each cell are played again. Each time a component turns up, the game continues twice: as dealt,
    and with one more of that component for a seat drawn at random. The results are kept in the run's folder.
    `balance report` shows them next to how often seats took the component, and how often those seats won.

    \b
    Examples:
      balance components runs/first-look
      balance components runs/two-tiers --tier search --games 40
    """
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.studies.reruns import try_components

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
    "--every", type=click.IntRange(min=1), default=8, show_default=True, help="Judge one decision in N."
)
@_games_option(100)
@one_line_errors()
def decisions(
    run_folder: Path, judge: str, every: int, games: int, tier: str | None, workers: int | None,
    quiet: bool,
) -> None:  # fmt: skip
    """Measure which decisions matter and what mistakes cost.

    The first games of each cell are played again, and a searcher judges decisions: how much better the best choice is
    than the second best, and than the choice made. The results are kept in the run's folder; `balance report` shows
    them by kind and stage.

    \b
    Examples:
      balance decisions runs/first-look
      balance decisions runs/first-look --judge search-400 --games 40 --every 4
    """
    from balance.analysis.decisions import ALL, LOST
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.studies.reruns import judge_decisions

    run = _open(run_folder, tier)
    with show_progress(quiet, "judging") as progress:
        table = judge_decisions(run, games, judge, every, workers, progress)
    if not quiet:
        each = table[(table["kind"] == ALL) & (table["stage"] == ALL) & (table["measure"] == LOST)]
        count = int(each.groupby(["players", "variant"])["n"].max().sum())
        print_sentence(f"{run_folder}: {count:,} decisions judged")
        say_next(after_playing(run_folder))


def _open(path: Path, tier: str | None) -> RunFolder:
    """Open a finished run; warn if its rules or bots have changed since."""
    from balance.runs.folder import RunFolder

    run = RunFolder.open_finished(path, tier)
    if changed := run.changes():
        what = ", ".join(changed)
        print_sentence(
            f"{path}: changed since the run: {what}; its games are played again with today's versions",
            err=True,
        )
    return run
