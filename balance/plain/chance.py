"""Chance in plain Python: the streams of `balance.foundation.streams` behind the methods of `random.Random`.

A stream is one 64-bit number, so a position and its chance are copied in no time. The numbers are those of the compiled
functions: a game that is moved to compiled functions draws the same cards.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from balance.foundation.language import tr
from balance.foundation.streams import GOLDEN, scramble

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_TO_UNIT = 1.0 / (1 << 53)
_LONG = 16  # things to shuffle, from which arrays are quicker
_HALF, _ONE = np.uint64(32), np.uint64(1)


def _mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


@lru_cache(maxsize=1024)
def _offset(number: int) -> int:
    return _mix(((number + 1) * _GOLDEN) & _MASK)


def derive(seed: int, number: int) -> int:
    """Return a stream's seed from a parent seed and the stream's number, as `streams.derive`."""
    return _mix((seed + _offset(number)) & _MASK)


class Chance(random.Random):
    """The chance of a game: dice, shuffles and draws, from the seed of the deal.

    It has all methods of `random.Random`, such as ``randint(1, 6)``, ``shuffle(deck)``, ``choice(cards)`` and
    ``sample(cards, 3)``; and `note`, which writes an outcome into the trace.

    Attributes
    ----------
    word : int
        The state of the stream.
    on_note : callable or None
        What to do with a noted outcome of chance.
    on_outcome : callable or None
        What to do with an outcome of the rules: its name and parts.
    """

    def __init__(self, word: int = 0) -> None:
        super().__init__()
        self.word = word
        self.on_note: Callable[[str], None] | None = None
        self.on_outcome: Callable[[str, Mapping[str, int]], None] | None = None

    def __deepcopy__(self, memo: Any) -> Chance:
        """Refuse a copy: with a chance in the state, a searcher would know what will come up."""
        raise TypeError(tr("a state can't keep chance; use the one that is handed to setup() and apply()"))

    def note(self, outcome: str) -> None:
        """Write an outcome of chance into the trace, such as ``chance.note("die 4")``; replays and reports show it."""
        if self.on_note is not None:
            self.on_note(outcome)

    def outcome(self, name: str, **parts: int) -> None:
        """Write what the rules make of an action into the trace, such as ``chance.outcome("trick", player=2)``.

        `name` and `parts` are those of `PlainGame.OUTCOMES`. Call it before the state changes accordingly.
        """
        if self.on_outcome is not None:
            self.on_outcome(name, parts)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Refuse a seed: the experiment seeds the chance of every game."""
        if a is not None:
            raise TypeError(tr("the experiment seeds chance: leave out chance.seed(...)"))

    def _next(self) -> int:
        self.word = word = (self.word + _GOLDEN) & _MASK
        return _mix(word)

    def random(self) -> float:
        """Return a float, uniform in [0, 1)."""
        return (self._next() >> 11) * _TO_UNIT

    def getrandbits(self, k: int, /) -> int:
        """Return a whole number of `k` random bits."""
        found = bits = 0
        while bits < k:
            found = (found << 64) | self._next()
            bits += 64
        return found >> (bits - k)

    def _randbelow(self, n: int) -> int:
        """Return a whole number, uniform in 0..n-1; the methods of `random.Random` call it."""
        self.word = word = (self.word + _GOLDEN) & _MASK
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return (((word ^ (word >> 31)) >> 32) * n) >> 32

    def randint(self, a: int, b: int) -> int:
        """Return a whole number, uniform in a..b, as `random.Random.randint`, with less to check."""
        if type(a) is int and type(b) is int and a <= b:
            return a + self._randbelow(b - a + 1)
        return super().randint(a, b)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle in place, as `random.Random.shuffle`; a long sequence draws all its numbers at once."""
        last = len(x) - 1
        if last < _LONG:
            super().shuffle(x)
            return
        places = np.arange(last, 0, -1, dtype=np.uint64)
        words = scramble(np.uint64(self.word) + places[::-1] * GOLDEN)  # type: ignore[no-untyped-call]
        drawn = ((words >> _HALF) * (places + _ONE)) >> _HALF
        for place, other in zip(places.tolist(), drawn.tolist(), strict=True):
            x[place], x[other] = x[other], x[place]
        self.word = (self.word + last * _GOLDEN) & _MASK

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return a normally distributed float; `random.Random.gauss` would keep a second one outside the stream."""
        return self.normalvariate(mu, sigma)

    below = _randbelow

    def add_noise(self, values: Sequence[float], temperature: float) -> list[float]:
        """Return values with Gumbel noise, as `streams.add_noise`.

        Each is then the highest with a probability proportional to exp(value / temperature).
        """
        return [value + temperature * -math.log(-math.log(self.random() + 1e-300)) for value in values]
