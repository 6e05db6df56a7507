"""Who wins, by seat."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import judge_shares, share_question
from balance.analysis.unfinished import WITHHELD, Played, withhold
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.layout import share_table
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written
from balance.stats.comparisons import TOO_FEW

PLACE = 40


def questions(facts: Facts) -> Sequence[Question]:
    """Win shares by seat."""
    return [share_question(facts.seat_share), Played()]


def write(facts: Facts, answers: Answers) -> Written:
    """Win shares by seat."""
    measure = facts.seat_share
    shares = withhold(judge_shares(answers[share_question(measure)], measure), answers[Played()])
    figure = draw_intervals(
        "seats", "Win share by seat.", shares, "seat", measure.threshold or 0, facts.colours
    )
    text = ["Seat 0 moves first in round 1. A shared victory counts in equal parts."]
    table = share_table("seats", "Win share by seat.", shares, "seat")
    section = Section("seats", "Seats", text, figures=[figure], tables=[table])
    return Written(section, _findings(facts, shares))


def _findings(facts: Facts, shares: pd.DataFrame) -> list[Finding]:
    found = []
    for players, cell in facts.of_first(shares).groupby("players"):
        away = (cell["value"] - cell["fair"]).abs()
        row = cell.loc[away.idxmax()]
        size = f"seat {row['seat']} wins {write_estimate(row)} % of n = {row['n']:,} games, fair is {row['fair']:.1f} %"
        verdicts = set(cell["verdict"])
        if verdicts == {"balanced"}:
            limit = facts.thresholds.seats
            text = f"With {players} players all seats are balanced, within {limit:g} of fair; the furthest, {size}."
        elif WITHHELD in verdicts:
            continue  # told of first, see `played`
        elif TOO_FEW in verdicts:
            text = f"With {players} players there are too few decks to judge the seats ({int(cell['decks'].max())})."
        elif verdicts & {"favoured", "disfavoured"}:
            text = f"With {players} players the seats are not balanced: {size}."
        else:
            more = int(cell["more_games"].max())
            text = f"With {players} players the seats are undecided: {size}; about {more:,} games more would decide."
        found.append(Finding(f"{facts.first}: {text}", "seats", float(away.max())))
    return found
