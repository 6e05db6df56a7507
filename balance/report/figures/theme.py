"""Colours of all figures, and a figure's SVG in the light or dark theme of a page; draws nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.report.model import Figure

# Okabe and Ito's palette, which colour-blind readers can tell apart.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#F0E442")
# Colours of everything but data. In dark mode a page replaces these and all other colours, see `themed`.
INK, MUTED, GRID, BAND = "#1a222c", "#555555", "#dddddd", "#e9ebe5"


def colours(names: Sequence[str]) -> dict[str, str]:
    """Return a colour for each name, the same for the same list; if there are many names, shades."""
    if len(names) <= len(PALETTE):
        return {name: PALETTE[i] for i, name in enumerate(names)}
    return shades(names)


def shades(names: Sequence[Any]) -> dict[Any, str]:
    """Return shades from dark to light for ordered values, such as player counts."""
    import matplotlib  # takes longer to load than a replay takes to write, which needs no shades
    from matplotlib.colors import to_hex

    scale = matplotlib.colormaps["viridis"]
    return {name: to_hex(scale(0.8 * i / max(1, len(names) - 1))) for i, name in enumerate(names)}


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
    text = re.sub(r'( id="|href="#|url\(#)([^")]+)', lambda found: found[1] + short.get(found[2], found[2]), text)
    # Points after the first are lines, unless a curve stands between.
    return re.sub(r'(?<= d=")[^"CQ]+(?=")', lambda path: path[0].replace("L ", "").replace("M ", "M"), text)


def _classed(text: str) -> str:
    """Replace styles that occur more than once by classes."""
    found = Counter(_STYLED.findall(text))
    names = {style: f"s{i}" for i, style in enumerate(found) if found[style] > 1}
    text = _STYLED.sub(lambda style: f' class="{names[style[1]]}"' if style[1] in names else style[0], text)
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return text.replace("</style>", f"{rules}</style>", 1)


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name[1:]}:{colour};" for name, colour in colours.items())


def lightened(colour: str) -> str:
    """Return a colour for a dark background: mixed with white until the contrast suffices."""
    from matplotlib.colors import to_hex, to_rgb  # only here, see `shades`

    if colour in _DARK:
        return _DARK[colour]
    for white in np.arange(0, 1, 0.05):
        red, green, blue = (float(part + (1 - part) * white) for part in to_rgb(colour))
        if _contrast((red, green, blue), to_rgb(PAPER)) >= _LEAST:
            return to_hex((red, green, blue))
    return "#ffffff"


def _contrast(colour: tuple[float, float, float], paper: tuple[float, float, float]) -> float:
    return (_luminance(colour) + 0.05) / (_luminance(paper) + 0.05)


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
