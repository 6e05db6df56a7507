"""Lines: whether one of the dynasties is favoured, over all strategies and seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.ended import Played, withhold
from balance.analysis.gather import Answers
from balance.analysis.question import Question, means
from balance.analysis.shares import DISFAVOURED, FAVOURED, furthest_shares, judge_shares
from balance.analysis.verdicts import Verdict, fairness_verdicts
from balance.foundation.text import listed
from balance.games.korona_piastow.display.labels import written
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.kit import CELL, share_table, side_by_side, write_share_verdict
from balance.report.model import Headline, Section
from balance.report.screen import GridQuestion
from balance.report.words import amount, fair_of, write_quoted

ORDER = 105
GRID = GridQuestion(
    "lines", "Lines fair", "lines", "furthest line, % of its games",
    "Fair and unfair with the limits of seats. The number is the win share of the line furthest from fair.",
)  # fmt: skip
WON = {"win_share": "100 * win_share"}
SHARES = means(WON, [*CELL, "line"], top=100)
FATES = means(
    {
        "score": "score",
        "fiefs": "fiefs",
        "tribute, a round": "tribute::DOUBLE / rounds",
        "invasions": "invasions",
        "fiefs lost": "lost_fiefs",
        "out, %": "100 * (out_round > 0)::INT",
    },
    [*CELL, "line"],
)
TEXT = (
    "Lines are drawn at random, so every seat and every strategy plays each line: differences are due to the map and "
    "the crown. With 2 or 3 players a ruler also has a second line (SET-4); only the first line counts here. The "
    "fairness of seats has its own section above."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return win shares by line, and means of what happens to each line."""
    return [SHARES, FATES, Played()]


def grid_questions(context: ReportContext) -> Sequence[Question]:
    """Return win shares by line, and which games were broken off."""
    return [SHARES, Played()]


def verdicts(context: ReportContext, answers: Answers) -> Iterable[Verdict]:
    """Yield how fair the lines are, with the furthest one."""
    for verdict in fairness_verdicts("lines", _judged(context, answers), "line", context.thresholds):
        fair = fair_of(verdict.players)
        yield replace(
            verdict, words=f"{verdict.name} wins {amount(verdict.value)} % of its games, fair {fair}"
        )


def write(context: ReportContext, answers: Answers) -> Section:
    """Write win shares with verdicts, and a table of what happens to each line."""
    shares = _judged(context, answers)
    figure = draw_intervals("lines", "Win share by line.", shares, "line", context.colours)
    fates = _named(answers[FATES]).rename(columns={"measure": "mean"})
    tables = [
        share_table("lines", "Win share by line.", shares, "line", context.shared),
        side_by_side("lines-fates", "What happens to each line.", fates, ["variant", "mean", "line"]),
    ]
    headlines = _verdicts(context, shares)
    extension = context.extension(shares)
    return Section(
        "lines", "Lines", [TEXT], headlines, figures=[figure], tables=tables, extension=extension
    )


def _judged(context: ReportContext, answers: Answers) -> pd.DataFrame:
    """Return the win shares of lines with their verdicts."""
    shares = judge_shares(_named(answers[SHARES]), "line", context.thresholds.seats, context.families)
    return withhold(shares, answers[Played()])


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with lines by their display names."""
    return table.assign(line=[written(line) for line in table["line"]])


def _verdicts(context: ReportContext, shares: pd.DataFrame) -> list[Headline]:
    """Return a verdict for each cell, with the figure of the verdict grid."""
    found = []
    cells = dict(iter(shares.groupby(["variant", "players"], sort=False)))
    for row in context.of_shown(furthest_shares(shares)).itertuples():
        size = f"{row.line} wins {write_quoted(row)} % (n = {row.n:,} seats, fair is {fair_of(row.players)} %)"
        cell, limit = cells[row.variant, row.players], context.thresholds.seats
        if text := write_share_verdict(cell, "lines", size, limit, _beyond(cell)):
            found.append(Headline(f"{row.variant}, {row.players} players: {text}.", str(row.variant)))
    return found


def _beyond(cell: pd.DataFrame) -> str:
    """Return the favoured and disfavoured lines in words."""
    parts = [
        f"{listed(rows['line'])} {verdict}"
        for verdict in (FAVOURED, DISFAVOURED)
        if len(rows := cell[cell["verdict"] == verdict])
    ]
    return "; ".join(parts)
