"""Figures of one value a row: dots with intervals, stacked bars of parts, bars of means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from balance.foundation.language import N_, tr, trn
from balance.foundation.text import seat_name
from balance.report.figures.sheet import (
    HATCHED,
    HATCHES,
    MARKS,
    STYLE,
    finish,
    name_of_row,
    player_panels,
    reach_of,
    sheet,
    smallest_each,
)
from balance.report.figures.theme import BAND, GRID, INK, MUTED, PALETTE, colours, shades
from balance.report.model import Figure
from balance.report.words import count_players


def draw_intervals(
    name: str,
    caption: str,
    data: pd.DataFrame,
    rows: str,
    palette: Mapping[str, str] | None = None,
    same_scale: pd.DataFrame | None = None,
) -> Figure:
    """Draw win shares with intervals: a panel for each player count, a colour and a mark for each variant.

    All panels have the same scale.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``variant``, the column `rows`, ``value``, ``low``, ``high`` (percent), ``limit`` (points of
        fair within which a share is balanced, shown as a band) and ``n``.
    rows : str
        The column with a row of the panel for each value.
    same_scale : DataFrame or None
        The data of all figures shown side by side, to give them the same scale.
    """
    variants = list(dict.fromkeys(data["variant"]))
    palette = palette or colours(variants)
    marks = dict(zip(palette, cycle(MARKS), strict=False))
    ends = _ends(data if same_scale is None else same_scale)
    with rc_context(STYLE):
        height = 1.2 + 0.16 * (len(variants) + 1) * data[rows].nunique()
        drawing, panels = player_panels(data, height, "dot", sharey=_are_alike(data, rows))
        for axis, _, panel in panels:
            _interval_panel(axis, panel, rows, {v: (palette[v], marks[v]) for v in variants})
            middle, threshold = panel["fair"].iloc[0], panel["limit"].max()
            axis.axvspan(middle - threshold, middle + threshold, color=BAND, zorder=0)
            axis.axvline(middle, color=MUTED, linewidth=1, linestyle="--")
            axis.set_xlim(*ends)
            axis.set_xlabel(tr("win share, %"))
        handles = [Line2D([], [], marker=marks[v], linestyle="", color=palette[v], label=v) for v in variants]
        fair = tr("fair share, and the band that counts as balanced")
        handles.append(Line2D([], [], color=MUTED, linestyle="--", label=fair))
        alt = trn(
            "{caption} Dots with 95 % intervals by {rows}, in {n} colour.",
            "{caption} Dots with 95 % intervals by {rows}, in {n} colours.",
            len(variants), caption=caption, rows=tr(rows),
        )  # fmt: skip
        return finish(drawing, name, caption, alt, handles)


def _are_alike(data: pd.DataFrame, rows: str) -> bool:
    """Return whether every panel has the same rows, so that one axis can name them."""
    return bool(data.groupby("players")[rows].agg(frozenset).nunique() == 1)


def _ends(data: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of a scale with room for all intervals and fair shares."""
    ends = data[["value", "low", "high", "fair"]].to_numpy(float).ravel()
    ends = ends[np.isfinite(ends)]
    room = max(1.0, 0.04 * float(np.ptp(ends)))
    return max(0.0, float(ends.min()) - room), min(100.0, float(ends.max()) + room)


def _interval_panel(axis: Axes, panel: pd.DataFrame, rows: str, looks: Mapping[str, tuple[str, str]]) -> None:
    names = sorted(panel[rows].unique(), reverse=True)
    present = [variant for variant in looks if variant in set(panel["variant"])]
    for i, variant in enumerate(present):
        part = panel[panel["variant"] == variant].set_index(rows)
        shift = 0.7 * ((len(present) - 1) / 2 - i) / max(1, len(present))
        at = np.array([names.index(name) + shift for name in part.index])
        value, reach = reach_of(part)
        colour, mark = looks[variant]
        axis.errorbar(
            value, at, xerr=reach, fmt=mark, markersize=4, capsize=2, color=colour,
            clip_on=False,  # whole marks at 0 and 100 %
        )  # fmt: skip
    labels = [seat_name(name) if rows == "seat" else name_of_row(rows, name) for name in names]
    axis.set_yticks(range(len(names)), labels)
    axis.set_ylim(-0.5, len(names) - 0.5)
    axis.grid(axis="x", color=GRID, linewidth=0.6)


