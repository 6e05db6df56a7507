"""Whom it helps that a strategy plays: the seats after it, by their distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from balance.analysis.halves import of_all_decks, remeasure, with_all_decks
from balance.analysis.question import Question
from balance.analysis.sums import interval_columns, intervals_of, literal, moments, tally
from balance.plan.plan import Plan

NAME = "gain"
CELL = ["players", "variant", "half", "after", "distance"]


@dataclass(frozen=True)
class Neighbours(Question):
    """What a seat wins beyond the mean of the others, by how many seats after a strategy it sits.

    A game gives each distance one number, and together they make 0, so that what is told is who of the others
    gains by sitting where it sits, and not how weak the strategy is. Answered by `CELL` (`half`: 0, 1, or all
    decks; ``distance`` 1 is the next seat to act), and ``value``, ``low``, ``high`` in percent points of win
    share, ``n``, ``clusters``, ``error``.

    Attributes
    ----------
    after : tuple of str
        Strategies that sit in one seat of a game at most.
    """

    after: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(CELL)

    @property
    def sql(self) -> str:
        gain = "100 * (b.win_share - (1 - a.win_share) / (a.players - 1))"
        return f"""
            WITH decks AS (
                SELECT a.players, a.variant, a.half, a.strategy AS after, a.deck_seed,
                       ((b.seat - a.seat + a.players) % a.players)::INT AS distance, {tally(NAME, gain)}
                FROM seat_rows a JOIN seat_rows b USING (game_id)
                WHERE a.players > 2 AND a.seat <> b.seat
                      AND a.strategy IN ({", ".join(map(literal, self.after))})
                GROUP BY ALL
            )
            SELECT {", ".join(CELL)}, {moments(NAME)} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        both = with_all_decks(sums, [name for name in CELL if name != "half"])
        found = both[CELL].assign(**interval_columns(intervals_of(both, NAME)))
        return found.sort_values(CELL, ignore_index=True)


def neighbours_question(plan: Plan) -> Neighbours | None:
    """The question about the strategies of the tier that is read; None where there is nothing to ask."""
    if max(plan.experiment.players) < 3:
        return None
    names = [strategy.name for strategy in plan.tier.strategies]
    alone = [name for name in names if all(lineup.count(name) <= 1 for lineup in plan.tier.lineups)]
    return Neighbours(tuple(alone)) if alone and len(names) > 1 else None


def gains(answer: pd.DataFrame) -> pd.DataFrame:
    """Of all decks: ``players``, ``variant``, ``after``, ``distance``, ``value``, ``low``, ``high``, ``n``."""
    return of_all_decks(answer)


def largest(answer: pd.DataFrame, cell: Sequence[str] = ("players", "variant")) -> pd.DataFrame:
    """The seat that gains most, chosen on one half of the decks and measured on the other, a row a cell."""
    return remeasure(answer.assign(size=answer["value"]), list(cell), ["after", "distance"])
