"""One game driven from outside: ask for the options, take one, look. For replays, bots, tests, environments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.compiling.streams import derive_many
from balance.contract.game import Game
from balance.contract.records import CHANCE, blank, game_row_type, seat_row_type
from balance.errors import BalanceError


@dataclass(frozen=True)
class Step:
    """A decision or chance outcome (`seat` -1) before it takes effect.

    Attributes
    ----------
    round : int
        In which it happens.
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
    room : sequence of record arrays or None
        State, log and scratch to look at where they are played in (a `Room`); None for records of its own.

    Attributes
    ----------
    state, log, scratch : record
        See `balance.contract.records`; a test may change them.
    packed : record
        The rules as the compiled functions read them.
    codes : int32 array
        The actions that `options` listed last.
    """

    def __init__(self, game: Game, rules: Any, players: int, room: Sequence[Any] | None = None) -> None:
        self.game, self.rules = game, rules
        self.packed: Any = game.kernel.pack_rules(rules, players)
        kinds = game.records
        records = room or [blank(1, kind) for kind in (kinds.state, kinds.log, kinds.scratch)]
        self.state, self.log, self.scratch = (record[0] for record in records[:3])
        self.codes = np.zeros(kinds.most_actions, np.int32)
        self._count = 0  # of the actions that were listed last
        self._written: dict[int, str] = {}

    @classmethod
    def deal(cls, game: Game, rules: Any, players: int, deck_seed: int) -> Stepper:
        """A game at its first decision."""
        stepper = cls(game, rules, players)
        stepper.log.keep_news = 1
        stepper.state.chance[:] = derive_many(deck_seed, np.arange(len(stepper.state.chance)))
        game.kernel.setup(stepper.packed, stepper.state, stepper.log, stepper.scratch)
        return stepper

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.over)

    @property
    def seat(self) -> int:
        """Who must choose."""
        return int(self.state.seat)

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self.state.round_number)

    def write(self, code: int) -> str:
        """The label of a code."""
        if code not in self._written:
            self._written[code] = self.game.display.write_label(code, self.rules)
        return self._written[code]

    def options(self) -> list[str]:
        """Labels of the legal actions; their codes are then in `codes`."""
        kernel = self.game.kernel
        self._count = int(kernel.legal_actions(self.packed, self.state, self.scratch, self.codes))
        return [self.write(code) for code in self.codes[: self._count].tolist()]

    def take(self, index: int) -> None:
        """Carry out an action of those that `options` listed last, and play on to the next decision.

        Raises
        ------
        IndexError
            There is no such action; `options` lists them anew for each decision.
        """
        if not 0 <= index < self._count:
            raise IndexError(f"action {index} of {self._count}: list the options first")
        self._count, code = 0, self.codes[index]
        self.log.news_count = 0
        self.game.kernel.apply(self.packed, self.state, self.log, self.scratch, code)

    def news(self) -> list[tuple[int, str]]:
        """Round and label of the chance outcomes since the last action; at first, those of the deal."""
        found = self.log.news[: self.log.news_count]
        return [(int(news["round_number"]), self.write(int(news["code"]))) for news in found]

    def observe(self, seat: int | None = None) -> Any:
        """What a seat, or the one to choose, may see now."""
        return self.game.display.observe(self.rules, self.state, self.seat if seat is None else seat)

    def evaluate(self, weights: np.record) -> np.ndarray:
        """Value of each of the options to the seat that must choose, under a profile's weights.

        Parameters
        ----------
        weights : record
            Of `balance.plan.strategies.pack_strategies`.
        """
        count = len(self.options())
        values = np.zeros(len(self.codes))
        self.game.heuristics.evaluate(
            self.packed, self.state, self.scratch, weights, self.codes, count, values
        )
        return values[:count]

    def redeal(self, seed: int) -> None:
        """Deal anew what the seat to choose can't see."""
        streams = np.array([seed], np.uint64)
        self.game.kernel.redeal(self.packed, self.state, self.scratch, streams, 0)

    def conceal(self) -> None:
        """Forget what the seat to choose can't see; there is no going on from there but by `redeal`."""
        self.game.kernel.conceal(self.packed, self.state, self.scratch)

    def known(self) -> bytes:
        """The state without what the seat to choose can't see, to go on from by `redeal`."""
        other = self.copy()
        other.conceal()
        return bytes(other.state.tobytes())

    def scores(self) -> list[float]:
        """What each seat would score if the game ended now.

        Raises
        ------
        BalanceError
            The game doesn't bring `score_now`.
        """
        heuristics = self.game.heuristics
        if not hasattr(heuristics, "score_now"):
            raise self.game.fault(
                "heuristics.score_now is missing, so there are no scores before the end"
            )
        heuristics.score_now(self.packed, self.state, self.scratch)
        return [float(score) for score in self.scratch.scores[: int(self.packed.players)]]

    def copy(self) -> Stepper:
        """A game that stands where this one stands and goes its own way."""
        other = copy(self)
        other.codes = self.codes.copy()
        for name in ("state", "log", "scratch"):
            record = blank(1, getattr(self, name).dtype)
            record[0] = getattr(self, name)
            setattr(other, name, record[0])
        return other

    def result(self) -> tuple[Any, np.recarray]:
        """The game's own columns, and one row a seat with score, rank and the game's columns."""
        kinds = self.game.records
        game = blank(1, game_row_type(kinds.game_columns))
        seats = blank(int(self.packed.players), seat_row_type(kinds.seat_columns))
        self.game.kernel.write_result(self.packed, self.state, self.log, self.scratch, game[0], seats)
        return game[0], seats


def walk(stepper: Stepper, choose: Callable[[Stepper, list[str]], int]) -> Iterator[Step]:
    """Yield every step of a game; a decision takes effect when the next step is asked for.

    Parameters
    ----------
    choose : callable
        Given the stepper and the labels, returns the index to take; asked where there is more than one.
    """
    yield from _chance(stepper)
    while not stepper.over:
        options = stepper.options()
        pick = choose(stepper, options) if len(options) > 1 else 0
        kind = stepper.game.display.kind_name(int(stepper.codes[pick]))
        yield Step(stepper.round, stepper.seat, kind, options[pick], options)
        stepper.take(pick)
        yield from _chance(stepper)


def _chance(stepper: Stepper) -> Iterator[Step]:
    for number, label in stepper.news():
        yield Step(number, CHANCE, "chance", label, [])


def walk_labels(stepper: Stepper, labels: Sequence[str]) -> Iterator[Step]:
    """As `walk`, the decisions taken from a list of their labels, single options included.

    Raises
    ------
    BalanceError
        A label is not legal where it stands.
    """
    waiting = iter(labels)

    def choose(_: Stepper, options: list[str]) -> int:
        label = next(waiting, "nothing")
        if label not in options:
            raise BalanceError(f"{label!r} is not legal; the options are {', '.join(options)}")
        return options.index(label)

    for step in walk(stepper, choose):
        if step.seat != CHANCE and len(step.options) == 1:
            next(waiting, None)
        yield step
