"""How the page names things: seats from one, numbers with their unit, variants in short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from balance.analysis.longer import MOST
from balance.contract.words import listed, nth
from balance.stats.fair import fair_share

ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def ordinal(seat: int) -> str:
    """A seat in words, counted from one: "first" for seat 0."""
    return ORDINALS[seat] if seat < len(ORDINALS) else nth(seat)


def amount(value: float) -> str:
    """A number as the grid writes it: one decimal, none from 100."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}"


def fair_of(players: int) -> str:
    """A fair share in percent: 50, 33.3, 25."""
    return f"{fair_share(players):.1f}".removesuffix(".0")


def more_games(games: int) -> str:
    """How many games more would decide something, in two digits; beyond a million no number is worth telling."""
    return (
        f"about {int(float(f'{games:.2g}')):,} games more"
        if games <= MOST
        else "more than a million games more"
    )


def would_decide(games: int) -> str:
    """The end of a sentence about what is undecided: how many games more would decide it; nothing where none would."""
    return f"; {more_games(games)} would decide" if games else ""


def signed(value: float) -> str:
    """A difference, with a true minus sign."""
    return f"{value:+.1f}".replace("-", "−")


def with_players(counts: Sequence[int]) -> str:
    """Player counts, as in "with 2 and 3 players"."""
    return f"{listed(counts)} player{'' if list(counts) == [1] else 's'}"


def by_players(rows: pd.DataFrame, write: Callable[[Any], str]) -> str:
    """Rows of player counts in one clause, as in "12 with 2 players, 9 with 3 and 7 with 4"."""
    parts = [f"{write(row)} with {row.players}" for row in rows.itertuples()]
    parts[0] += f" player{'' if rows['players'].iloc[0] == 1 else 's'}"
    return listed(parts)
