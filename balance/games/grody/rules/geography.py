"""The segments of the board and how they lie (SET-2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Geography:
    """Segments by number, column by column.

    Attributes
    ----------
    names : list of str
        ``c1r3`` and so on.
    places : list of (int, int)
        Column and row, from 1.
    neighbours : list of list of int
        Those that share an edge.
    grody : (int, int)
        The gród of each seat.
    """

    names: list[str]
    places: list[tuple[int, int]]
    neighbours: list[list[int]]
    grody: tuple[int, int]


@cache
def lay_out(between: int, rows: int, corners: bool) -> Geography:
    """The board with so many columns between the grody, so many rows, and its four corners or not."""
    columns = between + 2
    cut = set() if corners else {(column, row) for column in (1, columns) for row in (1, rows)}
    every = [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    places = [place for place in every if place not in cut]
    number = {place: i for i, place in enumerate(places)}
    around = [[(c - 1, r), (c, r - 1), (c, r + 1), (c + 1, r)] for c, r in places]
    middle = (rows + 1) // 2
    return Geography(
        [f"c{column}r{row}" for column, row in places],
        places,
        [[number[place] for place in near if place in number] for near in around],
        (number[1, middle], number[columns, middle]),
    )
