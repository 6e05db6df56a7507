"""Playing the compiled rules one decision at a time, as tests and the oracle want to see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.games import Game
from balance.simulate import blank


@dataclass
class Step:
    """One decision or chance outcome, before it takes effect."""

    round: int
    seat: int
    kind: str
    label: str
    options: list[str]


Chooser = Callable[[np.record, list[str]], int]


class Stepper:
    """A game under way: asks a Python function at each decision.

    Parameters
    ----------
    game, rules : the game and its checked rule set
    players : int
    seed : int, of the decks
    """

    def __init__(self, game: Game, rules: Any, players: int, seed: int) -> None:
        types = game.record_types()
        self.game, self.rules = game, rules
        self.kernel, self.labels = game.module("kernel"), game.module("labels")
        self.packed = game.module("packing").pack_rules(rules, players)
        self.state: Any = blank(1, types.state)[0]
        self.codes = np.zeros(types.most_actions, np.int32)
        self.kernel.setup(self.packed, self.state, np.uint64(seed))

    def news(self) -> Iterator[Step]:
        for code in self.state.news[: self.state.news_count]:
            label = self.labels.write_label(int(code), self.rules)
            yield Step(int(self.state.round_number), -1, "chance", label, [])
        self.state.news_count = 0

    def options(self) -> list[str]:
        count = self.kernel.legal_actions(self.packed, self.state, self.codes)
        return [self.labels.write_label(int(code), self.rules) for code in self.codes[:count]]

    def play(self, choose: Chooser) -> Iterator[Step]:
        """Yield every step; the choice takes effect when the next step is asked for."""
        yield from self.news()
        while not self.state.over:
            options = self.options()
            pick = choose(self.state, options) if len(options) > 1 else 0
            code = int(self.codes[pick])
            kind = self.labels.kind_name(code)
            yield Step(int(self.state.round_number), int(self.state.seat), kind, options[pick], options)
            self.kernel.apply(self.packed, self.state, np.int32(code))
            yield from self.news()

    def result(self) -> tuple[np.record, np.recarray]:
        """The game's own columns and the seats' rows."""
        types = self.game.record_types()
        from balance.simulate import GAME, SEAT, _fields

        game_row = blank(1, np.dtype(GAME + _fields(types.game_columns), align=True))
        seats = blank(
            int(self.packed.players), np.dtype(SEAT + _fields(types.seat_columns), align=True)
        )
        self.kernel.write_result(self.packed, self.state, game_row[0], seats)
        return game_row[0], seats
