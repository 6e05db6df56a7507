"""A game in progress for a rule's test: labels in, options and state out."""

from __future__ import annotations

from typing import Any

from balance.contract.game import Game
from balance.engine.stepper import Stepper


class GameScene:
    """A game under way.

    Parameters
    ----------
    game : Game
    rules : its checked rule set
    players : int
    """

    def __init__(self, game: Game, rules: Any, players: int, seed: int) -> None:
        self.rules = rules
        self.stepper = Stepper.deal(game, rules, players, seed)
        self.packed, self.state, self.log = self.stepper.packed, self.stepper.state, self.stepper.log
        self.said: list[str] = []
        self._listen()

    def _listen(self) -> None:
        self.said += [step.label for step in self.stepper.recorded() if step.kind == "chance"]

    @property
    def seat(self) -> int:
        return self.stepper.seat

    def options(self) -> list[str]:
        return self.stepper.options()

    def take(self, *labels: str) -> Any:
        """Take actions one after another, each for the seat to choose."""
        for label in labels:
            assert not self.stepper.over, f"{label!r}: the game is over"
            options = self.options()
            assert label in options, f"{label!r} is not among {options}"
            self.said.append(f"{self.seat} {label}")
            self.stepper.take(options.index(label))
            self._listen()
        return self
