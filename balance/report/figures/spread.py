"""Boxes: how values are spread."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from balance.report.figures.sheet import GRID, MARKS, STYLE, finish, head, panels
from balance.report.model import Figure


def draw_spreads(name: str, caption: str, data: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """A panel for each measure: the median of each player count and variant as a mark, the half of the values around
    it as a bar, all but a tenth of them as a line.

    Parameters
    ----------
    data : DataFrame
        As of `balance.analysis.spread.quartiles`, by ``players`` and ``variant``.
    palette : dict
        Variant to colour.
    """
    measures = list(dict.fromkeys(data["measure"]))
    counts = sorted(data["players"].unique())
    variants = list(dict.fromkeys(data["variant"]))
    marks = dict(zip(palette, cycle(MARKS), strict=False))
    with rc_context(STYLE):
        height = 1.2 + 0.16 * (len(variants) + 1) * len(counts)
        drawing, axes = panels(len(measures), height)
        for axis, measure in zip(axes, measures, strict=True):
            panel = data[data["measure"] == measure]
            for i, variant in enumerate(variants):
                part = panel[panel["variant"] == variant]
                shift = 0.7 * (i - (len(variants) - 1) / 2) / len(variants)
                at = np.array([counts.index(players) + shift for players in part["players"]])
                _boxes(axis, part, at, palette[variant], marks[variant])
            axis.set_yticks(range(len(counts)), [f"{players} players" for players in counts])
            axis.set_ylim(len(counts) - 0.5, -0.5)
            axis.grid(axis="x", color=GRID, linewidth=0.6)
            axis.set_axisbelow(True)
            axis.set_xlabel(f"{measure}, points")
            head(axis, measure, panel, "box")
        handles = [Line2D([], [], marker=marks[v], color=palette[v], label=v) for v in variants]
        alt = f"{caption} Boxes: median, quartiles, from the 5th to the 95th percentile, by player count and variant."
        return finish(drawing, name, caption, alt, handles)


def _boxes(axis: Axes, part: pd.DataFrame, at: np.ndarray, colour: str, mark: str) -> None:
    axis.hlines(at, part["least"], part["most"], color=colour, linewidth=1)
    axis.hlines(at, part["lower"], part["upper"], color=colour, linewidth=5, alpha=0.45)
    axis.plot(part["value"], at, mark, color=colour, markersize=5)
