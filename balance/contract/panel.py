"""Pieces of a game as a replay page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

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
        What stands on it, e.g. a strength.
    seat : int or None
        Whose colour it has.
    title : str
        What it means, for who can't see it.
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
        Headings; none for a drawing, and for a table that needs none.
    rows : list of list of cells
        Text, signs, or both.
    svg : str
        A drawing as an SVG element, or "". What seldom changes is best in lines of its own: a page keeps each
        line once. The seats' colours are the CSS variables ``--s0``, ``--s1``, ...
    tile : bool
        Whether it is small and stands in a row with other tiles.
    note : str
        A word beside the title.
    """

    title: str
    columns: list[str] = field(default_factory=list)
    rows: Sequence[Sequence[Cell]] = field(default_factory=list)
    svg: str = ""
    tile: bool = False
    note: str = ""
