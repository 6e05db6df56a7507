"""Figures of two dimensions: curves with bands, forest plots, matrices, boxes."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from balance.foundation.language import N_, tr, trn, write_number
from balance.report.figures.sheet import MARKS, STYLE, finish, head, name_of_row, panels, reach_of, sheet
from balance.report.figures.theme import BAND, GRID, MUTED, colours, shades
from balance.report.model import Figure
from balance.report.words import count_players, smallest_n_on_deals
from balance.stats.intervals import fair_share


def draw_spreads(name: str, caption: str, data: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """Draw box plots, a panel for each measure and a box for each player count and variant.

    A mark is the median, a bar the middle half of the values, a line the middle 90 %. `data` is from
    `balance.analysis.spread.quartiles`, by ``players`` and ``variant``.
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
            axis.set_yticks(range(len(counts)), [count_players(players) for players in counts])
            axis.set_ylim(len(counts) - 0.5, -0.5)
            axis.grid(axis="x", color=GRID, linewidth=0.6)
            axis.set_axisbelow(True)
            axis.set_xlabel(tr("{measure}, points", measure=tr(measure)))
            head(axis, tr(measure), panel, "box")
        handles = [Line2D([], [], marker=marks[v], color=palette[v], label=v) for v in variants]
        alt = tr(
            "{caption} Boxes: median, quartiles, from the 5th to the 95th percentile, by player count and variant.",
            caption=caption,
        )
        return finish(drawing, name, caption, alt, handles)


def _boxes(axis: Axes, part: pd.DataFrame, at: np.ndarray, colour: str, mark: str) -> None:
    axis.hlines(at, part["least"], part["most"], color=colour, linewidth=1)
    axis.hlines(at, part["lower"], part["upper"], color=colour, linewidth=5, alpha=0.45)
    axis.plot(part["value"], at, mark, color=colour, markersize=5)


@dataclass(frozen=True)
class Guide:
    """Reference lines of a curve: the fair level and the wanted band."""

    level: float | None = None
    band: tuple[float, float] | None = None


def fair_guides(
    counts: Iterable[int], fair: Callable[[int], float] = fair_share, limit: Callable[[float], float] | None = None
) -> dict[int, Guide]:
    """Return the fair share at each player count, with the band of `limit` (points by fair share) around it."""

    def guide(level: float) -> Guide:
        room = limit(level) if limit else None
        return Guide(level, (level - room, level + room) if room else None)

    return {players: guide(fair(players)) for players in counts}


@dataclass(frozen=True)
class Curves:
    """Options for drawing curves."""

    x: str  # the column of the first axis
    labels: tuple[str, str]  # labels of the two axes, with units, in the language in use
    curve: str = "variant"  # the column with a curve for each value
    # The column with a panel for each value; panels of player counts share a scale.
    panel: str = "players"
    palette: Mapping[str, str] | None = None
    guides: Mapping[Any, Guide] = field(default_factory=dict)  # the guide of each panel that has one
    # Labels for the numbers 0, 1, 2, ... on the first axis; empty if the numbers are meant themselves.
    ticks: Sequence[str] = ()
    bands: str = N_("95 % intervals")  # the meaning of the band from ``low`` to ``high``, in English
    counts: bool = True  # whether panels show the smallest n
    marks: Mapping[Any, tuple[float, float]] = field(default_factory=dict)  # a point of a panel that has a ring
    marked: str = ""  # the meaning of the rings, in the language in use


_RING: Mapping[str, Any] = {
    "color": MUTED, "marker": "o", "markersize": 11, "fillstyle": "none", "markeredgewidth": 1.6, "linestyle": "none",
}  # fmt: skip


