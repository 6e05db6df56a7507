"""Figures of one value a row: intervals as dots with whiskers, parts as stacked bars, means as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from balance.report.figures.sheet import (
    PALETTE,
    STYLE,
    colours,
    finish,
    legend_below,
    panels,
    shades,
    sheet,
)
from balance.report.model import Figure
from balance.report.words import nth
from balance.stats.fair import fair_share


def draw_intervals(
    name: str,
    caption: str,
    data: pd.DataFrame,
    rows: str,
    palette: Mapping[str, str] | None = None,
) -> Figure:
    """Win shares with their intervals: a panel for each player count, a colour for each variant.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``variant``, the column `rows`, ``value``, ``low``, ``high`` (percent), ``limit`` (points of
        fair within which a share is balanced, shown as a band) and ``n``.
    rows : str
        The column that the rows of a panel stand for.
    palette : dict or None
        Variant to colour.
    """
    counts = sorted(data["players"].unique())
    variants = list(dict.fromkeys(data["variant"]))
    names = sorted(data[rows].unique())
    palette = palette or colours(variants)
    with rc_context(STYLE):
        fair = "fair share, and what is balanced"
        height = 1.5 + 0.16 * (len(variants) + 1) * len(names)
        drawing, axes = panels(len(counts), height, [*variants, fair])
        for axis, players in zip(axes, counts, strict=True):
            panel = data[data["players"] == players]
            _interval_panel(axis, panel, rows, palette)
            middle, threshold = fair_share(players), panel["limit"].max()
            axis.axvspan(middle - threshold, middle + threshold, color="#e9ebe5", zorder=0)
            axis.axvline(middle, color="#555555", linewidth=1, linestyle="--")
            axis.set_title(f"{players} players, n ≥ {int(panel['n'].min()):,} a dot")
            axis.set_xlabel("win share, %")
        handles = [Line2D([], [], marker="o", linestyle="", color=palette[v], label=v) for v in variants]
        handles.append(Line2D([], [], color="#555555", linestyle="--", label=fair))
        below = legend_below(drawing, handles)
        drawing.suptitle(caption.rstrip("."))
        drawing.tight_layout(rect=(0, below, 1, 1))
        alt = f"{caption} Dots with 95 % intervals by {rows}, in {len(variants)} colours."
        return finish(drawing, name, caption, alt)


def _interval_panel(axis: Axes, panel: pd.DataFrame, rows: str, palette: Mapping[str, str]) -> None:
    names = sorted(panel[rows].unique(), reverse=True)
    present = [variant for variant in palette if variant in set(panel["variant"])]
    for i, variant in enumerate(present):
        part = panel[panel["variant"] == variant].set_index(rows)
        shift = 0.7 * ((len(present) - 1) / 2 - i) / max(1, len(present))
        at = np.array([names.index(name) + shift for name in part.index])
        value, low, high = (part[column].to_numpy(float) for column in ("value", "low", "high"))
        axis.errorbar(
            value,
            at,
            xerr=[value - low, high - value],
            fmt="o",
            markersize=4,
            capsize=2,
            color=palette[variant],
        )
    labels = [f"{nth(name)} seat" if rows == "seat" else str(name) for name in names]
    axis.set_yticks(range(len(names)), labels)
    axis.grid(axis="x", color="#dddddd", linewidth=0.6)


def draw_stacks(name: str, caption: str, data: pd.DataFrame, parts: Sequence[tuple[str, str]]) -> Figure:
    """Mean score by its parts: a panel for each player count, a bar for each strategy.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``strategy``, ``n`` and a column for each part.
    parts : sequence of (column, label)
    """
    counts = sorted(data["players"].unique())
    with rc_context(STYLE):
        height = 1.6 + 0.34 * data["strategy"].nunique()
        drawing, axes = panels(len(counts), height, [label for _, label in parts])
        for axis, players in zip(axes, counts, strict=True):
            panel = data[data["players"] == players].sort_values("strategy", ascending=False)
            left = np.zeros(len(panel))
            for (column, label), colour in zip(parts, PALETTE, strict=False):
                width = panel[column].to_numpy(dtype=float)
                axis.barh(panel["strategy"], width, left=left, color=colour, label=label)
                left += width
            axis.set_title(f"{players} players, n ≥ {int(panel['n'].min()):,} a bar")
            axis.set_xlabel("mean points")
        below = legend_below(drawing, axes[0].get_legend_handles_labels()[0])
        drawing.suptitle(caption.rstrip("."))
        drawing.tight_layout(rect=(0, below, 1, 1))
        alt = f"{caption} Stacked bars: " + ", ".join(label for _, label in parts)
        return finish(drawing, name, caption, alt)


def draw_rows(name: str, caption: str, data: pd.DataFrame, rows: str, unit: str) -> Figure:
    """A bar with its interval for each row, player counts side by side in shades.

    Parameters
    ----------
    data : DataFrame
        ``players``, the column `rows`, ``value``, ``low``, ``high``, ``n``.
    rows : str
        The column that rows stand for, from above in the order of their first appearance.
    unit : str
        Label of the value axis.
    """
    counts = sorted(data["players"].unique())
    names = list(dict.fromkeys(data[rows]))
    palette = shades(counts)
    width = 0.8 / len(counts)
    with rc_context(STYLE):
        height = 1.6 + 0.2 * (len(counts) + 1) * len(names)
        drawing, axes = sheet(1, 1, (8.4, height))
        axis = axes[0, 0]
        for i, players in enumerate(counts):
            part = data[data["players"] == players].set_index(rows)
            at = np.array([names.index(row) for row in part.index]) + (i - (len(counts) - 1) / 2) * width
            value, low, high = (part[column].to_numpy(float) for column in ("value", "low", "high"))
            axis.barh(at, value, 0.9 * width, color=palette[players], label=f"{players} players")
            errors = [value - low, high - value]  # grey is seen on the darkest shade and the lightest
            axis.errorbar(value, at, xerr=errors, fmt="none", capsize=2, ecolor="#8c8c8c")
        axis.set_yticks(range(len(names)), names)
        axis.set_ylim(len(names) - 0.45, -0.55)
        axis.grid(axis="x", color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.set_xlim(left=0)
        axis.set_xlabel(f"{unit} (n ≥ {int(data['n'].min()):,} a bar)")
        below = legend_below(drawing, axis.get_legend_handles_labels()[0])
        drawing.suptitle(caption.rstrip("."))
        drawing.tight_layout(rect=(0, below, 1, 1))
        alt = f"{caption} Bars with 95 % intervals by {rows} and player count."
        return finish(drawing, name, caption, alt)


def draw_bars(
    name: str, caption: str, data: pd.DataFrame, unit: str, palette: Mapping[str, str] | None = None
) -> Figure:
    """A mean with its interval for each variant, in groups by player count.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``variant``, ``value``, ``low``, ``high``, ``n``.
    unit : str
        Label of the value axis.
    palette : dict or None
        Variant to colour.
    """
    counts = sorted(data["players"].unique())
    variants = list(dict.fromkeys(data["variant"]))
    palette = palette or colours(variants)
    with rc_context(STYLE):
        drawing, axes = sheet(1, 1, (2.4 + 1.6 * len(counts), 3.6))
        axis = axes[0, 0]
        width = 0.8 / len(variants)
        for i, variant in enumerate(variants):
            part = data[data["variant"] == variant].set_index("players").loc[counts]
            at = np.arange(len(counts)) + (i - (len(variants) - 1) / 2) * width
            errors = [part["value"] - part["low"], part["high"] - part["value"]]
            axis.bar(
                at,
                part["value"],
                width * 0.9,
                yerr=errors,
                capsize=3,
                color=palette[variant],
                label=variant,
            )
        axis.set_xticks(range(len(counts)), [f"{players} players" for players in counts])
        axis.set_ylabel(unit)
        axis.set_title(f"{caption.rstrip('.')} (n ≥ {int(data['n'].min()):,} a bar)")
        axis.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
        drawing.tight_layout()
        return finish(drawing, name, caption, f"{caption} Bars by variant and player count.")
