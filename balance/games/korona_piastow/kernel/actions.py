"""Actions and chance outcomes as whole numbers; `display/labels.py` writes each as the rule page does.

A code holds the kind of the decision (its phase, so that `none` at court and `none` of a spy differ), what is done,
and a number or several packed into one.
"""

from __future__ import annotations

import numpy as np

from balance.compiling.jit import compiled, compiled_entry

CHANCE_KIND = 31  # in the place of a phase
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
(LINE, SECOND, MAGNATE, FATE_ATTACK, FATE_DEFENCE, FATE_QUEST, EVENT, RESHUFFLE) = range(8)  # of chance

NUMBER_BITS = 20
VERB_BITS = 5
LARGEST = (1 << NUMBER_BITS) - 1
PART_BITS = 6  # of a number made of several
LARGEST_PART = (1 << PART_BITS) - 1


@compiled
def encode(kind, verb, number):
    """One whole number (below 2**30) from a kind and a verb (0..31) and `number` (0..2**20 - 1)."""
    return (
        (np.int64(kind) << (VERB_BITS + NUMBER_BITS))
        | (np.int64(verb) << NUMBER_BITS)
        | np.int64(number)
    )


@compiled
def pack(first, second):
    """Two numbers in one; the second is below 64."""
    return (np.int64(first) << PART_BITS) | np.int64(second)


@compiled
def verb_of(code):
    return (code >> NUMBER_BITS) & ((1 << VERB_BITS) - 1)


@compiled
def number_of(code):
    return code & LARGEST


@compiled
def first_of(code):
    """The first of two packed numbers, or the first two of three."""
    return (code & LARGEST) >> PART_BITS


@compiled
def second_of(code):
    """The last packed number."""
    return code & LARGEST_PART


@compiled_entry
def alike(code):
    """What ways to send units to one invasion have in common; of other actions, themselves."""
    return code & ~LARGEST if verb_of(code) == SEND and code >> 25 != CHANCE_KIND else code


@compiled_entry
def choice_block(code):
    """What units placed, mustered or moved one by one have in common, with the `done` that ends a row of them."""
    verb = verb_of(code)
    if code >> 25 == CHANCE_KIND:
        return -1
    if verb == PLACE:
        return code & ~LARGEST_PART
    return code >> 25 if verb in (MUSTER, MOVE, DONE) else -1
