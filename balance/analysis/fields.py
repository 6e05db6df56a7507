"""What a seat's win share hangs on: which strategy sits there, and who is in the field."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from balance.analysis.halves import remeasure, with_all_decks
from balance.analysis.question import Means, Question, measure_means
from balance.analysis.sums import interval_columns, intervals_of, moments, tally
from balance.plan.measures import SEAT_SHARE
from balance.plan.plan import Plan

NAME = "share"
ENDS = ("least", "most")


def seat_strategy_question() -> Means:
    """Win shares in percent by seat and the strategy that sits there."""
    return measure_means([SEAT_SHARE], ["players", "variant", "seat", "strategy"])


@dataclass(frozen=True)
class LeavingOut(Question):
    """Win share of every seat in the games in which one strategy did not play, for each strategy.

    A line-up plays on decks of its own (see `leaving_out_applies`), so that the sums over decks of
    line-ups add up. Answered by ``players``, ``variant``, ``seat``, ``half`` (0, 1, or all decks),
    ``without`` (a strategy), and ``value``, ``low``, ``high`` in percent, ``n``, ``clusters``, ``error``.
    """

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant", "seat", "half", "field")

    @property
    def sql(self) -> str:
        return f"""
            WITH decks AS (
                SELECT players, variant, seat, half, deck_seed,
                       any_value(array_to_string(list_sort(string_split(lineup, ',')), ',')) AS field,
                       {tally(NAME, SEAT_SHARE.scaled)}
                FROM seat_rows GROUP BY ALL
            )
            SELECT players, variant, seat, half, field, {moments(NAME)} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        cell = ["players", "variant", "seat", "half", "without"]
        fields = sums.pop("field").str.split(",")
        names = sorted({name for field in fields for name in field})
        sums["without"] = [[name for name in names if name not in field] for field in fields]
        sums = sums.explode("without").dropna(subset="without")
        halves = sums.groupby(cell, as_index=False, sort=False).sum()
        left = with_all_decks(halves, [name for name in cell if name != "half"])
        return left[cell].assign(**interval_columns(intervals_of(left, NAME, SEAT_SHARE.scale)))


def leaving_out_applies(plan: Plan) -> bool:
    """Whether games are left at every player count when one strategy's are taken away."""
    return not plan.tier.lineups and len(plan.tier.strategies) > max(plan.experiment.players)


def seat_ranges(left_out: pd.DataFrame) -> pd.DataFrame:
    """How far each seat's share moves when one strategy leaves the field.

    Which strategy moves it furthest down, and which furthest up, is chosen on one half of the decks and
    measured on the other.

    Returns
    -------
    DataFrame
        Two rows a seat: ``players``, ``variant``, ``seat``, ``end`` (``least`` or ``most``), ``without``
        (the strategy that is missing), ``chosen_value``, ``value``, ``low``, ``high`` in percent, ``n``.
    """
    seat = ["players", "variant", "seat"]
    columns = [*seat, "end", "without", "chosen_value", "value", "low", "high", "n"]
    ends = [
        remeasure(left_out.assign(size=sign * left_out["value"], end=end), [*seat, "end"], ["without"])
        for end, sign in zip(ENDS, (-1, 1), strict=True)
    ]
    return pd.concat(ends, ignore_index=True).sort_values(seat, kind="stable", ignore_index=True)[
        columns
    ]
