"""A profile trained for a game, a variant and each player count, and written as a TOML file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from balance.compiling.streams import derive_many
from balance.contract.game import Game, get_game
from balance.errors import BalanceError, unknown
from balance.log.files import replace_file
from balance.plan.profiles import Profile, check_has_weights
from balance.plan.strategies import load_strategies
from balance.plan.variants import load_variant
from balance.progress import SILENCE, Progress
from balance.stats.intervals import Interval
from balance.training.arena import Arena
from balance.training.evolution import Budget, Diary, evolve
from balance.training.measuring import share_of, write_share
from balance.training.provenance import hash_rules, head_lines

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
    """

    game: str
    variant: str
    players: tuple[int, ...]
    start: str
    against: tuple[str, ...]
    games: int
    seed: int


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
    game, rules, start, told = look_up(training)
    opponents = load_strategies(game, training.against, Path.cwd())
    found, diaries = {}, []
    for players in training.players or game.players:
        diaries.append(diary_beside(out, players, {**told, "game": game.name, "players": players}))
        arena = Arena(game, rules, players, opponents)
        progress.note(f"training for {players} players")
        found[players] = train_row(
            arena, arena.row(start), training.games, training.seed, diaries[-1], progress
        )
    replace_file(out, write_profile(out.stem, f"Trained from {told['start']}.", found, told).encode())
    for diary in diaries:
        diary.remove()
    return found


def look_up(training: ProfileTraining) -> tuple[Game, Any, Profile, dict[str, Any]]:
    """Game, rules, the profile to start from, and what the trained file will say of all that.

    Raises
    ------
    BalanceError
        Something named is not there, or can't be trained from or against.
    """
    here = Path.cwd()
    game = get_game(training.game)
    rules = load_variant(game, training.variant, here).rules
    opponents = load_strategies(game, training.against, here)
    (start,) = load_strategies(game, [training.start], here)
    if start.profile is None:
        raise BalanceError(f"start: {start.name} is no profile, so it has no weights to start from")
    if bots := [each.name for each in opponents if each.kind == "custom"]:
        raise BalanceError(f"{bots[0]} is a bot in Python, which can't be asked here")
    for players in training.players:
        if players not in game.players:
            raise unknown("player count", str(players), map(str, game.players), game.name)
    check_has_weights(start.profile, training.players or game.players, f"start: {start.name}")
    told = {
        "variant": training.variant,
        "rules": hash_rules(rules),
        "start": start.name,
        "opponents": ", ".join(each.name for each in opponents),
        "games": training.games,
        "seed": training.seed,
    }
    return game, rules, start.profile, told


def train_row(
    arena: Arena, start: np.ndarray, games: int, seed: int, diary: Diary, progress: Progress
) -> Trained:
    """Evolve weights by self-play, and measure them."""
    row = evolve(arena, start, Budget(games, seed), diary=diary, progress=progress)
    return describe_row(arena, start, row, seed)


def describe_row(arena: Arena, start: np.ndarray, row: np.ndarray, seed: int) -> Trained:
    """A row as it is written, with what start and result win on the same fresh seeds against the arena."""
    row = np.array([float(f"{weight:.4g}") for weight in row])
    fresh = int(derive_many(seed, 1)[0])
    return Trained(
        **arena.tables(row),
        before=share_of(arena, start, MEASURED, fresh),
        after=share_of(arena, row, MEASURED, fresh),
    )


def diary_beside(out: Path, players: int, told: dict[str, Any]) -> Diary:
    """The diary of a training for a player count, beside the file that it writes."""
    return Diary(out.with_name(f"{out.name}.{players}.diary"), told)


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
