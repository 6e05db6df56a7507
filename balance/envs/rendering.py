"""A position as text or as an image, from the view of one seat."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np

from balance.contract.view import Cell, Mark, Panel, name_round
from balance.engine.stepper import Stepper

MODES = ["human", "ansi", "rgb_array"]
_MOST_LISTED, _LETTERS = 12, 120  # actions, letters of a line of an image
_WIDTH, _HEIGHT, _DPI = 9.0, 9.0, 100  # of an image: inches, inches, dots per inch


def render(mode: str, stepper: Stepper) -> str | np.ndarray | None:
    """Render the position as the seat to choose sees it: print it, or return text or an image."""
    text = write_position(stepper)
    if mode == "rgb_array":
        return _draw(text)
    if mode == "ansi":
        return text
    print(text)
    return None


def write_position(stepper: Stepper) -> str:
    """Return the round, the panels of a replay as text, and the legal actions."""
    seat, display = stepper.seat, stepper.game.display
    seen = stepper.observe(seat)
    names = [f"seat {number}" for number in range(int(stepper.packed.players))]
    event = name_round(display, stepper.rules, seen)
    heading = f"round {stepper.round}{f' ({event})' if event else ''}"
    panels = [
        line for panel in display.show(stepper.rules, seen, names) for line in _write_panel(panel, names)
    ]
    if stepper.over:
        return "\n".join([f"{heading}: the game is over", *panels])
    options = stepper.options()
    listed = ", ".join(options[:_MOST_LISTED]) + (", ..." if len(options) > _MOST_LISTED else "")
    return "\n".join([f"{heading}: {names[seat]} chooses", *panels, f"{len(options)} actions: {listed}"])


def _write_panel(panel: Panel, names: list[str]) -> list[str]:
    """Return a panel as text; nothing for an empty table and for a drawing."""
    rows = [[_write_cell(cell, names) for cell in row] for row in [panel.columns, *panel.rows]]
    lines = [line for row in rows if (line := " | ".join(row).rstrip(" |"))]
    if not lines and not panel.note:
        return []
    note = f" ({panel.note})" if panel.note else ""
    return [panel.title + note, *(f"  {line}" for line in lines)]


def _write_cell(cell: Cell, names: list[str]) -> str:
    """Return a cell as text: signs by their meaning or text, a seat's sign by its name unless the name follows."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, Mark):
        named = cell.shape == "seat" and cell.seat is not None
        return names[cell.seat or 0] if named else cell.title or cell.text
    words = [_write_cell(each, names) for each in cell]
    if len(words) > 1 and words[1].startswith(words[0]):
        words = words[1:]
    return " ".join(filter(None, words))


def _draw(text: str) -> np.ndarray:
    """Return text as an image of fixed size (height, width, 3) of uint8; what does not fit is cut off."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _HEIGHT), dpi=_DPI)
    canvas: Any = FigureCanvasAgg(figure)
    lines = [part for line in text.split("\n") for part in wrap(line, _LETTERS, drop_whitespace=False)]
    figure.text(
        0.02, 0.98, "\n".join(lines), family="DejaVu Sans Mono", size=8, va="top", parse_math=False
    )
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
