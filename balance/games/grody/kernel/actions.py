"""Actions and chance outcomes as integers; `display/actions.py` writes the label of each."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry

(
    DECLINE, PLAY, ACCEPT, COUNTER, DONE, MOVE, KEEP, EXCHANGE, HIT, FLEE, DISCARD, BUILD_NOTHING, BUILD,
    RANSOM_NOBODY, RANSOM,
) = range(15)  # fmt: skip
(DRAW, RESHUFFLE, EXPLORE, ROLL) = range(32, 36)

(COMBAT, FOUGHT, CARD, WARRIOR, OWNER, END) = range(6)
OUTCOMES = {
    "combat": ("player", "place", "attackers", "defenders", "terrain", "building", "lead", "leaders"),
    "fought": ("player", "place", "length"),
    "card": ("player", "card", "effect"),
    "warrior": ("player", "place", "fate"),
    "owner": ("player", "place", "former"),
    "end": ("player", "reason", "points", "against"),
}
"""What the rules make of a decision, in the order of the numbers above, with its parts."""
(KILLED, CAPTURED, THIRST, STRAYED) = range(4)
FATES = ("killed", "captured", "thirst", "strayed")
PARTS = {
    "player": "The seat that an action or outcome concerns: the attacker of a combat, its winner, the player of a "
    "card, the owner of a warrior or segment; -1 for none.",
    "place": "The segment of the board.",
    "origin": "The segment that a warrior leaves.",
    "card": "The fate card.",
    "warrior": "The number of a warrior in the combat, from 0.",
    "terrain": "The terrain of the segment.",
    "building": "The building on the segment.",
    "attackers": "Warriors of the attacker when the combat begins.",
    "defenders": "Warriors of the defender when the combat begins.",
    "lead": "An attacker's morale minus a defender's in the first round, before cards.",
    "leaders": "1: only the attacker has a leader; -1: only the defender; 0: both or none.",
    "length": "Rounds of the combat.",
    "effect": "1 if the card took effect, 0 if it was cancelled.",
    "fate": "How a warrior leaves the board.",
    "former": "The seat that owned the segment before; -1 for none.",
    "reason": "Why the game ends.",
    "points": "Victory points of the winner.",
    "against": "Victory points of the other player.",
}
"""Parts of actions and outcomes: columns of the trace."""

PAIR_BITS = 6  # of the second number of two
SEAT_BIT = 24  # the number is below this bit, the kind above
LARGEST = (1 << 25) - 1  # largest number with its seat


@compiled_entry
def encode(kind, number):
    """Return an integer below 2**31 from a kind (0..63) and `number` (0..2**24 - 1)."""
    return (kind << 25) | number


@compiled_entry
def encode_pair(kind, first, second):
    """Return `encode` of two numbers; `second` is below 64."""
    return (kind << 25) | (first << PAIR_BITS) | second


@compiled
def encode_of_seat(kind, seat, number):
    """Return `encode` of a chance outcome of a seat."""
    return (kind << 25) | (seat << SEAT_BIT) | number


def seat_and_number(code):
    """Return the numbers of `encode_of_seat`; only displays read them."""
    return divmod(code & LARGEST, 1 << SEAT_BIT)


@compiled
def kind_of(code):
    return code >> 25


@compiled
def number_of(code):
    return code & LARGEST


@compiled
def first_of(code):
    return (code & LARGEST) >> PAIR_BITS


@compiled
def second_of(code):
    return code & ((1 << PAIR_BITS) - 1)


@compiled_entry
def choice_block(code):
    """Return a code that actions of one series share: equal moves of several warriors, or discards."""
    kind = kind_of(code)
    if kind == MOVE:
        return code
    return kind if kind == DISCARD else -1
