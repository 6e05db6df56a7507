"""Strategies against each other: head to head, dominated and dead strategies, the meta-game's equilibrium."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.question import Question, deal_sums, estimates
from balance.stats.comparisons import ALPHA, LEAST_DECKS
from balance.stats.metagame import crusher, dominated, draw_matrices, equilibrium

BAGS = 100  # random groups of deals, resampled as a whole by the bootstrap


@dataclass(frozen=True)
class Meetings(Question):
    """How often the row strategy finishes above the column strategy in games with both; ties count half.

    The answer has sums for every bag of deals: see `head_to_head` and `find_equilibria`.
    """

    keys = ("players", "variant", "row_strategy", "column_strategy", "bag")

    @property
    def sql(self) -> str:
        keys = {
            "players": "a.players", "variant": "a.variant", "row_strategy": "a.strategy",
            "column_strategy": "b.strategy", "bag": f"(a.deal_seed % {BAGS})::INT",
        }  # fmt: skip
        above = "(a.rank < b.rank)::INT + 0.5 * (a.rank = b.rank)::INT"
        pairs = "seat_rows a JOIN seat_rows b USING (game_id) WHERE a.strategy <> b.strategy"
        return deal_sums(keys, {"above": above}, pairs, "a.deal_seed")


PAIR = ["players", "variant", "row_strategy", "column_strategy"]


def head_to_head(answer: pd.DataFrame) -> pd.DataFrame:
    """Return how often each strategy finishes above each other: `PAIR`, ``value``, ``low``, ``high``, ``n``, ..."""
    sums = answer.drop(columns="bag").groupby(PAIR, as_index=False, sort=False).sum()
    return estimates(sums, PAIR, "above", 1.0)


def matrix_of(meetings: pd.DataFrame) -> pd.DataFrame:
    """Return one cell's meetings as a square frame, rows against columns, with 0.5 on the diagonal."""
    square = meetings.pivot(index="row_strategy", columns="column_strategy", values="value")
    return square.where(~np.eye(len(square), dtype=bool), 0.5)


def find_equilibria(answer: pd.DataFrame, families: int = 1) -> pd.DataFrame:
    """Return the equilibrium of every cell's pairwise meta-game, with bootstrap intervals.

    In this game two populations meet, and the strategy that finishes above wins the meeting. With more than two
    players it is an approximation, because it considers two seats at a time.

    Parameters
    ----------
    answer : DataFrame
        The answer to `Meetings`.
    families : int
        The number of families of verdicts on the page. They share its error evenly; within this family, the cells
        share it, and within a cell the tests for "alone" and for "dominated".

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``strategy``, ``share`` of the equilibrium (percent; the mean over bootstrap samples
        of the deals) with ``low`` and ``high``, ``alive`` (percent of samples in which it is part of the
        equilibrium), ``part`` (`PARTS`), ``dominated_by`` (a strategy that does better against every other, or ""),
        ``n`` (meetings). Cells in which some strategies never meet, or with fewer than `LEAST_DECKS` deals, are left
        out. Use `ended.without_broken` first to leave out cells with too many broken games.
    """
    rows: list[dict[str, object]] = []
    cells = answer.groupby(["players", "variant"], sort=False)
    alpha = ALPHA / families / max(1, cells.ngroups) / 2
    for (players, variant), cell in cells:
        totals, counts, names = bags_of(cell)
        met = counts.sum(axis=0)
        others = ~np.eye(len(names), dtype=bool)
        if not (met[others] > 0).all() or cell["above.clusters"].sum() < LEAST_DECKS * met.size:
            continue
        value = np.divide(totals.sum(axis=0), met, where=others, out=np.full(met.shape, 0.5))
        drawn = draw_matrices(totals, counts)
        found = equilibrium(drawn)
        best, beaten = crusher(value, drawn, alpha), dominated(value, drawn, alpha)
        for i, strategy in enumerate(names):
            row = {"players": players, "variant": variant, "strategy": strategy}
            row |= {name: 100 * getattr(found, name)[i] for name in ("low", "high", "alive")}
            row |= {"share": 100 * found.mixture[i], "part": _part(found.alive[i], i, best)}
            row |= {"dominated_by": names[beaten[i]] if i in beaten else "", "n": int(met[i].sum())}
            rows.append(row)
    measured = ["share", "low", "high", "alive", "part", "dominated_by", "n"]
    return pd.DataFrame(rows, columns=["players", "variant", "strategy", *measured])


def bags_of(cell: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return meetings won and meetings of a cell, arrays (bags, k, k), and the strategies in order."""
    names = sorted({*cell["row_strategy"], *cell["column_strategy"]})
    place = {name: i for i, name in enumerate(names)}
    at = (cell["bag"], cell["row_strategy"].map(place), cell["column_strategy"].map(place))
    totals, counts = (np.zeros((BAGS, len(names), len(names))) for _ in range(2))
    totals[at], counts[at] = cell["above.s"], cell["above.n"]
    return totals, counts, names


PARTS = ("alone", "sure", "possible", "none")
"""The part of a strategy in the equilibrium: alone (shown to win against every other, so it is the equilibrium), sure
(in at least 95 % of bootstrap samples), possible (undecided), none (in at most 5 %)."""
_UNSURE = 0.05


def _part(alive: float, number: int, best: int | None) -> str:
    if best is not None:
        return "alone" if number == best else "none"
    return "sure" if alive >= 1 - _UNSURE else "none" if alive <= _UNSURE else "possible"


def find_dead(equilibria: pd.DataFrame, shares: pd.DataFrame) -> pd.DataFrame:
    """Return the strategies that are not part of the equilibrium and win less than a fair share.

    `shares` are those of `balance.analysis.shares.judge_shares` by strategy.
    """
    keys = ["players", "variant", "strategy"]
    both = equilibria.merge(shares[[*keys, "verdict"]], on=keys)
    return both[(both["part"] == "none") & (both["verdict"] == "disfavoured")][keys]
