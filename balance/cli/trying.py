"""`balance try`: change a rule, play games and see the effect at once."""

from __future__ import annotations

from typing import Any

import click

from balance.cli.ending import one_line_errors
from balance.cli.options import SEED, Names, rules_played


@click.command("try")
@rules_played()
@click.option(
    "--strategies",
    type=Names(),
    required=True,
    help="A pool of strategies; line-ups are drawn from it evenly.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    help="Games at each player count; default 10,000; with searchers and Python bots, the games of one second.",
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
@click.option("--seed", type=SEED, default=1, help="Seed of the games.")
@click.option("--workers", type=click.IntRange(min=1), help="Threads; default one on each core.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@one_line_errors()
def try_live(changes: tuple[str, ...], once: bool, quiet: bool, **options: Any) -> None:
    """Change a rule and see its effect within a second.

    Games are played in memory and not logged. A line KEY = VALUE changes a rule key; STRATEGY.WEIGHT = VALUE changes a
    weight. The same games are played again and compared with those before the change. Lines come from the terminal, or
    from a file or pipe; `help` lists the other commands.

    \b
    Examples:
      balance try --game na-grunwald --players 2,4 --strategies champion
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
    quiet: bool, game: str, variant: str, players: list[int] | None, strategies: list[str],
    games: int | None, measures: list[str] | None, seed: int, workers: int | None,
) -> Any:  # fmt: skip
    """Return a `balance.studies.live_table.LiveTable` with its first games played."""
    from pathlib import Path

    from balance.cli.terminal import show_progress
    from balance.contract.game import get_game
    from balance.experiments.experiment import make_experiment
    from balance.experiments.planning import make_plan
    from balance.studies.live_table import GAMES, MEASURES, LiveTable

    data = {
        "game": game, "players": players or list(get_game(game).players), "variants": [variant],
        "strategies": strategies, "games": games or GAMES, "seed": seed, "log": "rounds",
    }  # fmt: skip
    plan = make_plan(make_experiment(data), Path(), "command line")
    with show_progress(quiet) as progress:
        return LiveTable(plan, games is None, measures or MEASURES, workers, progress)
