"""`balance train`: profiles, styles and win chances learned by self-play."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from balance.cli.options import Place, dask, quiet, rules_played, settings_of, workers
from balance.cli.output import Commands, echo, one_line_errors, print_sentence
from balance.foundation.language import tr, trn
from balance.training.settings import LearnedTraining, NetworkTraining, ProfileTraining, StyleTraining, ValueTraining

if TYPE_CHECKING:
    from balance.training.profile import Trained


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
@settings_of(ValueTraining)
@workers
@dask
@click.option("--out", type=Place(), required=True, help="The value file to write.")
@quiet("progress bar and no closing lines")
@one_line_errors()
def value(asked: ValueTraining, threads: int | None, dask: str | None, out: Path, quiet: bool) -> None:
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
    from balance.training.value import train_value

    with open_workers(dask, threads) as workers, show_progress(quiet) as progress:
        fits = train_value(asked, out, progress, workers)
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


@train.command()
@click.option("--out", type=Place(), required=True, help="The profile to write.")
@rules_played()
@settings_of(ProfileTraining)
@workers
@dask
@quiet("progress bar and no closing lines")
@one_line_errors()
def profile(asked: ProfileTraining, threads: int | None, dask: str | None, out: Path, quiet: bool) -> None:
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

    with open_workers(dask, threads) as workers, show_progress(quiet, tr("training")) as progress:
        found = train_profile(asked, out, progress, workers)
    if not quiet:
        _say_shares(found, asked.start)
        echo(tr("{file}: weights for {counts} players", file=out, counts=", ".join(map(str, found))))


@train.command()
@click.option("--out", type=Place(), required=True, help="A folder for the profiles.")
@rules_played()
@settings_of(StyleTraining)
@workers
@dask
@quiet("progress bar and no closing lines")
@one_line_errors()
def styles(asked: StyleTraining, threads: int | None, dask: str | None, out: Path, quiet: bool) -> None:
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

    with open_workers(dask, threads) as workers, show_progress(quiet, tr("training")) as progress:
        found = train_styles(asked, out, progress, workers)
    if not quiet:
        for name, trained in found.items():
            echo(f"{name}")
            _say_shares(trained, asked.start)
        echo(trn("{folder}: {n} profile", "{folder}: {n} profiles", len(found), folder=out))


@train.command()
@rules_played()
@settings_of(NetworkTraining)
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
def network(asked: NetworkTraining, threads: int | None, dask: str | None, out: Path | None, quiet: bool) -> None:
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
    from balance.training.network import train_network

    if get_game(asked.game).own_loop:
        _train_learned(asked, threads, dask, out, quiet)
        return
    if out is None:
        raise click.UsageError(tr("--out is needed: the file to write, such as {file}", file="mine.toml"))
    with open_workers(dask, threads) as workers, show_progress(quiet) as progress:
        train_network(asked, out, progress, workers)
    if not quiet:
        weights = out.with_suffix(".npz")
        echo(tr("network: {file}, its weights: {weights}", file=out, weights=weights))


def _train_learned(
    asked: NetworkTraining, threads: int | None, dask: str | None, out: Path | None, quiet: bool
) -> None:
    """Train the players of a game in plain Python."""
    from balance.cli.next_commands import say_next
    from balance.cli.terminal import show_progress
    from balance.contract.game import get_game
    from balance.contract.sides import SEAT
    from balance.experiments.drafts import EXPERIMENT
    from balance.experiments.networks import EXPERT
    from balance.runs.cluster import open_workers
    from balance.training.plain_strength import write_strength
    from balance.training.plain_training import train_learned

    given = {each.name for each in fields(asked) if _is_given(each.name)}
    if others := sorted(given - {each.name for each in fields(LearnedTraining)}):
        raise click.UsageError(
            tr("--{name} is for games that ship with balance; yours learns from its rules alone", name=others[0])
        )
    training = LearnedTraining(**{name: getattr(asked, name) for name in given | {"variant", "players"}})
    folder = Path(asked.game)
    expert = folder / "networks" / f"{EXPERT}.toml"
    out = out or expert
    with open_workers(dask, threads) as workers, show_progress(quiet, tr("training")) as progress:
        found = train_learned(training, out, progress, workers)
    together = get_game(asked.game).sides.kind != SEAT
    if not quiet:
        for players, strength in found.items():
            for line in write_strength(players, strength, together):
                print_sentence(line)
        echo(tr("network: {file}, its weights: {weights}", file=out, weights=out.with_suffix(".npz")))
        if out == expert and (plan := folder / EXPERIMENT).exists():
            name = get_game(asked.game).folder.name
            say_next([["run", str(plan), "--out", str(Path("runs") / name)]])


def _is_given(name: str) -> bool:
    """Return whether the command line gives an option of the running command."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


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