def draw_curves(name: str, caption: str, data: pd.DataFrame, how: Curves) -> Figure:
    """Draw values against a number, with bands: the columns that `how` names, ``value``, ``low``, ``high``, ``n``."""
    keys = list(dict.fromkeys(data[how.panel]))
    names = list(dict.fromkeys(data[how.curve]))
    palette = how.palette or colours(names)
    looks = {name: (palette[name], mark) for name, mark in zip(names, cycle(MARKS), strict=False)}
    by_players = how.panel == "players"
    with rc_context(STYLE):
        drawing, axes = panels(len(keys), 2.8, sharey=by_players)
        for axis, key in zip(axes, keys, strict=True):
            part = data[data[how.panel] == key]
            _curve_panel(axis, part, how, looks)
            title = count_players(key) if by_players else name_of_row(how.panel, key)
            if how.counts:
                head(axis, title, part, "point")
            else:
                axis.set_title("\n".join(textwrap.wrap(title, 30)))
        for axis in axes[:: 3 if by_players else 1]:
            axis.set_ylabel(how.labels[1])
        handles = [
            Line2D([], [], color=colour, marker=mark, markersize=4, label=name_of_row(how.curve, label))
            for label, (colour, mark) in looks.items()
        ]
        handles += _guide_handles(how.guides.values())
        if how.marks:
            handles.append(Line2D([], [], **_RING, label=how.marked))
        alt = tr(
            "{caption} Curves of {y} against {x} with bands of {bands}.",
            caption=caption, y=how.labels[1], x=how.labels[0], bands=tr(how.bands),
        )  # fmt: skip
        return finish(drawing, name, caption, alt, handles)


def _curve_panel(axis: Axes, part: pd.DataFrame, how: Curves, looks: Mapping[str, tuple[str, str]]) -> None:
    for curve, points in part.groupby(how.curve, sort=False):
        points = points.sort_values(how.x)
        at = points[how.x].to_numpy(float)
        colour, mark = looks[str(curve)]
        axis.plot(at, points["value"], color=colour, marker=mark, markersize=4)
        axis.fill_between(at, points["low"], points["high"], color=colour, alpha=0.2)
    if mark_at := how.marks.get(part[how.panel].iloc[0]):
        axis.plot(*[[each] for each in mark_at], **_RING)
    guide = how.guides.get(part[how.panel].iloc[0], Guide())
    if guide.level is not None:
        axis.axhline(guide.level, color=MUTED, linewidth=1, linestyle="--")
    if guide.band:
        axis.axhspan(*guide.band, color=BAND, zorder=0)
    if how.ticks:
        axis.set_xticks(range(len(how.ticks)), how.ticks)
    elif part[how.x].dtype.kind in "iu":  # no ticks such as round 2.5
        axis.xaxis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 5, 10], integer=True))
    axis.set_xlabel(how.labels[0])
    axis.grid(color=GRID, linewidth=0.6)


def _guide_handles(guides: Iterable[Guide]) -> list[Any]:
    """Return the legend entries of the guides."""
    guides = list(guides)
    handles: list[Any] = []
    if any(guide.level is not None for guide in guides):
        handles.append(Line2D([], [], color=MUTED, linestyle="--", label=tr("fair, or even")))
    if any(guide.band for guide in guides):
        handles.append(Patch(color=BAND, label=tr("wanted")))
    return handles


def draw_forest(
    name: str, caption: str, effects: pd.DataFrame, label: str, threshold: bool, counted: str = N_("pairs")
) -> Figure:
    """Draw effects with intervals as a forest plot: a row for each effect, a mark for each player count.

    Parameters
    ----------
    effects : DataFrame
        ``row``, ``players``, ``effect``, ``low``, ``high``, ``n``, ``decks``, ``threshold``; in one unit.
    threshold : bool
        Whether to shade the effects that do not matter.
    counted : str
        What n counts.
    """
    names = list(dict.fromkeys(effects["row"]))
    counts = sorted(effects["players"].unique())
    palette = shades(counts)
    with rc_context(STYLE):
        height = 1.0 + 0.17 * (len(counts) + 0.6) * len(names)
        drawing, axes = sheet(1, 1, (7.0, height))
        axis = axes[0, 0]
        for i, players in enumerate(counts):
            part = effects[effects["players"] == players]
            shift = 0.7 * (i - (len(counts) - 1) / 2) / len(counts)
            at = [names.index(row) + shift for row in part["row"]]
            value, reach = reach_of(part, "effect")
            axis.errorbar(
                value, at, xerr=reach, fmt=MARKS[i], markersize=4, capsize=2, color=palette[players],
                label=count_players(players),
            )  # fmt: skip
        if threshold:
            _shade(axis, names, effects)
        axis.axvline(0, color=MUTED, linewidth=1, linestyle="--")
        axis.set_yticks(range(len(names)), names)
        axis.set_ylim(len(names) - 0.4, -0.6)
        axis.set_xlabel(label)
        axis.grid(axis="x", color=GRID, linewidth=0.6)
        only = f"{count_players(counts[0])}, " if len(counts) == 1 else ""  # else in the legend
        each = tr("{things} {smallest} a mark", things=tr(counted), smallest=smallest_n_on_deals(effects))
        axis.set_title(f"{only}{each}")
        alt = trn(
            "{caption} Forest plot of {n} measure with 95 % intervals; the table has the figures.",
            "{caption} Forest plot of {n} measures with 95 % intervals; the table has the figures.",
            len(names), caption=caption,
        )  # fmt: skip
        return finish(drawing, name, caption, alt, axis.get_legend_handles_labels()[0])


