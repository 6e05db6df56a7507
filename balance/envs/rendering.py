"""A position as text or as the board of a replay, from the view of one seat."""

from __future__ import annotations

import numpy as np

from balance.contract.view import Cell, Mark, Panel, name_round
from balance.engine.stepper import Stepper
from balance.envs.board import draw_board

MODES = ["human", "ansi", "rgb_array"]
_MOST_LISTED = 12  # actions


def render(mode: str, stepper: Stepper) -> str | np.ndarray | None:
    """Render the position as the seat to choose sees it: print it, or return text or an image."""
    if mode == "rgb_array":
        heading, panels, names = _show(stepper)
        return draw_board(heading, panels, names)
    text = write_position(stepper)
    if mode == "ansi":
        return text
    print(text)
    return None


def write_position(stepper: Stepper) -> str:
    """Return the round, the panels of a replay as text, and the legal actions."""
    heading, panels, names = _show(stepper)
    lines = [heading, *(line for panel in panels for line in _write_panel(panel, names))]
    if not stepper.over:
        options = stepper.options()
        listed = ", ".join(options[:_MOST_LISTED]) + (", ..." if len(options) > _MOST_LISTED else "")
        lines.append(f"{len(options)} actions: {listed}")
    return "\n".join(lines)


def _show(stepper: Stepper) -> tuple[str, list[Panel], list[str]]:
    """Return a heading, the panels of a replay as the seat to choose sees them, and the names of the seats."""
    display, seat = stepper.game.display, stepper.seat
    seen = stepper.observe(seat)
    names = [f"seat {number}" for number in range(int(stepper.packed.players))]
    event = name_round(display, stepper.rules, seen)
    state = ": the game is over" if stepper.over else f": {names[seat]} chooses"
    heading = f"round {stepper.round}{f' ({event})' if event else ''}{state}"
    return heading, display.show(stepper.rules, seen, names), names


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