def draw_stacks(
    name: str, caption: str, data: pd.DataFrame, parts: Sequence[tuple[str, str]], longest: float
) -> Figure:
    """Draw the mean score by its parts: a panel for each player count, a bar for each strategy.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``strategy``, ``n`` and a column for each part.
    parts : sequence of (str, str)
        Columns with their labels.
    longest : float
        The longest bar of all figures shown side by side.
    """
    with rc_context(STYLE):
        height = 1.4 + 0.34 * data["strategy"].nunique()
        drawing, panels = player_panels(data, height, "bar", sharey=True)
        for axis, _, cell in panels:
            panel = cell.sort_values("strategy", ascending=False)
            left = np.zeros(len(panel))
            for (column, label), colour, hatch in zip(parts, PALETTE, HATCHES, strict=False):
                width = panel[column].to_numpy(dtype=float)
                look = {"color": colour, "hatch": hatch, **HATCHED}
                axis.barh(panel["strategy"], width, left=left, label=tr(label), **look)
                left += width
            axis.set_xlim(0, 1.02 * longest)
            axis.set_xlabel(tr("mean points"))
        labels = ", ".join(tr(label) for _, label in parts)
        alt = tr("{caption} Stacked bars: {labels}", caption=caption, labels=labels)
        return finish(drawing, name, caption, alt, axis.get_legend_handles_labels()[0])


def draw_rows(name: str, caption: str, data: pd.DataFrame, rows: str, unit: str, longest: float) -> Figure:
    """Draw a bar with its interval for each row, with player counts side by side in shades.

    Parameters
    ----------
    data : DataFrame
        ``players``, the column `rows`, ``value``, ``low``, ``high``, ``n``.
    rows : str
        The column with a row of the figure for each value, from the top in order of first appearance.
    longest : float
        The longest bar, with its interval, of all figures shown side by side.
    """
    counts = sorted(data["players"].unique())
    names = list(dict.fromkeys(data[rows]))
    palette = shades(counts)
    width = 0.8 / len(counts)
    with rc_context(STYLE):
        height = 1.0 + 0.2 * (len(counts) + 1) * len(names)
        drawing, axes = sheet(1, 1, (7.0, height))
        axis = axes[0, 0]
        for i, players in enumerate(counts):
            part = data[data["players"] == players].set_index(rows)
            at = np.array([names.index(row) for row in part.index]) + (i - (len(counts) - 1) / 2) * width
            value, reach = reach_of(part)
            look = {"color": palette[players], "hatch": HATCHES[i % len(HATCHES)], **HATCHED}
            axis.barh(at, value, 0.9 * width, label=count_players(players), **look)
            # Grey is visible on the darkest and the lightest shade.
            axis.errorbar(value, at, xerr=reach, fmt="none", capsize=2, ecolor="#8c8c8c")
        axis.set_yticks(range(len(names)), [name_of_row(rows, name) for name in names])
        axis.set_ylim(len(names) - 0.45, -0.55)
        axis.grid(axis="x", color=GRID, linewidth=0.6)
        axis.set_axisbelow(True)
        axis.set_xlim(0, 1.02 * longest)
        axis.set_xlabel(f"{unit} ({smallest_each(data, 'bar')})")
        alt = tr("{caption} Bars with 95 % intervals by {rows} and player count.", caption=caption, rows=tr(rows))
        return finish(drawing, name, caption, alt, axis.get_legend_handles_labels()[0])


