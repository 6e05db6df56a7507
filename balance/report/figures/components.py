"""Components: what goes with taking one, seen, beside what one more of it adds, tried, on one scale."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.lines import Line2D

from balance.report.figures.sheet import BAND, GRID, INK, MUTED, STYLE, finish, head, panels
from balance.report.model import Figure


def draw_worth(
    name: str, caption: str, seen: pd.DataFrame, tried: pd.DataFrame, threshold: float,
    scale: tuple[float, float],
) -> Figure:  # fmt: skip
    """Dots with intervals: a panel for each player count, a row for each component in the order of `tried`.

    Parameters
    ----------
    seen : DataFrame
        ``players``, ``component``, ``value``, ``low``, ``high``, ``n``: win share of takers less a fair share, points.
    tried : DataFrame
        The same of what one more adds.
    threshold : float
        Points within which it does not matter, shown as a band.
    scale : (float, float)
        Ends of the axis, those of all figures that stand side by side.
    """
    counts = sorted(tried["players"].unique())
    names = list(dict.fromkeys(tried["component"]))[::-1]
    with rc_context(STYLE):
        drawing, axes = panels(len(counts), 1.2 + 0.27 * len(names), sharey=True)
        for axis, players in zip(axes, counts, strict=True):
            looks = ((seen, MUTED, "none", 0.16), (tried, INK, INK, -0.16))
            for table, colour, face, shift in looks:
                part = table[(table["players"] == players) & table["component"].isin(names)]
                at = np.array([names.index(each) for each in part["component"]]) + shift
                value, low, high = (part[each].to_numpy(float) for each in ("value", "low", "high"))
                axis.errorbar(
                    value, at, xerr=[value - low, high - value], fmt="o", markersize=4,
                    color=colour, markerfacecolor=face, elinewidth=1.2,
                )  # fmt: skip
            axis.axvspan(-threshold, threshold, color=BAND, zorder=0)
            axis.axvline(0, color=MUTED, linewidth=1, linestyle="--")
            axis.set_xlim(*scale)
            axis.set_yticks(range(len(names)), names)
            axis.grid(axis="x", color=GRID, linewidth=0.6)
            head(axis, f"{players} players", tried[tried["players"] == players], "filled dot")
            axis.set_xlabel("points of win share")
        handles = [
            Line2D([], [], marker="o", linestyle="", color=MUTED, markerfacecolor="none",
                   label="seen: wins of takers, less a fair share"),
            Line2D([], [], marker="o", linestyle="", color=INK, label="tried: what one more adds"),
        ]  # fmt: skip
        alt = f"{caption} Open dots for what was seen, filled dots for what was tried, with 95 % intervals."
        return finish(drawing, name, caption, alt, handles)
