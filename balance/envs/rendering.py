"""A position from the view of one seat, as text or as an image: the panels of a replay, with its signs and colours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from balance.contract.view import Cell, Mark, Panel, name_round, player_cell
from balance.engine.stepper import Stepper
from balance.foundation.errors import from_extra

MODES = ["human", "ansi", "rgb_array"]
_MOST_LISTED = 12  # actions


def render(mode: str, stepper: Stepper) -> str | np.ndarray | None:
    """Render the position as the seat to choose sees it: print it, or return text or an image."""
    if mode == "rgb_array":
        heading, panels, names = _show(stepper)
        return _draw_board(heading, panels, names)
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


_SIDE, _MARGIN, _LINE = 1000, 16, 22  # of the image, around it, of a row: pixels
_LEAST = 600  # a smaller board is enlarged until it has this side
_INK, _MUTED, _RULE, _PAPER = "#1a222c", "#56616d", "#d8dbd5", "#fdfdfb"
SEATS = ("#0072b2", "#c66a00", "#00835f", "#a9508a", "#8a6d00", "#5b5bc0")  # as in replay.css
# As in replay.css.
_STYLE = f"svg svg text {{ paint-order: stroke; stroke: {_PAPER}; stroke-width: 2px }}"
_TILES = 3  # in a row
_GAP = 14  # between columns
_SIZE, _TITLE = 14, 15  # of letters
_FRAMES = {
    "card": f'fill="none" stroke="{_INK}"',
    "dashed": f'fill="none" stroke="{_INK}" stroke-dasharray="3 2"',
    "dark": f'fill="{_INK}"',
    "round": f'fill="none" stroke="{_MUTED}" rx="9"',
    "coin": 'fill="none" stroke="#b97f00" rx="9"',
}
PAWNS = {
    "pawn": (12, '<circle cx="6" cy="4.2" r="3.2"/><path d="M4 7.2h4l2.6 8H1.4z"/>'),
    "officer": (
        16,
        '<path d="M3.6 1.2 6 3.4 8 .6l2 2.8 2.4-2.2V6H3.6z"/><circle cx="8" cy="8" r="3.4"/>'
        '<path d="M5 11.4h6l4 8.2H1z"/>',
    ),
}


class _Drawn(NamedTuple):
    """A piece of the drawing, from its upper left corner on."""

    svg: str
    width: float
    height: float


def _draw_board(heading: str, panels: Sequence[Panel], names: Sequence[str]) -> np.ndarray:
    """Return a title and the panels of a replay as an image (1000, 1000, 3) of uint8, scaled to fit."""
    text = _draw_text(heading, _TITLE + 2, ' font-weight="700"')
    pieces = [text, *_lay_out(panels, names)]
    placed, y = [], float(_MARGIN)
    for piece in pieces:
        placed.append(_at(_MARGIN, y, piece.svg))
        y += piece.height + 10
    width = max(piece.width for piece in pieces) + 2 * _MARGIN
    side = max(width, y, _LEAST)
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side:.0f} {side:.0f}" width="{_SIDE}" '
        f'height="{_SIDE}" color="{_INK}" fill="{_INK}" font-family="DejaVu Sans" font-size="{_SIZE}">'
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>{"".join(placed)}</svg>'
    )
    return rasterise(drawing)


def rasterise(drawing: str) -> np.ndarray:
    """Return an SVG drawing as pixels, uint8 (height, width, 3)."""
    with from_extra("rl"):
        import resvg_py
    from PIL import Image

    regular, bold = _font_files()
    png = resvg_py.svg_to_bytes(
        svg_string=drawing,
        skip_system_fonts=True,
        font_files=[regular, bold],
        sans_serif_family="DejaVu Sans",
        style_sheet=_STYLE,
    )
    return np.asarray(Image.open(BytesIO(bytes(png))).convert("RGB"))


def _font_files() -> tuple[str, str]:
    """Return the fonts that come with matplotlib, so that images are the same on all machines."""
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return str(folder / "DejaVuSans.ttf"), str(folder / "DejaVuSans-Bold.ttf")


@lru_cache(10_000)
def _measure(text: str, size: int) -> float:
    """Return the width of text in pixels, in bold letters."""
    return float(_bold(size).getlength(text))


@cache
def _bold(size: int):  # type: ignore[no-untyped-def] # a font of Pillow
    from PIL import ImageFont

    return ImageFont.truetype(_font_files()[1], size)


def _at(x: float, y: float, svg: str) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{svg}</g>'


def _draw_text(text: str, size: int = _SIZE, look: str = "") -> _Drawn:
    """Return text whose baseline is that of a row."""
    svg = f'<text y="{size}" font-size="{size}"{look} xml:space="preserve">{escape(text)}</text>'
    return _Drawn(svg, _measure(text, size), size * 1.4)


def _lay_out(panels: Sequence[Panel], names: Sequence[str]) -> Iterator[_Drawn]:
    """Yield the panels from the top: tiles in rows, each other panel in a row of its own."""
    tiles = [_draw_panel(panel, names) for panel in panels if panel.tile]
    for first in range(0, len(tiles), _TILES):
        row = tiles[first : first + _TILES]
        width = (_SIDE - 2 * _MARGIN) / _TILES
        svg = "".join(_at(place * width, 0, tile.svg) for place, tile in enumerate(row))
        yield _Drawn(svg, width * len(row), max(tile.height for tile in row))
    for panel in panels:
        if not panel.tile and (panel.svg or panel.rows):
            yield _draw_panel(panel, names)


def _draw_panel(panel: Panel, names: Sequence[str]) -> _Drawn:
    title = _draw_text(panel.title, _TITLE, ' font-weight="700"')
    note = _draw_text(panel.note, _SIZE - 2, f' fill="{_MUTED}"')
    head = title.svg + _at(title.width + 10, 2, note.svg)
    body = _draw_drawing(panel.svg) if panel.svg else _draw_table(panel, names)
    width = max(title.width + 10 + note.width, body.width)
    return _Drawn(head + _at(0, title.height, body.svg), width, title.height + body.height)


def _draw_drawing(svg: str) -> _Drawn:
    """Return a drawing of a panel; its colours are written out, because resvg knows no CSS variables."""
    size = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', svg)
    width, height = (float(each) for each in size.groups()) if size else (_SIDE, _SIDE)
    plain = re.sub(r"var\(--s(\d)\)", lambda found: SEATS[int(found[1])], svg)
    plain = re.sub(r"var\(--paper(, ?#\w+)?\)", _PAPER, plain)
    sized = re.sub(r'(<svg\b[^>]*?) width="[^"]*"', rf'\1 width="{width:g}" height="{height:g}"', plain, count=1)
    return _Drawn(sized, width, height)


def _draw_table(panel: Panel, names: Sequence[str]) -> _Drawn:
    """Return a table whose columns are as wide as their widest cell."""
    rows = [[_draw_cell(cell, names) for cell in row] for row in panel.rows]
    head = [_draw_text(column, _SIZE - 2, f' fill="{_MUTED}"') for column in panel.columns]
    count = max(map(len, [head, *rows]), default=0)
    lines = [head, *rows] if head else rows
    # The last cell of a short row spans the rest.
    own = [[line[i].width for line in lines if i < len(line) - (len(line) < count)] for i in range(count)]
    widths = [max(column, default=0.0) for column in own]
    starts = np.concatenate([[0.0], np.cumsum(np.array(widths) + _GAP)])
    parts, y = [], 0.0
    for line in lines:
        parts += [_at(starts[i], y, cell.svg) for i, cell in enumerate(line)]
        y += _LINE
        parts.append(f'<path d="M0 {y - 1:.0f}H{starts[-1]:.0f}" stroke="{_RULE}"/>')
    spans = [starts[len(line) - 1] + line[-1].width for line in lines if line]
    return _Drawn("".join(parts), max([float(starts[-1]), *spans]), y)


def _draw_cell(cell: Cell, names: Sequence[str]) -> _Drawn:
    """Return the texts and signs of a cell, one after the other."""
    cell = player_cell(cell, names)
    parts = [cell] if isinstance(cell, str | Mark) else list(cell)
    svg, x = "", 0.0
    for part in parts:
        drawn = _draw_text(part) if isinstance(part, str) else _draw_mark(part)
        svg += _at(x, 0, drawn.svg)
        x += drawn.width + (0 if isinstance(part, str) else 3)
    return _Drawn(svg, x, _LINE)


def _draw_mark(mark: Mark) -> _Drawn:
    """Return a sign: a seat's disc, a pawn, or a text in a frame."""
    colour = _INK if mark.seat is None else SEATS[mark.seat]
    pale = ' opacity="0.5"' if mark.pale else ""
    if mark.shape in PAWNS:
        pawn, shape = PAWNS[mark.shape]
        return _Drawn(f'<g fill="{colour}"{pale}>{shape}</g>', pawn, _LINE)
    width = 18.0 if mark.shape == "seat" else max(18, _measure(mark.text, _SIZE - 2) + 6)
    ink = _PAPER if mark.shape in ("seat", "dark") else _INK
    frame = (
        f'<circle cx="9" cy="9" r="9" fill="{colour}"/>'
        if mark.shape == "seat"
        else f'<rect x=".5" y=".5" width="{width - 1:.1f}" height="17" {_FRAMES[mark.shape]}/>'
    )
    text = (
        f'<text x="{width / 2:.1f}" y="13.5" text-anchor="middle" font-size="{_SIZE - 2}" font-weight="700" '
        f'fill="{ink}">{escape(mark.text)}</text>'
    )
    return _Drawn(f"<g{pale}>{frame}{text}</g>", width, _LINE)
