"""A table from the codes of actions to numbers, filled in Python and read in compiled code.

It is an open-addressing hash table of int64 words; the size is a power of two. A word has the code plus 1 in its lower
half, and the number in its upper half; 0 is an empty slot. A word is written at once, so threads may share a table.
"""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled

_HALF = 32
_LOWER = (1 << _HALF) - 1
_SPREAD, _SHIFT = 2654435769, 14  # Knuth's multiplicative hashing: the upper bits of the lower 32


def find_slot(words: np.ndarray, code: int) -> int:
    """Return the slot of a code, or the empty slot where it belongs."""
    last = len(words) - 1
    slot = (code * _SPREAD >> _SHIFT) & last
    while (word := int(words[slot])) and (word & _LOWER) != code + 1:
        slot = (slot + 1) & last
    return slot


def make_word(code: int, number: int) -> int:
    """Return the word of a code with a number from 0 to 2**31 - 1."""
    return (number << _HALF) | (code + 1)


@compiled
def number_of(words, code):
    """Return the number of a code; -1 if it is not in the table."""
    last = words.shape[0] - 1
    wide = np.int64(code)
    slot = (wide * _SPREAD >> _SHIFT) & last
    while words[slot] != 0:
        if (words[slot] & _LOWER) == wide + 1:
            return words[slot] >> _HALF
        slot = (slot + 1) & last
    return np.int64(-1)
