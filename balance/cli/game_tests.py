"""The command that tests a game in plain Python: test-game."""

from __future__ import annotations

import click

from balance.cli.options import Names, Numbers, quiet
from balance.cli.output import decided, echo, one_line_errors, print_sentence
from balance.foundation.language import tr


@click.command("test-game")
@click.argument("game")
@click.option("--players", type=Numbers(), help="Player counts; default all of the game.")
@click.option("--variant", "variants", type=Names(), help="Variants; default all of the game.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Play only this seed.")
@click.option("--games", type=click.IntRange(1), default=5, help="Seeds of each variant and player count.")
@quiet("progress bar")
@one_line_errors()
def test_game(
    game: str, players: list[int] | None, variants: list[str] | None, seed: int | None, games: int, quiet: bool
) -> None:
    """Test a game in plain Python.

    GAME is the folder of the game. Random bots play each variant at each player count. The suite checks that files
    load, labels are legal, games end, scores are numbers, nothing but setup and apply changes the state, bots use
    nothing hidden, and the same seed gives the same game, also in another process. Each failure is one sentence with
    file and line. Exit status 1: something failed.

    \b
    Examples:
      balance test-game ./duel
      balance test-game ./duel --variant short --players 3 --seed 4
    """
    from balance.cli.terminal import show_progress
    from balance.contract.game import get_game
    from balance.studies.game_checks import check_game

    seeds = [seed] if seed is not None else list(range(games))
    with show_progress(quiet, tr("testing")) as progress:
        found = check_game(get_game(game), players or (), variants or (), seeds, progress)
    if found.failures:
        with decided(1):
            for failure in found.failures:
                echo(failure)
    print_sentence(
        tr(
            "passed: {games} games; {speed:,.0f} random games a second on one core, "
            "with {decisions:.0f} decisions each",
            games=found.games,
            speed=found.speed,
            decisions=found.decisions,
        )
    )
