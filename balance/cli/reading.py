"""Commands that read runs: report, compare, check and plan."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from balance.cli.options import (
    Names,
    Numbers,
    Place,
    RunPlace,
    as_json,
    moved_game,
    quiet,
    seat_margin,
    thresholds,
    tier,
)
from balance.cli.output import decided, echo, one_line_errors, prefer_language
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr, trn

if TYPE_CHECKING:
    from balance.foundation.progress import Progress
    from balance.runs.folder import RunFolder


def _open_runs(
    paths: Sequence[Path], tier: str | None, progress: Progress, measures: Collection[str] = ()
) -> list[RunFolder]:
    """Open the named runs; if they can be pooled, return the pooled run alone and report it.

    They are not pooled for measures of followed or traced games, since the pooled run has neither. Without
    a `tier` it is the strongest that can tell about the `measures`.
    """
    from balance.experiments.measures import apart_measures
    from balance.runs.folder import RunFolder
    from balance.runs.pooling import pool_next_to, why_apart
    from balance.runs.strength import in_telling_tier

    runs = [RunFolder.open_finished(path) for path in paths]
    if len(runs) > 1 and not apart_measures(runs[0].plan.game).keys() & set(measures):
        if why := why_apart(runs):
            progress.tell(tr("the runs are shown side by side: {why}", why=why))
        else:
            runs = [pool_next_to(runs, progress)]
            games = trn("{n:,} game", "{n:,} games", runs[0].info["rows"]["games"])
            progress.tell(tr("pooled: {run} ({games})", run=runs[0].named, games=games))
    return [run.in_tier(tier) if tier else in_telling_tier(run, measures) for run in runs]


@click.command()
@click.argument("runs", nargs=-1, required=True, type=RunPlace())
@click.option("--out", required=True, type=Place(), help="Folder to write into.")
@tier
@moved_game
@seat_margin
@thresholds
@click.option(
    "--people", type=Place(), metavar="DIR", help="Compare with games that people played, see balance people."
)
@click.option("--summary", is_flag=True, help="Also write a summary of half a page without strategy names.")
@click.option("--xlsx", is_flag=True, help="Also write all tables as one workbook, tables.xlsx.")
@quiet("progress bar and no next commands")
@one_line_errors()
def report(
    runs: tuple[Path, ...], out: Path, tier: str | None, seat_margin: float | None, seat_threshold: float | None,
    strategy_threshold: float | None, people: Path | None, summary: bool, xlsx: bool,
    quiet: bool,
) -> None:  # fmt: skip
    """Write a report as HTML and Markdown.

    The folder gets one self-contained HTML page, the same report as Markdown, the figures and the tables.

    If a run has tiers, the report covers one tier and compares it with the others. Several runs are pooled if they
    differ only in their seed, or only in their variants (see balance pool --help). Other runs are reported one after
    the other; the page starts with the differences between them.

    \b
    Examples:
      balance report runs/first-look --out reports/first-look
      balance report runs/monday runs/tuesday --out reports/both
      balance report runs/two-tiers --tier search --out reports/search
      balance report runs/first-look --out reports/first-look --summary
      balance report runs/first-look --people runs/people --out reports/people
    """
    from balance.cli.next_commands import lead_on_from_report
    from balance.cli.terminal import show_progress
    from balance.people.folder import read_people
    from balance.report import write_report
    from balance.report.summary import write_summary
    from balance.report.workbook import check_workbook, write_workbook

    if xlsx:
        check_workbook(out)
    played = read_people(people) if people else None
    with show_progress(quiet, tr("reading")) as progress:
        opened = _open_runs(runs, tier, progress)
        if played and all(run.plan.game.name != played.game.name for run in opened):
            raise BalanceError(
                tr("{people} holds games of {game}, which no run here has", people=people, game=played.game.name)
            )
        prefer_language(opened[0].plan.experiment.lang)
        for run in opened:
            run.judge_by(seat_margin=seat_margin, seats=seat_threshold, strategies=strategy_threshold)
        page, chapters = write_report(opened, out, progress, played)
    echo(tr("report: {path}", path=page.resolve()))
    if summary:
        echo(tr("summary: {path}", path=write_summary(chapters, out).resolve()))
    if xlsx:
        echo(tr("workbook: {path}", path=write_workbook(chapters, out).resolve()))
    for run, chapter in zip(opened, chapters, strict=True):
        if chapter.screen and not quiet:
            lead_on_from_report(run, chapter.screen, alone=len(opened) == 1)


# As in `analysis.compare.sort_effects`, which is slow to import.
ORDERS = ("effect", "measure", "variant")


@click.command()
@click.argument("runs", metavar="RUN [RUN]...", nargs=-1, required=True, type=RunPlace())
@click.option("--baseline", help="The variant that the others are compared with; default the first.")
@click.option("--measure", "measures", type=Names(), help="Measures; default all.")
@click.option(
    "--sort",
    type=click.Choice(ORDERS),
    default="effect",
    help="Order of effects at each player count. effect: the furthest from 0 first, in half-widths of its "
    "interval; measure: as in the report, variants next to each other; variant: all effects of a variant together.",
)
@click.option("--out", type=Place(), help="Folder; also write a page, forest plots and a CSV file.")
@tier
@moved_game
@thresholds
@as_json
@quiet("progress bar and no next commands")
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
    from balance.cli.printing import print_comparison, print_differences, print_records
    from balance.cli.terminal import show_progress

    if out is not None:
        from balance.report.page import check_place

        check_place(out)
    with show_progress(quiet, tr("reading")) as progress:
        opened = _open_runs(runs, tier, progress, measures or ())
        for run in opened:
            run.judge_by(seats=seat_threshold, strategies=strategy_threshold)
        first = opened[0]
        if len(opened) == 1:
            baseline = baseline or first.plan.first_variant.name
            table = compare_variants(first, baseline, measures, progress)
        elif len(opened) > 2 or out or baseline:
            raise click.UsageError(
                tr(
                    "runs that can't be pooled are compared two at a time, without --baseline and --out; "
                    "to see more runs side by side, use balance report"
                )
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
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@click.argument("targets", metavar="[TARGETS.toml]", required=False, type=Place())
@click.option("--junit", type=Place(), metavar="FILE.xml", help="Write the verdicts as JUnit XML, for CI.")
@click.option(
    "--history", type=Place(), metavar="FILE", help="Append the verdicts to FILE; `balance live` charts them."
)
@tier
@moved_game
@as_json
@quiet("progress bar and no next commands")
@one_line_errors(status=2)
def check(
    run_folder: Path, targets: Path | None, junit: Path | None, history: Path | None, tier: str | None,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Check a run against your targets.

    Each check passes, fails or is undecided.

    The targets come from TARGETS.toml (an experiment file works too), or else from the run's own experiment.

    Exit status 0: all pass. 1: at least one fails. 2: the run or the targets can't be read, or a file can't be written.
    3: none fails, at least one is undecided. In FILE.xml each target is a test; an undecided one is skipped.

    \b
    Examples:
      balance check runs/first-look targets.toml
      balance check runs/two-tiers targets.toml --tier search
      balance check runs/bonus --json
      balance check runs/bonus targets.toml --junit check.xml
      balance check runs/bonus targets.toml --history checks.jsonl
    """
    from balance.analysis.target_checks import check_targets, exit_status
    from balance.cli.next_commands import after_checking, suggest_next
    from balance.cli.printing import print_check, print_records
    from balance.cli.terminal import show_progress
    from balance.experiments.targets import read_targets
    from balance.foundation.files import check_file
    from balance.runs.folder import RunFolder
    from balance.runs.strength import in_telling_tier

    if junit is not None:
        check_file(junit)
    if history is not None:
        from balance.report.checks import check_history

        check_history(history)
    run = RunFolder.open_finished(run_folder, tier)
    wanted = read_targets(targets) if targets else run.plan.experiment.targets
    if tier is None:
        run = in_telling_tier(run, [target.measure for target in wanted])
    if not wanted:
        raise BalanceError(tr("the experiment of {run} has no [[targets]]; name a file that has them", run=run_folder))
    with show_progress(quiet, tr("reading")) as progress:
        table = check_targets(run, wanted, str(targets or run_folder), progress)
    if junit is not None:
        from balance.report.checks import write_junit

        of_tier = f", tier {run.plan.tier.name}" if len(run.plan.tiers) > 1 else ""
        write_junit(table, run.plan, f"{run.plan.game.name}: {run.path.name}{of_tier}", junit)
    if history is not None:
        from balance.report.checks import keep_checks

        keep_checks(table, run, history)
    with decided(exit_status(table)):
        if as_json:
            print_records(table)
        else:
            print_check(table, run.plan, wanted)
            if not quiet:
                suggest_next(run, table, after_checking)


@click.command()
@click.argument("run_folder", metavar="[RUN]", required=False, type=RunPlace())
@click.option("--effect", type=float, required=True, help="Percentage points of win share worth finding.")
@click.option("--players", type=Numbers(), help="Player counts; default 2, 3 and 4, or all of RUN.")
@click.option("--power", type=float, default=0.8, help="Power: the chance to find the effect.")
@click.option("--comparisons", type=int, default=1, show_default=True, help="Number of comparisons corrected together.")
@click.option("--tier", metavar="NAME", help="Read the games of this tier; default the experiment's first tier.")
@moved_game
@as_json
@quiet("next commands")
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
        raise click.UsageError(tr("--tier needs a RUN"))
    else:
        table = plan_games(effect, players or (2, 3, 4), power, comparisons)
    if as_json:
        print_records(table)
    else:
        print_plan(table, effect, power, run)
        if run is not None and not quiet:
            suggest_next(run, table)
