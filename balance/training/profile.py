"""Train a profile; look up and check the names of a training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from balance.contract.game import Game, get_game
from balance.contract.sides import WINS
from balance.experiments.profiles import NO_PROFILE, Profile, check_has_weights, check_weighs
from balance.experiments.strategies import Strategy, load_strategies
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.catalogues import using
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.files import check_file, write_file
from balance.foundation.language import SOURCE, tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.runs.workers import Workers
from balance.stats.intervals import Interval
from balance.training.arena import Arena, share_of, write_share
from balance.training.diary import Diaries, hash_contents, hash_sources_of, hash_starts, head_lines
from balance.training.evolution import Budget, evolve_champion
from balance.training.settings import ProfileTraining, WeightTraining


def counts_of(game: Game, players: Sequence[int]) -> tuple[int, ...]:
    """Return the requested player counts, or all of the game if none is requested."""
    for count in players:
        if count not in game.players:
            raise unknown("player count", str(count), map(str, game.players), game.name)
    return tuple(players) or game.players


def check_compiled(strategies: Sequence[Strategy], where: str = "") -> None:
    """Refuse Python bots, which can't play in the compiled loop."""
    for each in strategies:
        if each.kind == "custom":
            raise BalanceError(where + tr("{name} is a Python bot, which can't take part in training", name=each.name))


MEASURED = 20_000  # games on held-out seeds


@dataclass(frozen=True)
class Trained:
    """Weights for a player count, and their win share on held-out seeds against the opponents of the training."""

    weights: dict[str, float]  # by feature
    settings: dict[str, float]  # by setting
    before: Interval  # win share of the start
    after: Interval  # win share of the result


def train_profile(
    training: ProfileTraining, out: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> dict[int, Trained]:
    """Train and write a profile; return the results by player count.

    A diary next to `out` lets a killed training resume, with the same result; it is removed once the profile is
    written.
    """
    asked = look_up(training, training.rounds)
    check_file(out)
    found: dict[int, Trained] = {}
    diaries = asked.diaries(out)
    for players in asked.players:
        arena = asked.arena(players, workers)
        start, budget = arena.row(asked.start), Budget(training.games, training.seed)
        row = evolve_champion(arena, start, budget, training.rounds, diaries.at(players), progress)
        progress.note(note_measuring(players))
        found[players] = describe_row(arena, start, row, training.seed)
    text = f"Trained from {asked.told['start']}."
    write_file(out, write_profile(out.stem, text, found, asked.told).encode())
    diaries.remove()
    return found


class Asked(NamedTuple):
    """A training with all names resolved."""

    game: Game
    rules: Any
    players: tuple[int, ...]
    start: Profile
    opponents: list[Strategy]
    told: dict[str, Any]  # keys of the table [training] in the trained file
    contents: dict[str, str]  # hashes of the named strategies

    def arena(self, players: int, workers: Workers | None) -> Arena:
        """Return the arena of the opponents at a player count."""
        return Arena(self.game, self.rules, players, self.opponents, workers=workers)

    def diaries(self, result: Path | None, styles: bool = False) -> Diaries:
        """Return the diaries of this training, next to its output file; changes of its inputs are noticed."""
        return Diaries(result, self.decided_by(styles))

    def decided_by(self, styles: bool = False) -> dict[str, Any]:
        """Return everything that decides the training, by names for messages."""
        sources = hash_sources_of(self.game, styles)
        return {**self.told, "game": self.game.name, **self.contents, **sources}


def look_up(training: WeightTraining, rounds: int = 1) -> Asked:
    """Look up and check everything that a training names; `rounds` are those of a profile's training."""
    here = Path.cwd()
    game = get_game(training.game)
    rules = load_variant(game, training.variant, here).rules
    if training.start:
        check_weighs(game, "--start")
    game.sides.require("balance train profile", (WINS,))
    against = training.against or tuple(game.shipped("profiles"))
    if not against:
        raise BalanceError(
            tr("--against: {game} has no profile of its own; name opponents, such as random", game=game.title)
        )
    opponents = load_strategies(game, against, here)
    check_compiled(opponents)
    players = counts_of(game, training.players)
    starts = load_starts(game, [training.start], players) if training.start else {"": NO_PROFILE}
    ((name, start),) = starts.items()
    told = {
        "variant": training.variant,
        "rules": hash_rules(rules),
        "start": name,
        "opponents": ", ".join(each.name for each in opponents),
        "games": training.games,
        "rounds": rounds,
        "seed": training.seed,
    }
    contents = hash_contents(opponents) | hash_starts({name: start})
    return Asked(game, rules, players, start, opponents, told, contents)


def note_measuring(players: int) -> str:
    """Return the note that a result is being measured."""
    return trn("measuring with {n} player", "measuring with {n} players", players)


def load_starts(game: Game, names: Sequence[str], players: Sequence[int]) -> dict[str, Profile]:
    """Return the profiles from which a search may start, by name."""
    found = {}
    for each in load_strategies(game, names, Path.cwd()):
        if each.profile is None:
            raise BalanceError(tr("start: {name} is not a profile, so it has no weights to start from", name=each.name))
        check_has_weights(each.profile, players, f"start: {each.name}")
        found[each.name] = each.profile
    return found


def describe_row(arena: Arena, start: np.ndarray, row: np.ndarray, seed: int) -> Trained:
    """Return a row as weights, with the win shares of start and result on the same held-out seeds in the arena."""
    row = np.array([float(f"{weight:.4g}") for weight in row])
    fresh = int(derive_many(seed, 1)[0])
    return Trained(
        **arena.tables(row), before=share_of(arena, start, MEASURED, fresh), after=share_of(arena, row, MEASURED, fresh)
    )


def write_profile(title: str, description: str, found: dict[int, Trained], told: dict[str, Any]) -> str:
    """Return a profile as TOML (see `balance.experiments.profiles.Profile`)."""
    lines = head_lines(title, description, told)
    for players, trained in found.items():
        with using(SOURCE):  # a file is English in every language
            after, before = write_share(trained.after), write_share(trained.before)
        lines += [
            f"# On held-out seeds it wins {after} against these opponents; the start won {before}.",
            f"[weights.{players}]",
            *(f"{name} = {value:g}" for name, value in trained.weights.items()),
            "",
        ]
        if trained.settings:
            lines += [f"[settings.{players}]"]
            lines += [f"{name} = {value:g}" for name, value in trained.settings.items()]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"
