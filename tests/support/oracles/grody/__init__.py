"""Grody in plain Python, written from the rule page alone: the judge of the compiled rules.

`play` is a generator: it yields a `Question` for every decision and chance outcome and is sent the label; at
the end it returns a row for each seat. Rules are the plain dictionaries of `run.json`. Nothing here is shared
with the package.
"""

from typing import Any

from support.oracles.grody.game import Game
from support.oracles.shared import Ask, Question

__all__ = ["Game", "Question", "play"]


def play(rules: dict[str, Any], players: int) -> tuple[Game, Ask]:
    """Return a new game and the generator that plays it."""
    assert players == 2
    game = Game(rules)
    return game, game.play()
