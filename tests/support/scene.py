"""A game in progress for a rule's test: labels in, options and state out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.contract.view import Move, Told, tell
from balance.engine.stepper import Step, Stepper, moves_of
from balance.experiments.variants import read_extended
from balance.foundation.toml import merge


def change_rules(game: Game, changes: dict[str, Any] | None = None, variant: str = "base") -> Any:
    """Return the rules of a shipped variant with changes."""
    data = read_extended(game, game.folder / "variants" / f"{variant}.toml")
    return game.rules.load_rules(merge(data, changes or {}), "test", Path())


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

    def tell(self, label: str, names: list[str]) -> list[Told]:
        """Take an action; return what a replay tells of it and of all that follows from it."""
        return [told for move in self.trace(label, names) for told in tell(self.stepper.game.display, self.rules, move)]

    def trace(self, label: str, names: list[str]) -> list[Move]:
        """Take an action; return the rows of the trace from it to the next decision."""
        options = self.options()
        pick = options.index(label)

        def steps() -> Iterator[Step]:
            code = int(self.stepper.codes[pick])
            words = self.stepper.words
            yield Step(self.stepper.round, self.seat, words.kind(code), label, options, words.parts(code, ()), code)
            self.stepper.take(pick)
            yield from self.stepper.recorded()

        return [move for _, move in moves_of(self.stepper, steps(), names)]

    def outcomes(self, label: str) -> list[tuple[str, dict[str, int]]]:
        """Take an action; return its recorded outcomes, by name, with their parts."""
        self.take(label)
        recorded = [step for step in self.stepper.recorded() if step.kind == "outcome"]
        return [(step.label.split()[0], dict(step.parts)) for step in recorded]

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
