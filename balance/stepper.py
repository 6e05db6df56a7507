"""One game, one decision at a time, told in labels: for replays, transcripts and judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.errors import BalanceError
from balance.games import Game
from balance.simulate import CHANCE, Simulator, blank


@dataclass(frozen=True)
class Step:
    """A decision or chance outcome (`seat` -1) before it takes effect.

    Attributes
    ----------
    options : list of str
        Labels of the legal actions; empty for chance.
    """

    round: int
    seat: int
    kind: str
    label: str
    options: list[str]


class Stepper:
    """A game under way.

    Parameters
    ----------
    game : Game
    rules : the game's checked rule set
    players : int
    deck_seed : int
    """

    def __init__(self, game: Game, rules: Any, players: int, deck_seed: int) -> None:
        types = game.record_types()
        self._game, self._rules = game, rules
        self._kernel = game.module("kernel")
        self._labels = game.module("labels")
        self._packed = game.module("packing").pack_rules(rules, players)
        self._codes = np.zeros(types.most_actions, np.int32)
        self._written: dict[int, str] = {}
        self.state: Any = blank(1, types.state)[0]
        self._kernel.setup(self._packed, self.state, np.uint64(deck_seed))

    def _label(self, code: int) -> str:
        if code not in self._written:
            self._written[code] = self._labels.write_label(code, self._rules)
        return self._written[code]

    def _chance(self) -> Iterator[Step]:
        for code in self.state.news[: self.state.news_count].tolist():
            yield Step(int(self.state.round_number), CHANCE, "chance", self._label(code), [])
        self.state.news_count = 0

    def play(self, choose: Callable[[Any, list[str]], int]) -> Iterator[Step]:
        """Yield every step; a decision takes effect when the next step is asked for.

        Parameters
        ----------
        choose : callable
            Given the state record and the labels, returns the index to take; asked where there is
            more than one.
        """
        yield from self._chance()
        while not self.state.over:
            count = self._kernel.legal_actions(self._packed, self.state, self._codes)
            codes = self._codes[:count].tolist()
            options = [self._label(code) for code in codes]
            pick = choose(self.state, options) if count > 1 else 0
            kind = self._labels.kind_name(codes[pick])
            seat = int(self.state.seat)
            yield Step(int(self.state.round_number), seat, kind, options[pick], options)
            self._kernel.apply(self._packed, self.state, np.int32(codes[pick]))
            yield from self._chance()

    def play_labels(self, labels: list[str]) -> Iterator[Step]:
        """As `play`, the decisions taken from a list of their labels, single options included.

        Raises
        ------
        BalanceError
            A label is not legal where it stands.
        """
        waiting = iter(labels)

        def choose(state: Any, options: list[str]) -> int:
            label = next(waiting, "nothing")
            if label not in options:
                raise BalanceError(f"{label!r} is not legal; the options are {', '.join(options)}")
            return options.index(label)

        for step in self.play(choose):
            if step.seat != CHANCE and len(step.options) == 1:
                next(waiting, None)
            yield step

    def observe(self, seat: int) -> Any:
        """What a seat may see now."""
        return self._game.module("observation").observe(self._rules, self.state, seat)

    def result(self) -> tuple[np.record, np.ndarray]:
        """The game's own columns, and one row a seat with score, rank and the game's columns."""
        simulator = Simulator(self._game)
        rows = simulator.rows(1, int(self._packed.players), False, 0)
        self._kernel.write_result(self._packed, self.state, rows.games[0], rows.seats)
        return rows.games[0], rows.seats
