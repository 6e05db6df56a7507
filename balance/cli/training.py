"""`balance train`: what is learned by playing."""

from __future__ import annotations

from pathlib import Path

import click

from balance.cli.ending import Commands, one_line_errors
from balance.cli.options import Names, Numbers, Place


@click.group(cls=Commands)
def train() -> None:
    """Learn by playing: the weights of a profile, the values by which searchers judge a position.

    \b
    Examples:
      balance train profile --game na-grunwald --variant ./mine.toml --out adapted.toml
      balance train value --game na-grunwald --strategies search-50,balanced --games 2000 --out value.toml
    """


@train.command()
@click.option("--game", required=True, help="Game to play.")
@click.option("--variant", default="base", help="Its rules: a name or a TOML file; default base.")
@click.option("--players", type=Numbers(), help="Player counts; default all of the game's.")
@click.option("--strategies", type=Names(), required=True, help="Who plays: a pool, rotated.")
@click.option("--games", type=click.IntRange(min=10), required=True, help="Games at each player count.")
@click.option("--seed", type=int, default=0, help="Seed of the games.")
@click.option("--out", type=Place(), required=True, help="The value file to write.")
@click.option("--quiet", is_flag=True, help="No progress bar and no closing lines.")
@one_line_errors()
def value(
    game: str, variant: str, players: list[int] | None, strategies: list[str], games: int, seed: int,
    out: Path, quiet: bool,
) -> None:  # fmt: skip
    """Fit win chances from games: features of every seat at the end of each round, and who won.

    The weights are of named features, by player count and stage of the game. Brier's score says how well they
    foretell games that had no part in the fit; that of equal chances stands beside it.

    \b
    Examples:
      balance train value --game na-grunwald --strategies search-50,search-10,balanced --games 2000 --out mine.toml
      balance train value --game polska --players 2,4 --variant ./long-track.toml \\
          --strategies marker-runner,city-visitor --games 5000 --out track-value.toml
    """
    from balance.cli.progress import show_progress
    from balance.training.value import Training, train_value

    training = Training(game, variant, tuple(players or ()), tuple(strategies), games, seed)
    with show_progress(quiet) as progress:
        fits = train_value(training, out, progress)
    if not quiet:
        for count, fit in fits.items():
            click.echo(
                f"{count} players: Brier's score {fit.brier:.3f} (equal chances {fit.constant:.3f}; "
                f"difference ± {1.96 * fit.error:.3f}) on {fit.held_out:,} games that had no part in the fit"
            )
        click.echo(f"{out}: weights for {', '.join(map(str, fits))} players")


@train.command()
@click.option("--game", required=True, help="Game to play.")
@click.option("--variant", default="base", help="Its rules: a name or a TOML file; default base.")
@click.option("--players", type=Numbers(), help="Player counts; default all of the game's.")
@click.option("--start", default="champion", help="The profile to start from; default champion.")
@click.option("--against", type=Names(), help="Whom it meets; default all profiles that ship.")
@click.option(
    "--games",
    type=click.IntRange(min=10_000),
    default=3_000_000,
    help="At each player count; default 3,000,000.",
)
@click.option("--seed", type=int, default=0, help="Seed of the search and the games.")
@click.option("--out", type=Place(), required=True, help="The profile to write.")
@click.option("--quiet", is_flag=True, help="No progress bar and no closing lines.")
@one_line_errors()
def profile(
    game: str, variant: str, players: list[int] | None, start: str, against: list[str] | None, games: int,
    seed: int, out: Path, quiet: bool,
) -> None:  # fmt: skip
    """Evolve the weights of a profile by self-play, for each player count.

    CMA-ES: candidates meet the same opponents on the same decks in every seat, those of --against and a hall of
    fame of what was found before. Stopped, the same command goes on where it was, to the same result.

    \b
    Examples:
      balance train profile --game na-grunwald --variant ./mine.toml --out adapted.toml
      balance train profile --game polska --players 2 --start city-visitor --games 500000 --out mine.toml
    """
    from balance.cli.progress import show_progress
    from balance.contract.game import get_game
    from balance.training.measuring import write_share
    from balance.training.profile import ProfileTraining, train_profile

    opponents = tuple(against or get_game(game).shipped("profiles"))
    training = ProfileTraining(game, variant, tuple(players or ()), start, opponents, games, seed)
    with show_progress(quiet, "training") as progress:
        found = train_profile(training, out, progress)
    if not quiet:
        for count, trained in found.items():
            click.echo(
                f"{count} players: wins {write_share(trained.after)}; {start} {write_share(trained.before)}"
            )
        click.echo(f"{out}: weights for {', '.join(map(str, found))} players")
