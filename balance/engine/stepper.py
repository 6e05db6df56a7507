"""One game step by step: list options, take one, observe. For replays, bots, tests and environments."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import CHANCE, blank, flat_rows, initial_record
from balance.contract.view import Move, TraceWords
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.streams import derive_many


@dataclass(frozen=True)
class Step:
    """A decision before it takes effect, a chance outcome or an outcome (both have `seat` -1)."""

    round: int  # the current round
    seat: int
    kind: str
    label: str
    options: list[str]  # labels of the legal actions; empty for chance and outcomes
    parts: Mapping[str, int]  # the parts of the action or outcome, by name
    code: int  # of the action or chance outcome; below 0 for an outcome


class Stepper:
    """A game in progress.

    Parameters
    ----------
    game : Game
    rules : the game's checked rule set
    players : int
    room : sequence of record arrays or None
        State, log and scratch of a `Buffers` to inspect; None to create new records.

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
        new = (initial_record(kinds.state), initial_record(kinds.log), blank(1, kinds.scratch))
        self.state, self.log, self.scratch = (record[0] for record in (room or new)[:3])
        self.codes = np.zeros(kinds.most_actions, np.int32)
        self.words = TraceWords(game.kernel, game.display, rules)
        self._count = 0  # of the actions listed last
        self._written: dict[int, str] = {}

    @classmethod
    def deal(cls, game: Game, rules: Any, players: int, deal_seed: int) -> Stepper:
        """Return a game at its first decision."""
        stepper = cls(game, rules, players)
        stepper.log.keep_chance = stepper.log.keep_outcomes = 1
        stepper.state.chance[:] = derive_many(deal_seed, np.arange(len(stepper.state.chance)))
        game.kernel.setup(stepper.packed, stepper.state, stepper.log, stepper.scratch)
        return stepper

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.over)

    @property
    def seat(self) -> int:
        """The seat to choose."""
        return int(self.state.seat)

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self.state.round_number)

    def write(self, code: int) -> str:
        """Return the label of a code."""
        if code not in self._written:
            self._written[code] = self.words.label(code, ())
        return self._written[code]

    def options(self) -> list[str]:
        """Return labels of the legal actions; their codes are then in `codes`."""
        kernel = self.game.kernel
        self._count = int(kernel.legal_actions(self.packed, self.state, self.scratch, self.codes))
        return [self.write(code) for code in self.codes[: self._count].tolist()]

    def take(self, index: int) -> None:
        """Carry out one of the actions that `options` listed last, and continue to the next decision."""
        if not 0 <= index < self._count:
            raise IndexError(f"action {index} of {self._count}: call options() first")
        self._count = 0
        self.log.entry_count = 0
        code = int(self.codes[index])  # of the type for which the loop has it compiled
        self.game.kernel.apply(self.packed, self.state, self.log, self.scratch, code)

    def recorded(self) -> list[Step]:
        """Return the chance outcomes and outcomes since the last action, or at the start those of the deal."""
        words = self.words
        return [
            Step(number, CHANCE, words.kind(code), words.label(code, parts), [], words.parts(code, parts), code)
            for code, number, parts in self.log.entries[: self.log.entry_count].tolist()
        ]

    def stopped_at(self, code: int, entry: int) -> np.record:
        """Return the state in which an action records chance outcome or outcome number `entry`, from 0.

        The action is applied to a copy, whose log has no room for this entry.
        """
        other = self.copy()
        other.log.entry_count, other.log.entry_room = 0, entry
        with suppress(IndexError):
            self.game.kernel.apply(other.packed, other.state, other.log, other.scratch, code)
        state: np.record = other.state
        return state

    def observe(self, seat: int | None = None) -> Any:
        """Return what a seat (default: the seat to choose) may see now."""
        return self.game.display.observe(self.rules, self.state, self.seat if seat is None else seat)

    def evaluate(self, weights: np.record) -> np.ndarray:
        """Return the value of each option for the seat to choose, under weights of `pack_strategies`."""
        count = len(self.options())
        values = np.zeros(len(self.codes))
        self.game.heuristics.evaluate(self.packed, self.state, self.scratch, weights, self.codes, count, values)
        return values[:count]

    def describe_position(self) -> tuple[int, np.ndarray]:
        """Return what networks see of the position: the number of the head, and the features (`CONTEXT`)."""
        context = self.game.network_functions["context"]
        self.scratch.context[:] = 0
        head = int(context(self.packed, self.state, self.scratch))
        return head, self.scratch.context.copy()

    def describe_options(self) -> np.ndarray:
        """Return what networks see of every legal action, as rows: `SHORTLIST_FEATURES`, here 0, then `ACTION`."""
        count, row = len(self.options()), self.scratch.described[0]
        self.describe_position()
        found = np.zeros((count, len(row)), np.float32)
        for number, code in enumerate(self.codes[:count].tolist()):
            row[:] = 0
            self.game.network_functions["describe_action"](self.packed, self.state, self.scratch, code, row)
            found[number] = row
        return found

    def determinize(self, seed: int) -> None:
        """Deal again what the seat to choose can't see."""
        streams = np.array([seed], np.uint64)
        self.game.kernel.determinize(self.packed, self.state, self.scratch, streams, 0)

    def conceal(self) -> None:
        """Remove what the seat to choose can't see; the game can only continue after `determinize`."""
        self.game.kernel.conceal(self.packed, self.state, self.scratch)

    def known(self, seed: int = 0) -> bytes:
        """Return the state without what the seat to choose can't see, as a start for `determinize`.

        A game in plain Python deals what is hidden again, with the seed: its author's `guess` needs a whole state.
        """
        other = self.copy()
        if self.game.own_loop:
            other.determinize(seed)
            return pickle.dumps(other.state.item(), pickle.HIGHEST_PROTOCOL)
        other.conceal()
        return bytes(other.state.tobytes())

    def scores(self) -> list[float]:
        """Return the score of each seat if the game ended now; an error if the game has no `score_now`."""
        heuristics = self.game.heuristics
        if not hasattr(heuristics, "score_now"):
            missing = "heuristics.score_now is missing, so there are no scores before the end"
            raise self.game.fault(missing)
        heuristics.score_now(self.packed, self.state, self.scratch)
        return [float(score) for score in self.scratch.scores[: int(self.packed.players)]]

    def copy(self) -> Stepper:
        """Return an independent copy of the game in its current position."""
        other = copy(self)
        other.codes = self.codes.copy()
        for name in ("state", "log", "scratch"):
            setattr(other, name, _copy(getattr(self, name)))
        return other

    def result(self) -> tuple[Any, np.recarray]:
        """Return the row of the game, and one row for each seat, with all columns."""
        kinds, players = self.game.records, int(self.packed.players)
        game, seats = blank(1, kinds.game_row), blank(players, kinds.seat_row)
        game[0], seats[:] = self.log.game, self.log.seats[:players]
        self.game.kernel.write_result(self.packed, self.state, self.log, self.scratch, game[0], seats)
        names = self.game.column_names
        return flat_rows(game, names)[0], flat_rows(seats, names)


