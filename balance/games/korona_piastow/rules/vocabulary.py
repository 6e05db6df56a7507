"""Names that rule sets, maps, decks and labels share, in the order in which compiled code numbers them."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

UNITS = ("infantry", "cavalry", "knight", "engine", "foreign")  # UNT-1
TRAITS = ("attack", "defence", "money", "time")  # TRT-1
BUILDINGS = ("grod", "castle", "cathedral", "townhall", "clothhall")  # BLD-2
ORDERS = (
    "muster",
    "regroup",
    "build",
    "invade",
    "defend",
    "quest",
    "siege",
    "tithe",
    "diversion",
    "revenge",
)  # ORD-3
ENDINGS = ("crown", "last", "limit")  # END-3

Effect = Literal[
    "gain",
    "pay",
    "plague",
    "settle",
    "fire",
    "rebellion",
    "raid",
    "allies",
    "levy",
    "heir",
    "works",
    "peace",
    "interdict",
]
Who = Literal["all", "drawer", "poorest", "richest"]
EFFECTS: tuple[str, ...] = get_args(Effect)
WHO: tuple[str, ...] = get_args(Who)

Name = Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
PLAYERS = (2, 3, 4, 5, 6)
MOST_SEATS = max(PLAYERS)
MOST_FIEFS = 64
MOST_DISTRICTS = 24
MOST_BORDERS = 10  # of a fief
MOST_CARDS = 60
MOST_STAYING = 12  # cards that may stay with a ruler
MOST_ROUNDS = 40
