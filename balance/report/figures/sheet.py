"""What all figures share: style, colours, files."""

from __future__ import annotations

import base64
import html
import io
import math
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as MatplotlibFigure

from balance.report.escaping import escape_controls
from balance.report.model import Figure

# Okabe and Ito's palette, told apart by the colour-blind.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#F0E442")
# What is no data; a page in dark mode shows these, and all other colours, by their counterparts: see `themed`.
INK, MUTED, GRID, BAND = "#1a222c", "#555555", "#dddddd", "#e9ebe5"
MARKS = "osD^vP"
# Of bars, so that they are told apart without colour too; drawn in white, as paper shines through.
HATCHES = ("", "///", "\\\\\\", "xxx", "---", "|||", "+++", "//")
HATCHED: Any = {"edgecolor": "white", "linewidth": 0}
STYLE: Any = {
    "font.size": 10,
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK
    ),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "hatch.linewidth": 0.9,
    "svg.fonttype": "none",  # text, as small as it can be
    "text.parse_math": False,  # a name may hold dollars
    "svg.hashsalt": "balance",
}


class Drawing(MatplotlibFigure):
    """A figure of matplotlib's, to be changed and saved as any other, that a notebook shows by itself.

    Attributes
    ----------
    alt : str
        What it shows, for those who can't see it.
    """

    alt: str = ""

    def _repr_html_(self) -> str:
        """The picture, in a notebook."""
        data, width = base64.b64encode(_png(self)).decode(), min(900, round(100 * self.get_figwidth()))
        return f'<img alt="{html.escape(self.alt)}" width="{width}" src="data:image/png;base64,{data}">'


def colours(names: Sequence[str]) -> dict[str, str]:
    """A colour for each name, the same for the same list; shades from dark to light where they are many."""
    if len(names) <= len(PALETTE):
        return {name: PALETTE[i] for i, name in enumerate(names)}
    return shades(names)


def shades(names: Sequence[Any]) -> dict[Any, str]:
    """Shades from dark to light for what is ordered, player counts for example."""
    scale = matplotlib.colormaps["viridis"]
    return {name: to_hex(scale(0.8 * i / max(1, len(names) - 1))) for i, name in enumerate(names)}


def sheet(
    rows: int, columns: int, size: tuple[float, float], **options: Any
) -> tuple[Drawing, np.ndarray]:
    """An empty drawing and its axes (rows, columns); without pyplot, whose state is the user's."""
    drawing = Drawing(figsize=size, layout=options.pop("layout", None))
    return drawing, drawing.subplots(rows, columns, squeeze=False, **options)


LINE = 0.24  # inches, of a legend or a title


def legend_grid(width: float, labels: Sequence[str]) -> tuple[int, int]:
    """Rows and columns of a legend in a drawing that is `width` inches wide."""
    longest = max(len(label) for label in labels)
    columns = max(1, min(4, len(labels), int(width / (0.085 * longest + 0.55))))
    return math.ceil(len(labels) / columns), columns


def panels(count: int, height: float, **options: Any) -> tuple[Drawing, list[Axes]]:
    """A drawing with so many axes, three in a row at most, each row `height` inches high; in narrow panels a page
    that shows the drawing at half its size can still be read."""
    columns = min(3, count)
    rows = math.ceil(count / columns)
    drawing, axes = sheet(rows, columns, (2.75 * columns + 0.9, height * rows), **options)
    for axis in list(axes.flat)[count:]:
        axis.set_visible(False)
    return drawing, list(axes.flat)[:count]


def head(axis: Axes, panel: str, data: pd.DataFrame, mark: str) -> None:
    """The heading of a panel, with the n of its smallest mark."""
    title = "\n".join(textwrap.wrap(panel, 30))
    axis.set_title(f"{title}\nn ≥ {int(data['n'].min()):,} a {mark}")


def finish(drawing: Drawing, name: str, caption: str, alt: str, handles: Sequence[Any] = ()) -> Figure:
    """The drawn figure as SVG and PNG: a title is put above it, a legend of `handles` below."""
    width, height = drawing.get_size_inches()
    lines = textwrap.wrap(caption.rstrip("."), int(10 * width))
    labels = [str(handle.get_label()) for handle in handles]
    rows, columns = legend_grid(width, labels) if len(labels) > 1 else (0, 1)
    above, below = LINE * len(lines), LINE * rows + 0.1 * (rows > 0)
    whole = height + above + below
    drawing.set_figheight(whole)
    if rows:
        drawing.legend(handles=handles, loc="lower center", ncols=columns, frameon=False)
    title = drawing.suptitle("\n".join(lines), y=1 - 0.05 / whole, va="top", fontsize=11, gid=TITLE)
    title.set_in_layout(False)
    area = (0, below / whole, 1, 1 - above / whole)
    if engine := drawing.get_layout_engine():
        engine.set(rect=(0, area[1], 1, area[3] - area[1]))  # type: ignore[call-arg]
    else:
        with _any_letter():
            drawing.tight_layout(rect=area)
    drawing.alt = alt
    return Figure(name, caption, drawing, *_save(drawing), above)


TITLE = "title"
"""The id of the title in an SVG: a page has the caption for it."""


def _save(drawing: Drawing) -> tuple[bytes, bytes]:
    """As SVG and PNG; written by the canvases, as `savefig` draws all of it twice."""
    svg = io.BytesIO()
    drawing.dpi = 150
    png = _png(drawing)
    with _any_letter():
        FigureCanvasSVG(drawing).print_svg(svg, metadata={"Date": None})  # type: ignore[no-untyped-call]
    return escape_controls(svg.getvalue().decode("utf-8"), kept="\t\r\n").encode("utf-8"), png


def _png(drawing: Drawing) -> bytes:
    png = io.BytesIO()
    with _any_letter():
        FigureCanvasAgg(drawing).print_png(png)  # type: ignore[no-untyped-call]
    return png.getvalue()


@contextmanager
def _any_letter() -> Iterator[None]:
    """Draw letters that the font lacks as boxes, without a warning for each; an SVG holds them as text."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        warnings.filterwarnings("ignore", "Matplotlib currently does not support")
        yield
