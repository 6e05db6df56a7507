"""A profile trained for a game, a variant and each player count, and written as a TOML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from balance.compiling.streams import derive_many
from balance.contract.game import Game, get_game
from balance.errors import BalanceError
from balance.log.files import check_file, write_file
from balance.plan.profiles import Profile, check_has_weights
from balance.plan.strategies import Strategy, load_strategies
from balance.plan.variants import hash_rules, load_variant
from balance.progress import SILENCE, Progress
from balance.stats.intervals import Interval
from balance.training.arena import Arena
from balance.training.checks import check_compiled, counts_of
from balance.training.diary import Diaries
from balance.training.evolution import Budget
from balance.training.league import evolve_champion
from balance.training.measuring import share_of, write_share
from balance.training.provenance import hash_contents, hash_sources_of, hash_starts, head_lines

MEASURED = 20_000  # games on fresh seeds


@dataclass(frozen=True)
class ProfileTraining:
    """What a profile is trained for and from.

    Attributes
    ----------
    game, variant : str
    players : tuple of int
        Empty: all counts of the game.
    start : str
        The profile from which the search starts.
    against : tuple of str
        Strategies that it meets beside those found on the way.
    games : int
        At each player count, about.
    seed : int
    rounds : int
        See `balance.training.league.evolve_champion`.
    """

    game: str
    variant: str
    players: tuple[int, ...]
    start: str
    against: tuple[str, ...]
    games: int
    seed: int
    rounds: int = 1


@dataclass(frozen=True)
class Trained:
    """Weights for a player count, and what they win on fresh seeds against what they were trained against.

    Attributes
    ----------
    weights, settings : dict
        By feature and setting.
    before, after : Interval
        Win share of the start and of the result.
    """

    weights: dict[str, float]
    settings: dict[str, float]
    before: Interval
    after: Interval


def train_profile(
    training: ProfileTraining, out: Path, progress: Progress = SILENCE
) -> dict[int, Trained]:
    """Train and write a profile; returns what came out by player count.

    A diary beside `out` lets a training that was killed go on where it was, to the same result; it is removed
    when the profile is written.

    Raises
    ------
    BalanceError
        Something named is not there or not fit for it, `out` can't be written, or its diary is of another
        training.
    """
    asked = look_up(training)
    check_file(out)
    found: dict[int, Trained] = {}
    diaries = asked.diaries(out)
    for players in asked.players:
        arena = Arena(asked.game, asked.rules, players, asked.opponents)
        start, budget = arena.row(asked.start), Budget(training.games, training.seed)
        row = evolve_champion(arena, start, budget, training.rounds, diaries.at(players), progress)
        progress.note(f"measuring with {players} players")
        found[players] = describe_row(arena, start, row, training.seed)
    text = f"Trained from {asked.told['start']}."
    write_file(out, write_profile(out.stem, text, found, asked.told).encode())
    diaries.remove()
    return found


class Asked(NamedTuple):
    """A training with everything that it names looked up."""

    game: Game
    rules: Any
    players: tuple[int, ...]
    start: Profile
    opponents: list[Strategy]
    told: dict[str, Any]  # what the trained file will say of it
    contents: dict[str, str]  # hashes of the strategies that it names

    def diaries(self, beside: Path | None, styles: bool = False) -> Diaries:
        """Diaries of this training, beside the file that it writes; a change of what decides it is noticed."""
        sources = hash_sources_of(self.game, styles)
        return Diaries(beside, {**self.told, "game": self.game.name, **self.contents, **sources})


def look_up(training: ProfileTraining) -> Asked:
    """Look up and check everything that a training names.

    Raises
    ------
    BalanceError
        Something named is not there, or can't be trained from or against.
    """
    here = Path.cwd()
    game = get_game(training.game)
    rules = load_variant(game, training.variant, here).rules
    opponents = load_strategies(game, training.against, here)
    check_compiled(opponents)
    players = counts_of(game, training.players)
    ((name, start),) = load_starts(game, [training.start], players).items()
    told = {
        "variant": training.variant,
        "rules": hash_rules(rules),
        "start": name,
        "opponents": ", ".join(each.name for each in opponents),
        "games": training.games,
        "rounds": training.rounds,
        "seed": training.seed,
    }
    contents = hash_contents(opponents) | hash_starts({name: start})
    return Asked(game, rules, players, start, opponents, told, contents)


def load_starts(game: Game, names: Sequence[str], players: Sequence[int]) -> dict[str, Profile]:
    """The profiles from which a search may start, by their names.

    Raises
    ------
    BalanceError
        There is no such strategy, it is no profile, or has no weights for a player count.
    """
    found = {}
    for each in load_strategies(game, names, Path.cwd()):
        if each.profile is None:
            raise BalanceError(f"start: {each.name} is no profile, so it has no weights to start from")
        check_has_weights(each.profile, players, f"start: {each.name}")
        found[each.name] = each.profile
    return found


def describe_row(arena: Arena, start: np.ndarray, row: np.ndarray, seed: int) -> Trained:
    """A row as it is written, with what start and result win on the same fresh seeds against the arena."""
    row = np.array([float(f"{weight:.4g}") for weight in row])
    fresh = int(derive_many(seed, 1)[0])
    return Trained(
        **arena.tables(row),
        before=share_of(arena, start, MEASURED, fresh),
        after=share_of(arena, row, MEASURED, fresh),
    )


def write_profile(title: str, description: str, found: dict[int, Trained], told: dict[str, Any]) -> str:
    """A profile (TOML, see `balance.plan.profiles.Profile`)."""
    lines = head_lines(title, description, told)
    for players, trained in found.items():
        lines += [
            f"# On fresh seeds it wins {write_share(trained.after)} against these opponents; "
            f"the start won {write_share(trained.before)}.",
            f"[weights.{players}]",
            *(f"{name} = {value:g}" for name, value in trained.weights.items()),
            "",
        ]
        if trained.settings:
            lines += [f"[settings.{players}]"]
            lines += [f"{name} = {value:g}" for name, value in trained.settings.items()]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"
