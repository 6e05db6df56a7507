"""Figures of ratings, doublings of a search budget, win shares by rating, and values of components."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from balance.foundation.language import tr, trc
from balance.report.figures.sheet import MARKS, STYLE, finish, player_panels, reach_of
from balance.report.figures.theme import BAND, GRID, INK, MUTED, PALETTE, colours
from balance.report.model import Figure
from balance.stats.intervals import fair_share


def draw_worth(
    name: str, caption: str, seen: pd.DataFrame, tried: pd.DataFrame, threshold: float, scale: tuple[float, float]
) -> Figure:
    """Draw dots with intervals: a panel for each player count, a row for each component in the order of `tried`.

    Parameters
    ----------
    seen : DataFrame
        ``players``, ``component``, ``value``, ``low``, ``high``, ``n``: win share of takers less a fair share, points.
    tried : DataFrame
        The same columns, for the points that one more adds.
    threshold : float
        Points within which an effect does not matter, shown as a band.
    scale : (float, float)
        Ends of the axis, the same for all figures shown side by side.
    """
    names = list(dict.fromkeys(tried["component"]))[::-1]
    with rc_context(STYLE):
        drawing, panels = player_panels(tried, 1.2 + 0.27 * len(names), "filled dot", sharey=True)
        for axis, players, _ in panels:
            looks = ((seen, MUTED, "none", 0.16), (tried, INK, INK, -0.16))
            for table, colour, face, shift in looks:
                part = table[(table["players"] == players) & table["component"].isin(names)]
                at = np.array([names.index(each) for each in part["component"]]) + shift
                value, reach = reach_of(part)
                axis.errorbar(
                    value, at, xerr=reach, fmt="o", markersize=4, color=colour, markerfacecolor=face, elinewidth=1.2
                )
            axis.axvspan(-threshold, threshold, color=BAND, zorder=0)
            axis.axvline(0, color=MUTED, linewidth=1, linestyle="--")
            axis.set_xlim(*scale)
            axis.set_yticks(range(len(names)), [tr(name) for name in names])
            axis.grid(axis="x", color=GRID, linewidth=0.6)
            axis.set_xlabel(tr("points of win share"))
        handles = [
            Line2D([], [], marker="o", linestyle="", color=MUTED, markerfacecolor="none",
                   label=tr("seen: win share of takers, less a fair share")),
            Line2D([], [], marker="o", linestyle="", color=INK, label=tr("tried: what one more adds")),
        ]  # fmt: skip
        alt = tr(
            "{caption} Open dots for what was seen, filled dots for what was tried, with 95 % intervals.",
            caption=caption,
        )
        return finish(drawing, name, caption, alt, handles)


def draw_ratings(name: str, caption: str, data: pd.DataFrame, unit: str) -> Figure:
    """Draw ratings: a panel for each player count, a dot with its interval for each strategy, the strongest on top.

    `data` has ``players``, ``strategy``, ``rating``, ``rating_low``, ``rating_high``, ``n``, with the strongest first.
    An interval with only one end is an arrow from that end.
    """
    with rc_context(STYLE):
        drawing, panels = player_panels(data, 1.2 + 0.24 * data["strategy"].nunique(), "dot")
        for axis, _, panel in panels:
            _rating_panel(axis, panel.iloc[::-1])
            axis.set_xlabel(unit)
        alt = tr(
            "{caption} Dots with 95 % intervals by strategy and player count; the table has the figures.",
            caption=caption,
        )
        return finish(drawing, name, caption, alt)


def _rating_panel(axis: Axes, panel: pd.DataFrame) -> None:
    at = np.arange(len(panel))
    whole = np.isfinite(panel["rating"].to_numpy(float))
    value, reach = reach_of(panel[whole], "rating", ("rating_low", "rating_high"))
    axis.errorbar(value, at[whole], xerr=reach, fmt="o", markersize=4, capsize=2, color=PALETTE[0])
    low, high = (panel[column].to_numpy(float) for column in ("rating_low", "rating_high"))
    span = 0.12 * np.ptp(np.concatenate([each[np.isfinite(each)] for each in (low, high)]))
    for place in np.flatnonzero(~whole & (np.isfinite(low) | np.isfinite(high))):
        end, way = (low[place], 1) if np.isfinite(low[place]) else (high[place], -1)
        style = {"arrowstyle": "->", "color": PALETTE[0]}
        axis.annotate("", (end + way * max(span, 1.0), place), (end, place), arrowprops=style)
        axis.plot([end, end + way * max(span, 1.0)], [place, place], alpha=0)  # so that it is in view
        axis.plot(end, place, marker="|", color=PALETTE[0])
    axis.set_yticks(at, panel["strategy"])
    axis.grid(axis="x", color=GRID, linewidth=0.6)
    axis.set_axisbelow(True)


def draw_trace(name: str, caption: str, data: pd.DataFrame) -> Figure:
    """Draw the win share of each budget against half of it, and the fair share: a panel for each player count.

    `data` has ``players``, ``budget``, ``half``, ``value``, ``low``, ``high`` (percent), ``n``.
    """
    with rc_context(STYLE):
        drawing, panels = player_panels(data, 2.8, "dot")
        for axis, players, panel in panels:
            at = np.arange(len(panel))
            value, reach = reach_of(panel)
            axis.errorbar(at, value, yerr=reach, fmt="o-", markersize=4, capsize=2, color=PALETTE[0])
            axis.axhline(fair_share(players), color=MUTED, linewidth=1, linestyle="--")
            axis.annotate(
                trc("line", "fair"), (1, fair_share(players)), xycoords=("axes fraction", "data"),
                ha="right", va="bottom", fontsize=9,
            )  # fmt: skip
            pairs = [tr("{budget}\nagainst {half}", budget=row.budget, half=row.half) for row in panel.itertuples()]
            axis.set_xticks(at, pairs)
            axis.set_xlim(-0.5, len(panel) - 0.5)
            axis.grid(axis="y", color=GRID, linewidth=0.6)
        panels[0][0].set_ylabel(tr("win share, %"))
        alt = tr(
            "{caption} Dots with 95 % intervals by budget and player count; the table has the figures.", caption=caption
        )
        return finish(drawing, name, caption, alt)


def draw_strength(name: str, caption: str, data: pd.DataFrame, curves: pd.DataFrame) -> Figure:
    """Draw win shares of seats by rating: a panel for each player count, dots for levels, a curve with its band.

    `data` has ``players``, ``seat`` (from 1), ``rating``, ``value``, ``low``, ``high`` (percent), ``n``; `curves`,
    which may be empty, has the same columns without ``n``.
    """
    seats = sorted(data["seat"].unique())
    looks = dict(zip(seats, zip(colours(seats).values(), cycle(MARKS), strict=False), strict=True))
    with rc_context(STYLE):
        drawing, panels = player_panels(data, 2.8, "dot", sharey=True)
        for axis, players, panel in panels:
            reach = 0.008 * np.ptp(panel["rating"].to_numpy())
            for seat in range(1, players + 1):
                dots = panel[panel["seat"] == seat]
                colour, mark = looks[seat]
                value, ends = reach_of(dots)
                at = dots["rating"] + reach * (seat - (players + 1) / 2)  # side by side
                axis.errorbar(at, value, yerr=ends, fmt=mark, markersize=3, elinewidth=1, color=colour)
                line = curves[(curves["players"] == players) & (curves["seat"] == seat)]
                axis.plot(line["rating"], line["value"], color=colour, linewidth=1.2)
                axis.fill_between(line["rating"], line["low"], line["high"], color=colour, alpha=0.12, linewidth=0)
            axis.axhline(fair_share(players), color=MUTED, linewidth=1, linestyle="--")
            axis.grid(axis="y", color=GRID, linewidth=0.6)
            axis.set_xlabel(tr("rating, points of the Elo scale"))
        panels[0][0].set_ylabel(tr("win share, %"))
        handles = [
            Line2D([], [], linestyle="", color=colour, marker=mark, label=tr("seat {seat}", seat=seat))
            for seat, (colour, mark) in looks.items()
        ]
        alt = tr(
            "{caption} Dots with 95 % intervals by rating, seat and player count; the table has the figures.",
            caption=caption,
        )
        return finish(drawing, name, caption, alt, handles)
