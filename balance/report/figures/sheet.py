"""What all figures share: style, panels, headings, legends, and a title above."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.ticker import ScalarFormatter

from balance.foundation.errors import cut_middle
from balance.foundation.language import N_, tr
from balance.report.figures.saving import Drawing, Saved, Ticks, any_letter
from balance.report.figures.theme import INK, TITLE
from balance.report.model import NAMES, Figure
from balance.report.words import count_players, smallest_n

MARKS = "osD^vP"
# Hatches tell bars apart without colour. They are drawn in white, like gaps in the bar.
HATCHES = ("", "///", "\\\\\\", "xxx", "---", "|||", "+++", "//")
HATCHED: Any = {"edgecolor": "white", "linewidth": 0}
STYLE: Any = {
    "font.size": 10,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titley": 1.0,  # no ticks are above the panels, so the place of their titles need not be searched
    "hatch.linewidth": 0.9,
    "svg.fonttype": "none",  # keeps text as text, which makes the file small
    "text.parse_math": False,  # a name may hold dollars
    "svg.hashsalt": "balance",
}


def sheet(rows: int, columns: int, size: tuple[float, float], **options: Any) -> tuple[Drawing, np.ndarray]:
    """Return an empty drawing and its axes (rows, columns), without touching the user's pyplot state."""
    drawing = Drawing(figsize=size, dpi=150, layout=options.pop("layout", None))
    FigureCanvasAgg(drawing)  # `tight_layout` would else make one for each pass
    return drawing, drawing.subplots(rows, columns, squeeze=False, **options)


_LONGEST_TICK = 60  # letters of a name at an axis
LINE = 0.24  # inches, of a legend or a title
LETTER, KEY = 0.085, 0.55  # inches, of a letter in a legend, and of what stands before a label


def lay_out_legend(width: float, labels: Sequence[str]) -> tuple[list[str], int, int]:
    """Return the wrapped labels, the lines and the columns of a legend that is at most `width` inches wide.

    A drawing with one kind of mark needs no legend: no lines.
    """
    if len(labels) < 2:
        return [], 0, 1
    wrapped = [textwrap.fill(label, max(1, int((width - KEY) / LETTER))) for label in labels]
    longest = max(len(line) for label in wrapped for line in label.split("\n"))
    columns = max(1, min(4, len(labels), int(width / (LETTER * longest + KEY))))
    lines = sum(label.count("\n") + 1 for label in wrapped)
    return wrapped, math.ceil(lines / columns), columns


def panels(count: int, height: float, **options: Any) -> tuple[Drawing, list[Axes]]:
    """Return a drawing with `count` axes, at most three in a row, each row `height` inches high.

    The panels are narrow, so they stay readable on a page that shows the drawing at half its size.
    """
    columns = min(3, count)
    rows = math.ceil(count / columns)
    drawing, axes = sheet(rows, columns, (2.75 * columns + 0.9, height * rows), **options)
    for axis in list(axes.flat)[count:]:
        axis.set_visible(False)
    return drawing, list(axes.flat)[:count]


def player_panels(
    data: pd.DataFrame, height: float, mark: str, **options: Any
) -> tuple[Drawing, list[tuple[Axes, int, pd.DataFrame]]]:
    """Return a drawing with a panel for each player count, and of each panel its axes, player count and rows.

    `mark` is what stands for an estimate, such as "dot"; height and options are those of `panels`.
    """
    counts = sorted(data["players"].unique())
    drawing, axes = panels(len(counts), height, **options)
    cells = [data[data["players"] == players] for players in counts]
    for axis, players, cell in zip(axes, counts, cells, strict=True):
        head(axis, count_players(players), cell, mark)
    return drawing, list(zip(axes, counts, cells, strict=True))


_EACH = {
    "dot": N_("{smallest} a dot"), "filled dot": N_("{smallest} a filled dot"), "bar": N_("{smallest} a bar"),
    "box": N_("{smallest} a box"), "point": N_("{smallest} a point"), "row": N_("{smallest} a row"),
}  # fmt: skip


def head(axis: Axes, panel: str, data: pd.DataFrame, mark: str) -> None:
    """Set the heading of a panel, with its smallest n."""
    title = "\n".join(textwrap.wrap(panel, 30))
    axis.set_title(f"{title}\n{smallest_each(data, mark)}")


def smallest_each(data: pd.DataFrame, mark: str) -> str:
    """Return the smallest n of a `mark` such as "dot", which stands for an estimate, as in "n ≥ 1,200 a dot"."""
    return tr(_EACH[mark], smallest=smallest_n(data))


def name_of_row(column: str, value: object) -> str:
    """Return a value of a column as a label, in the language in use; names of variants are not translated."""
    return str(value) if column in NAMES else tr(str(value))


def _localize_ticks(drawing: Drawing) -> None:
    for axes in drawing.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if type(axis.get_major_formatter()) is ScalarFormatter:
                axis.set_major_formatter(Ticks())


def _shorten_ticks(drawing: Drawing) -> None:
    """Cut and wrap names at an axis that would leave no room for the panel."""
    for axes in drawing.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(axis.get_major_formatter(), ScalarFormatter):
                continue
            names = [each.get_text() for each in axis.get_ticklabels()]
            if max(map(len, names), default=0) > _LONGEST_TICK:
                short = [cut_middle(name, _LONGEST_TICK // 2) for name in names]
                axis.set_ticks(axis.get_ticklocs(), ["\n".join(textwrap.wrap(each, 32)) for each in short])


def reach_of(rows: pd.DataFrame, name: str = "value", ends: Sequence[str] = ("low", "high")) -> Any:
    """Return values, and how far their intervals reach below and above, for `Axes.errorbar`."""
    value, low, high = (rows[column].to_numpy(float) for column in (name, *ends))
    return value, [value - low, high - value]


def finish(drawing: Drawing, name: str, caption: str, alt: str, handles: Sequence[Any] = ()) -> Figure:
    """Return the figure as SVG and PNG, with a title above and a legend of `handles` below."""
    width, height = drawing.get_size_inches()
    lines = textwrap.wrap(caption.rstrip("."), int(10 * width))
    labels, rows, columns = lay_out_legend(width, [str(handle.get_label()) for handle in handles])
    above, below = LINE * len(lines), LINE * rows + 0.1 * (rows > 0)
    whole = height + above + below
    _localize_ticks(drawing)
    _shorten_ticks(drawing)
    engine = drawing.get_layout_engine()
    if engine:
        engine.set(rect=(0, below / whole, 1, height / whole))  # type: ignore[call-arg]
    else:
        _lay_out(drawing, above, below)
    drawing.set_figheight(whole)
    if rows:
        drawing.legend(handles=handles, labels=labels, loc="lower center", ncols=columns, frameon=False)
    title = drawing.suptitle("\n".join(lines), y=1 - 0.05 / whole, va="top", fontsize=11, gid=TITLE)
    title.set_in_layout(False)
    drawing.alt = alt
    return Figure(name, caption, drawing, Saved(drawing), above)


def _lay_out(drawing: Drawing, above: float, below: float) -> None:
    """Place the panels for a drawing that will be `above` and `below` inches higher.

    `tight_layout` with a rectangle would measure every text twice.
    """
    with any_letter():
        drawing.tight_layout()
    height, at = drawing.get_figheight(), drawing.subplotpars
    whole = height + above + below
    drawing.subplots_adjust(bottom=(below + height * at.bottom) / whole, top=(below + height * at.top) / whole)
