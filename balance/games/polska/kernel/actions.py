"""Actions and chance outcomes as whole numbers; `display/labels.py` writes each as the rule page does."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry

(TAKE_DIE, NOTHING, MOVE, PLAY, STOP, TRAIN, COACH, ADD, DISCARD) = range(9)
(DEAL, ROLL, MARKER, DRAW, RESHUFFLE) = range(16, 21)

LARGEST_FIRST = 31  # the first number has 5 bits, the second 20
LARGEST = (1 << 20) - 1


@compiled
def encode(kind, a, b):
    """One whole number (below 2**31) from a kind (0..63), `a` (0..31) and `b` (0..2**20 - 1).

    Of NOTHING, PLAY and STOP `a` says whether cards have been played this turn; of DEAL and DRAW it is
    the seat.
    """
    return (kind << 25) | (a << 20) | b


@compiled
def kind_of(code):
    return code >> 25


@compiled
def first_of(code):
    return (code >> 20) & LARGEST_FIRST


@compiled
def second_of(code):
    return code & LARGEST


@compiled_entry
def alike(code):
    """What actions that differ in an amount alone have in common: nothing does here."""
    return code


@compiled_entry
def choice_block(code):
    """What cards discarded together have in common."""
    return kind_of(code) if kind_of(code) == DISCARD else -1
