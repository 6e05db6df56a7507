"""Forest charts: effects of one kind with their intervals, and the band in which they do not matter."""

from __future__ import annotations

import pandas as pd
from matplotlib import rc_context
from matplotlib.lines import Line2D

from balance.report.figures.sheet import (
    BAND,
    GRID,
    INK,
    MARKS,
    PALETTE,
    STYLE,
    finish,
    reach_of,
    sheet,
)
from balance.report.model import Figure
from balance.report.words import smallest_n


def draw_forest(name: str, caption: str, data: pd.DataFrame, unit: str, threshold: float) -> Figure:
    """Draw effects with intervals: a panel for each player count, a row for each title, a mark for each verdict.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``title`` (rows from the top in order of first appearance), ``value``, ``low``, ``high``,
        ``verdict``, ``n``.
    threshold : float
        Half the width of the band around 0.
    """
    titles, counts = list(dict.fromkeys(data["title"])), sorted(data["players"].unique())
    looks = dict(zip(dict.fromkeys(data["verdict"]), zip(PALETTE, MARKS, strict=False), strict=False))
    with rc_context(STYLE):
        size = (2.6 + 2.6 * len(counts), 1.0 + 0.3 * len(titles))
        drawing, axes = sheet(1, len(counts), size, sharey=True, layout="constrained")
        for axis, players in zip(axes[0], counts, strict=True):
            panel = data[data["players"] == players]
            axis.axvspan(-threshold, threshold, color=BAND, zorder=0)
            axis.axvline(0, color=INK, linewidth=1)
            for verdict, (colour, mark) in looks.items():
                part = panel[panel["verdict"] == verdict]
                value, reach = reach_of(part)
                at = [titles.index(title) for title in part["title"]]
                axis.errorbar(value, at, xerr=reach, fmt=mark, markersize=5, capsize=2, color=colour)
            axis.set_yticks(range(len(titles)), titles)
            axis.set_ylim(len(titles) - 0.4, -0.6)
            axis.grid(axis="x", color=GRID, linewidth=0.6)
            axis.set_axisbelow(True)
            axis.set_xlabel(unit)
            axis.set_title(f"{players} players\n{smallest_n(panel)} a row")
        handles = [
            Line2D([], [], marker=mark, linestyle="", color=colour, label=verdict)
            for verdict, (colour, mark) in looks.items()
        ]
        band = f"within {threshold:g} points of 0"
        handles.append(Line2D([], [], color=BAND, linewidth=6, label=band))
        alt = f"{caption} Dots with intervals for {len(titles)} options; the table has the figures."
        return finish(drawing, name, caption, alt, handles)
