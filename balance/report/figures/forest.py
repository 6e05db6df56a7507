"""Forest charts: effects of one kind with their intervals, and the band in which they do not matter."""

from __future__ import annotations

import pandas as pd
from matplotlib import rc_context
from matplotlib.lines import Line2D

from balance.foundation.language import tr, trn
from balance.report.figures.sheet import MARKS, STYLE, finish, reach_of, sheet, smallest_each
from balance.report.figures.theme import BAND, GRID, INK, PALETTE
from balance.report.model import Figure
from balance.report.words import count_players


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
            axis.set_yticks(range(len(titles)), [tr(str(title)) for title in titles])
            axis.set_ylim(len(titles) - 0.4, -0.6)
            axis.grid(axis="x", color=GRID, linewidth=0.6)
            axis.set_axisbelow(True)
            axis.set_xlabel(unit)
            axis.set_title(f"{count_players(players)}\n{smallest_each(panel, 'row')}")
        handles = [
            Line2D([], [], marker=mark, linestyle="", color=colour, label=tr(verdict))
            for verdict, (colour, mark) in looks.items()
        ]
        band = trn("within {n:g} point of 0", "within {n:g} points of 0", threshold)
        handles.append(Line2D([], [], color=BAND, linewidth=6, label=band))
        alt = trn(
            "{caption} Dots with intervals for {n} option; the table has the figures.",
            "{caption} Dots with intervals for {n} options; the table has the figures.",
            len(titles), caption=caption,
        )  # fmt: skip
        return finish(drawing, name, caption, alt, handles)
