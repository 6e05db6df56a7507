"""What a seat starts with, said in any of three ways; shared by the oracles, and by nothing of the package."""

from __future__ import annotations

from typing import Any


def of_seat(amount: Any, seat: int, players: int) -> int:
    """By player count, or for all; there a list by seat whose last goes on, or the same for all."""
    if isinstance(amount, dict):
        amount = amount[str(players)]
    if isinstance(amount, int):
        return amount
    return (amount + [amount[-1]] * seat)[seat]
