"""Names that rule sets and labels share, in the order of their numbers in compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

TERRAINS = ("rownina", "pustynia", "las", "wzgorza", "rzeka", "bagno")  # SET-4
BUILDINGS = ("zasieki", "most", "twierdza")  # SET-1
CARDS = (  # CRD-4
    "na_pewno_sie_uda",
    "piesn_bojowa",
    "zasadzka",
    "wilczy_dol",
    "doskonaly_manewr",
    "odwrot",
    "poscig",
    "forsowny_marsz",
    "zwiad",
    "ochotnicy",
    "sabotaz",
    "okup",
    "wieszczba",
    "czarodziej",
)
ENDINGS = ("conquest", "dominance", "limit")  # END-1 to END-3
MOST_SEGMENTS = 49  # 7 columns of 7 rows
MOST_WARRIORS = 8  # of a side on a segment
MOST_ROUNDS = 200


@dataclass(frozen=True)
class Geography:
    """Segments by number, column by column.

    Attributes
    ----------
    names : list of str
        Names such as ``c1r3`` (column 1, row 3).
    places : list of (int, int)
        Column and row, from 1.
    neighbours : list of list of int
        Segments that share an edge.
    grody : (int, int)
        The gród of each seat.
    """

    names: list[str]
    places: list[tuple[int, int]]
    neighbours: list[list[int]]
    grody: tuple[int, int]


@cache
def lay_out(between: int, rows: int, corners: bool) -> Geography:
    """Return the board with `between` columns between the grody and `rows` rows, with or without its four corners."""
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
