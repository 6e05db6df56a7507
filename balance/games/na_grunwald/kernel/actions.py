"""Actions and chance outcomes as integers, which the compiled rules pass around and log.

A code has a kind and three small numbers; `display/actions.py` writes its label.
"""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry

(PASS, PLACE, FIGHT, GIVE, HIRE, BUY, BID, SEND, ENTER, STARVE) = range(10)
(SEE_EVENT, SEE_CROWN, SEE_PROVISIONS, SEE_DUCATS, SEE_MERCENARIES, SEE_KRZYZACY) = range(16, 22)

# Sources of a GIVE.
(FROM_PROVISIONS, FROM_HAND_CROWN, FROM_HAND_MERCENARY) = range(3)
(FROM_CAMP_CROWN, FROM_CAMP_MERCENARY, FROM_CAPTIVES) = range(3, 6)

(AWARD, OFFER, EMPTY, SKIRMISH, CAPTIVE, SETTLED, AUCTION, CONTEST) = range(8)
OUTCOMES = {
    "award": ("player", "field", "place", "strength", "prize", "tied"),
    "offer": ("player", "field", "place", "strength", "price", "purse"),
    "empty": ("field",),
    "skirmish": ("strength", "against", "stronger", "weaker", "bonus"),
    "captive": ("player", "captive"),
    "settled": ("missing",),
    "auction": ("player", "price"),
    "contest": ("player", "place", "strength"),
}
"""What the rules make of a decision, in the order of the numbers above, with its parts."""
PARTS = {
    "player": "The seat that an outcome concerns; -1 for none.",
    "field": "The field of the board.",
    "officer": "1 if the officer is placed.",
    "pawns": "Helpers that are placed.",
    "stake": "Ducats that are placed with pawns.",
    "source": "Where from something is given up.",
    "knight": "The kind of the knight that is sent, given up or not fed; missing for the peasant or no knight.",
    "value": "The strength of the knight or captive that is sent, given up or not fed; 1 for a provision.",
    "bid": "Ducats that are bid; 0 for a pass.",
    "accepted": "1 if the player buys.",
    "place": "The rank among the claims on a field, or of a knight in a contest, from 0.",
    "strength": "The strength of a claim or knight, or of all cards in a skirmish.",
    "prize": "What the place wins; 0 for nothing.",
    "tied": "1 if another claim on the field has this strength.",
    "price": "What the place may pay for a helper, or what the winner of an auction pays.",
    "purse": "Ducats that the player has before the purchase.",
    "against": "The strength of the Krzyżacy: both cards and the bonus.",
    "stronger": "The stronger card of the Krzyżacy.",
    "weaker": "The weaker card of the Krzyżacy.",
    "bonus": "The bonus of the Krzyżacy.",
    "captive": "The strength of the Krzyżak that is captured.",
    "missing": "The strength that is missing in a skirmish, which each player gives up; 0 if it is won.",
    "event": "The event that is turned up.",
    "first": "The first value that is turned up.",
    "second": "The second value that is turned up.",
    "third": "The third value that is turned up.",
}
"""Parts of actions and outcomes: columns of the trace."""

LARGEST_FIRST = 31  # the first number has 5 bits, the others 10
LARGEST = 1023


@compiled_entry
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
    kind = kind_of(code)
    return kind if kind in (GIVE, STARVE) else -1
