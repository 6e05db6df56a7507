"""What all figures share: style, colours, files."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Drawing

from balance.report.model import Figure

# Okabe and Ito's palette, told apart by the colour-blind.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#F0E442")
STYLE: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "svg.fonttype": "none",  # text, as small as it can be
    "text.parse_math": False,  # a name may hold dollars
    "svg.hashsalt": "balance",
}


def colours(names: Sequence[str]) -> dict[str, str]:
    """A colour for each name, the same for the same list; shades from dark to light where they are many."""
    if len(names) <= len(PALETTE):
        return {name: PALETTE[i] for i, name in enumerate(names)}
    return shades(names)


def shades(names: Sequence[Any]) -> dict[Any, str]:
    """Shades from dark to light for what is ordered, player counts for example."""
    scale = matplotlib.colormaps["viridis"]
    return {name: to_hex(scale(0.88 * i / max(1, len(names) - 1))) for i, name in enumerate(names)}


def sheet(
    rows: int, columns: int, size: tuple[float, float], **options: Any
) -> tuple[Drawing, np.ndarray]:
    """An empty drawing and its axes (rows, columns); without pyplot, whose state is the user's."""
    drawing = Drawing(figsize=size, layout=options.pop("layout", None))
    return drawing, drawing.subplots(rows, columns, squeeze=False, **options)


LINE = 0.24  # inches, of a legend


def legend_grid(width: float, labels: Sequence[str]) -> tuple[int, int]:
    """Rows and columns of a legend in a drawing that is `width` inches wide."""
    longest = max(len(label) for label in labels)
    columns = max(1, min(4, len(labels), int(width / (0.085 * longest + 0.55))))
    return math.ceil(len(labels) / columns), columns


def legend_below(drawing: Drawing, handles: Sequence[Any]) -> float:
    """A legend under everything, in as many columns as fit; returns its share of the drawing's height."""
    labels = [str(handle.get_label()) for handle in handles]
    rows, columns = legend_grid(drawing.get_figwidth(), labels)
    drawing.legend(handles=handles, loc="lower center", ncols=columns, frameon=False)
    return (LINE * rows + 0.1) / drawing.get_figheight()


def panels(count: int, height: float, labels: Sequence[str]) -> tuple[Drawing, list[Axes]]:
    """A drawing with so many axes, three in a row at most, and room for a legend.

    Parameters
    ----------
    height : float
        Of a row, in inches.
    labels : sequence of str
        Of the legend.
    """
    columns = min(3, count)
    rows = math.ceil(count / columns)
    width = 3.6 * columns + 1.2
    below = LINE * legend_grid(width, labels)[0]
    drawing, axes = sheet(rows, columns, (width, height * rows + below))
    for axis in list(axes.flat)[count:]:
        axis.set_visible(False)
    return drawing, list(axes.flat)[:count]


def finish(drawing: Drawing, name: str, caption: str, alt: str) -> Figure:
    """The drawn figure as SVG and PNG."""
    svg, png = io.BytesIO(), io.BytesIO()
    drawing.savefig(svg, format="svg", metadata={"Date": None})
    drawing.savefig(png, format="png", dpi=150)
    return Figure(name, caption, alt, svg.getvalue(), png.getvalue())
