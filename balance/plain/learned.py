"""A learned player of a game in plain Python: scores of actions, from the columns of `balance.plain.inputs`.

``h = relu(bias[seat] + sum of context rows + sum of action rows)``, score ``h @ out[seat]``, plus a number of its own
for each position and action in a game that has few (`TABLE_SCALE` times the table's). Sums run in a fixed order, in
float32, so that a player plays the same games on every machine.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from balance.contract.records import HIDDEN
from balance.foundation.compiling import compiled, compiled_entry
from balance.plain.inputs import Described, Inputs

ARRAYS = ("context", "action", "bias", "out", "table")
TABLE_SCALE = 5.0
Arrays = dict[str, np.ndarray]


def shapes_of(inputs: Inputs) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a player's arrays; none is empty, because compiled functions read them all."""
    sizes = max(1, len(inputs.context)), max(1, len(inputs.action)), max(1, inputs.rows)
    seats = inputs.players
    every = (sizes[0], HIDDEN), (sizes[1], HIDDEN), (seats, HIDDEN), (seats, HIDDEN), (sizes[2],)
    return dict(zip(ARRAYS, every, strict=True))


def encode(parts: Sequence[np.ndarray]) -> str:
    """Return arrays in the order of `ARRAYS` as base64 of their float16 numbers."""
    with np.errstate(over="ignore"):
        return b64encode(b"".join(np.asarray(part).astype("<f2").tobytes() for part in parts)).decode()


class Batch(NamedTuple):
    """Decisions; the columns of decision n are ``context[context_first[n]:context_first[n + 1]]``."""

    seat: np.ndarray
    context_first: np.ndarray
    context: np.ndarray
    option_first: np.ndarray  # of each decision, its first action
    column_first: np.ndarray  # of each action, its first column
    columns: np.ndarray
    rows: np.ndarray  # of the table, -1 for none


class BatchLists:
    """A batch as lists that grow."""

    def __init__(self) -> None:
        self.seat: list[int] = []
        self.context_first, self.option_first, self.column_first = [0], [0], [0]
        self.context: list[int] = []
        self.columns: list[int] = []
        self.rows: list[int] = []

    def add(self, seat: int, decision: Described) -> None:
        """Add a decision."""
        self.seat.append(seat)
        self.context += decision.context
        self.context_first.append(len(self.context))
        for columns in decision.options:
            self.columns += columns
            self.column_first.append(len(self.columns))
        self.rows += decision.rows
        self.option_first.append(len(self.rows))

    def batch(self) -> Batch:
        """Return the arrays."""
        found = (getattr(self, name) for name in Batch._fields)
        return Batch(*(np.array(each, np.int32) for each in found))


def weights_of(arrays: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """Return arrays in the order of `ARRAYS`."""
    return tuple(arrays[name] for name in ARRAYS)


@compiled
def fill_layers(weights, batch, n, layers):
    """Fill the hidden layer of each action of decision `n`, and return their number; the row beyond is shared."""
    by_context, by_action, bias = weights[0], weights[1], weights[2]
    seat, first = batch.seat[n], batch.option_first[n]
    count = batch.option_first[n + 1] - first
    for j in range(HIDDEN):
        layers[count, j] = bias[seat, j]
    for i in range(batch.context_first[n], batch.context_first[n + 1]):
        row = batch.context[i]
        for j in range(HIDDEN):
            layers[count, j] += by_context[row, j]
    for a in range(count):
        for j in range(HIDDEN):
            layers[a, j] = layers[count, j]
        for i in range(batch.column_first[first + a], batch.column_first[first + a + 1]):
            row = batch.columns[i]
            for j in range(HIDDEN):
                layers[a, j] += by_action[row, j]
        for j in range(HIDDEN):
            layers[a, j] = max(np.float32(0), layers[a, j])
    return count


@compiled
def score(weights, batch, n, layers, a):
    """Return the score of action `a` of decision `n`, whose layers are filled."""
    out, table, seat = weights[3], weights[4], batch.seat[n]
    row = batch.rows[batch.option_first[n] + a]
    found = np.float32(TABLE_SCALE) * table[row] if row >= 0 else np.float32(0)
    for j in range(HIDDEN):
        found += layers[a, j] * out[seat, j]
    return found


@compiled_entry
def score_batch(weights, batch, scores):
    """Fill the scores of the actions of all decisions."""
    most = 1
    for n in range(batch.seat.shape[0]):
        most = max(most, batch.option_first[n + 1] - batch.option_first[n])
    layers = np.empty((most + 1, HIDDEN), np.float32)
    for n in range(batch.seat.shape[0]):
        count = fill_layers(weights, batch, n, layers)
        for a in range(count):
            scores[batch.option_first[n] + a] = score(weights, batch, n, layers, a)


class LearnedPlayer:
    """A learned player at a player count."""

    def __init__(self, inputs: Inputs, arrays: Mapping[str, np.ndarray]) -> None:
        self._inputs, self._weights = inputs, weights_of(arrays)

    def weigh(self, author: Any, position: Any, actions: Sequence[str]) -> list[float]:
        """Return the score of each action of the seat to choose."""
        decision = BatchLists()
        decision.add(position.seat, self._inputs.describe(author, position, actions))
        scores = np.empty(len(actions), np.float32)
        score_batch(self._weights, decision.batch(), scores)
        found: list[float] = scores.tolist()
        return found
