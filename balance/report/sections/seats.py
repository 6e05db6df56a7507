"""Win shares by seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from balance.analysis.ended import Played
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import (
    ENDS,
    SHARED,
    LeavingOut,
    judged_seats,
    leaving_out_applies,
    seat_ranges,
    seat_strategy_question,
    seat_wins_question,
    share_question,
)
from balance.analysis.target_checks import target_question
from balance.contract.sides import SEAT
from balance.experiments.measures import SEAT_SCORE
from balance.foundation.language import N_, tr
from balance.foundation.text import nth
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.kit import share_table, side_by_side, spread_columns, write_share_headlines
from balance.report.model import Section, Table
from balance.report.words import TIES_MATTER, ordinal, write_estimate, write_fair, write_furthest, write_wins

ORDER = 40
NEEDS = (SEAT,)


_ENDS = {"least": N_("least %"), "most": N_("most %")}


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about seats: overall, in halves of the deals, by strategy, and without one strategy."""
    measure = context.side_share
    asked: list[Question] = [share_question(measure), seat_wins_question(), target_question(SEAT_SCORE), Played()]
    if context.has_several_strategies:
        asked.append(seat_strategy_question())
    return [*asked, LeavingOut()] if leaving_out_applies(context.plan) else asked


def write(context: ReportContext, answers: Answers) -> Section:
    """Write win shares by seat, and how they depend on the strategy in the seat and on the field."""
    shares = judged_seats(context.plan, answers, context.family)
    figure = draw_intervals("seats", tr("Win share by seat."), shares, "seat", context.colours)
    text = [tr("Seats are numbered in the order of their first turn. A shared victory counts in equal parts.")]
    tables = [share_table("seats", tr("Win share by seat."), shares, "seat", context.shared)]
    wins, scores = answers[seat_wins_question()], answers[target_question(SEAT_SCORE)]
    if (wins.loc[wins["measure"] == SHARED, "value"] >= TIES_MATTER).any():
        text.append(tr("Games that a seat wins alone and games that it shares are listed apart."))
        caption, rows = tr("Games won by seat, %."), ["variant", "seat", "measure"]
        tables.append(side_by_side("seats-wins", caption, wins, rows, words=_name_seats))
    caption, rows = tr("Mean score by seat, points."), ["variant", "seat"]
    tables.append(side_by_side("seats-scores", caption, scores, rows, words=_name_seats))
    ranges = pd.DataFrame(columns=["players", "variant"])
    if context.has_several_strategies:
        text.append(
            tr(
                "These figures hold for these {n} strategies alone: their intervals do not include how far others "
                "would differ. The tables show seats by strategy, and without one strategy. Another player at the "
                "table may move a seat much further.",
                n=len(context.plan.tier.strategies),
            )
        )
        data = answers[seat_strategy_question()]
        caption, rows = tr("Win share of a strategy by seat, %."), ["variant", "strategy", "seat"]
        tables.append(side_by_side("seats-strategies", caption, data, rows, words=_name_seats))
    if leaving_out_applies(context.plan):
        ranges = seat_ranges(answers[LeavingOut()])
        tables.append(_fields_table(ranges))

    def describe(row: Any) -> str:
        size = _describe(row, write_wins(wins, row.players, row.variant, row.seat))
        return size + _without_one(row, ranges, len(context.plan.tier.strategies))

    headlines = write_share_headlines(context, shares, tr("seats"), describe)
    extension = context.extension(shares)
    return Section("seats", tr("Seats"), text, headlines, figures=[figure], tables=tables, extension=extension)


def _name_seats(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(seat=[nth(seat) for seat in table["seat"]])


def _fields_table(ranges: pd.DataFrame) -> Table:
    """Return a table of how far each seat moves when one strategy leaves."""
    shown = ranges.assign(seat=ranges["seat"].map(nth), end=ranges["end"].map(_ENDS))
    frame = spread_columns(
        shown,
        ["players", "variant", "seat"],
        "end",
        lambda row: tr("{share} without {strategy}", share=write_estimate(row), strategy=row.without),
    )
    caption = tr(
        "Win share of a seat without one strategy, for the strategies whose absence moves it furthest (chosen on half "
        "of the deals and measured on the held-out half). 95 % intervals."
    )
    return Table("seats-fields", caption, frame, {"n": ","}, ranges)


def _describe(row: Any, wins: str) -> str:
    """Return a clause about the seat furthest from fair.

    `wins` are its wins alone and shared, see `balance.report.words.write_wins`.
    """
    return tr(
        "the {nth} player wins {share} %{wins} (n = {n:,} games; fair is {fair} %)",
        wins=wins,
        nth=ordinal(row.seat),
        share=write_furthest(row),
        n=row.n,
        fair=write_fair(row.fair),
    )


def _without_one(row: Any, ranges: pd.DataFrame, count: int) -> str:
    """Return how far a seat moves when one of its strategies leaves; "" if this was not read."""
    own = ranges[(ranges["players"] == row.players) & (ranges["variant"] == row.variant)]
    ends = [end for end in own.itertuples() if end.seat == row.seat]
    if len(ends) != len(ENDS):
        return ""
    without = [tr("{share:.1f} % without {strategy}", share=end.value, strategy=end.without) for end in ends]
    return "; " + tr("among these {n} strategies alone: {shares}", n=count, shares=", ".join(without))
