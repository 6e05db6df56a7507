"""Who wins, by seat."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import halves_question, judge_shares, remeasure_best, share_question
from balance.analysis.unfinished import WITHHELD, Played, withhold
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.layout import share_table
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written
from balance.stats.comparisons import TOO_FEW
from balance.stats.fair import fair_share

PLACE = 40


def questions(facts: Facts) -> Sequence[Question]:
    """Win shares by seat, in halves of the decks too."""
    measure = facts.seat_share
    return [share_question(measure), halves_question(measure), Played()]


def write(facts: Facts, answers: Answers) -> Written:
    """Win shares by seat, in halves of the decks too."""
    measure = facts.seat_share
    shares = withhold(judge_shares(answers[share_question(measure)], measure), answers[Played()])
    figure = draw_intervals(
        "seats", "Win share by seat.", shares, "seat", measure.threshold or 0, facts.colours
    )
    text = ["Seat 0 moves first in round 1. A shared victory counts in equal parts."]
    table = share_table("seats", "Win share by seat.", shares, "seat")
    section = Section("seats", "Seats", text, figures=[figure], tables=[table])
    return Written(section, _findings(facts, shares, answers[halves_question(measure)]))


def _findings(facts: Facts, shares: pd.DataFrame, halves: pd.DataFrame) -> list[Finding]:
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
        if TOO_FEW in verdicts:
            text = f"there are too few decks to judge the seats ({int(cell['decks'].max())})."
        elif verdicts == {"balanced"}:
            text = f"all seats are balanced, within {facts.thresholds.seats:g} of fair; the furthest, {size}."
        elif verdicts & {"favoured", "disfavoured"}:
            text = f"the seats are not balanced: {size}."
        else:
            more = int(cell["more_games"].max())
            text = f"the seats are undecided: {size}; about {more:,} games more would decide."
        weight = abs(float(row["value"]) - fair)
        found.append(Finding(f"{facts.first}: With {players} players {text}", "seats", weight))
    return found
