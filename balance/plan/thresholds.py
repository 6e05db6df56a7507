"""Thresholds: what counts as good, and which differences do not matter."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from balance.settings import Settings
from balance.stats.fair import fair_share

Points = Annotated[float, Field(gt=0, lt=50)]
Percent = Annotated[float, Field(gt=0, lt=100)]
TWO = Field(min_length=2, max_length=2)


class Thresholds(Settings):
    """What is good and what does not matter: the words of a report go by these.

    Attributes
    ----------
    seats : float
        Points of a fair share within which a seat is balanced, and a change of one the same.
    unfair : float
        Points beyond which a seat makes a game unfair.
    strategies : float
        Points within which a change of a strategy's share is the same.
    alive : float
        Percent of a fair share within which a strategy lives: 25 is from 3/4 to 5/4 of it.
    comebacks : list of float
        How many winners come from behind in an open game: at least and at most, in percent of the share that would be
        behind at half time if the first half did not matter (50 % of winners with two players, 75 % with four).
    comeback_change : float
        Points of them that matter.
    minutes : list of float or None
        Shortest and longest mean time that fit; None for what the box says.
    seconds_per_choice : list of float or None
        Shortest and longest time that people may take for a choice on average; None for the game's own assumption. A
        length is judged at both.
    length_change : float
        Percent of the baseline's minutes that matter.
    """

    seats: Points = 1.0
    unfair: Points = 3.0
    strategies: Points = 3.0
    alive: Percent = 25.0
    comebacks: Annotated[list[Annotated[float, Field(ge=0, le=100)]], TWO] = Field(default=[50.0, 80.0])
    comeback_change: Points = 3.0
    minutes: Annotated[list[Annotated[float, Field(gt=0)]], TWO] | None = None
    seconds_per_choice: Annotated[list[Annotated[float, Field(gt=0, le=3600)]], TWO] | None = None
    length_change: Percent = 10.0

    @model_validator(mode="after")
    def _in_order(self) -> Thresholds:
        if self.minutes and self.minutes[0] >= self.minutes[1]:
            raise ValueError(f"minutes: the shortest ({self.minutes[0]:g}) must come first")
        if self.seconds_per_choice and self.seconds_per_choice[0] > self.seconds_per_choice[1]:
            raise ValueError(
                f"seconds_per_choice: the shortest ({self.seconds_per_choice[0]:g}) must come first"
            )
        if self.comebacks[0] >= self.comebacks[1]:
            raise ValueError(f"comebacks: the fewest ({self.comebacks[0]:g}) must come first")
        return self

    def comeback_band(self, players: int) -> tuple[float, float]:
        """Return the fewest and the most winners from behind of an open game, in percent of winners."""
        least, most = self.comebacks
        chance = 100 - fair_share(players)
        return least / 100 * chance, most / 100 * chance
