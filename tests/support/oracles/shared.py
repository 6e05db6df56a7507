"""What the oracles ask, and start values of a seat in any of three forms; shared by the oracles, not by the package."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any


@dataclass
class Question:
    """A decision (legal labels) or, with seat -1, a chance outcome (its labels, or how they begin)."""

    round: int
    seat: int
    kind: str
    labels: list[str]
    dice: int = 0  # how many values follow the beginning of a `roll`; the bench rolls them


Ask = Generator[Question, str, Any]


def of_seat(amount: Any, seat: int, players: int) -> int:
    """Return the value by player count, or for all; a list is by seat, its last value for all later seats."""
    if isinstance(amount, dict):
        amount = amount[str(players)]
    if isinstance(amount, int):
        return amount
    return (amount + [amount[-1]] * seat)[seat]
