"""Actions and chance outcomes as integers; `display/labels.py` writes the label of each."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry

(
    DECLINE,
    PLAY,
    ACCEPT,
    COUNTER,
    DONE,
    MOVE,
    KEEP,
    EXCHANGE,
    HIT,
    FLEE,
    DISCARD,
    BUILD_NOTHING,
    BUILD,
    RANSOM_NOBODY,
    RANSOM,
) = range(15)
(DRAW, RESHUFFLE, EXPLORE, ROLL) = range(32, 36)

SEAT_BIT = 24  # the number is below this bit, the kind above
LARGEST = (1 << 25) - 1  # largest number with its seat


@compiled
def encode(kind, seat, number):
    """Return an integer below 2**31 from a kind (0..63), a seat of chance or 0, and `number` (0..2**24 - 1)."""
    return (kind << 25) | (seat << SEAT_BIT) | number


@compiled
def encode_pair(kind, first, second):
    """Return `encode` of two numbers; `second` is below 64."""
    return (kind << 25) | (first << 6) | second


@compiled
def kind_of(code):
    return code >> 25


@compiled
def number_of(code):
    return code & LARGEST


@compiled
def first_of(code):
    return (code & LARGEST) >> 6


@compiled
def second_of(code):
    return code & 63


@compiled_entry
def action_group(code):
    """Return a code that actions share if they differ only in an amount; in Grody each action has its own."""
    return code


@compiled_entry
def choice_block(code):
    """Return a code that actions of one series share: moves of warriors, or discards."""
    if kind_of(code) == MOVE:
        return code
    return kind_of(code) if kind_of(code) == DISCARD else -1
