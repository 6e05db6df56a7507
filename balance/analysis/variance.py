"""What the variance of wins and of score differences comes from: strategies, seats, decks, all else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.question import Question
from balance.analysis.tenths import TENTHS
from balance.plan.plan import Plan
from balance.stats.variance import DeckSums, jackknife, variance_shares, variance_sources

OUTCOMES = {"wins": "win_share", "score differences": "difference"}
"""What is explained, and the column; both add up to the same in every game."""
COLUMNS = ["players", "variant", "outcome", "source", "value", "low", "high", "n", "decks"]


@dataclass(frozen=True)
class Variance(Question):
    """Sums of outcomes by line-up, strategy and seat, in ten groups of decks that were played whole."""

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant", "outcome", "tenth", "lineup", "strategy", "seat")

    @property
    def sql(self) -> str:
        deck, group = "players, variant, deck_seed", "players, variant, tenth, field"
        columns = OUTCOMES.values()
        sums = ", ".join(f"sum({y}) AS {y}_y, sum({y} * {y}) AS {y}_yy" for y in columns)
        means, squares = (
            ", ".join(text.format(y=y) for y in columns)
            for text in ("avg({y}) AS {y}", "sum({y} * {y}) AS {y}_yy")
        )
        parts = [
            f"SELECT players, variant, '{name}' AS outcome, tenth, field AS lineup, strategy, seat, {told} FROM {table}"
            for name, y in OUTCOMES.items()
            for table, told in (
                ("by_both", f"n, {y}_y AS y, {y}_yy AS yy"),
                ("by_strategy", f"0, 0, {y}_yy"),
                ("by_seat", f"0, 0, {y}_yy"),
            )
        ]
        return f"""
            WITH fields AS (
                SELECT DISTINCT lineup, array_to_string(list_sort(string_split(lineup, ',')), ',') AS field
                FROM seat_rows
            ), decks AS (
                SELECT {deck} FROM seat_rows GROUP BY ALL HAVING count(*) = any_value(players) ** 2
            ), games AS (
                SELECT game_id, avg(score) AS mean FROM seat_rows GROUP BY ALL
            ), r AS (
                SELECT * EXCLUDE (mean), score - mean AS difference
                FROM seat_rows JOIN decks USING ({deck}) JOIN fields USING (lineup) JOIN games USING (game_id)
            ), by_both AS (
                SELECT {group}, strategy, seat, count(*)::DOUBLE AS n, {sums} FROM r GROUP BY ALL
            ), by_strategy AS (
                SELECT {group}, strategy, -1 AS seat, {squares}
                FROM (SELECT {group}, deck_seed, strategy, {means} FROM r GROUP BY ALL) GROUP BY ALL
            ), by_seat AS (
                SELECT {group}, '' AS strategy, seat, {squares}
                FROM (SELECT {group}, deck_seed, seat, {means} FROM r GROUP BY ALL) GROUP BY ALL
            )
            {" UNION ALL ".join(parts)}
        """


def variance_applies(plan: Plan) -> bool:
    """Whether every deck holds each of its strategies in each seat once."""
    lineups = plan.tier.lineups
    sizes = Counter(map(len, lineups))
    different = all(len(set(line)) == len(line) for line in lineups)
    enough = bool(lineups) or len(plan.tier.strategies) >= max(plan.experiment.players)
    return plan.experiment.rotate and different and enough and max(sizes.values(), default=1) == 1


def read_variance(sums: pd.DataFrame) -> pd.DataFrame:
    """Shares of the variance by source, for every cell and outcome.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``outcome`` (`OUTCOMES`), ``source`` (`stats.variance.variance_sources`),
        ``value``, ``low``, ``high`` in percent, ``n`` (scores), ``decks``. Cells with too few decks, or
        where nothing varies, are left out.
    """
    rows = []
    for (players, variant, outcome), cell in sums.groupby(["players", "variant", "outcome"], sort=False):
        lineups = sorted(cell["lineup"].unique())
        groups = [_deck_sums(part, lineups, int(players)) for _, part in cell.groupby("tenth")]
        whole = DeckSums(
            *(sum(arrays) for arrays in zip(*(vars(group).values() for group in groups), strict=True))
        )
        few = len(groups) < TENTHS or whole.decks.sum() < 2 * TENTHS or not (whole.decks > 2).any()
        if few or np.isnan(variance_shares(whole)).any():
            continue
        found = jackknife(whole, groups, variance_shares)
        for source, each in zip(variance_sources(int(players)), found, strict=True):
            percent = (100 * each.value, 100 * each.low, 100 * each.high)
            rows.append((players, variant, outcome, source, *percent, each.n, each.clusters))
    return pd.DataFrame(rows, columns=COLUMNS)


def _deck_sums(part: pd.DataFrame, lineups: list[str], players: int) -> DeckSums:
    """The rows of one group as arrays by line-up, strategy and seat."""
    number = {lineup: i for i, lineup in enumerate(lineups)}
    place = {lineup: {name: i for i, name in enumerate(lineup.split(","))} for lineup in lineups}
    line = part["lineup"].map(number).to_numpy()
    strategy = np.array(
        [place[row.lineup].get(row.strategy, -1) for row in part.itertuples()], dtype=np.int64
    )
    seat, yy = part["seat"].to_numpy(), part["yy"].to_numpy()
    count, p = len(lineups), players
    sums = DeckSums(
        np.zeros(count), np.zeros((count, p, p)), np.zeros((count, p, p)),
        np.zeros((count, p)), np.zeros((count, p)),
    )  # fmt: skip
    full, by_strategy, by_seat = (strategy >= 0) & (seat >= 0), seat < 0, strategy < 0
    sums.y[line[full], strategy[full], seat[full]] = part["y"].to_numpy()[full]
    sums.yy[line[full], strategy[full], seat[full]] = yy[full]
    sums.decks[line[full]] = part["n"].to_numpy()[full]  # a deck holds each strategy in each seat once
    sums.strategy[line[by_strategy], strategy[by_strategy]] = yy[by_strategy]
    sums.seat[line[by_seat], seat[by_seat]] = yy[by_seat]
    return sums
