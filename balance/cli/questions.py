"""Commands that ask a run one question: what changed, are the targets met, how many games does it take."""

from __future__ import annotations

from pathlib import Path

import click

from balance.cli.ending import decided, one_line_errors
from balance.cli.options import Names, Numbers, Place, as_json, thresholds, tier
from balance.errors import BalanceError

ORDERS = (
    "effect",
    "measure",
    "variant",
)  # of `analysis.compare.sort_effects`, which help need not import


@click.command()
@click.argument("runs", metavar="RUN [RUN]...", nargs=-1, required=True, type=Place())
@click.option("--baseline", help="The variant that the others are compared with; default the first.")
@click.option("--measure", "measures", type=Names(), help="Measures; default all.")
@click.option(
    "--sort",
    type=click.Choice(ORDERS),
    default="effect",
    show_default=True,
    help="What stands first at a player count. effect: the furthest from 0, in halves of its own "
    "interval, whatever its unit; measure: as the report lists them, variants side by side; variant: "
    "all of a variant together.",
)
@click.option("--out", type=Place(), help="Write page, forest plots and CSV there too.")
@tier
@thresholds
@as_json
@click.option("--quiet", is_flag=True, help="No progress bar, and not what comes next.")
@one_line_errors()
def compare(
    runs: tuple[Path, ...],
    baseline: str | None,
    measures: list[str] | None,
    sort: str,
    out: Path | None,
    tier: str | None,
    seat_threshold: float | None,
    strategy_threshold: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compare variants: paired effects with intervals.

    Several runs are pooled if possible (see balance pool --help). For two runs that can't be pooled the effects are the
    second run minus the first, unpaired.

    \b
    Examples:
      balance compare runs/first-look
      balance compare runs/monday runs/tuesday --measure seat_win_share
      balance compare runs/first-look --baseline base --measure score,seat_win_share --out reports/effects
      balance compare runs/two-tiers --baseline base --tier search
      balance compare runs/first-look --baseline base --measure seat_win_share --json
    """
    from balance.analysis.compare import compare_variants, sort_effects
    from balance.analysis.side_by_side import compare_runs
    from balance.cli.effects import print_comparison, print_differences
    from balance.cli.next_commands import after_comparing, lead_on
    from balance.cli.pooling import open_runs
    from balance.cli.printing import print_records
    from balance.cli.progress import show_progress

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
                "runs that can't be pooled are compared two at a time, without --baseline and --out: see balance report"
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
            lead_on(first, table, after_comparing)


@click.command()
@click.argument("run_folder", metavar="RUN", type=Place())
@click.argument("targets", metavar="[TARGETS.toml]", required=False, type=Place())
@click.option(
    "--junit", type=Place(), metavar="FILE.xml", help="Write the verdicts as JUnit XML, for CI."
)
@tier
@as_json
@click.option("--quiet", is_flag=True, help="No progress bar, and not what comes next.")
@one_line_errors(status=2)
def check(
    run_folder: Path,
    targets: Path | None,
    junit: Path | None,
    tier: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check a run against your targets.

    Each target is met, missed or undecided.

    The targets come from a file (an experiment will do), or else from the experiment that was played.

    Exit status 0: all pass. 1: one fails. 3: none fails, one is undecided. 2: the run or the targets can't be read, or
    FILE.xml can't be written. In FILE.xml each target is a test: missed is a failure, undecided is skipped.

    \b
    Examples:
      balance check runs/first-look targets.toml
      balance check runs/two-tiers targets.toml --tier search
      balance check runs/bonus --json
      balance check runs/bonus targets.toml --junit check.xml
    """
    from balance.analysis.check import check_targets, exit_status
    from balance.cli.next_commands import after_checking, lead_on
    from balance.cli.printing import print_check, print_records
    from balance.cli.progress import show_progress
    from balance.log.files import check_file
    from balance.log.folder import RunFolder
    from balance.plan.targets import read_targets

    if junit is not None:
        check_file(junit)
    run = RunFolder.open_finished(run_folder, tier)
    wanted = read_targets(targets) if targets else run.plan.experiment.targets
    if not wanted:
        raise BalanceError(f"the experiment of {run_folder} has no [[targets]]; name a file that has")
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
                lead_on(run, table, after_checking)


@click.command()
@click.argument("run_folder", metavar="[RUN]", required=False, type=Place())
@click.option(
    "--effect", type=float, required=True, help="Percentage points of win share worth finding."
)
@click.option(
    "--players", type=Numbers(), help="Player counts; default 2, 3 and 4, of a RUN all that it has."
)
@click.option("--power", type=float, default=0.8, show_default=True, help="Chance to find it.")
@click.option(
    "--comparisons", type=int, default=1, show_default=True, help="Questions corrected together."
)
@tier
@as_json
@click.option("--quiet", is_flag=True, help="Not what comes next.")
@one_line_errors()
def plan(
    run_folder: Path | None,
    effect: float,
    players: list[int] | None,
    power: float,
    comparisons: int,
    tier: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compute how many games a question needs.

    With a RUN, the answer uses the spread measured in that run.

    If the RUN has too few games, the answer is an extension of it, counted as another interim analysis (see
    docs/statistics.md). The time that the games take on this machine is estimated.

    \b
    Examples:
      balance plan --effect 0.5
      balance plan runs/first-look --effect 0.5 --comparisons 20
      balance plan runs/two-tiers --tier search --effect 2
    """
    from balance.analysis.planning import plan_from_run, plan_games
    from balance.cli.next_commands import lead_on
    from balance.cli.printing import print_plan, print_records
    from balance.log.folder import RunFolder

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
            lead_on(run, table)
