"""Win shares by seat."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.ended import WITHHELD, Played
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import (
    BALANCED,
    DISFAVOURED,
    ENDS,
    FAVOURED,
    LeavingOut,
    halves_question,
    judged_shares,
    leaving_out_applies,
    remeasure_best,
    seat_ranges,
    seat_strategy_question,
    share_question,
)
from balance.foundation.text import nth
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.model import Headline, Section, Table, write_estimate
from balance.report.section import Written, share_table, side_by_side
from balance.report.words import ordinal, would_decide
from balance.stats.comparisons import TOO_FEW
from balance.stats.intervals import fair_share

ORDER = 40


def judges(context: ReportContext) -> int:
    """Return one family of verdicts: seats against a fair share."""
    return 1


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about seats: overall, in halves of the deals, by strategy, and without one strategy."""
    measure = context.seat_share
    asked: list[Question] = [share_question(measure), halves_question(measure), Played()]
    if context.has_several_strategies:
        asked.append(seat_strategy_question())
    return [*asked, LeavingOut()] if leaving_out_applies(context.plan) else asked


def write(context: ReportContext, answers: Answers) -> Written:
    """Write win shares by seat, and how they depend on the strategy in the seat and on the field."""
    shares = judged_shares(context.plan, answers, "seat", context.families)
    figure = draw_intervals("seats", "Win share by seat.", shares, "seat", context.colours)
    text = [
        "Seats are numbered in the order of their first turn. A shared victory counts in equal parts."
    ]
    tables = [share_table("seats", "Win share by seat.", shares, "seat", context.shared)]
    ranges = pd.DataFrame(columns=["players", "variant"])
    if context.has_several_strategies:
        text.append("A seat's win share depends on these strategies; the tables below show how much.")
        data = answers[seat_strategy_question()]
        data = data.assign(seat=[nth(seat) for seat in data["seat"]])
        caption = "Win share of a strategy by seat, %."
        rows = ["variant", "strategy", "seat"]
        tables.append(side_by_side("seats-strategies", caption, data, rows))
    if leaving_out_applies(context.plan):
        ranges = seat_ranges(answers[LeavingOut()])
        tables.append(_fields_table(ranges))
    says = _says(context, shares, answers[halves_question(context.seat_share)], ranges)
    extension = context.extension(shares)
    return Written(
        Section("seats", "Seats", text, says, figures=[figure], tables=tables, extension=extension)
    )


def _fields_table(ranges: pd.DataFrame) -> Table:
    """Return a table of how far each seat moves when one strategy leaves."""
    rows = [
        {
            "players": players,
            "variant": variant,
            "seat": nth(seat),
            **{
                f"{row.end} %": f"{write_estimate(row)} without {row.without}"
                for row in ends.itertuples()
            },
            "n": int(ends["n"].min()),
        }
        for (players, variant, seat), ends in ranges.groupby(["players", "variant", "seat"], sort=False)
    ]
    caption = (
        "Win share of a seat when one strategy leaves the field, for the strategies whose absence "
        "moves it furthest, chosen on half of the deals and measured on the held-out half. 95 % intervals."
    )
    return Table("seats-fields", caption, pd.DataFrame(rows), {"n": ","}, ranges)


def _says(
    context: ReportContext, shares: pd.DataFrame, halves: pd.DataFrame, ranges: pd.DataFrame
) -> list[Headline]:
    """Return a sentence for each cell; the seat that it names was chosen on half of the deals."""
    furthest = remeasure_best(halves, "seat", furthest=True).set_index(["variant", "players"])
    found = []
    for (variant, players), cell in context.of_shown(shares).groupby(["variant", "players"], sort=False):
        verdicts = set(cell["verdict"])
        if WITHHELD in verdicts or (variant, players) not in furthest.index:
            continue  # the warnings list it first, see `played`; or there is only one deal
        row, fair = furthest.loc[(variant, players)], fair_share(int(players))
        size = f"the {ordinal(int(row['seat']))} player wins {write_estimate(row)} % of n = {int(row['n']):,} games on "
        size += f"held-out deals, fair is {fair:.1f} %"
        own = (ranges["players"] == players) & (ranges["variant"] == variant)
        ends = ranges[own & (ranges.get("seat") == row["seat"])]
        if len(ends) == len(ENDS):
            least, most = (next(ends[ends["end"] == end].itertuples()) for end in ENDS)
            size += f"; {least.value:.1f} % without {least.without}, {most.value:.1f} % without {most.without}"
        if TOO_FEW in verdicts:
            text = f"there are too few deals to judge the seats ({int(cell['decks'].max())})."
        elif verdicts == {BALANCED}:
            text = f"all seats are balanced, within {context.thresholds.seats:g} of fair; the furthest, {size}."
        elif verdicts & {FAVOURED, DISFAVOURED}:
            text = f"the seats are not balanced: {size}."
        else:
            more = int(cell["more_games"].max())
            text = f"the seats are undecided: {size}{would_decide(more)}."
        found.append(Headline(f"{variant}, {players} players: {text}", str(variant)))
    return found