def draw_bars(
    name: str,
    caption: str,
    data: pd.DataFrame,
    unit: str,
    palette: Mapping[str, str] | None = None,
    band: tuple[float, float] | None = None,
) -> Figure:
    """Draw a mean with its interval for each variant, in groups by player count.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``variant``, ``value``, ``low``, ``high``, ``n``.
    band : (float, float) or None
        The wanted range of the mean.
    """
    counts = sorted(data["players"].unique())
    variants = list(dict.fromkeys(data["variant"]))
    palette = palette or colours(variants)
    with rc_context(STYLE):
        drawing, axes = sheet(1, 1, (max(4.2, 1.6 + 1.6 * len(counts)), 3.4))
        axis = axes[0, 0]
        width = 0.8 / len(variants)
        for i, variant in enumerate(variants):
            part = data[data["variant"] == variant].set_index("players").reindex(counts)
            at = np.arange(len(counts)) + (i - (len(variants) - 1) / 2) * width
            value, reach = reach_of(part)
            look = {"color": palette[variant], "hatch": HATCHES[i % len(HATCHES)], **HATCHED}
            axis.bar(at, value, width * 0.9, label=variant, **look)
            axis.errorbar(at, value, yerr=reach, fmt="none", capsize=3, ecolor=INK)
        handles = axis.get_legend_handles_labels()[0]
        if band:
            handles.append(axis.axhspan(*band, color=BAND, zorder=0, label=tr("wanted")))
        axis.set_xticks(range(len(counts)), [count_players(players) for players in counts])
        axis.set_ylabel(unit)
        axis.set_title(smallest_each(data, "bar"))
        alt = tr("{caption} Bars by variant and player count.", caption=caption)
        return finish(drawing, name, caption, alt, handles)


DIRECTIONS = {-1: N_("one step down"), 1: N_("one step up"), 0: N_("another value")}


def draw_tornado(name: str, caption: str, data: pd.DataFrame, unit: str) -> Figure:
    """Draw what steps of rule keys move: a panel for each player count, a row for each key, the largest on top.

    `data` has ``players``, ``key``, ``direction`` (see `DIRECTIONS`), ``quoted``, ``low``, ``high``, ``n``, with the
    keys in the order of the rows.
    """
    keys, counts = list(dict.fromkeys(data["key"])), sorted(data["players"].unique())
    palette = dict(zip(DIRECTIONS, PALETTE, strict=False))
    with rc_context(STYLE):
        size = (2.2 + 2.9 * len(counts), 1.0 + 0.3 * len(keys))
        drawing, axes = sheet(1, len(counts), size, sharey=True, layout="constrained")
        for axis, players in zip(axes[0], counts, strict=True):
            panel = data[data["players"] == players]
            for number, (direction, label) in enumerate(DIRECTIONS.items()):
                part = panel[panel["direction"] == direction]
                if part.empty:
                    continue
                at = [keys.index(key) for key in part["key"]]
                value, reach = reach_of(part, "quoted")
                look = {"color": palette[direction], "hatch": HATCHES[number], **HATCHED}
                axis.barh(at, value, 0.7, label=tr(label), **look)
                axis.errorbar(value, at, xerr=np.maximum(reach, 0), fmt="none", capsize=2, ecolor=INK, linewidth=1)
            axis.axvline(0, color=INK, linewidth=1)
            axis.set_yticks(range(len(keys)), keys)
            axis.set_ylim(len(keys) - 0.4, -0.6)
            axis.set_xlabel(unit)
            axis.set_title(f"{count_players(players)}\n{smallest_each(panel, 'bar')}")
        drawn = [bars for axis in axes[0] for bars in zip(*axis.get_legend_handles_labels(), strict=True)]
        handles = {label: bars for bars, label in drawn}
        alt = trn(
            "{caption} Bars with intervals for {n} rule key; the table has the figures.",
            "{caption} Bars with intervals for {n} rule keys; the table has the figures.",
            len(keys), caption=caption,
        )  # fmt: skip
        return finish(drawing, name, caption, alt, list(handles.values()))
