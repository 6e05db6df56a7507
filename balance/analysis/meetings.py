"""Strategies among themselves: head to head, dominated and dead ones, the meta-game's equilibrium."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.question import Question
from balance.analysis.sums import interval_columns, intervals_of, moments, tally
from balance.stats.metagame import dominated, equilibrium


@dataclass(frozen=True)
class Meetings(Question):
    """How often the row strategy ends above the column strategy where they meet, ties half."""

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant", "row_strategy", "column_strategy")

    @property
    def sql(self) -> str:
        above = "(a.rank < b.rank)::INT + 0.5 * (a.rank = b.rank)::INT"
        return f"""
            WITH decks AS (
                SELECT a.players, a.variant, a.strategy AS row_strategy, b.strategy AS column_strategy,
                       a.deck_seed, {tally("above", above)}
                FROM seat_rows a JOIN seat_rows b USING (game_id)
                WHERE a.strategy <> b.strategy GROUP BY ALL
            )
            SELECT {", ".join(self.keys)}, {moments("above")} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        return sums[list(self.keys)].assign(**interval_columns(intervals_of(sums, "above")))


def matrix_of(meetings: pd.DataFrame, column: str = "value", own: float = 0.5) -> pd.DataFrame:
    """One cell's meetings as a square frame, rows against columns; `own` stands on the diagonal."""
    square = meetings.pivot(index="row_strategy", columns="column_strategy", values=column)
    return square.where(~np.eye(len(square), dtype=bool), own)


def find_equilibria(meetings: pd.DataFrame) -> pd.DataFrame:
    """The equilibrium of every cell's pairwise meta-game.

    The game between two populations in which a meeting is won by who ends above; with more than two
    players it is an approximation, as it looks at two of the seats at a time.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``strategy``, ``share`` in the equilibrium (percent) with ``low`` and
        ``high`` over draws of the matrix from its errors, ``alive`` (percent of draws in which it has
        a part), ``dominated_by`` (a strategy that does better against every other, or ""). Cells in
        which some strategies never meet are left out.
    """
    rows = []
    for (players, variant), cell in meetings.groupby(["players", "variant"], sort=False):
        value, error = matrix_of(cell), matrix_of(cell, "error", 0.0)
        if value.isna().any(axis=None) or not np.isfinite(error).all(axis=None) or len(value) < 2:
            continue
        found = equilibrium(value.to_numpy(), error.to_numpy())
        beaten = dominated(value.to_numpy(), error.to_numpy())
        for i, strategy in enumerate(value.index):
            rows.append(
                {
                    "players": players,
                    "variant": variant,
                    "strategy": strategy,
                    "share": 100 * found.mixture[i],
                    "low": 100 * found.low[i],
                    "high": 100 * found.high[i],
                    "alive": 100 * found.alive[i],
                    "dominated_by": value.index[beaten[i]] if i in beaten else "",
                    "n": int(cell.loc[cell["row_strategy"] == strategy, "n"].sum()),
                }
            )
    columns = ["players", "variant", "strategy", "share", "low", "high", "alive", "dominated_by", "n"]
    return pd.DataFrame(rows, columns=columns)


DEAD_ALIVE = 5.0  # percent of draws


def find_dead(equilibria: pd.DataFrame, shares: pd.DataFrame) -> pd.DataFrame:
    """Strategies without a part in the equilibrium (in 95 % of draws) that also win less than fairly.

    Parameters
    ----------
    shares : DataFrame
        Of `balance.analysis.shares.judge_shares` by strategy.
    """
    keys = ["players", "variant", "strategy"]
    both = equilibria.merge(shares[[*keys, "verdict"]], on=keys)
    return both[(both["alive"] <= DEAD_ALIVE) & (both["verdict"] == "disfavoured")][keys]
