"""Drawings as a page shows them: no paper, no title (the page writes it), light or dark as the page is."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
from matplotlib.colors import to_hex, to_rgb

from balance.report.figures.sheet import BAND, GRID, INK, MUTED, TITLE
from balance.report.model import Figure

PAPER = "#14181d"
"""What is behind a page in dark mode."""
_DARK = {INK: "#e7eaed", MUTED: "#a0abb6", GRID: "#353d46", BAND: "#2b323a"}
_KEPT = ("#000000", "#ffffff")  # of text on a heat map, which is as bright in the dark
_FONT = '"Segoe UI",Roboto,"Helvetica Neue",Arial,system-ui,sans-serif'
_COLOUR = re.compile(r'(?:(?<=: )|(?<=fill="))#[0-9a-f]{6}\b')
_PLACES = re.compile(r' (?:d|x|y|transform)="[^"]*"')
_DIGITS = re.compile(r"(\d\d\.\d|\b\d\.\d\d)\d+")  # and more of a point, which nobody sees
_LEAST = 3.0  # contrast to the paper, as WCAG asks of graphics
_WASTE = (
    (re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>", re.S), ""),
    (re.compile(rf'<g id="{TITLE}">.*?</g>', re.S), ""),
    (re.compile(r'(?<=style=")fill: #ffffff(?=")'), "fill: none"),  # the paper and that of each panel
    (re.compile(r" ?font-family: [^;\"]*;?"), ""),
    (re.compile(r' transform="rotate\(-?0 [^"]*"'), ""),
    (re.compile(r'(?<=<g) id="[^"]*"'), ""),
    (re.compile(r"\s*\n\s*"), " "),
    (re.compile(r"(?<=>) +(?=<)"), ""),
)


def themed(figure: Figure) -> str:
    """The SVG of a figure for a page, in a third of the letters; its colours follow the page's scheme."""
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
    return re.sub(r"""="([^"']*)\"""", r"='\1'", text)  # which an address need not escape


def _classed(text: str) -> str:
    """Styles that come more than once, written once: a class of each."""
    found = Counter(re.findall(r' style="([^"]*)"', text))
    names = {style: f"s{i}" for i, style in enumerate(found) if found[style] > 1}
    text = re.sub(
        r' style="([^"]*)"',
        lambda style: f' class="{names[style[1]]}"' if style[1] in names else style[0],
        text,
    )
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return text.replace("</style>", f"{rules}</style>", 1)


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name[1:]}:{colour};" for name, colour in colours.items())


def lightened(colour: str) -> str:
    """A colour's counterpart on dark paper: its own, or as much nearer to white as it takes to be seen."""
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
    """Relative luminance by WCAG 2."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _cropped(text: str, above: float) -> str:
    """Without so many points at the top."""
    found = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt" viewBox="[^"]+"', text)
    assert found, "a drawing of matplotlib's has its size in points"
    width, height = float(found[1]), float(found[2]) - above
    size = f'width="{width:g}pt" height="{height:g}pt" viewBox="0 {above:g} {width:g} {height:g}"'
    return text.replace(found[0], size, 1)
