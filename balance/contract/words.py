"""Words that pages, printed lines and games share."""

from __future__ import annotations

from collections.abc import Sequence


def nth(seat: int) -> str:
    """A seat in short, counted from one: "1st" for seat 0."""
    number = seat + 1
    last = 0 if number // 10 % 10 == 1 else number % 10
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def player(seat: int) -> str:
    """A seat as pages name it, counted from one: seat 0 is the 1st player."""
    return f"{nth(seat)} player"


def listed(parts: Sequence[object]) -> str:
    """a, b and c."""
    words = [str(part) for part in parts]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def amount(number: float, thing: str) -> str:
    """1 point, 2 points."""
    return f"{number:g} {thing}{'' if number == 1 else 's'}"


def strategy_of(name: str) -> str:
    """The strategy in a player's name, "1st player (champion)", or the whole of another name."""
    return name.partition(" (")[2].removesuffix(")") or name
