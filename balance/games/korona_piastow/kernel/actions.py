"""Actions and chance outcomes as integers; `display/labels.py` writes the label of each.

A code has the kind of the decision (its phase, so that `none` at court and `none` of a spy differ), a verb, and a
number or several packed numbers.
"""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled, compiled_entry

CHANCE_KIND = 31  # instead of a phase
(
    DONE,
    NONE,
    PLACE,
    FIEF,
    ORDER,
    SPY,
    DAMAGE,
    DO,
    DROP,
    MUSTER,
    MOVE,
    BUILD,
    HASTEN,
    SIEGE,
    TARGET,
    CLAIM,
    SEND,
    OCCUPY,
    DEVASTATE,
    REPAIR,
    RAISE,
    GRANT,
    COLLECT,
    RIDE,
    CHOOSE_FIEF,
    CHOOSE_SEAT,
) = range(26)
# Verbs of chance.
(LINE, SECOND, MAGNATE, FATE_ATTACK, FATE_DEFENCE, FATE_QUEST, EVENT, RESHUFFLE) = range(8)

NUMBER_BITS = 20
VERB_BITS = 5
LARGEST = (1 << NUMBER_BITS) - 1
PART_BITS = 6  # bits of a part of a packed number
LARGEST_PART = (1 << PART_BITS) - 1


@compiled
def encode(kind, verb, number):
    """Return an integer below 2**30 from a kind and a verb (0..31) and `number` (0..2**20 - 1)."""
    return (
        (np.int64(kind) << (VERB_BITS + NUMBER_BITS))
        | (np.int64(verb) << NUMBER_BITS)
        | np.int64(number)
    )


@compiled
def pack(first, second):
    """Return two numbers packed in one; the second is below 64."""
    return (np.int64(first) << PART_BITS) | np.int64(second)


@compiled
def verb_of(code):
    return (code >> NUMBER_BITS) & ((1 << VERB_BITS) - 1)


@compiled
def number_of(code):
    return code & LARGEST


@compiled
def first_of(code):
    """Return the first of two packed numbers, or the first two of three."""
    return (code & LARGEST) >> PART_BITS


@compiled
def second_of(code):
    """Return the last packed number."""
    return code & LARGEST_PART


@compiled_entry
def action_group(code):
    """Return a code that all ways to send units to one invasion share; other actions have their own."""
    return code & ~LARGEST if verb_of(code) == SEND and code >> 25 != CHANCE_KIND else code


@compiled_entry
def choice_block(code):
    """Return a code that actions of one series share: units placed, mustered or moved, and the final `done`."""
    verb = verb_of(code)
    if code >> 25 == CHANCE_KIND:
        return -1
    if verb == PLACE:
        return code & ~LARGEST_PART
    return code >> 25 if verb in (MUSTER, MOVE, DONE) else -1
