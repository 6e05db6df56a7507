"""Actions and chance outcomes as integers; `display/actions.py` writes the label of each."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry

(TAKE_DIE, NOTHING, MOVE, PLAY, STOP, TRAIN, COACH, ADD, DISCARD) = range(9)
(DEAL, ROLL, MARKER, DRAW, RESHUFFLE) = range(16, 21)

(STEPS, TAKEN, STOPPED, END) = range(4)
OUTCOMES = {
    "steps": ("player", "card", "steps", "position"),
    "marker": ("player", "place", "order", "cards"),
    "stopped": ("player",),
    "end": ("player", "reason"),
}
"""What the rules make of a decision, in the order of the numbers above, with its parts."""
REACHED, LIMIT = range(2)
REASONS = ("reached", "limit")
PARTS = {
    "player": "The seat that an action or outcome concerns; -1 for none.",
    "card": "The card that is played, drawn, dealt or thrown away.",
    "place": "The field of the map.",
    "die": "The number on the die that is taken.",
    "amount": "What the coach adds to the die.",
    "steps": "Steps of the player's marker on the track.",
    "position": "The field of the track that it reaches, from 0.",
    "order": "The place of a marker in the order in which its set is taken, from 0.",
    "cards": "Cards that a marker gives.",
    "reason": "Why the game ends: the last field is reached, or the turn limit.",
}
"""Parts of actions and outcomes: columns of the trace."""

LARGEST_FIRST = 31  # the first number has 5 bits, the second 20
LARGEST = (1 << 20) - 1


@compiled_entry
def encode(kind, a, b):
    """Return an integer below 2**31 from a kind (0..63), `a` (0..31) and `b` (0..2**20 - 1).

    For NOTHING, PLAY and STOP, `a` is whether cards have been played this turn; for DEAL and DRAW, `a`
    is the seat.
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
def action_group(code):
    """Return a code that actions share if they differ only in an amount; in Polska each action has its own."""
    return code


@compiled_entry
def choice_block(code):
    """Return a code that actions of one series share: cards discarded together."""
    return kind_of(code) if kind_of(code) == DISCARD else -1
