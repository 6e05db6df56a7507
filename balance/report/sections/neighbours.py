"""Whom it helps that a strategy plays: the seats after it, by distance."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.neighbours import gains, largest, neighbours_question
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.model import Section, Table, write_estimate
from balance.report.section import Written

PLACE = 45


def questions(facts: Facts) -> Sequence[Question]:
    """What the seats after each strategy gain; nothing with two players, or with one strategy."""
    question = neighbours_question(facts.plan)
    return [question] if question else []


def write(facts: Facts, answers: Answers) -> Written | None:
    """A table of strategies and distances, and the largest gain, measured afresh."""
    question = neighbours_question(facts.plan)
    if question is None or answers[question].empty:
        return None
    answer = answers[question]
    text = [
        "Does a weak player help who sits next? Points of win share that a seat has beyond the mean of the other "
        "seats at its table, by how many seats after a strategy it sits; 1 is the next seat. The points of a table "
        "add up to 0, so they say where to sit, not how weak the strategy is.",
        *(_say(facts.first, row) for row in largest(facts.of_first(answer)).itertuples()),
    ]
    shown = gains(answer)
    table = _table(shown[shown["variant"].isin(facts.shown)])
    return Written(Section("neighbours", "Who sits after whom", text, tables=[table]))


def _say(variant: str, row: pd.Series) -> str:
    """The seat that gains most, as the decks say that had no part in choosing it."""
    sure = "gains most" if row.low > 0 else "gains nothing for sure; the most"
    return (
        f"{variant}, {row.players} players: seat {row.distance} after {row.after} {sure}, "
        f"{write_estimate(row)} points on fresh decks (n = {row.n:,} games)."
    )


def _table(data: pd.DataFrame) -> Table:
    """A row for each player count, variant and strategy, a column for each distance."""
    lines = []
    for (players, variant, after), group in data.groupby(["players", "variant", "after"], sort=False):
        cells = {f"{row.distance} after": write_estimate(row) for row in group.itertuples()}
        lines.append(
            {
                "players": players,
                "variant": variant,
                "strategy": after,
                **cells,
                "n": int(group["n"].min()),
            }
        )
    frame = pd.DataFrame(lines)
    frame = frame[[*(name for name in frame if name != "n"), "n"]].fillna("–")
    caption = "Points of win share of the seats after a strategy. 95 % intervals."
    return Table("neighbours", caption, frame, {"n": ","}, data)
