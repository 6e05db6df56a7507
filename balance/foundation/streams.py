"""Random streams: one 64-bit word of state each, cheap to seed, the same compiled or not.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014); numbers below a bound are drawn by multiply-and-shift (Lemire, "Fast
random integer generation in an interval", 2019) from the high 32 bits, whose bias for the bounds
met in games (below 10,000) is under one part in 400,000.
"""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32, _S11 = (np.uint64(n) for n in (27, 30, 31, 32, 11))
_TO_UNIT = 1.0 / (1 << 53)


def scramble(word):
    """Scramble 64-bit words (SplitMix64's output function), one or an array; a bijection."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


mix = compiled(scramble)


@compiled
def derive(seed, number):
    """Return a stream's seed from a parent seed and the stream's number (both uint64)."""
    return mix(seed + mix((number + np.uint64(1)) * GOLDEN))


def derive_many(seed: int, *numbers: int | np.ndarray) -> np.ndarray:
    """Apply `derive` to arrays, one number after another: seeds (uint64) of nested streams of `seed`."""
    found = np.array([seed % 2**64], np.uint64)
    for number in numbers:
        each = np.atleast_1d(number).astype(np.uint64)
        found = scramble(found + scramble((each + np.uint64(1)) * GOLDEN))
    return found


@compiled
def next_word(streams, index):
    """Advance `streams[index]` (uint64 array) and return 64 random bits."""
    streams[index] += GOLDEN
    return mix(streams[index])


@compiled
def draw_below(streams, index, bound):
    """Return a whole number, uniform in 0..bound-1."""
    return np.int64(((next_word(streams, index) >> _S32) * np.uint64(bound)) >> _S32)


@compiled
def draw_unit(streams, index):
    """Return a float, uniform in [0, 1)."""
    return np.float64(next_word(streams, index) >> _S11) * _TO_UNIT


@compiled
def add_noise(values, count, temperature, streams, index):
    """Add Gumbel noise to `values[:count]`, in place.

    Each is then the highest with a probability proportional to exp(value / temperature).
    """
    for i in range(count):
        values[i] += temperature * -np.log(-np.log(draw_unit(streams, index) + 1e-300))


@compiled
def shuffle(cards, count, streams, index):
    """Shuffle `cards[:count]` in place (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = draw_below(streams, index, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card
