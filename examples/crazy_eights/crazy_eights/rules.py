"""The rule set of Crazy Eights: every number that a designer can change, with its limits."""

from typing import Annotated

from pydantic import Field

from balance.contract.rule_tables import Amount, BySeat
from balance.foundation.toml import Settings

PLAYERS = (2, 3, 4)


class Rules(Settings):
    title: str
    description: str
    deals: int = Field(ge=1, le=12, description="deals of a game (SET-1)")
    hand_start: Annotated[Amount, BySeat(1, 12, PLAYERS)] = Field(
        description="cards dealt to each player, from the player who begins on (SET-2)"
    )
    draws: int = Field(ge=0, le=10, description="most cards drawn in a turn (TRN-2)")
    queens_skip: bool = Field(description="whether a queen skips the next player (TRN-5)")
    eight_points: int = Field(ge=0, le=100, description="points of an eight left in a hand (END-2)")
