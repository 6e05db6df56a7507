"""Who wins, by seat."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.fields import (
    ENDS,
    LeavingOut,
    leaving_out_applies,
    seat_ranges,
    seat_strategy_question,
)
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import (
    SHOWN_FAIR,
    UNFAIR,
    halves_question,
    judge_shares,
    remeasure_best,
    share_question,
)
from balance.analysis.unfinished import WITHHELD, Played, withhold
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.layout import share_table, side_by_side
from balance.report.model import Finding, Section, Table, write_estimate
from balance.report.section import Written
from balance.stats.comparisons import TOO_FEW
from balance.stats.fair import fair_share

PLACE = 40


def judges(facts: Facts) -> int:
    """Every seat against a fair share."""
    return 1


def questions(facts: Facts) -> Sequence[Question]:
    """Win shares by seat, in halves of the decks too; by strategy, and when one leaves the field."""
    measure = facts.seat_share
    asked: list[Question] = [share_question(measure), halves_question(measure), Played()]
    if facts.has_several_strategies:
        asked.append(seat_strategy_question())
    return [*asked, LeavingOut()] if leaving_out_applies(facts.plan) else asked


def write(facts: Facts, answers: Answers) -> Written:
    """Win shares by seat, and what they hang on: who sits there, who is in the field."""
    measure = facts.seat_share
    shares = withhold(
        judge_shares(answers[share_question(measure)], measure, families=facts.families),
        answers[Played()],
    )
    figure = draw_intervals(
        "seats", "Win share by seat.", shares, "seat", measure.threshold or 0, facts.colours
    )
    text = ["Seat 0 moves first in round 1. A shared victory counts in equal parts."]
    tables = [share_table("seats", "Win share by seat.", shares, "seat", facts.shared)]
    ranges = pd.DataFrame(columns=["players", "variant"])
    if facts.has_several_strategies:
        text.append(
            "A seat's share is that of these strategies: the tables below say how far it hangs on them."
        )
        data = facts.of_first(answers[seat_strategy_question()])
        caption = f"Win share of a strategy by seat, variant {facts.first}, %."
        tables.append(side_by_side("seats-strategies", caption, data, ["strategy", "seat"]))
    if leaving_out_applies(facts.plan):
        ranges = facts.of_first(seat_ranges(answers[LeavingOut()]))
        tables.append(_fields_table(ranges, facts.first))
    section = Section("seats", "Seats", text, figures=[figure], tables=tables)
    return Written(section, _findings(facts, shares, answers[halves_question(measure)], ranges))


def _fields_table(ranges: pd.DataFrame, variant: str) -> Table:
    """How far each seat moves when one strategy leaves, a row a seat."""
    rows = [
        {
            "players": players,
            "seat": seat,
            **{
                f"{row.end} %": f"{write_estimate(row)} without {row.without}"
                for row in ends.itertuples()
            },
            "n": int(ends["n"].min()),
        }
        for (players, seat), ends in ranges.groupby(["players", "seat"])
    ]
    caption = (
        f"Win share of a seat when one strategy leaves the field, variant {variant}: the strategies whose absence "
        "moves it furthest, chosen on half of the decks and measured on the other half. 95 % intervals."
    )
    return Table("seats-fields", caption, pd.DataFrame(rows), {"n": ","}, ranges)


def _findings(
    facts: Facts, shares: pd.DataFrame, halves: pd.DataFrame, ranges: pd.DataFrame
) -> list[Finding]:
    """A sentence for each player count; the seat that it names was chosen on half of the decks."""
    furthest = remeasure_best(facts.of_first(halves), "seat", furthest=True).set_index("players")
    found = []
    for players, cell in facts.of_first(shares).groupby("players"):
        verdicts = set(cell["verdict"])
        if WITHHELD in verdicts or players not in furthest.index:
            continue  # told of first, see `played`; or one deck
        row, fair = furthest.loc[players], fair_share(int(players))
        size = (
            f"seat {row['seat']} wins {write_estimate(row)} % of n = {row['n']:,} games on fresh decks, "
        )
        size += f"fair is {fair:.1f} %"
        ends = ranges[(ranges["players"] == players) & (ranges.get("seat") == row["seat"])]
        if len(ends) == len(ENDS):
            least, most = (next(ends[ends["end"] == end].itertuples()) for end in ENDS)
            size += f"; {least.value:.1f} % without {least.without}, {most.value:.1f} % without {most.without}"
        if TOO_FEW in verdicts:
            text = f"there are too few decks to judge the seats ({int(cell['decks'].max())})."
        elif verdicts <= SHOWN_FAIR:
            text = f"all seats are balanced, within {facts.thresholds.seats:g} of fair; the furthest, {size}."
        elif verdicts & UNFAIR:
            text = f"the seats are not balanced: {size}."
        else:
            more = int(cell["more_games"].max())
            text = f"the seats are undecided: {size}; about {more:,} games more would decide."
        weight = abs(float(row["value"]) - fair)
        about = ("seats", int(players), int(row["seat"]))
        found.append(Finding(f"{facts.first}: With {players} players {text}", "seats", weight, about))
    return found
