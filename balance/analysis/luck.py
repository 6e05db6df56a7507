"""Luck: how much of the variance of scores strategies, seats and decks explain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.question import Question
from balance.plan.plan import Plan
from balance.stats.variance import SOURCES, DeckSums, jackknife, variance_shares

GROUPS = 10  # of decks, for the jackknife


@dataclass(frozen=True)
class Luck(Question):
    """Sums of scores by line-up, strategy and seat, in ten groups of decks."""

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant", "tenth", "lineup", "strategy", "seat")

    @property
    def sql(self) -> str:
        sorted_lineup = "array_to_string(list_sort(string_split(lineup, ',')), ',')"
        return f"""
            WITH r AS (
                SELECT players, variant, tenth, {sorted_lineup} AS lineup, deck_seed, strategy, seat, score::DOUBLE AS y
                FROM seat_rows
            ), sums AS (
                SELECT players, variant, tenth, lineup, strategy, seat, sum(y) AS y, sum(y * y) AS yy
                FROM r GROUP BY ALL
            ), by_strategy AS (
                SELECT players, variant, tenth, lineup, strategy, -1 AS seat, 0.0 AS y, sum(m * m) AS yy FROM (
                    SELECT players, variant, tenth, lineup, deck_seed, strategy, avg(y) AS m FROM r GROUP BY ALL
                ) GROUP BY ALL
            ), by_seat AS (
                SELECT players, variant, tenth, lineup, '' AS strategy, seat, 0.0 AS y, sum(m * m) AS yy FROM (
                    SELECT players, variant, tenth, lineup, deck_seed, seat, avg(y) AS m FROM r GROUP BY ALL
                ) GROUP BY ALL
            ), by_deck AS (
                SELECT players, variant, tenth, lineup, '' AS strategy, -1 AS seat,
                       count(*)::DOUBLE AS y, sum(m * m) AS yy FROM (
                    SELECT players, variant, tenth, lineup, deck_seed, avg(y) AS m FROM r GROUP BY ALL
                ) GROUP BY ALL
            )
            SELECT * FROM sums UNION ALL SELECT * FROM by_strategy
            UNION ALL SELECT * FROM by_seat UNION ALL SELECT * FROM by_deck
        """


def luck_applies(plan: Plan) -> bool:
    """Whether every deck holds each of its strategies in each seat once."""
    lineups = plan.lineups
    different = all(len(set(line)) == len(line) for line in lineups)
    enough = bool(lineups) or len(plan.strategies) >= max(plan.experiment.players)
    return plan.experiment.rotate and different and enough and len(lineups) <= 1


def read_luck(sums: pd.DataFrame) -> pd.DataFrame:
    """Shares of the variance of scores by source, for every cell.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``source`` (`SOURCES`), ``value``, ``low``, ``high`` in percent,
        ``n`` (scores), ``decks``. Cells with too few decks are left out.
    """
    rows = []
    for (players, variant), cell in sums.groupby(["players", "variant"], sort=False):
        lineups = sorted(cell["lineup"].unique())
        groups = [
            _deck_sums(part, lineups, int(players)) for _, part in cell.groupby("tenth") if len(part)
        ]
        whole = DeckSums(
            *(sum(arrays) for arrays in zip(*(vars(group).values() for group in groups), strict=True))
        )
        if len(groups) < GROUPS or whole.decks.sum() < 2 * GROUPS or not (whole.decks > 2).any():
            continue
        for source, found in zip(SOURCES, jackknife(whole, groups, variance_shares), strict=True):
            rows.append(
                {
                    "players": players,
                    "variant": variant,
                    "source": source,
                    "value": 100 * found.value,
                    "low": 100 * found.low,
                    "high": 100 * found.high,
                    "n": found.n,
                    "decks": found.clusters,
                }
            )
    return pd.DataFrame(
        rows, columns=["players", "variant", "source", "value", "low", "high", "n", "decks"]
    )


def _deck_sums(part: pd.DataFrame, lineups: list[str], players: int) -> DeckSums:
    """The rows of one group as arrays by line-up, strategy and seat."""
    number = {lineup: i for i, lineup in enumerate(lineups)}
    place = {lineup: {name: i for i, name in enumerate(lineup.split(","))} for lineup in lineups}
    line = part["lineup"].map(number).to_numpy()
    strategy = np.array(
        [place[row.lineup].get(row.strategy, -1) for row in part.itertuples()], dtype=np.int64
    )
    seat = part["seat"].to_numpy()
    y, yy = part["y"].to_numpy(), part["yy"].to_numpy()
    count, p = len(lineups), players
    sums = DeckSums(
        np.zeros(count), np.zeros((count, p, p)), np.zeros((count, p, p)),
        np.zeros((count, p)), np.zeros((count, p)), np.zeros(count),
    )  # fmt: skip
    full, deck = (strategy >= 0) & (seat >= 0), (strategy < 0) & (seat < 0)
    by_strategy, by_seat = (strategy >= 0) & (seat < 0), (strategy < 0) & (seat >= 0)
    sums.y[line[full], strategy[full], seat[full]] = y[full]
    sums.yy[line[full], strategy[full], seat[full]] = yy[full]
    sums.strategy[line[by_strategy], strategy[by_strategy]] = yy[by_strategy]
    sums.seat[line[by_seat], seat[by_seat]] = yy[by_seat]
    sums.decks[line[deck]] = y[deck]
    sums.deck[line[deck]] = yy[deck]
    return sums
