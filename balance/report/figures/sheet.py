"""Style, colours, file output, and light and dark themes of all figures."""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.ticker import ScalarFormatter

from balance.foundation.language import N_, tr
from balance.report.figures.saving import Drawing, Saved, Ticks, any_letter
from balance.report.model import NAMES, Figure
from balance.report.words import count_players, smallest_n

# Okabe and Ito's palette, which colour-blind readers can tell apart.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#F0E442")
# Colours of everything but data. In dark mode a page replaces these and all other colours, see `themed`.
INK, MUTED, GRID, BAND = "#1a222c", "#555555", "#dddddd", "#e9ebe5"
MARKS = "osD^vP"
# Hatches tell bars apart without colour. They are drawn in white, like gaps in the bar.
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
    "axes.titley": 1.0,  # no ticks are above the panels, so the place of their titles need not be searched
    "hatch.linewidth": 0.9,
    "svg.fonttype": "none",  # keeps text as text, which makes the file small
    "text.parse_math": False,  # a name may hold dollars
    "svg.hashsalt": "balance",
}


def colours(names: Sequence[str]) -> dict[str, str]:
    """Return a colour for each name, the same for the same list; if there are many names, shades."""
    if len(names) <= len(PALETTE):
        return {name: PALETTE[i] for i, name in enumerate(names)}
    return shades(names)


def shades(names: Sequence[Any]) -> dict[Any, str]:
    """Return shades from dark to light for ordered values, such as player counts."""
    scale = matplotlib.colormaps["viridis"]
    return {name: to_hex(scale(0.8 * i / max(1, len(names) - 1))) for i, name in enumerate(names)}


def sheet(
    rows: int, columns: int, size: tuple[float, float], **options: Any
) -> tuple[Drawing, np.ndarray]:
    """Return an empty drawing and its axes (rows, columns), without touching the user's pyplot state."""
    drawing = Drawing(figsize=size, dpi=150, layout=options.pop("layout", None))
    FigureCanvasAgg(drawing)  # `tight_layout` would else make one for each pass
    return drawing, drawing.subplots(rows, columns, squeeze=False, **options)


LINE = 0.24  # inches, of a legend or a title


def legend_grid(width: float, labels: Sequence[str]) -> tuple[int, int]:
    """Return the rows and columns of a legend in a drawing that is `width` inches wide."""
    longest = max(len(label) for label in labels)
    columns = max(1, min(4, len(labels), int(width / (0.085 * longest + 0.55))))
    return math.ceil(len(labels) / columns), columns


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


def reach_of(rows: pd.DataFrame, name: str = "value", ends: Sequence[str] = ("low", "high")) -> Any:
    """Return values, and how far their intervals reach below and above, for `Axes.errorbar`."""
    value, low, high = (rows[column].to_numpy(float) for column in (name, *ends))
    return value, [value - low, high - value]


def finish(drawing: Drawing, name: str, caption: str, alt: str, handles: Sequence[Any] = ()) -> Figure:
    """Return the figure as SVG and PNG, with a title above and a legend of `handles` below."""
    width, height = drawing.get_size_inches()
    lines = textwrap.wrap(caption.rstrip("."), int(10 * width))
    labels = [str(handle.get_label()) for handle in handles]
    rows, columns = legend_grid(width, labels) if len(labels) > 1 else (0, 1)
    above, below = LINE * len(lines), LINE * rows + 0.1 * (rows > 0)
    whole = height + above + below
    _localize_ticks(drawing)
    engine = drawing.get_layout_engine()
    if engine:
        engine.set(rect=(0, below / whole, 1, height / whole))  # type: ignore[call-arg]
    else:
        _lay_out(drawing, above, below)
    drawing.set_figheight(whole)
    if rows:
        drawing.legend(handles=handles, loc="lower center", ncols=columns, frameon=False)
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
    drawing.subplots_adjust(
        bottom=(below + height * at.bottom) / whole, top=(below + height * at.top) / whole
    )


TITLE = "title"
"""The id of the title in an SVG, which a page replaces by the caption."""


