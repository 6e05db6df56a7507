"""A game's definitions for replays and tables: panels, drawings and wordings, each with a default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, radians
from typing import Any, Literal

from balance.contract.records import CHANCE

Point = tuple[float, float]


def project(places: Sequence[Point], width: float, margin: float) -> tuple[list[Point], float]:
    """Project places to points of a drawing of this width; return its height too. Degrees east depend on latitude."""
    east = [x for x, _ in places]
    north = [y for _, y in places]
    narrow = cos(radians(sum(north) / len(north)))
    scale = (width - 2 * margin) / max(1e-9, (max(east) - min(east)) * narrow)
    points = [
        (margin + (x - min(east)) * narrow * scale, margin + (max(north) - y) * scale) for x, y in places
    ]
    return points, 2 * margin + (max(north) - min(north)) * scale


Shape = Literal["seat", "card", "dashed", "dark", "round", "coin", "pawn", "officer"]
"""A disc with the player's number; cards with a plain, dashed or filled frame, or one of a round frame; a coin;
a pawn, and a larger one."""


@dataclass(frozen=True)
class Mark:
    """A sign drawn in a cell.

    Attributes
    ----------
    shape : str
        One of `Shape`.
    text : str
        The text on the sign, e.g. a strength.
    seat : int or None
        The seat whose colour it has.
    title : str
        Its meaning, for screen readers.
    pale : bool
        Whether it is drawn as not taken.
    """

    shape: Shape
    text: str = ""
    seat: int | None = None
    title: str = ""
    pale: bool = False


Cell = str | Mark | Sequence[str | Mark]


@dataclass(frozen=True)
class Panel:
    """A titled table or drawing.

    Attributes
    ----------
    title : str
    columns : list of str
        Headings; empty for a drawing, or a table without headings.
    rows : list of list of cells
        Text, signs, or both.
    svg : str
        A drawing as an SVG element, or "". Put parts that seldom change on separate lines: a page stores each line
        once. The seats' colours are the CSS variables ``--s0``, ``--s1``, ...
    tile : bool
        Whether the panel is small and shown in a row with other tiles.
    note : str
        A word next to the title.
    """

    title: str
    columns: list[str] = field(default_factory=list)
    rows: Sequence[Sequence[Cell]] = field(default_factory=list)
    svg: str = ""
    tile: bool = False
    note: str = ""


@dataclass(frozen=True)
class Move:
    """A decision or chance outcome in a replay.

    Attributes
    ----------
    label : str
    seat : int
        The seat that decided; -1 for chance.
    before, after : record
        The state at this decision and at the next one; for chance outcomes both are the latter.
    viewer : int
        The seat from whose view the position is shown.
    names : list of str
        Names of the players, by seat.
    """

    label: str
    seat: int
    before: Any
    after: Any
    viewer: int
    names: list[str]

    @property
    def who(self) -> str:
        """The player who decided, or "" for chance."""
        return "" if self.seat == CHANCE else self.names[self.seat]


@dataclass(frozen=True)
class Told:
    """One step of a replay.

    Attributes
    ----------
    text : str
        Description of the step.
    observation : object
        The position, as the argument of the game's `show` and `summarise`.
    about : str
        Title of the panel that the step concerns, or "".
    outcome : bool
        Whether the step follows from the rules, not from a player: a resolution.
    """

    text: str
    observation: Any
    about: str = ""
    outcome: bool = False


def tell(display: Any, rules: Any, move: Move) -> list[Told]:
    """Return a move's steps from the game's `tell`; by default one sentence with the position after the move."""
    if hasattr(display, "tell"):
        told: list[Told] = display.tell(rules, move)
        return told
    seen = display.observe(rules, move.after, move.viewer)
    return [Told(display.say(move.label, move.who), seen)]


def name_round(display: Any, rules: Any, observation: Any) -> str:
    """Return the game's name of a round, "" if the game has no `name_round`."""
    if not hasattr(display, "name_round"):
        return ""
    name: str = display.name_round(rules, observation)
    return name


def signs(display: Any) -> Sequence[tuple[Mark, str]]:
    """Return the signs that a game draws with their meanings; empty if the game has no `SIGNS`."""
    found: Sequence[tuple[Mark, str]] = getattr(display, "SIGNS", ())
    return found


def words_of(display: Any, rules: Any) -> Mapping[str, Sequence[str]]:
    """Return the words for the game's own numeric columns; empty if the game has no `WORDS`."""
    found: Mapping[str, Any] = getattr(display, "WORDS", {})
    return {column: words(rules) if callable(words) else words for column, words in found.items()}


def tie_break(analytics: Any) -> tuple[str, tuple[str, ...]]:
    """Return the name of the tie-breaker and the columns of the seats table that sum to it; empty if there is none."""
    found: tuple[str, tuple[str, ...]] = getattr(analytics, "TIE_BREAK", ("", ()))
    return found
