"""Sweeps: how measures respond to rule keys, and which point has the fairest seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.cells import read_cell_means
from balance.analysis.gather import Answers
from balance.contract.measure import Measure
from balance.plan.plan import Plan
from balance.plan.sweep import name_of
from balance.stats.fair import fair_share


def points_of(plan: Plan) -> pd.DataFrame:
    """``variant``, ``point`` (the values in words) and a column for each key of the sweep."""
    rows = [
        {
            "variant": name,
            "point": name_of(point),
            **_plain(point),
        }
        for name, point in plan.points.items()
    ]
    return pd.DataFrame(rows)


def _plain(point: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value if isinstance(value, (int, float)) else str(value) for key, value in point.items()
    }


def values_of(plan: Plan, key: str) -> list[Any]:
    """The values of a key as `points_of` has them: numbers by size, others as the sweep lists them."""
    values = list(dict.fromkeys(_plain(point)[key] for point in plan.points.values()))
    return values if any(isinstance(value, str) for value in values) else sorted(values)


def response(
    plan: Plan, answers: Answers, asked: Sequence[Measure], shown: Sequence[str]
) -> pd.DataFrame:
    """Means of measures at every point: ``players``, ``point``, the keys, ``measure``, ``value``, ...

    For `asked` and `shown` see `balance.analysis.cells.read_cell_means`.
    """
    return read_cell_means(answers, asked, shown).merge(points_of(plan), on="variant")


def spread_table(plan: Plan, seats: pd.DataFrame) -> pd.DataFrame:
    """Win shares by seat (percent) at every point of a sweep."""
    return seats.rename(columns={"clusters": "decks"}).merge(points_of(plan), on="variant")


def best_point(plan: Plan, halves: pd.DataFrame) -> pd.DataFrame:
    """The point whose seats are fairest at each player count, chosen on one half of the decks, measured on
    the other (the best of many looks better than it is where it was chosen).

    Returns
    -------
    DataFrame
        ``players``, ``point``, ``chosen_value`` (largest distance of a seat from fair, in points, where it
        was chosen), ``value``, ``low``, ``high`` of that seat's distance to the same side, and ``n``, on the
        other half.
    """
    data = halves.merge(points_of(plan), on="variant")
    data["away"] = data["value"] - fair_share(data["players"])
    rows = []
    for players, cell in data.groupby("players"):
        first, second = (cell[cell["half"] == half] for half in (0, 1))
        if first.empty or second.empty:
            continue
        worst = first.assign(size=first["away"].abs()).groupby("point", sort=False)["size"].max()
        there = first[first["point"] == worst.idxmin()]
        chosen = there.loc[there["away"].abs().idxmax()]
        fresh = second[(second["point"] == chosen["point"]) & (second["seat"] == chosen["seat"])]
        if fresh.empty:
            continue
        row = fresh.iloc[0]
        sign = 1.0 if chosen["away"] >= 0 else -1.0
        fair = fair_share(int(players))
        ends = sorted([sign * (row["low"] - fair), sign * (row["high"] - fair)])
        rows.append((players, worst.idxmin(), worst.min(), sign * row["away"], *ends, int(row["n"])))
    frame = pd.DataFrame(rows, columns=["players", "point", "chosen_value", "value", "low", "high", "n"])
    return frame.replace([np.inf, -np.inf], np.nan)
