"""`balance train`: what is learned by playing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.ending import Commands, one_line_errors
from balance.cli.options import SEED, Decorator, Names, Place, add_options, rules_played
from balance.cli.plain import echo, print_sentence

if TYPE_CHECKING:
    from balance.training.profile import ProfileTraining, Trained


@click.group(cls=Commands)
def train() -> None:
    """Train profiles, styles and searchers by self-play.

    \b
    Examples:
      balance train profile --game na-grunwald --variant ./mine.toml --out adapted.toml
      balance train styles --game na-grunwald --out styles
      balance train value --game na-grunwald --strategies search-50,balanced --games 2000 --out value.toml
    """


@train.command()
@rules_played()
@click.option("--strategies", type=Names(), required=True, help="Who plays: a pool, rotated.")
@click.option("--games", type=click.IntRange(min=10), required=True, help="Games at each player count.")
@click.option("--seed", type=SEED, default=0, help="Seed of the games.")
@click.option("--out", type=Place(), required=True, help="The value file to write.")
@click.option("--quiet", is_flag=True, help="No progress bar and no closing lines.")
@one_line_errors()
def value(
    game: str, variant: str, players: list[int] | None, strategies: list[str], games: int, seed: int,
    out: Path, quiet: bool,
) -> None:  # fmt: skip
    """Fit the win chances that searchers use.

    The fit uses the features of every seat at the end of each round, and who won.

    The weights belong to named features, by player count and stage of the game. The Brier score on held-out games is
    printed next to that of equal chances.

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
            print_sentence(
                f"{count} players: Brier's score {fit.brier:.3f} (equal chances {fit.constant:.3f}; "
                f"difference ± {1.96 * fit.error:.3f}) on {fit.held_out:,} games that had no part in the fit"
            )
        echo(f"{out}: weights for {', '.join(map(str, fits))} players")


def _weights_trained(games: int) -> Decorator:
    """What every training of weights is told beside; `games` is the default."""
    options = (
        click.option("--start", default="champion", help="The profile to start from; default champion."),
        click.option("--against", type=Names(), help="Whom it meets; default all profiles that ship."),
        click.option(
            "--games",
            type=click.IntRange(min=10_000),
            default=games,
            help=f"At each player count; default {games:,}.",
        ),
        click.option("--seed", type=SEED, default=0, help="Seed of the search and the games."),
        click.option("--quiet", is_flag=True, help="No progress bar and no closing lines."),
    )
    return add_options(options)


@train.command()
@click.option("--out", type=Place(), required=True, help="The profile to write.")
@rules_played()
@_weights_trained(games=3_000_000)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=1,
    help="After each but the last, best responses join whom it meets; default 1.",
)
@one_line_errors()
def profile(out: Path, quiet: bool, **told: Any) -> None:
    """Evolve the weights of a profile by self-play.

    Each player count gets weights of its own.

    CMA-ES: candidates meet the same opponents on the same deals in every seat: those of --against and a hall of fame of
    earlier candidates. With --rounds a candidate is charged for what best responses win, each alone among copies of the
    candidate. If stopped, the same command resumes, to the same result.

    \b
    Examples:
      balance train profile --game na-grunwald --players 4 --rounds 6 --out champion.toml
      balance train profile --game na-grunwald --variant ./mine.toml --out adapted.toml
      balance train profile --game polska --players 2 --start city-visitor --games 500000 --out mine.toml
    """
    from balance.cli.progress import show_progress
    from balance.training.profile import train_profile

    training = _training(told)
    with show_progress(quiet, "training") as progress:
        found = train_profile(training, out, progress)
    if not quiet:
        _say_shares(found, training.start)
        echo(f"{out}: weights for {', '.join(map(str, found))} players")


@train.command()
@click.option("--out", type=Place(), required=True, help="A folder for the profiles.")
@rules_played()
@_weights_trained(games=5_000_000)
@one_line_errors()
def styles(out: Path, quiet: bool, **told: Any) -> None:
    """Train the game's named styles against each other.

    Quality diversity comes first: the strongest weights for every mix of the game's axes (CMA-ME, of the package ribs).
    Then each named style starts from its corner and is trained against the others as they improve, at a cost for
    leaving its own way of playing. If stopped, the same command resumes.

    \b
    Examples:
      balance train styles --game na-grunwald --out styles
      balance train styles --game polska --players 2,3 --games 1000000 --out styles
    """
    from balance.cli.progress import show_progress
    from balance.training.styles import train_styles

    training = _training(told)
    with show_progress(quiet, "training") as progress:
        found = train_styles(training, out, progress)
    if not quiet:
        for name, trained in found.items():
            echo(f"{name}")
            _say_shares(trained, training.start)
        echo(f"{out}: {len(found)} profiles")


def _training(told: dict[str, Any]) -> ProfileTraining:
    """What the options say."""
    from balance.contract.game import get_game
    from balance.training.profile import ProfileTraining

    against = told.pop("against") or get_game(told["game"]).shipped("profiles")
    players = told.pop("players") or ()
    return ProfileTraining(players=tuple(players), against=tuple(against), **told)


def _say_shares(found: dict[int, Trained], start: str) -> None:
    """What came out, and what it started from, against the same opponents."""
    from balance.training.measuring import write_share

    for count, trained in found.items():
        after, before = write_share(trained.after), write_share(trained.before)
        print_sentence(f"{count} players: wins {after}; {start} {before}")
