"""Words that pages, printed lines and games share."""

from __future__ import annotations

from collections.abc import Sequence


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, ..."""
    last = 0 if number // 10 % 10 == 1 else number % 10
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def player(seat: int) -> str:
    """A seat as pages name it, counted from one: seat 0 is the 1st player."""
    return f"{ordinal(seat + 1)} player"


def listed(parts: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def amount(number: float, thing: str) -> str:
    """1 point, 2 points."""
    return f"{number:g} {thing}{'' if number == 1 else 's'}"


def strategy_of(name: str) -> str:
    """The strategy in a player's name, "1st player (champion)", or the whole of another name."""
    return name.partition(" (")[2].removesuffix(")") or name
