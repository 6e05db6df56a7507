"""Who sits after whom: the win share of the seats after each strategy, by distance."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.holdout import of_all_decks
from balance.analysis.question import Question
from balance.analysis.shares import largest, neighbours_question
from balance.report.context import ReportContext
from balance.report.model import Section, Table, write_estimate
from balance.report.section import Written

ORDER = 45


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the question about seats after each strategy; none with two players or with one strategy."""
    question = neighbours_question(context.plan)
    return [question] if question else []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write a table of strategies and distances, and the largest gain as estimated on held-out deals."""
    question = neighbours_question(context.plan)
    if question is None or answers[question].empty:
        return None
    answer = answers[question]
    text = [
        "Does a weak player help the next seat? The table shows a seat's win share, in points above the mean of the "
        "other seats in the same game, by its distance after a strategy; 1 is the next seat. The points of a game "
        "add up to 0, so they show where to sit, not how weak the strategy is.",
        *(_say(context.first, row) for row in largest(context.of_first(answer)).itertuples()),
    ]
    shown = of_all_decks(answer)
    table = _table(shown[shown["variant"].isin(context.shown)])
    return Written(Section("neighbours", "Who sits after whom", text, tables=[table]))


def _say(variant: str, row: pd.Series) -> str:
    """Return the seat that gains most, as estimated on held-out deals."""
    shown = "gains most" if row.low > 0 else "has the largest estimate, not shown to be a gain"
    return (
        f"{variant}, {row.players} players: seat {row.distance} after {row.after} {shown}: "
        f"{write_estimate(row)} points on held-out deals (n = {row.n:,} games)."
    )


def _table(data: pd.DataFrame) -> Table:
    """Return a table with a row for each player count, variant and strategy, and a column for each distance."""
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
