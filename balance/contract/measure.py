"""What can be measured of a game, early choices that may go with winning, and when a game is close."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measure:
    """Something that has a mean in every game or seat.

    Attributes
    ----------
    name : str
        As in targets, options and CSV files.
    label : str
        As on pages.
    value : str
        An SQL expression over the columns of seats and games; NULL where it is not defined.
    unit : str
        ``%`` (then `value` is a share, 0 to 1), ``points``, ...; "" for a bare number.
    by : str
        ``seat`` or ``strategy`` if it is split so, else "".
    per_game : bool
        Whether the value is the game's, so that one seat stands for all.
    scale : float
        Factor to the unit shown, e.g. 100 for percentage points.
    threshold : float or None
        Differences within it, in the unit shown, do not matter.
    needs_rounds : bool
        Whether it is there only with the log level `rounds` or `trace`.
    meaning : str
        What it says, with its source.
    """

    name: str
    label: str
    value: str
    unit: str = ""
    by: str = ""
    per_game: bool = False
    scale: float = 1.0
    threshold: float | None = None
    needs_rounds: bool = False
    meaning: str = ""

    @property
    def is_share(self) -> bool:
        """Whether every value is a share, 0 to 1 before it is scaled: all measures in % are."""
        return self.unit.startswith("%")

    @property
    def scaled(self) -> str:
        """The SQL expression in the unit shown."""
        return self.value if self.scale == 1 else f"{self.scale:g} * ({self.value})"


@dataclass(frozen=True)
class Choice:
    """Something a seat may have done early.

    Attributes
    ----------
    name : str
    label : str
        As on pages.
    value : str
        An SQL aggregate over the rounds of a game and seat (`r`), e.g.
        ``max(r.cards) FILTER (r.round = 3)``.
    """

    name: str
    label: str
    value: str


@dataclass(frozen=True)
class Closeness:
    """What makes one game closer than another.

    Attributes
    ----------
    columns : mapping of str
        Names to SQL aggregates over the rows of one game, ``e`` of the games table joined with ``s`` of the seats.
    order : sequence of str
        Names of columns; the game with the smallest values is the closest.
    why : callable
        The row of the closest game in words, e.g. "1 point between first and second".
    most : str
        The order in words, before "of 600 games", e.g. "the smallest margin".
    """

    columns: Mapping[str, str]
    order: Sequence[str]
    why: Callable[[Any], str]
    most: str
