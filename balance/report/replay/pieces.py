"""Panels as pieces of HTML, each kept once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import escape

from balance.contract.panel import Cell, Mark, Panel
from balance.contract.words import strategy_of
from balance.report.replay.result import Result


class Pool:
    """Pieces and panels by number.

    Attributes
    ----------
    pieces : list of str
    panels : list of list of int, or of dict
        Each the numbers of its pieces; one that differs little from an earlier one is kept as the number of that
        (``like``) and the pieces that are others (``but``, place to number).
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.panels: list[list[int] | dict[str, Any]] = []
        self._piece_numbers: dict[str, int] = {}
        self._panel_numbers: dict[tuple[int, ...], int] = {}
        self._latest: dict[tuple[int, int], tuple[int, ...]] = {}  # by first piece and length

    def panel(self, pieces: Iterator[str]) -> int:
        """The number of the panel that these pieces make."""
        numbers = tuple(self._piece(piece) for piece in pieces)
        if numbers not in self._panel_numbers:
            self._panel_numbers[numbers] = len(self.panels)
            self.panels.append(self._pack(numbers))
            self._latest[numbers[0], len(numbers)] = numbers
        return self._panel_numbers[numbers]

    def _pack(self, numbers: tuple[int, ...]) -> list[int] | dict[str, Any]:
        """A panel as the page keeps it."""
        before = self._latest.get((numbers[0], len(numbers)), ())
        but = {i: number for i, number in enumerate(numbers) if before[i : i + 1] != (number,)}
        if 2 * len(but) >= len(numbers):
            return list(numbers)
        return {"like": self._panel_numbers[before], "but": but}

    def _piece(self, piece: str) -> int:
        if piece not in self._piece_numbers:
            self._piece_numbers[piece] = len(self.pieces)
            self.pieces.append(piece)
        return self._piece_numbers[piece]


def write_panel(panel: Panel, names: Sequence[str] = ()) -> Iterator[str]:
    """A panel as HTML, a piece for each cell of a table and for each line of a drawing.

    A cell that is one of the players' `names` gets the player's sign.
    """
    note = f" <small>{escape(panel.note)}</small>" if panel.note else ""
    kind = "tile" if panel.tile else "panel"
    yield f'<section class="{kind}"><h3>{escape(panel.title)}{note}</h3>'
    if panel.svg:
        yield from (f"{line}\n" for line in panel.svg.split("\n"))
    elif panel.rows:
        yield '<div class="scroll"><table>' + _head(panel.columns)
        width = max(map(len, panel.rows))
        for row in panel.rows:
            yield "<tr>"
            signed = [player_cell(cell, names) for cell in row]
            yield from _cells(panel.columns, signed, width)
        yield "</tbody></table></div>"
    yield "</section>"


def _head(columns: list[str]) -> str:
    if not columns:
        return "<tbody>"
    cells = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    return f"<thead><tr>{cells}</tr></thead><tbody>"


def _cells(columns: list[str], row: Sequence[Cell], width: int) -> Iterator[str]:
    """The cells of a row; the last of a shorter one spans the rest."""
    for number, cell in enumerate(row):
        label = (
            f' data-l="{escape(columns[number])}"' if number < len(columns) and columns[number] else ""
        )
        rest = width - number if number == len(row) - 1 else 1
        span = f' colspan="{rest}"' if rest > 1 else ""
        yield f"<td{label}{span}>{write_cell(cell)}</td>"


def player_cell(cell: Cell, names: Sequence[str]) -> Cell:
    """A player's name as its sign and strategy; any other cell as it is."""
    if not isinstance(cell, str) or cell not in names:
        return cell
    seat = names.index(cell)
    return [Mark("seat", str(seat + 1), seat), f" {strategy_of(cell)}"]


def write_cell(cell: Cell) -> str:
    """Text and signs as HTML."""
    if isinstance(cell, str):
        return str(escape(cell))
    if isinstance(cell, Mark):
        return _mark(cell)
    return "".join(write_cell(part) for part in cell)


def _mark(mark: Mark) -> str:
    colour = f" s{mark.seat}" if mark.seat is not None else ""
    if mark.shape in ("pawn", "officer"):
        title = str(escape(mark.title or mark.shape))
        return f'<svg class="{mark.shape}{colour}" role="img" aria-label="{title}"><use href="#{mark.shape}"/></svg>'
    title = f' title="{escape(mark.title)}"' if mark.title else ""
    pale = " pale" if mark.pale else ""
    text = f"<b>{escape(mark.text)}</b>" if mark.shape == "seat" else escape(mark.text)
    return f'<i class="{mark.shape}{colour}{pale}"{title}>{text}</i>'


def write_result(result: Result, names: Sequence[str]) -> Iterator[str]:
    """Where the points of each come from, best first."""
    columns = ["rank", "player", *result.columns, "score"]
    rows = [
        [str(rank), name, *(f"{value:g}" if value else "" for value in parts), f"{score:g}"]
        for rank, name, parts, score in result.rows
    ]
    return write_panel(Panel("Where the points come from", columns, rows), names)
