"""Actions and chance outcomes as whole numbers: what the compiled rules pass around and log.

A code holds a kind and three small numbers; `display/labels.py` writes each as the rule page does.
"""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry

(PASS, PLACE, FIGHT, GIVE, HIRE, BUY, BID, SEND, ENTER, STARVE) = range(10)
(SEE_EVENT, SEE_CROWN, SEE_PROVISIONS, SEE_DUCATS, SEE_MERCENARIES, SEE_KRZYZACY) = range(16, 22)

# What a GIVE takes from.
(FROM_PROVISIONS, FROM_HAND_CROWN, FROM_HAND_MERCENARY) = range(3)
(FROM_CAMP_CROWN, FROM_CAMP_MERCENARY, FROM_CAPTIVES) = range(3, 6)

LARGEST_FIRST = 31  # the first number has 5 bits, the others 10
LARGEST = 1023


@compiled
def encode(kind, a, b, c):
    """One whole number (below 2**31) from a kind (0..63), `a` (0..31), `b` and `c` (0..1023)."""
    return (kind << 25) | (a << 20) | (b << 10) | c


@compiled
def kind_of(code):
    return code >> 25


@compiled
def first_of(code):
    return (code >> 20) & LARGEST_FIRST


@compiled
def second_of(code):
    return (code >> 10) & LARGEST


@compiled
def third_of(code):
    return code & LARGEST


@compiled_entry
def alike(code):
    """What placements that differ in their ducats alone have in common; of other actions, themselves."""
    return code & ~LARGEST if kind_of(code) == PLACE else code


@compiled_entry
def choice_block(code):
    """What is given up in one payment has in common, and knights that starve."""
    return kind_of(code) if kind_of(code) == GIVE or kind_of(code) == STARVE else -1
