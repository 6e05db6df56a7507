"""Names that rule sets, event decks and labels share, in the order of their numbers in compiled code."""

from __future__ import annotations

from typing import Literal, get_args

Effect = Literal[
    "gain",
    "pay",
    "plunder",
    "buy",
    "auction",
    "task",
    "contest",
    "bonus",
    "truce",
    "close",
    "officer",
    "supply",
    "hire",
]
Field = Literal["krzyzacy", "crown", "provisions", "ducats", "mercenaries", "helpers"]  # PLC-4

EFFECTS: tuple[str, ...] = get_args(Effect)
FIELDS: tuple[str, ...] = get_args(Field)
PLAYERS = (2, 3, 4)
MOST_CARDS = 48  # in one table or event deck
KNIGHTS = ("crown", "mercenary")
BUNDLE = ("provisions", "ducats", "helpers")  # the resources of a bundle
