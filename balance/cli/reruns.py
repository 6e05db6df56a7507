"""Commands that play games of a run again, to learn more about them: components, decisions and chances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.options import Decorator, RunPlace, add_options, at_least, dask, quiet, replayed_tier, workers
from balance.cli.output import one_line_errors, print_sentence
from balance.foundation.language import tr, trn

if TYPE_CHECKING:
    import pandas as pd

    from balance.foundation.progress import Progress
    from balance.runs.folder import RunFolder
    from balance.runs.workers import Workers

    Find = Callable[[RunFolder, Workers | None, Progress], pd.DataFrame]


@dataclass(frozen=True)
class Again:
    """A run whose games are played again, and how."""

    path: Path
    games: int  # of each cell
    tier: str | None
    threads: int | None
    dask: str | None
    quiet: bool

    def play(self, doing: str, find: Find, say: Callable[[pd.DataFrame], str]) -> None:
        """Play the games, and say what `find` found and what to do next; `doing` names the progress."""
        from balance.cli.next_commands import after_playing, say_next
        from balance.cli.terminal import show_progress
        from balance.runs.cluster import open_workers

        run = _open_to_play_again(self.path, self.tier)
        with open_workers(self.dask, self.threads) as workers, show_progress(self.quiet, doing) as progress:
            found = find(run, workers, progress)
        if not self.quiet:
            print_sentence(say(found) + _of_tier(run))
            say_next(after_playing(self.path))


def _again(games: int) -> Decorator:
    """Return the argument and the options of a command that plays games again, which it gets as one value, `again`.

    `games` is the default number for each cell.
    """
    options = add_options(
        click.argument("run_folder", metavar="RUN", type=RunPlace()),
        click.option("--games", type=at_least(1), default=games, help="Games of each cell."),
        replayed_tier,
        workers,
        dask,
        quiet("progress bar and no closing line"),
    )

    def add(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def call(
            run_folder: Path,
            games: int,
            tier: str | None,
            threads: int | None,
            dask: str | None,
            quiet: bool,
            **own: Any,
        ) -> None:
            command(again=Again(run_folder, games, tier, threads, dask, quiet), **own)

        return options(one_line_errors()(call))

    return add


@click.command()
@_again(1000)
def components(again: Again) -> None:
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
    from balance.studies.reruns import try_components

    def say(table: pd.DataFrame) -> str:
        names = len(table[["family", "component"]].drop_duplicates())
        return trn("{run}: {n} component tried", "{run}: {n} components tried", names, run=again.path)

    again.play(tr("giving"), lambda run, *how: try_components(run, again.games, *how), say)


@click.command()
@click.option("--judge", help="The searcher that judges; default search-100, with the expert as prior if there is one.")
@click.option("--every", type=at_least(1), default=8, help="Judge one decision in N.")
@_again(100)
def decisions(again: Again, judge: str | None, every: int) -> None:
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
    from balance.experiments.networks import strongest_searcher
    from balance.studies.reruns import judge_decisions

    def find(run: RunFolder, workers: Workers | None, progress: Progress) -> pd.DataFrame:
        plan = run.plan
        name = judge or strongest_searcher(plan.game, plan.experiment.players, 100)
        return judge_decisions(run, again.games, name, every, workers, progress)

    def say(table: pd.DataFrame) -> str:
        each = table[(table["kind"] == ALL) & (table["stage"] == ALL) & (table["measure"] == LOST)]
        count = int(each.groupby(["players", "variant"])["n"].max().sum())
        return trn("{run}: {n:,} decision judged", "{run}: {n:,} decisions judged", count, run=again.path)

    again.play(tr("judging"), find, say)


@click.command()
@_again(1000)
def chances(again: Again) -> None:
    """Follow each player's chance to win through the games of a run.

    The first games of each cell are played again, and every position after a round is looked at. From these games the
    command learns how often such positions win. It measures who sits without hope and for how long, and when games are
    decided. At some choices it also tries another option, to see how much players do to each other. The results are
    kept in the run's folder; `balance report` shows them under "At the table".

    \b
    Examples:
      balance chances runs/first-look
      balance chances runs/first-look --tier styles --games 4000
    """
    from balance.analysis.chances import OUT_OF_IT
    from balance.studies.reruns import follow_chances

    def say(table: pd.DataFrame) -> str:
        count = int(table[table["measure"] == OUT_OF_IT]["n"].sum())
        return trn("{run}: {n:,} game followed", "{run}: {n:,} games followed", count, run=again.path)

    again.play(tr("following"), lambda run, *how: follow_chances(run, again.games, *how), say)


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
