"""How far behind is lost: the chance to win by points behind the leader after each round; the lead before the last."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.question import Question
from balance.analysis.sums import interval_columns, intervals_of, moments, scale
from balance.analysis.tenths import by_tenth, tenth_moments, tenths_of
from balance.stats.intervals import cluster_interval, share_interval
from balance.stats.jackknife import jackknife_error
from balance.stats.logistic import fit_logistic, where_chance_is

LOST = 10.0
"""Percent: who wins less often than that is lost."""
GAMES = 5_000  # of a cell, the first; rows of rounds are many, and more would tell little more
CELL = ["players", "variant", "round"]
_STEPS = 6  # of points behind
_SEEN = 0.99  # of all deficits: one beyond them has not been seen


@dataclass(frozen=True)
class Deficits(Question):
    """Seats and wins by points behind the leader after every round but a game's last, in tenths of the decks.

    Who shares the lead is 0 points behind; who leads alone is left out.
    """

    @property
    def keys(self) -> tuple[str, ...]:
        return (*CELL, "behind")

    @property
    def needs_rounds(self) -> bool:
        return True

    @property
    def sql(self) -> str:
        return f"""
            WITH counted AS (
                SELECT players, variant, round, tenth, -lead::DOUBLE AS behind, count(*) AS seats,
                       sum(win_share) AS won
                FROM round_rows WHERE lead <= 0 AND round < rounds AND number < {GAMES} GROUP BY ALL
            )
            SELECT players, variant, round, behind, {by_tenth("n", "seats")}, {by_tenth("won", "won")}
            FROM counted GROUP BY ALL
        """


def lost_by_round(sums: pd.DataFrame) -> pd.DataFrame:
    """How many points behind a seat wins `LOST` percent of the games, after each round.

    Read off a logistic curve of the chance to win by points behind. Intervals are those of the delete-a-group
    jackknife over tenths of the decks (Kott 2001), Student's t on one less than their number.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``round``, ``value``, ``low``, ``high`` (points), ``n`` (seats). Rounds are left out
        in which nobody is seen so far behind, or in which the chance does not fall with it.
    """
    rows = []
    for key, cell in sums.groupby(CELL, sort=False):
        behind, n, won = cell["behind"].to_numpy(), tenths_of(cell, "n"), tenths_of(cell, "won")
        found = _lost(behind, _left_out(n), _left_out(won))
        if found is not None and found[0] <= _quantile(behind, n.sum(axis=1), _SEEN):
            rows.append((*key, *found, int(n.sum())))
    return pd.DataFrame(rows, columns=[*CELL, "value", "low", "high", "n"])


def _left_out(counts: np.ndarray) -> np.ndarray:
    """Of counts (points, tenths) those of all decks, then those without each tenth: (11, points)."""
    whole = counts.sum(axis=1)
    return np.vstack([whole, whole - counts.T])


def _lost(behind: np.ndarray, n: np.ndarray, won: np.ndarray) -> tuple[float, float, float] | None:
    """Points behind with their interval; None where the curve is not known or does not fall."""
    if len(behind) < 2:
        return None
    level, slope = fit_logistic(behind, n, won)
    if not (slope < 0).all():
        return None
    points = np.maximum(where_chance_is(LOST / 100, level, slope), 0)
    value, reach = float(points[0]), float(jackknife_error(points[1:])[1])
    return value, max(0.0, value - reach), value + reach


def _quantile(values: np.ndarray, counts: np.ndarray, part: float) -> float:
    order = np.argsort(values)
    return float(values[order][np.searchsorted(counts[order].cumsum(), part * counts.sum())])


def chances(sums: pd.DataFrame) -> pd.DataFrame:
    """The chance to win by points behind, as it was, in steps of equal width.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``round``, ``behind`` (such as "4 to 6"; 0 alone is a shared lead), ``value``,
        ``low``, ``high`` (percent), ``n`` (seats).
    """
    n = tenths_of(sums, "n").sum(axis=1)
    behind = sums["behind"].to_numpy()
    width = max(1, math.ceil(_quantile(behind, n, _SEEN) / _STEPS))
    step = np.minimum(np.ceil(behind / width), _STEPS).astype(int)
    counts = [name for name in sums if name.startswith(("n.", "won."))]
    table = sums.assign(step=step).groupby([*CELL, "step"], sort=False)[counts].sum().reset_index()
    table = table.sort_values("step", kind="stable")
    moments = tenth_moments(tenths_of(table, "won"), tenths_of(table, "n"))
    found = scale(share_interval(cluster_interval(moments)), 100)
    table["behind"] = [_write_step(int(each), width) for each in table["step"]]
    columns = {name: getattr(found, name) for name in ("value", "low", "high", "n")}
    return table[[*CELL, "behind"]].assign(**columns).reset_index(drop=True)


def _write_step(step: int, width: int) -> str:
    if step == 0:
        return "0"
    first, last = (step - 1) * width + 1, step * width
    if step == _STEPS:
        return f"{first} and more"
    return f"{first} to {last}" if width > 1 else str(last)


@dataclass(frozen=True)
class LastLead(Question):
    """How often the lead before the last round is lost, and how often it was shared.

    A shared lead is lost where nobody who shares it wins; of a victory that is shared, the part counts that goes to
    seats which were behind. Answered by ``players``, ``variant``, ``measure`` (``lost`` or ``shared``), ``value``,
    ``low``, ``high`` (percent of the games), ``n``, ``clusters``, ``error``.
    """

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant")

    @property
    def needs_rounds(self) -> bool:
        return True

    @property
    def sql(self) -> str:
        sums = ", ".join(moments(name, f"100 * {name}", "games") for name in ("lost", "shared"))
        return f"""
            WITH decks AS (
                SELECT players, variant, deck_seed, count_if(seat = 0)::DOUBLE AS games,
                       sum(win_share * (lead < 0)::INT)::DOUBLE AS lost,
                       (count_if(seat = 0) - count_if(lead > 0))::DOUBLE AS shared
                FROM round_rows WHERE round = rounds - 1 GROUP BY ALL
            )
            SELECT players, variant, {sums} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        parts = [
            sums[list(self.keys)].assign(measure=name, **interval_columns(intervals_of(sums, name, 100)))
            for name in ("lost", "shared")
        ]
        return pd.concat(parts, ignore_index=True)
