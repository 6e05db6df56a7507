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
    BALANCED,
    DISFAVOURED,
    FAVOURED,
    halves_question,
    judged_shares,
    remeasure_best,
    share_question,
)
from balance.analysis.unfinished import WITHHELD, Played
from balance.contract.words import nth
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.layout import share_table, side_by_side
from balance.report.model import Said, Section, Table, write_estimate
from balance.report.section import Written
from balance.report.words import ordinal, would_decide
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
    shares = judged_shares(facts.plan, answers, "seat", facts.families)
    figure = draw_intervals("seats", "Win share by seat.", shares, "seat", facts.colours)
    text = ["Seats count in the order of their first turn. A shared victory counts in equal parts."]
    tables = [share_table("seats", "Win share by seat.", shares, "seat", facts.shared)]
    ranges = pd.DataFrame(columns=["players", "variant"])
    if facts.has_several_strategies:
        text.append(
            "A seat's share is that of these strategies: the tables below say how far it hangs on them."
        )
        data = answers[seat_strategy_question()]
        data = data.assign(seat=[nth(seat) for seat in data["seat"]])
        caption = "Win share of a strategy by seat, %."
        rows = ["variant", "strategy", "seat"]
        tables.append(side_by_side("seats-strategies", caption, data, rows))
    if leaving_out_applies(facts.plan):
        ranges = seat_ranges(answers[LeavingOut()])
        tables.append(_fields_table(ranges))
    says = _says(facts, shares, answers[halves_question(facts.seat_share)], ranges)
    longer = facts.longer(shares)
    return Written(Section("seats", "Seats", text, says, figures=[figure], tables=tables, longer=longer))


def _fields_table(ranges: pd.DataFrame) -> Table:
    """How far each seat moves when one strategy leaves, a row a seat."""
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
        "Win share of a seat when one strategy leaves the field: the strategies whose absence "
        "moves it furthest, chosen on half of the decks and measured on the other half. 95 % intervals."
    )
    return Table("seats-fields", caption, pd.DataFrame(rows), {"n": ","}, ranges)


def _says(facts: Facts, shares: pd.DataFrame, halves: pd.DataFrame, ranges: pd.DataFrame) -> list[Said]:
    """A sentence for each cell; the seat that it names was chosen on half of the decks."""
    furthest = remeasure_best(halves, "seat", furthest=True).set_index(["variant", "players"])
    found = []
    for (variant, players), cell in facts.of_shown(shares).groupby(["variant", "players"], sort=False):
        verdicts = set(cell["verdict"])
        if WITHHELD in verdicts or (variant, players) not in furthest.index:
            continue  # told of first, see `played`; or one deck
        row, fair = furthest.loc[(variant, players)], fair_share(int(players))
        size = f"the {ordinal(int(row['seat']))} player wins {write_estimate(row)} % of n = {int(row['n']):,} games on "
        size += f"fresh decks, fair is {fair:.1f} %"
        own = (ranges["players"] == players) & (ranges["variant"] == variant)
        ends = ranges[own & (ranges.get("seat") == row["seat"])]
        if len(ends) == len(ENDS):
            least, most = (next(ends[ends["end"] == end].itertuples()) for end in ENDS)
            size += f"; {least.value:.1f} % without {least.without}, {most.value:.1f} % without {most.without}"
        if TOO_FEW in verdicts:
            text = f"there are too few decks to judge the seats ({int(cell['decks'].max())})."
        elif verdicts == {BALANCED}:
            text = f"all seats are balanced, within {facts.thresholds.seats:g} of fair; the furthest, {size}."
        elif verdicts & {FAVOURED, DISFAVOURED}:
            text = f"the seats are not balanced: {size}."
        else:
            more = int(cell["more_games"].max())
            text = f"the seats are undecided: {size}{would_decide(more)}."
        found.append(Said(f"{variant}, {players} players: {text}", str(variant)))
    return found