PAPER = "#14181d"
"""The background of a page in dark mode."""
_DARK = {INK: "#e7eaed", MUTED: "#a0abb6", GRID: "#353d46", BAND: "#2b323a"}
_KEPT = ("#000000", "#ffffff")  # text on a heat map, which has the same colours in dark mode
_FONT = '"Segoe UI",Roboto,"Helvetica Neue",Arial,system-ui,sans-serif'
_COLOUR = re.compile(r'(?:(?<=: )|(?<=fill="))#[0-9a-f]{6}\b')
_STYLED = re.compile(r' style="([^"]*)"')
_PLACES = re.compile(r' (?:d|x|y|transform)="[^"]*"')
_DIGITS = re.compile(r"(\d\d\.\d|\b\d\.\d\d)\d+")  # decimals of a point that are invisible
_LEAST = 3.0  # contrast with the background, required by WCAG for graphics
_WASTE = (
    (re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>", re.S), ""),
    (re.compile(rf'<g id="{TITLE}">.*?</g>', re.S), ""),
    # The backgrounds of the figure and of each panel.
    (re.compile(r'(?<=style=")fill: #ffffff(?=")'), "fill: none"),
    (re.compile(r" ?font-family: [^;\"]*;?"), ""),
    (re.compile(r' transform="rotate\(-?0 [^"]*"'), ""),
    (re.compile(r'(?<=<g) id="[^"]*"'), ""),
    (re.compile(r"\s*\n\s*"), " "),
    (re.compile(r"(?<=>) +(?=<)"), ""),
)


def themed(figure: Figure) -> str:
    """Return the SVG of a figure for a page, a third as long; its colours follow the page's light or dark theme."""
    text = figure.svg.decode("utf-8")
    for pattern, instead in _WASTE:
        text = pattern.sub(instead, text)
    text = _PLACES.sub(lambda place: _DIGITS.sub(r"\1", place[0]), text)
    used = sorted({found for found in _COLOUR.findall(text) if found not in _KEPT})
    text = _COLOUR.sub(lambda found: found[0] if found[0] in _KEPT else f"var(--{found[0][1:]})", text)
    style = (
        f"svg{{{_variables({colour: colour for colour in used})}fill:var(--{INK[1:]})}}"
        f"@media (prefers-color-scheme:dark){{svg{{{_variables({each: lightened(each) for each in used})}}}}}"
        f"text{{font-family:{_FONT}}}"
    )
    text = text.replace('<style type="text/css">', f'<style type="text/css">{style}', 1)
    text = _classed(_cropped(text, 72 * figure.above))
    text = _shortened(_without_bare_groups(text))
    return re.sub(r"""="([^"']*)\"""", r"='\1'", text)  # a data URI need not escape single quotes


def _without_bare_groups(text: str) -> str:
    """Remove groups without attributes, which draw nothing of their own."""
    bare: list[bool] = []

    def keep(tag: re.Match[str]) -> str:
        if tag[0] != "</g>":
            bare.append(tag[0] == "<g>")
        return "" if (bare.pop() if tag[0] == "</g>" else bare[-1]) else tag[0]

    return re.sub(r"<g>|<g [^>]*[^/]>|</g>", keep, text)


def _shortened(text: str) -> str:
    """Return an SVG with short ids, and with paths that repeat no command."""
    ids = dict.fromkeys(re.findall(r' id="([^"]+)"', text))
    short = {name: f"i{number}" for number, name in enumerate(ids)}
    text = re.sub(
        r'( id="|href="#|url\(#)([^")]+)', lambda found: found[1] + short.get(found[2], found[2]), text
    )
    # Points after the first are lines, unless a curve stands between.
    return re.sub(
        r'(?<= d=")[^"CQ]+(?=")', lambda path: path[0].replace("L ", "").replace("M ", "M"), text
    )


def _classed(text: str) -> str:
    """Replace styles that occur more than once by classes."""
    found = Counter(_STYLED.findall(text))
    names = {style: f"s{i}" for i, style in enumerate(found) if found[style] > 1}
    text = _STYLED.sub(
        lambda style: f' class="{names[style[1]]}"' if style[1] in names else style[0], text
    )
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return text.replace("</style>", f"{rules}</style>", 1)


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name[1:]}:{colour};" for name, colour in colours.items())


def lightened(colour: str) -> str:
    """Return a colour for a dark background: mixed with white until the contrast suffices."""
    if colour in _DARK:
        return _DARK[colour]
    for white in np.arange(0, 1, 0.05):
        red, green, blue = (float(part + (1 - part) * white) for part in to_rgb(colour))
        if _contrast((red, green, blue)) >= _LEAST:
            return to_hex((red, green, blue))
    return "#ffffff"


def _contrast(colour: tuple[float, float, float]) -> float:
    return (_luminance(colour) + 0.05) / (_luminance(to_rgb(PAPER)) + 0.05)


def _luminance(colour: tuple[float, float, float]) -> float:
    """Return the relative luminance by WCAG 2."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _cropped(text: str, above: float) -> str:
    """Crop an SVG by `above` points at the top."""
    found = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt" viewBox="[^"]+"', text)
    assert found, "a drawing of matplotlib's has its size in points"
    width, height = float(found[1]), float(found[2]) - above
    size = f'width="{width:g}pt" height="{height:g}pt" viewBox="0 {above:g} {width:g} {height:g}"'
    return text.replace(found[0], size, 1)