def _shade(axis: Axes, names: Sequence[str], effects: pd.DataFrame) -> None:
    """Shade the differences that do not matter, row by row."""
    limits = effects.groupby("row")["threshold"].first()
    for i, name in enumerate(names):
        if not math.isnan(limits[name]):
            axis.fill_betweenx([i - 0.48, i + 0.48], -limits[name], limits[name], color=BAND, zorder=0)


def draw_matrix(
    name: str,
    caption: str,
    matrices: dict[str, pd.DataFrame],
    labels: tuple[str, str],
    unit: str,
    middle: float | None,
    halves: dict[str, pd.DataFrame] | None = None,
) -> Figure:
    """Draw tables of numbers as heat maps, a panel for each.

    Parameters
    ----------
    matrices : dict of DataFrame
        The values by title; an empty cell is NaN.
    unit : str
        What the colour shows.
    middle : float or None
        The value that is white; None for a scale from low to high.
    halves : dict of DataFrame or None
        The half-width of each value's interval, written below the value; NaN for none.
    """
    values = np.concatenate([matrix.to_numpy(float).ravel() for matrix in matrices.values()])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    scale: dict[str, object] = {"cmap": "cividis", "vmin": low, "vmax": high}
    if middle is not None:
        reach = max(abs(low - middle), abs(high - middle)) or 1.0
        scale = {"cmap": "PuOr", "vmin": middle - reach, "vmax": middle + reach}
    columns = min(3 if len(next(iter(matrices.values())).columns) <= 8 else 2, len(matrices))
    rows = math.ceil(len(matrices) / columns)
    shape = next(iter(matrices.values())).shape
    size = (
        columns * max(3.0, 1.0 + (0.62 if halves else 0.4) * shape[1]) + 1.5,
        rows * max(3.0, 1.7 + 0.42 * shape[0]) + 0.4,
    )
    with rc_context(STYLE):
        drawing, axes = sheet(rows, columns, size, layout="constrained")
        for axis, (title, matrix) in zip(axes.flat, matrices.items(), strict=False):
            axis.imshow(matrix.to_numpy(float), aspect="auto", **scale)
            _write_cells(axis, matrix, scale, halves[title] if halves else None)
            axis.set_title("\n".join(textwrap.wrap(title, 40)))
            upright = {} if matrix.columns.dtype.kind in "iu" else {"rotation": 40, "ha": "right"}
            axis.set_xticks(range(matrix.shape[1]), matrix.columns, **upright)
            axis.set_yticks(range(matrix.shape[0]), matrix.index)
            axis.set_ylabel(labels[0])
            axis.set_xlabel(labels[1])
        for axis in list(axes.flat)[len(matrices) :]:
            axis.set_visible(False)
        drawing.colorbar(axes.flat[0].images[0], ax=axes, label=unit, shrink=0.8)
        alt = tr(
            "{caption} Heat map of {unit}, {rows} against {columns}; the table has the figures.",
            caption=caption, unit=unit, rows=labels[0], columns=labels[1],
        )  # fmt: skip
        return finish(drawing, name, caption, alt)


def _write_cells(axis: Axes, matrix: pd.DataFrame, scale: dict[str, object], halves: pd.DataFrame | None) -> None:
    low, high = float(scale["vmin"]), float(scale["vmax"])  # type: ignore[arg-type]
    digits = 0 if high - low > 20 else 1 if high - low > 2 else 2
    diverging = scale["cmap"] == "PuOr"
    for (i, j), value in np.ndenumerate(matrix.to_numpy(float)):
        if not math.isnan(value):
            place = (value - low) / (high - low) if high > low else 0.5
            reach = math.nan if halves is None else float(halves.iloc[i, j])
            half = "" if math.isnan(reach) else f"\n± {write_number(reach, f'z.{max(1, digits)}f')}"
            dark = not 0.15 < place < 0.85 if diverging else place < 0.5
            axis.text(
                j, i, f"{write_number(value, f'z.{digits}f')}{half}", ha="center", va="center", fontsize=8,
                color="white" if dark else "black",
            )  # fmt: skip
