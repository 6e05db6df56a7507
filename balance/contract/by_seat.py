"""Amounts that a rule set says once, by seat, or by player count: what mends a favoured seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

Amount = int | list[int] | dict[str, int | list[int]]
"""A number for all; a list by seat, whose last holds for all seats after it; or either by player count."""


@dataclass(frozen=True)
class BySeat:
    """What stands beside `Amount` in the annotation of a rule key: what it may be.

    Attributes
    ----------
    least, most : int
        Limits of each number.
    players : tuple of int
        The game's player counts.
    """

    least: int
    most: int
    players: tuple[int, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """How pydantic asks an annotation what to check."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))

    def check(self, value: Any) -> Any:
        """The value, or what a table by player count says of all of them alike.

        Raises
        ------
        ValueError
            It is no amount, or not for these player counts, or out of the limits.
        """
        if not isinstance(value, Mapping):
            self._check_said(value, "")
            return value
        known = [str(count) for count in self.players]
        for count in value:
            if count not in known:
                raise ValueError(f"there is no player count {count!r} (there are: {', '.join(known)})")
        for count in known:
            if count not in value:
                raise ValueError(f"does not say how many with {count} players")
            self._check_said(value[count], f"{count} players: ")
        said = list(value.values())
        return said[0] if said.count(said[0]) == len(said) else dict(value)

    def _check_said(self, value: Any, who: str) -> None:
        seats = max(self.players)
        amounts = value if isinstance(value, list) and 0 < len(value) <= seats else [value]
        if not all(type(amount) is int and self.least <= amount <= self.most for amount in amounts):
            raise ValueError(
                f"{who}should be a whole number from {self.least} to {self.most}, "
                f"or a list of one to {seats} by seat"
            )


def by_seat(amount: Amount, players: int) -> list[int]:
    """What each seat has with so many players."""
    said = amount[str(players)] if isinstance(amount, dict) else amount
    if isinstance(said, int):
        return [said] * players
    return [said[min(seat, len(said) - 1)] for seat in range(players)]