def walk(stepper: Stepper, choose: Callable[[Stepper, list[str]], int], most: float = inf) -> Iterator[Step]:
    """Yield every step of a game, up to its end or `most` decisions; each takes effect when the next step is asked for.

    If there is more than one option, `choose` gets the stepper and the labels, and returns the index to take.
    """
    yield from stepper.recorded()
    taken = 0
    while not stepper.over and taken < most:
        options = stepper.options()
        pick = choose(stepper, options) if len(options) > 1 else 0
        code = int(stepper.codes[pick])
        parts = stepper.words.parts(code, ())
        yield Step(stepper.round, stepper.seat, stepper.words.kind(code), options[pick], options, parts, code)
        stepper.take(pick)
        taken += 1
        yield from stepper.recorded()


def walk_labels(stepper: Stepper, labels: Sequence[str]) -> Iterator[Step]:
    """Walk through a game by the labels of its decisions, those with a single option too, up to the last label."""
    waiting = iter(labels)

    def choose(_: Stepper, options: list[str]) -> int:
        label = next(waiting)
        if label not in options:
            raise BalanceError(
                tr("{label!r} is not legal; the options are {options}", label=label, options=", ".join(options))
            )
        return options.index(label)

    for step in walk(stepper, choose, len(labels)):
        if step.seat != CHANCE and len(step.options) == 1:
            next(waiting, None)
        yield step


def moves_of(stepper: Stepper, steps: Iterator[Step], names: list[str]) -> Iterator[tuple[Step, Move]]:
    """Yield every step with the states before and after it, a decision after it took effect.

    The position of a chance outcome of the deal is that of the first decision.
    """
    viewer = 0
    for group, positions in _decisions(stepper, steps):
        if group[0].seat != CHANCE:
            viewer = group[0].seat
        for number, step in enumerate(group):
            around = positions[number], positions[number + 1]
            yield step, Move(step.kind, step.label, step.seat, step.parts, *around, viewer, names, step.code)


def _decisions(stepper: Stepper, steps: Iterator[Step]) -> Iterator[tuple[list[Step], list[np.record]]]:
    """Yield each decision with all that follows from it, and the states before each of these and after the last."""
    step = next(steps, None)
    while step is not None:
        decided = step.seat != CHANCE
        before, code = stepper.copy(), stepper.codes[step.options.index(step.label)] if decided else 0
        group = [step]
        step = next(steps, None)  # now the decision takes effect
        while step is not None and step.seat == CHANCE:
            group.append(step)
            step = next(steps, None)
        after = _copy(stepper.state)
        if decided:
            states = [before.state, *(before.stopped_at(code, n) for n in range(len(group) - 1)), after]
        else:
            states = [after] * (len(group) + 1)
        yield group, states


def _copy(record: Any) -> np.record:
    copied = blank(1, record.dtype)
    copied[0] = record
    only: np.record = copied[0]
    return only
