"""The board as a drawing: terrain, owners, buildings and warriors."""

from __future__ import annotations

from balance.games.grody.display.labels import BUILDING_TITLES, GROD_TITLES, TERRAIN_TITLES
from balance.games.grody.display.observation import Observation, Segment
from balance.games.grody.rules import Rules

SIDE, GAP = 92, 6
_COLOURS = {
    "rownina": "#a8c66c",
    "pustynia": "#e3c77a",
    "las": "#5d9a5b",
    "wzgorza": "#b0906a",
    "rzeka": "#7fb2d6",
    "bagno": "#8d8f6f",
    "grod": "#c9c3bb",
    "": "none",
}


def draw_board(rules: Rules, observation: Observation) -> str:
    """Return the board with everything on it as an SVG element, one line for each segment."""
    board = rules.board
    columns = max(column for column, _ in board.places)
    lines = [_open(columns, rules.rows)]
    for name, (column, row) in zip(board.names, board.places, strict=True):
        x, y = (column - 1) * (SIDE + GAP) + GAP, (row - 1) * (SIDE + GAP) + GAP
        lines.append(_draw_segment(name, observation.board[name], x, y))
    return "\n".join([*lines, "</svg>"])


def _open(columns: int, rows: int) -> str:
    width, height = columns * (SIDE + GAP) + GAP, rows * (SIDE + GAP) + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'role="img" aria-label="Board with terrain and warriors" font-family="sans-serif">'
    )


def _draw_segment(name: str, segment: Segment, x: int, y: int) -> str:
    """Return a square in the terrain's colour with a frame in the owner's colour, with texts and warriors."""
    frame = "#9aa39a" if segment.owner is None else f"var(--s{segment.owner})"
    dashed = "" if segment.terrain else ' stroke-dasharray="4 4"'
    parts = [
        f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" rx="6" fill="{_COLOURS[segment.terrain]}" '
        f'fill-opacity="0.55" stroke="{frame}" stroke-width="4"{dashed}/>',
        _text(x + 8, y + 18, _title(segment)),
        _text(x + SIDE - 8, y + SIDE - 7, name, ' text-anchor="end" fill-opacity="0.65"'),
    ]
    if segment.building:
        parts.append(_text(x + 8, y + 34, BUILDING_TITLES[segment.building]))
    for seat, count in enumerate(segment.warriors):
        parts += [_draw_warrior(seat, x + 14 + 17 * (i % 5), _line(y, seat, i)) for i in range(count)]
    return "".join(parts)


def _title(segment: Segment) -> str:
    if segment.terrain == "grod":
        return GROD_TITLES[segment.owner or 0]
    return TERRAIN_TITLES.get(segment.terrain, "")


def _line(y: int, seat: int, i: int) -> int:
    """Return the height of a warrior: the second seat's are below the first's, and the sixth begins a new line."""
    return y + 46 + 24 * seat + 10 * (i // 5)


def _text(x: int, y: int, words: str, look: str = "") -> str:
    return f'<text x="{x}" y="{y}" font-size="12" fill="currentColor"{look}>{words}</text>'


def _draw_warrior(seat: int, x: int, y: int) -> str:
    return f'<circle cx="{x}" cy="{y}" r="7" fill="var(--s{seat})" stroke="var(--paper, #fff)"/>'
