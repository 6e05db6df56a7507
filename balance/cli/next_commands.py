"""What comes next: the commands that stand at the end of what another one printed, to be copied."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from balance.cli.plain import echo, print_sentence

if TYPE_CHECKING:
    import pandas as pd

    from balance.analysis.longer import Longer
    from balance.log.folder import RunFolder
    from balance.plan.plan import Plan
    from balance.report.screen import Grid

Command = list[str]
_MOST_COMMANDS = 2  # after one
_LEAST_EFFECT, _MOST_EFFECT = 0.01, 100.0  # points of win share; less takes more games than anyone plays


def say_next(commands: Iterable[Command]) -> None:
    """Print commands, a line each."""
    for command in commands:
        echo(f"next: {shlex.join(['balance', *command])}")


def after_playing(run: Path) -> list[Command]:
    """What follows on a run: its report."""
    return [["report", str(run), "--out", str(Path("reports") / run.name)]]


def after_report(
    run: Path, plan: Plan, grid: Grid, longer: Longer | None, replay: str = "closest.html"
) -> list[Command]:
    """What follows on a report, by what its first screen says: at most two commands.

    Targets are checked and variants compared; where a seat is left open, the run is made longer, or games are planned
    where none would decide it; of one variant the closest game is watched, unless a bot in Python would have to be run
    for it. What can't be judged leads to less.

    Parameters
    ----------
    grid : Grid
        Its rows of the tier that is read count; none where no game ended.
    longer : Longer or None
        The run that would decide which seats are fair.
    replay : str
        The page of the closest game.
    """
    from balance.analysis.unfinished import WITHHELD
    from balance.analysis.verdicts import CLOSE, SEATS, UNSURE
    from balance.stats.comparisons import TOO_FEW

    tier = _tier(plan)
    words = {row.anchor: {cell.word for cell in row.cells} for row in grid.rows if not row.tier}
    found: list[Command] = []
    if words and words[SEATS] - {TOO_FEW, WITHHELD}:
        if plan.experiment.targets:
            found.append(["check", str(run), *tier])
        if len(plan.variants) > 1:
            found.append(["compare", str(run), "--baseline", plan.first_variant.name, *tier])
        if words[SEATS] & {CLOSE, UNSURE}:
            effect = plan.experiment.thresholds.seats
            found.append(longer.command if longer else [*_plan(run, effect), *tier])
    if words and len(plan.variants) == 1 and all(each.kind != "custom" for each in plan.tier.strategies):
        found.append(["replay", str(run), "closest", "--html", replay, *tier])
    return found[:_MOST_COMMANDS]


def lead_on_from_report(run: RunFolder, grid: Grid, longer: Longer | None, alone: bool = True) -> None:
    """Print what follows on a report, see `after_report`; of several runs each has a replay of its own name."""
    replay = "closest.html" if alone else f"closest-{run.named.name}.html"
    commands = after_report(run.named, run.plan, grid, longer, replay)
    if longer and longer.command in commands:
        _tell_time(longer)
    say_next(commands)


def lead_on(
    run: RunFolder,
    table: pd.DataFrame,
    after: Callable[[Path, Plan, pd.DataFrame], list[Command]] | None = None,
) -> None:
    """Print the longer run that would probably decide rows of a table, or what comes `after` where none would."""
    from balance.analysis.longer import decide

    if longer := decide(run, table):
        _tell_time(longer)
        say_next([longer.command])
    elif after:
        say_next(after(run.named, run.plan, table))


def after_comparing(run: Path, plan: Plan, table: pd.DataFrame) -> list[Command]:
    """What follows on effects (`balance.analysis.compare.compare_variants`) that no run decides: of a seat's a plan."""
    left = table[(table["verdict"] == "undecided") & (table["measure"] == "seat_win_share")]
    if left.empty:
        return []
    return [[*_plan(run, plan.experiment.thresholds.seats, len(table)), *_tier(plan)]]


def after_checking(run: Path, plan: Plan, table: pd.DataFrame) -> list[Command]:
    """What follows on checks (`balance.analysis.check.check_targets`) that no run decides: how many games a seat takes.

    The effect worth finding is the least that a seat may be off for the target, as far as that is one.
    """
    import pandas as pd

    from balance.stats.fair import fair_share

    left = table[(table["verdict"] == "undecided") & (table["measure"] == "seat_win_share")]
    fair = left["players"].map(fair_share)
    room = left[["least", "most"]].sub(fair, axis="index").abs()
    effect = room[(room >= _LEAST_EFFECT) & (room < _MOST_EFFECT)].min(axis=None)
    if pd.isna(effect):
        return []
    return [[*_plan(run, float(effect), len(table)), *_tier(plan)]]


def _tell_time(longer: Longer) -> None:
    print_sentence(f"{longer.what} {longer.outcome}, {longer.time} on this machine.")


def _plan(run: Path, effect: float, comparisons: int = 1) -> Command:
    command = ["plan", str(run), "--effect", f"{effect:.4g}"]
    return [*command, "--comparisons", str(comparisons)] if comparisons > 1 else command


def _tier(plan: Plan) -> Command:
    """The option that names the tier that is read, where it is not the first."""
    return [] if plan.tier is plan.tiers[0] else ["--tier", plan.tier.name]
