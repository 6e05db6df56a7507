"""Thresholds: what counts as good, and which differences do not matter."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from balance.settings import Settings

Points = Annotated[float, Field(gt=0, lt=50, strict=False)]
Percent = Annotated[float, Field(gt=0, lt=100, strict=False)]


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
    comebacks : float
        Percent of winners behind at half time, from which a game is open.
    comeback_change : float
        Points of them that matter.
    minutes : list of float or None
        Shortest and longest mean time that fit; None for what the box says.
    length_change : float
        Percent of the baseline's minutes that matter.
    """

    seats: Points = 1.0
    unfair: Points = 3.0
    strategies: Points = 3.0
    alive: Percent = 25.0
    comebacks: Percent = 30.0
    comeback_change: Points = 3.0
    minutes: (
        Annotated[list[Annotated[float, Field(gt=0, strict=False)]], Field(min_length=2, max_length=2)]
        | None
    ) = None
    length_change: Percent = 10.0

    @model_validator(mode="after")
    def _in_order(self) -> Thresholds:
        if self.minutes and self.minutes[0] >= self.minutes[1]:
            raise ValueError(f"minutes: the shortest ({self.minutes[0]:g}) must come first")
        return self
