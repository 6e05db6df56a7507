"""`balance train`: profiles, styles and win chances learned by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.options import (
    Decorator,
    Names,
    Place,
    add_options,
    at_least,
    dask,
    quiet,
    rules_played,
    seed,
    workers,
)
from balance.cli.output import Commands, echo, one_line_errors, print_sentence
from balance.foundation.language import tr, trn

if TYPE_CHECKING:
    from balance.training.profile import ProfileTraining, Trained


@click.group(cls=Commands)
def train() -> None:
    """Train profiles, styles, networks and searchers by self-play.

    \b
    Examples:
      balance train profile --game na-grunwald --variant ./mine.toml --out adapted.toml
      balance train styles --game na-grunwald --out styles
      balance train value --game na-grunwald --strategies search-50,generalist --games 2000 --out value.toml
    """


@train.command()
@rules_played()
@click.option("--strategies", type=Names(), required=True, help="A pool of strategies, rotated.")
@click.option("--games", type=at_least(10), required=True, help="Games at each player count.")
@seed(0)
@workers
@dask
@click.option("--out", type=Place(), required=True, help="The value file to write.")
@quiet("progress bar and no closing lines")
@one_line_errors()
def value(
    game: str, variant: str, players: list[int] | None, strategies: list[str], games: int, seed: int,
    threads: int | None, dask: str | None, out: Path, quiet: bool,
) -> None:  # fmt: skip
    """Fit the win chances that searchers use.

    The fit uses the features of every seat at the end of each round, and the winner.

    Each named feature gets a weight by player count and stage of the game. The command prints the Brier score on
    held-out games next to that of equal chances.

    \b
    Examples:
      balance train value --game na-grunwald --strategies search-50,search-10,generalist --games 2000 --out mine.toml
      balance train value --game polska --players 2,4 --variant ./long-track.toml \\
          --strategies marker-runner,city-visitor --games 5000 --out track-value.toml
    """
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.training.value import Training, train_value

    training = Training(game, variant, tuple(players or ()), tuple(strategies), games, seed)
    with open_workers(dask, threads) as workers, show_progress(quiet) as progress:
        fits = train_value(training, out, progress, workers)
    if not quiet:
        for count, fit in fits.items():
            print_sentence(
                trn(
                    "{n} player: Brier score {brier:.3f} (equal chances {constant:.3f}; difference ± {error:.3f}) on "
                    "{games:,} held-out games",
                    "{n} players: Brier score {brier:.3f} (equal chances {constant:.3f}; difference ± {error:.3f}) on "
                    "{games:,} held-out games",
                    count, brier=fit.brier, constant=fit.constant, error=1.96 * fit.error, games=fit.held_out,
                )
            )  # fmt: skip
        echo(tr("{file}: weights for {counts} players", file=out, counts=", ".join(map(str, fits))))


def _weights_trained(games: int) -> Decorator:
    """Return the options that all training of weights shares; `games` is the default of --games."""
    count = click.option(
        "--games", type=at_least(10_000), default=games, help="Games at each player count."
    )
    return add_options(
        click.option("--start", default="champion", help="The profile to start from."),
        click.option("--against", type=Names(), help="Opponents; default all shipped profiles."),
        count,
        seed(0, of="the search and the games"),
        workers,
        dask,
        quiet("progress bar and no closing lines"),
    )


@train.command()
@click.option("--out", type=Place(), required=True, help="The profile to write.")
@rules_played()
@_weights_trained(games=3_000_000)
@click.option(
    "--rounds",
    type=at_least(1),
    default=1,
    help="Rounds of training; after each but the last, best responses join the opponents.",
)
@one_line_errors()
def profile(out: Path, threads: int | None, dask: str | None, quiet: bool, **told: Any) -> None:
    """Evolve the weights of a profile by self-play.

    Each player count gets weights of its own.

    The method is CMA-ES. Candidates play the same opponents on the same deals in every seat: those of --against and a
    hall of fame of earlier candidates. With --rounds, the wins of best responses, each alone among copies of a
    candidate, count against that candidate. If stopped, run the same command again: it resumes, with the same result.

    \b
    Examples:
      balance train profile --game na-grunwald --players 4 --rounds 6 --out champion.toml
      balance train profile --game na-grunwald --variant ./mine.toml --out adapted.toml
      balance train profile --game polska --players 2 --start city-visitor --games 500000 --out mine.toml
    """
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.training.profile import train_profile

    training = _training(told)
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("training")) as progress:
        found = train_profile(training, out, progress, workers)
    if not quiet:
        _say_shares(found, training.start)
        echo(tr("{file}: weights for {counts} players", file=out, counts=", ".join(map(str, found))))


@train.command()
@click.option("--out", type=Place(), required=True, help="A folder for the profiles.")
@rules_played()
@_weights_trained(games=5_000_000)
@one_line_errors()
def styles(out: Path, threads: int | None, dask: str | None, quiet: bool, **told: Any) -> None:
    """Train the game's named styles against each other.

    Quality diversity comes first: the strongest weights for every mix of the game's axes (CMA-ME, from the package
    ribs). Then each named style starts from its corner and is trained against the others as they improve, with a
    penalty for leaving its own style. If stopped, run the same command again to resume.

    \b
    Examples:
      balance train styles --game na-grunwald --out styles
      balance train styles --game polska --players 2,3 --games 1000000 --out styles
    """
    from balance.cli.terminal import show_progress
    from balance.runs.cluster import open_workers
    from balance.training.styles import train_styles

    training = _training(told)
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("training")) as progress:
        found = train_styles(training, out, progress, workers)
    if not quiet:
        for name, trained in found.items():
            echo(f"{name}")
            _say_shares(trained, training.start)
        echo(trn("{folder}: {n} profile", "{folder}: {n} profiles", len(found), folder=out))


_NETWORK: dict[str, Any] = {
    "profile": "champion", "against": ["champion"], "rounds": 2, "games": 2000, "iterations": 100, "steps": 200,
    "networks": 1, "start": "",
}  # fmt: skip
"""Defaults of `balance train network`."""
_OWN_GAME: dict[str, Any] = {"steps": 300, "networks": 3}
"""Those for a game in plain Python, which has no other options."""


@train.command()
@rules_played()
@click.option("--profile", help="The network scores this profile's best actions; default champion.")
@click.option("--against", type=Names(), help="Profiles that also play; default champion.")
@click.option("--rounds", type=at_least(1), help="Rounds of labels and self-play; default 2.")
@click.option("--games", type=at_least(50), help="Labelled games of each round; default 2000.")
@click.option("--iterations", type=at_least(1), help="Iterations of the searcher; default 100.")
@click.option(
    "--steps",
    type=at_least(0),
    help="Steps of self-play of each round; default 200, in a game of your own 300 in all.",
)
@click.option(
    "--networks",
    type=click.IntRange(1, 9),
    help="Networks trained apart, with seeds from --seed on; default 1, in a game of your own 3.",
)
@click.option("--start", help="The network that self-play starts from; default: a new one.")
@seed(0)
@workers
@dask
@click.option(
    "--out",
    type=Place(),
    help="The network's file to write; the weights go next to it. Default networks/expert.toml in the folder of a game "
    "of your own.",
)
@quiet("progress bar and no closing lines")
@one_line_errors()
def network(out: Path | None, threads: int | None, dask: str | None, quiet: bool, **told: Any) -> None:
    """Train a network that chooses among the best actions of a profile.

    In each round a searcher labels games; a network learns its choices, then plays itself. A killed training resumes.
    In a game of your own networks learn by self-play from the rules alone, and the command prints how strong they are.

    \b
    Examples:
      balance train network --game na-grunwald --players 2 --out mine.toml
      balance train network --game ./mygame
      balance train network --game na-grunwald --variant ./mine.toml --start expert --rounds 1 --out adapted.toml
      balance run --game na-grunwald --players 2 --strategies ./mine.toml,champion --games 2000 --out runs/mine
    """
    from balance.cli.terminal import show_progress
    from balance.contract.game import get_game
    from balance.runs.cluster import open_workers
    from balance.training.network import NetworkTraining, train_network

    if get_game(told["game"]).own_loop:
        _train_learned(out, threads, dask, quiet, told)
        return
    if out is None:
        raise click.UsageError(
            tr("--out is needed: the file to write, such as {file}", file="mine.toml")
        )
    told |= {name: default for name, default in _NETWORK.items() if told[name] is None}
    players, against = (tuple(told.pop(name) or ()) for name in ("players", "against"))
    training = NetworkTraining(players=players, against=against, **told)
    with open_workers(dask, threads) as workers, show_progress(quiet) as progress:
        train_network(training, out, progress, workers)
    if not quiet:
        weights = out.with_suffix(".npz")
        echo(tr("network: {file}, its weights: {weights}", file=out, weights=weights))


def _train_learned(
    out: Path | None, threads: int | None, dask: str | None, quiet: bool, told: dict[str, Any]
) -> None:
    """Train the players of a game in plain Python."""
    from balance.cli.next_commands import say_next
    from balance.cli.terminal import show_progress
    from balance.contract.game import get_game
    from balance.contract.sides import SEAT
    from balance.experiments.game_draft import EXPERIMENT
    from balance.experiments.networks import EXPERT
    from balance.runs.cluster import open_workers
    from balance.training.plain_training import LearnedTraining, train_learned, write_strength

    for name in _NETWORK.keys() - _OWN_GAME.keys():
        if told.pop(name) is not None:
            raise click.UsageError(
                tr(
                    "--{name} is for games that ship with balance; yours learns from its rules alone",
                    name=name,
                )
            )
    told |= {name: default for name, default in _OWN_GAME.items() if told[name] is None}
    folder = Path(told["game"])
    expert = folder / "networks" / f"{EXPERT}.toml"
    out = out or expert
    training = LearnedTraining(**{**told, "players": tuple(told["players"] or ())})
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("training")) as progress:
        found = train_learned(training, out, progress, workers)
    together = get_game(training.game).sides.kind != SEAT
    if not quiet:
        for players, strength in found.items():
            for line in write_strength(players, strength, together):
                print_sentence(line)
        echo(tr("network: {file}, its weights: {weights}", file=out, weights=out.with_suffix(".npz")))
        if out == expert and (plan := folder / EXPERIMENT).exists():
            name = get_game(told["game"]).folder.name
            say_next([["run", str(plan), "--out", str(Path("runs") / name)]])


@train.command()
@click.option("--game", required=True, help="Game of the networks.")
@click.argument("networks", nargs=-1, required=True, metavar="NETWORK...")
@click.option("--out", type=Place(), required=True, help="The file to write; the weights go next to it.")
@quiet("closing line")
@one_line_errors()
def join(game: str, networks: tuple[str, ...], out: Path, quiet: bool) -> None:
    """Join networks that were trained apart into one strategy.

    Each deal is played by one of them, so intervals include how far they differ.

    \b
    Example:
      balance train join --game na-grunwald ./one.toml ./two.toml --out both.toml
    """
    from balance.contract.game import get_game
    from balance.training.network_files import join_networks

    found = join_networks(get_game(game), networks, out)
    if not quiet:
        counts = ", ".join(
            trn("{n} player: {networks}", "{n} players: {networks}", players, networks=count)
            for players, count in found.items()
        )
        echo(tr("{file}: networks with {counts}", file=out, counts=counts))


def _training(told: dict[str, Any]) -> ProfileTraining:
    """Return the training that the options describe."""
    from balance.contract.game import get_game
    from balance.training.profile import ProfileTraining

    against = told.pop("against") or get_game(told["game"]).shipped("profiles")
    players = told.pop("players") or ()
    return ProfileTraining(players=tuple(players), against=tuple(against), **told)


def _say_shares(found: dict[int, Trained], start: str) -> None:
    """Print the win shares of the trained profile and of its start, against the same opponents."""
    from balance.training.arena import write_share

    for count, trained in found.items():
        after, before = write_share(trained.after), write_share(trained.before)
        print_sentence(
            trn(
                "{n} player: wins {after}; {start} {before}", "{n} players: wins {after}; {start} {before}",
                count, after=after, start=start, before=before,
            )
        )  # fmt: skip
