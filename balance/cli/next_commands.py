"""The commands to run next, which a command prints at its end, ready to copy."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from balance.cli.output import echo, print_sentence
from balance.foundation.language import tr

if TYPE_CHECKING:
    import pandas as pd

    from balance.analysis.sample_size import RunExtension
    from balance.experiments.plan import Plan
    from balance.report.screen import Grid, Screen
    from balance.runs.folder import RunFolder

Command = list[str]
_MOST_COMMANDS = 2  # after one command
_LEAST_EFFECT, _MOST_EFFECT = 0.01, 100.0  # points of win share; a smaller effect takes too many games


def say_next(commands: Iterable[Command]) -> None:
    """Print each command on its own line."""
    for command in commands:
        echo(tr("next: {command}", command=shlex.join(["balance", *command])))


def after_playing(run: Path | str) -> list[Command]:
    """Return the command to run after a run, given its folder or address: its report."""
    return [["report", str(run), "--out", str(Path("reports") / Path(run).name)]]


def after_report(
    run: Path, plan: Plan, grid: Grid, longer: RunExtension | None, replay: str = "closest.html", speaker: str = ""
) -> list[Command]:
    """Return at most two commands to run after a report, chosen by its first screen.

    In this order: check the targets; compare the variants; if a seat is undecided, extend the run, or plan games if no
    extension would decide it; if there is one variant, replay the closest game, unless this would run a Python bot.

    Parameters
    ----------
    grid : Grid
        It has no rows if no game ended.
    longer : RunExtension or None
        The extension that would decide which seats are fair.
    replay : str
        The page of the closest game.
    speaker : str
        The strongest tier that may speak on the page; "" for the active one.
    """
    from balance.analysis.ended import WITHHELD
    from balance.analysis.verdicts import FEW_GAMES
    from balance.contract.sides import RIVALS, SEAT
    from balance.stats.comparisons import TOO_FEW

    tier = _tier(plan)
    spoken = ["--tier", speaker] if speaker not in ("", plan.tiers[0].name) else tier
    first = {cell.word for cell in grid.rows[0].cells} if grid.rows else set()
    found: list[Command] = []
    if first - {TOO_FEW, WITHHELD}:
        if plan.experiment.targets:
            found.append(["check", str(run), *tier])
        if len(plan.variants) > 1:
            found.append(["compare", str(run), "--baseline", plan.first_variant.name, *spoken])
        if FEW_GAMES in first and longer:
            found.append(longer.command)
        elif FEW_GAMES in first and plan.game.sides.allow((SEAT,)):
            shares = map(plan.fair_share, plan.experiment.players)
            found += _plan(run, plan, min(map(plan.experiment.thresholds.seat_limit, shares)))
    if grid.rows and len(plan.variants) == 1 and all(each.kind != "custom" for each in plan.tier.strategies):
        kind = "closest" if plan.game.sides.allow((RIVALS,)) else "typical"
        found.append(["replay", str(run), kind, "--html", replay, *tier])
    return found[:_MOST_COMMANDS]


def lead_on_from_report(run: RunFolder, screen: Screen, alone: bool = True) -> None:
    """Print the commands of `after_report`; with several runs the file of each replay is named after its run."""
    replay = "closest.html" if alone else f"closest-{run.named.name}.html"
    longer = screen.longer
    commands = after_report(run.named, run.plan, screen.grid, longer, replay, screen.speaker)
    if longer and longer.command in commands:
        print_extension(longer)
    say_next(commands)


def suggest_next(
    run: RunFolder, table: pd.DataFrame, after: Callable[[Path, Plan, pd.DataFrame], list[Command]] | None = None
) -> None:
    """Print the extension that would probably decide rows of a table, or the commands of `after` if there is none."""
    from balance.analysis.sample_size import decide

    if longer := decide(run, table):
        print_extension(longer)
        say_next([longer.command])
    elif after:
        say_next(after(run.named, run.plan, table))


def after_comparing(run: Path, plan: Plan, table: pd.DataFrame) -> list[Command]:
    """Return `balance plan` for undecided effects on seats (`balance.analysis.compare.compare_variants`)."""
    left = table[(table["verdict"] == "undecided") & (table["measure"] == "seat_win_share")]
    if left.empty:
        return []
    return _plan(run, plan, plan.experiment.thresholds.seats, len(table))


def after_checking(run: Path, plan: Plan, table: pd.DataFrame) -> list[Command]:
    """Return `balance plan` for undecided checks of seats.

    Its effect is the smallest distance between a target's limit and a fair share, if that is between 0.01 and 100
    points.
    """
    import pandas as pd

    left = table[(table["verdict"] == "undecided") & (table["measure"] == "seat_win_share")]
    fair = left["players"].map(plan.fair_share)
    room = left[["least", "most"]].sub(fair, axis="index").abs()
    effect = room[(room >= _LEAST_EFFECT) & (room < _MOST_EFFECT)].min(axis=None)
    if pd.isna(effect):
        return []
    return _plan(run, plan, float(effect), len(table))


def print_extension(longer: RunExtension) -> None:
    """Print what an extended run would decide, and how long it takes."""
    words = {"what": longer.what, "outcome": longer.outcome, "time": longer.time}
    print_sentence(tr("{what} {outcome}, {time} on this machine.", **words))


def _plan(run: Path, plan: Plan, effect: float, comparisons: int = 1) -> list[Command]:
    """Return the command that plans games; none for a tier of networks, which it refuses."""
    if plan.tier.plays_networks:
        return []
    command = ["plan", str(run), "--effect", f"{effect:.4g}"]
    several = ["--comparisons", str(comparisons)] if comparisons > 1 else []
    return [[*command, *several, *_tier(plan)]]


def _tier(plan: Plan) -> Command:
    """Return the option that names the active tier, unless it is the first."""
    return [] if plan.tier is plan.tiers[0] else ["--tier", plan.tier.name]
