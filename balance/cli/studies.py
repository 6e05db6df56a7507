"""Commands that play games of their own to answer a question.

These are ladder, curve, exploit, try, components and decisions; `rule_studies` has those about the rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.options import (
    Decorator,
    Names,
    Place,
    RunPlace,
    add_options,
    at_least,
    dask,
    quiet,
    replayed_tier,
    rules_played,
    seed,
    settings_of,
    workers,
)
from balance.cli.output import echo, games_folder, one_line_errors, print_sentence
from balance.foundation.language import tr, trn
from balance.studies.settings import Exploit, Ladder, StrengthCurve

if TYPE_CHECKING:
    from balance.runs.folder import RunFolder
    from balance.studies.live import LiveTable


@click.command()
@rules_played()
@settings_of(Ladder)
@workers
@dask
@click.option("--out", type=Place(), help="Folder for ladder.html, ladder.md, ladder.csv and runs.")
@quiet("progress bar")
@one_line_errors()
def ladder(asked: Ladder, threads: int | None, dask: str | None, out: Path | None, quiet: bool) -> None:
    """Rank strategies by how often they win.

    Shows win shares, ratings, duels with a searcher, speed, and what a larger search budget is worth.

    With --out the games are kept in OUT/runs: if stopped, run the same command again to resume. It reads finished games
    and does not play them again.

    \b
    Examples:
      balance ladder --game na-grunwald --players 2 --out reports/ladder
      balance ladder --game polska --variant ./long-track.toml --players 4 --strategies champion,mine.toml,search-50
    """
    from balance.cli.printing import print_ladder
    from balance.cli.terminal import show_progress
    from balance.report.page import check_place
    from balance.runs.cluster import open_workers
    from balance.studies.ladder import FILES, play_ladder, read_standings, write_ladder

    if out is not None:
        check_place(out, FILES)
    with games_folder(out) as folder:
        with open_workers(dask, threads) as workers, show_progress(quiet) as progress:
            played = play_ladder(asked, folder, progress, workers)
        standings = read_standings(played)
        print_ladder(standings, played)
        if out is not None:
            echo(tr("ladder: {path}", path=write_ladder(played, standings, out).resolve()))


@click.command()
@rules_played()
@settings_of(StrengthCurve)
@workers
@dask
@click.option("--out", type=Place(), help="Folder for curve.html, curve.md, curve.csv and runs.")
@quiet("progress bar")
@one_line_errors()
def curve(
    asked: StrengthCurve, threads: int | None, dask: str | None, out: Path | None, quiet: bool
) -> None:
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
    from balance.cli.printing import print_curve
    from balance.cli.terminal import show_progress
    from balance.report.page import check_place
    from balance.runs.cluster import open_workers
    from balance.studies.curve import play_curve, read_curve
    from balance.studies.curve_page import FILES, write_curve

    if out is not None:
        check_place(out, FILES)
    with games_folder(out) as folder:
        with open_workers(dask, threads) as workers, show_progress(quiet) as progress:
            played = play_curve(asked, folder, progress, workers)
        results = read_curve(played, asked.seed)
        print_curve(results, played)
        if out is not None:
            echo(tr("curve: {path}", path=write_curve(played, results, out).resolve()))


@click.command()
@click.argument("targets", metavar="STRATEGY|LINEUP", type=Names())
@rules_played("all that fit the target")
@settings_of(Exploit)
@workers
@dask
@click.option("--out", type=Place(), help="Write the best response as a profile or network.")
@quiet("progress bar")
@one_line_errors()
def exploit(
    asked: Exploit, threads: int | None, dask: str | None, out: Path | None, quiet: bool
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
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.studies.exploit import find_exploits, write_verdict

    with open_workers(dask, threads) as workers, show_progress(quiet, tr("training")) as progress:
        found = find_exploits(asked, out, progress, workers)
    for count, exploited in found.items():
        print_sentence(write_verdict(asked, count, exploited))
    if out is not None:
        echo(tr("{file}: weights for {counts} players", file=out, counts=", ".join(map(str, found))))


@click.command("try")
@rules_played()
@click.option(
    "--strategies",
    type=Names(),
    help="A pool of strategies; line-ups are drawn from it evenly. Default the expert, or else the strongest profile.",
)
@click.option(
    "--games",
    type=at_least(1),
    help="Games at each player count; default the games of one second, at most 10,000.",
)
@click.option(
    "--set",
    "changes",
    metavar="KEY=VALUE",
    multiple=True,
    help="Change this key first; may be repeated.",
)
@click.option("--once", is_flag=True, help="Show the effect and exit.")
@click.option(
    "--measure",
    "measures",
    type=Names(),
    help="Measures in addition to win shares; default the report's.",
)
@seed(1)
@workers
@quiet("progress bar")
@one_line_errors()
def try_live(changes: tuple[str, ...], once: bool, quiet: bool, **options: Any) -> None:
    """Change a rule and see its effect within a second.

    Games are played in memory and not logged. A line KEY = VALUE changes a rule key; STRATEGY.WEIGHT = VALUE changes a
    weight. The same games are played again and compared with those before the change. Lines come from the terminal, or
    from a file or pipe; `help` lists the other commands.

    \b
    Examples:
      balance try --game na-grunwald --players 2,4
      balance try --game na-grunwald --players 4 --strategies champion,treasurer --set krzyzacy.bonus.4=8 --once
      balance try --game na-grunwald --players 2 --strategies champion < lines.txt
    """
    from balance.cli.dialogue import Dialogue

    dialogue = Dialogue(_open_table(quiet, **options), quiet)
    for line in changes:
        dialogue.change(line)
    dialogue.show()
    if not once and dialogue.follow_lines():
        raise SystemExit(1)


def _open_table(
    quiet: bool, game: str, variant: str, players: list[int] | None, strategies: list[str] | None,
    games: int | None, measures: list[str] | None, seed: int, threads: int | None,
) -> LiveTable:  # fmt: skip
    """Return a table with its first games played."""
    from balance.cli.terminal import show_progress
    from balance.contract.game import get_game
    from balance.experiments.experiment import make_experiment
    from balance.experiments.networks import default_player
    from balance.experiments.planning import make_plan
    from balance.studies.live import GAMES, LiveTable

    found = get_game(game)
    counts = players or list(found.players)
    pool = strategies or [default_player(found, counts)]
    data = {
        "game": game, "players": counts, "variants": [variant], "strategies": pool, "games": games or GAMES,
        "seed": seed, "log": "rounds",
    }  # fmt: skip
    plan = make_plan(make_experiment(data), Path(), tr("command line"))
    with show_progress(quiet) as progress:
        return LiveTable(plan, games is None, measures or (), threads, progress)


def _games_again(games: int) -> Decorator:
    """Return the options of a command that plays games again; `games` is the default number for each cell."""
    count = click.option("--games", type=at_least(1), default=games, help="Games of each cell.")
    return add_options(count, replayed_tier, workers, dask, quiet("progress bar and no closing line"))


@click.command()
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@_games_again(1000)
@one_line_errors()
def components(
    run_folder: Path, games: int, tier: str | None, threads: int | None, dask: str | None, quiet: bool
) -> None:
    """Measure what cards and other components are worth.

    The first games of each cell are played again. Each time a component turns up, the game continues twice: as dealt,
    and with one more of that component for a seat drawn at random. The results are kept in the run's folder.
    `balance report` shows them next to how often seats took the component, and how often those seats won.

    \b
    Examples:
      balance components runs/first-look
      balance components runs/two-tiers --tier search --games 40
      balance components runs/first-look --games 100000 --dask tcp://lab:8786
    """
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.studies.reruns import try_components

    run = _open_to_play_again(run_folder, tier)
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("giving")) as progress:
        table = try_components(run, games, workers, progress)
    if not quiet:
        names = len(table[["family", "component"]].drop_duplicates())
        text = trn("{run}: {n} component tried", "{run}: {n} components tried", names, run=run_folder)
        print_sentence(text + _of_tier(run))
        say_next(after_playing(run_folder))


@click.command()
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@click.option(
    "--judge",
    help="The searcher that judges; default search-100, with the expert as prior if there is one.",
)
@click.option("--every", type=at_least(1), default=8, help="Judge one decision in N.")
@_games_again(100)
@one_line_errors()
def decisions(
    run_folder: Path, judge: str | None, every: int, games: int, tier: str | None, threads: int | None,
    dask: str | None, quiet: bool,
) -> None:  # fmt: skip
    """Measure which decisions matter and what mistakes cost.

    The first games of each cell are played again, and a searcher judges decisions: how much better the best choice is
    than the second best, and than the choice made. The results are kept in the run's folder; `balance report` shows
    them by kind and stage.

    \b
    Examples:
      balance decisions runs/first-look
      balance decisions runs/first-look --judge search-400 --games 40 --every 4
      balance decisions runs/first-look --games 10000 --dask tcp://lab:8786
    """
    from balance.analysis.decisions import ALL, LOST
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.experiments.networks import strongest_searcher
    from balance.runs.cluster import open_workers
    from balance.studies.reruns import judge_decisions

    run = _open_to_play_again(run_folder, tier)
    judge = judge or strongest_searcher(run.plan.game, run.plan.experiment.players, 100)
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("judging")) as progress:
        table = judge_decisions(run, games, judge, every, workers, progress)
    if not quiet:
        each = table[(table["kind"] == ALL) & (table["stage"] == ALL) & (table["measure"] == LOST)]
        count = int(each.groupby(["players", "variant"])["n"].max().sum())
        text = trn(
            "{run}: {n:,} decision judged", "{run}: {n:,} decisions judged", count, run=run_folder
        )
        print_sentence(text + _of_tier(run))
        say_next(after_playing(run_folder))


@click.command()
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@_games_again(1000)
@one_line_errors()
def chances(
    run_folder: Path, games: int, tier: str | None, threads: int | None, dask: str | None, quiet: bool
) -> None:
    """Follow each player's chance to win through the games of a run.

    The first games of each cell are played again, and every position after a round is looked at. From these games the
    command learns how often such positions win. It measures who sits without hope and for how long, and when games are
    decided. The results are kept in the run's folder; `balance report` shows them under "At the table".

    \b
    Examples:
      balance chances runs/first-look
      balance chances runs/first-look --tier styles --games 4000
    """
    from balance.analysis.chances import OUT_OF_IT
    from balance.cli.next_commands import after_playing, say_next
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.studies.reruns import follow_chances

    run = _open_to_play_again(run_folder, tier)
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("following")) as progress:
        table = follow_chances(run, games, workers, progress)
    if not quiet:
        count = int(table[table["measure"] == OUT_OF_IT]["n"].sum())
        text = trn("{run}: {n:,} game followed", "{run}: {n:,} games followed", count, run=run_folder)
        print_sentence(text + _of_tier(run))
        say_next(after_playing(run_folder))


def _open_to_play_again(path: Path, tier: str | None) -> RunFolder:
    """Open a finished run in a tier, by default the strongest quick one; warn if its rules or bots have changed."""
    from balance.runs.folder import RunFolder
    from balance.runs.strength import quick_tier

    run = RunFolder.open_finished(path, tier)
    if tier is None:
        run = run.in_tier(quick_tier(run).name)
    if changed := run.changes():
        text = tr(
            "{run}: changed since the run: {changed}; its games are played again with today's versions",
            run=path, changed=", ".join(changed),
        )  # fmt: skip
        print_sentence(text, err=True)
    return run


def _of_tier(run: RunFolder) -> str:
    """Return the active tier for a closing line, if the run has several."""
    return tr(" (tier {tier})", tier=run.plan.tier.name) if len(run.plan.tiers) > 1 else ""
