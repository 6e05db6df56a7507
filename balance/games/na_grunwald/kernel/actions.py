"""Actions and chance outcomes as integers, which the compiled rules pass around and log.

A code has a kind and three small numbers; `display/labels.py` writes its label.
"""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry

(PASS, PLACE, FIGHT, GIVE, HIRE, BUY, BID, SEND, ENTER, STARVE) = range(10)
(SEE_EVENT, SEE_CROWN, SEE_PROVISIONS, SEE_DUCATS, SEE_MERCENARIES, SEE_KRZYZACY) = range(16, 22)

# Sources of a GIVE.
(FROM_PROVISIONS, FROM_HAND_CROWN, FROM_HAND_MERCENARY) = range(3)
(FROM_CAMP_CROWN, FROM_CAMP_MERCENARY, FROM_CAPTIVES) = range(3, 6)

LARGEST_FIRST = 31  # the first number has 5 bits, the others 10
LARGEST = 1023


@compiled
def encode(kind, a, b, c):
    """Return an integer below 2**31 from a kind (0..63), `a` (0..31), `b` and `c` (0..1023)."""
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
def action_group(code):
    """Return a code that placements share if they differ only in their ducats; other actions have their own."""
    return code & ~LARGEST if kind_of(code) == PLACE else code


@compiled_entry
def choice_block(code):
    """Return a code that actions of one series share: items of one payment, or starving knights."""
    return kind_of(code) if kind_of(code) == GIVE or kind_of(code) == STARVE else -1
