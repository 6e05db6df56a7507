"""Sweeps: how measures respond to rule keys, and which points may have the fairest seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import interval_of_frame, scale
from balance.analysis.shares import halves_question, judged_shares
from balance.analysis.spread import read_cell_means
from balance.contract.analytics import Measure
from balance.experiments.measures import share_of
from balance.experiments.plan import Plan
from balance.experiments.planning import equal_cells, name_of
from balance.stats.comparisons import ALPHA
from balance.stats.intervals import share_interval


def points_of(plan: Plan) -> pd.DataFrame:
    """Return ``variant``, ``point`` (the values in words) and a column for each key of the sweep."""
    rows = [{"variant": name, "point": name_of(point), **_plain(point)} for name, point in plan.points.items()]
    return pd.DataFrame(rows)


def _plain(point: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value if isinstance(value, (int, float)) else str(value) for key, value in point.items()}


def values_of(plan: Plan, key: str) -> list[Any]:
    """Return the values of a key as in `points_of`: numbers by size, others in the order of the sweep."""
    values = list(dict.fromkeys(_plain(point)[key] for point in plan.points.values()))
    return values if any(isinstance(value, str) for value in values) else sorted(values)


def response(plan: Plan, answers: Answers, asked: Sequence[Measure], shown: Sequence[str]) -> pd.DataFrame:
    """Return the means of measures at every point: ``players``, ``point``, the keys, ``measure``, ``value``, ...

    For `asked` and `shown` see `balance.analysis.spread.read_cell_means`.
    """
    return read_cell_means(answers, asked, shown).merge(points_of(plan), on="variant")


def spread_table(plan: Plan, seats: pd.DataFrame) -> pd.DataFrame:
    """Return the win shares by seat (percent) at every point of a sweep."""
    return seats.rename(columns={"clusters": "decks"}).merge(points_of(plan), on="variant")


def read_fairest_points(plan: Plan, answers: Answers, families: int) -> pd.DataFrame:
    """Return `fairest_points` of a run, from the answers to the questions about shares by seat; see `judged_shares`."""
    by = plan.game.sides.kind
    halves = answers[halves_question(share_of(plan, by))]
    shares = judged_shares(plan, answers, by, families)
    mixed = (each[~each["players"].isin(plan.unmixed)] for each in (shares, halves))
    return fairest_points(plan, *mixed)


def fairest_points(plan: Plan, shares: pd.DataFrame, halves: pd.DataFrame) -> pd.DataFrame:
    """Return which points of a sweep may have the fairest seats, and a held-out estimate for the one that looks best.

    A point is as unfair as its furthest seat. A point is shown to be less fair if its furthest seat lies farther from
    fair than that of another point, by intervals that hold for all seats of all points together. The other points are
    `fairest`; if all points are, no value is shown to be fairer.

    `shares` is from `balance.analysis.shares.judge_shares`, by seat; `halves` answers `halves_question` there.

    Returns
    -------
    DataFrame
        ``players``, ``point``, ``equal`` (bool: whether all points have the same games), ``fairest`` (bool), ``least``
        and ``most`` (bounds of the furthest seat's distance from fair, in points). The fairest point that looks best on
        one half of the deals also has its furthest seat's distance on the held-out half (possibly another seat):
        ``value``, ``low``, ``high`` (an interval that holds for all seats together), ``n``. Other points have NaN and
        0, and so does a point without games in a half.
    """
    below, above = shares["wide_low"] - shares["fair"], shares["wide_high"] - shares["fair"]
    away = shares.assign(least=np.maximum(below, -above).clip(0), most=np.maximum(above, -below))
    table = away.groupby(["players", "variant"], sort=False, as_index=False)[["least", "most"]].max()
    table["fairest"] = table["least"] <= table.groupby("players")["most"].transform("min")
    cells = equal_cells(plan, plan.first_variant.name) | {
        (players, plan.first_variant.name) for players in plan.experiment.players
    }
    same = pd.MultiIndex.from_frame(table[["players", "variant"]]).isin(cells)
    table["equal"] = table.assign(same=same).groupby("players")["same"].transform("all")
    chosen = _held_out(plan, table[table["fairest"]], halves)
    table = table.merge(chosen, on=["players", "variant"], how="left")
    table = table.fillna({"n": 0}).astype({"n": int})
    columns = ["players", "point", "equal", "fairest", "least", "most", "value", "low", "high", "n"]
    return table.merge(points_of(plan), on="variant")[columns]


def _held_out(plan: Plan, among: pd.DataFrame, halves: pd.DataFrame) -> pd.DataFrame:
    """Choose a point for each player count on the first half, and measure its furthest seat on the second."""
    level = 1 - ALPHA * plan.fair_share(halves["players"]) / 100
    wide = share_interval(scale(interval_of_frame(halves), 0.01), level.to_numpy())
    fair = plan.fair_share(halves["players"].to_numpy())
    low, high = 100 * wide.low - fair, 100 * wide.high - fair
    seats = halves.assign(
        value=np.abs(halves["value"] - fair), low=np.maximum(np.maximum(low, -high), 0), high=np.maximum(high, -low)
    )
    points = seats.groupby(["half", "players", "variant"], sort=False, as_index=False).agg(
        {"value": "max", "low": "max", "high": "max", "n": "min"}
    )
    first, second = (points[points["half"] == half].drop(columns="half") for half in (0, 1))
    first = first.merge(among[["players", "variant"]])
    best = first.loc[first.groupby("players", sort=False)["value"].idxmin(), ["players", "variant"]]
    return best.merge(second, on=["players", "variant"]).replace([np.inf, -np.inf], np.nan)
