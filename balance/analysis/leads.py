"""Leads: how often the leader after a round wins, and how often a player who is behind still wins."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.holdout import by_tenth, tenth_moments, tenths_of
from balance.analysis.question import Means, Question, estimates_of, means, moments, scale, sort_rows
from balance.stats.intervals import cluster_interval, jackknife_error, share_interval
from balance.stats.regression import fit_logistic, where_chance_is

LEAST_SHARE = 0.05
"""Share of a cell's games; rounds that fewer games reach are not shown."""


def runaway_question() -> Means:
    """Return the question about the sole leader's win share after each round (the runaway-leader index)."""
    by = ["players", "variant", "round"]
    return means({"runaway": "100 * win_share"}, by, "lead > 0", "round_rows", top=100)


def reached(answer: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of an answer for the rounds that enough games reach; none for games of a single round.

    After their only round nothing is left to win or lose.
    """
    cells = answer.groupby(["players", "variant"])
    enough = answer["n"] >= cells["n"].transform("max") * LEAST_SHARE
    return answer[enough & (cells["round"].transform("max") > 1)]


def half_time(rounds: pd.Series) -> int:
    """Return the middle round."""
    return (int(rounds.max()) + 1) // 2


LOST = 10.0
"""Percent: a seat that wins less often counts as lost."""
GAMES = 5_000  # the first games of each cell; more rows of rounds would add little
CELL = ["players", "variant", "round"]
_STEPS = 6  # classes of points behind
_SEEN = 0.99  # quantile of all deficits; larger deficits count as not observed


@dataclass(frozen=True)
class Deficits(Question):
    """Seats and wins by points behind the leader after every round except a game's last, in tenths of the deals.

    A seat that shares the lead is 0 points behind; a sole leader is left out.
    """

    keys = (*CELL, "behind")
    needs_rounds = True
    first_games = GAMES

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
    """Return the points behind at which a seat wins `LOST` percent of the games, after each round.

    The points come from a logistic curve of the chance to win by points behind. Intervals are from the
    delete-a-group jackknife over tenths of the deals (Kott 2001), with Student's t on one less than their number.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``round``, ``value``, ``low``, ``high`` (points), ``n`` (seats). A round is left out
        if such a deficit was not observed, or if the chance does not fall with the deficit.
    """
    rows = []
    for key, cell in sums.groupby(CELL, sort=False):
        behind, n, won = cell["behind"].to_numpy(), tenths_of(cell, "n"), tenths_of(cell, "won")
        found = _lost(behind, _left_out(n), _left_out(won))
        if found is not None and found[0] <= _quantile(behind, n.sum(axis=1), _SEEN):
            rows.append((*key, *found, int(n.sum())))
    return pd.DataFrame(rows, columns=[*CELL, "value", "low", "high", "n"])


def _left_out(counts: np.ndarray) -> np.ndarray:
    """Return the counts (points, tenths) of all deals, then those without each tenth: (11, points)."""
    whole = counts.sum(axis=1)
    return np.vstack([whole, whole - counts.T])


def _lost(behind: np.ndarray, n: np.ndarray, won: np.ndarray) -> tuple[float, float, float] | None:
    """Return the points behind with their interval; None if the curve is unknown or does not fall."""
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
    """Return the observed chance to win by points behind, in classes of equal width.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``round``, ``behind`` (such as "4 to 6"; "0" is a shared lead), ``value``,
        ``low``, ``high`` (percent), ``n`` (seats). Empty if all games have one round only.
    """
    if sums.empty:
        return pd.DataFrame(columns=[*CELL, "behind", "value", "low", "high", "n"])
    n = tenths_of(sums, "n").sum(axis=1)
    behind = sums["behind"].to_numpy()
    width = max(1, math.ceil(_quantile(behind, n, _SEEN) / _STEPS))
    step = np.minimum(np.ceil(behind / width), _STEPS).astype(int)
    counts = [name for name in sums if name.startswith(("n.", "won."))]
    table = sums.assign(step=step).groupby([*CELL, "step"], sort=False)[counts].sum().reset_index()
    table = sort_rows(table, ["variant", "step"], sums["variant"])
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
    """How often the lead before the last round is lost, and how often it is shared.

    A shared lead is lost if no seat that shares it wins. A shared victory counts by the part of the seats that were
    behind. The answer has ``players``, ``variant``, ``measure`` (``lost`` or ``shared``), ``value``, ``low``,
    ``high`` (percent of the games), ``n``, ``clusters``, ``error``.
    """

    keys = ("players", "variant")
    needs_rounds = True

    @property
    def sql(self) -> str:
        sums = ", ".join(moments(name, f"100 * {name}", "games") for name in ("lost", "shared"))
        return f"""
            WITH decks AS (
                SELECT players, variant, deal_seed, count_if(seat = 0)::DOUBLE AS games,
                       sum(win_share * (lead < 0)::INT)::DOUBLE AS lost,
                       (count_if(seat = 0) - count_if(lead > 0))::DOUBLE AS shared
                FROM round_rows WHERE round = rounds - 1 GROUP BY ALL
            )
            SELECT players, variant, {sums} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        return estimates_of(sums, self.keys, {"lost": 100, "shared": 100})
