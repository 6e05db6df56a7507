"""Pieces of a game as a replay page shows them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Panel:
    """A titled table or drawing.

    Attributes
    ----------
    title : str
    columns : list of str
        Headings; none for a drawing.
    rows : list of list of str
    svg : str
        A drawing as an SVG element, or "".
    """

    title: str
    columns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    svg: str = ""
