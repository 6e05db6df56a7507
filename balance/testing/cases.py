"""Games for the contract tests: a few of each player count and variant, played by profiles and at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from balance.contract.game import Game
from balance.contract.records import CHANCE
from balance.engine.stepper import Step, Stepper, walk
from balance.experiments.strategies import load_strategy, pack_strategies
from balance.experiments.variants import load_variant
from balance.testing.digest import load_game

Choose = Callable[[Stepper, list[str]], int]


class Cases:
    """The source of games for tests.

    Attributes
    ----------
    game : str or Game
        A name, ``MODULE:ATTRIBUTE``, or the game itself.
    games : int
        Games of each player count and variant in each test.
    most_steps : int
        Steps after which a game is abandoned.
    """

    game: str | Game
    games = 2
    most_steps = 300

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Run a test that asks for `players` or `variant` with each of the game's own."""
        game = load_game(type(self).game)
        if "players" in metafunc.fixturenames:
            metafunc.parametrize("players", game.players)
        if "variant" in metafunc.fixturenames:
            metafunc.parametrize("variant", game.shipped("variants"))

    @property
    def subject(self) -> Game:
        """The game."""
        return load_game(type(self).game)

    def players_of(self, variant: str) -> int:
        """Return a player count for a variant, cycling through them, so that a test need not combine all with all."""
        counts = self.subject.players
        return counts[self.subject.shipped("variants").index(variant) % len(counts)]

    def rules(self, variant: str = "base") -> Any:
        """Return a shipped rule set."""
        return load_variant(self.subject, variant, Path()).rules

    @cached_property
    def weights(self) -> np.recarray:
        """Return weights of every shipped profile, and some random ones, so that every feature has an effect."""
        game = self.subject
        names = game.shipped("profiles")
        profiles = [load_strategy(game, name, game.folder) for name in names]
        _, shipped, _ = pack_strategies(game, profiles, game.players[0])
        drawn = np.zeros(2, shipped.dtype).view(np.recarray)
        for field in shipped.dtype.names or ():
            drawn[field] = np.random.default_rng(len(field)).normal(size=2)
        for setting, (default, _) in game.heuristics.SETTINGS.items():
            drawn[setting] = default
        return np.concatenate([shipped, drawn]).view(np.recarray)

    def deals(self, players: int, variant: str = "base") -> Iterator[tuple[Stepper, np.random.Generator]]:
        """Yield a few games at their first decision, each with a random generator for choices."""
        rules = self.rules(variant)
        for seed in range(type(self).games):
            rng = np.random.default_rng([seed, players])
            yield Stepper.deal(self.subject, rules, players, int(rng.integers(2**62))), rng

    def chooser(self, rng: np.random.Generator) -> Choose:
        """Return a chooser that follows a profile half of the time, so that games make progress."""
        weights = self.weights

        def choose(stepper: Stepper, options: list[str]) -> int:
            if rng.random() < 0.5:
                return int(rng.integers(len(options)))
            best = int(np.argmax(stepper.evaluate(weights[int(rng.integers(len(weights)))])))
            stepper.options()
            return best

        return choose

    def walks(self, players: int, variant: str = "base") -> Iterator[tuple[Stepper, Step]]:
        """Yield every step of a few games before it takes effect, until they end or are abandoned."""
        for stepper, rng in self.deals(players, variant):
            for number, step in enumerate(walk(stepper, self.chooser(rng))):
                yield stepper, step
                if number == type(self).most_steps:
                    break

    def decisions(self, players: int, variant: str = "base") -> Iterator[Stepper]:
        """Yield the positions of `walks` at decisions only."""
        for stepper, step in self.walks(players, variant):
            if step.seat != CHANCE:
                yield stepper


def describe(stepper: Stepper) -> tuple[int, np.ndarray, np.ndarray]:
    """Return what networks see of a decision: its head, features of the position, and of every legal action."""
    return *stepper.describe_position(), stepper.describe_options()


def skip(reason: str) -> NoReturn:
    """Skip the test; pytest is no requirement of the package."""
    import pytest

    pytest.skip(reason)


def same_records(one: Any, two: Any) -> bool:
    """Return whether two records have the same bytes."""
    return bool(one.tobytes() == two.tobytes())


def as_far_as(steps: Iterator[Step], count: int) -> Iterator[Step]:
    """Yield `count` steps, then request one more, so that the last one takes effect."""
    for number, step in enumerate(steps):
        if number == count:
            return
        yield step
