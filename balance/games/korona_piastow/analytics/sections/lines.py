"""Lines: whether one of the dynasties is favoured, over all strategies and seats."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.ended import Played, withhold
from balance.analysis.gather import Answers
from balance.analysis.question import Question, means
from balance.analysis.shares import DISFAVOURED, FAVOURED, judge_shares, remeasure_best
from balance.foundation.text import listed
from balance.games.korona_piastow.display.labels import written
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.kit import CELL, share_table, side_by_side, write_share_verdict
from balance.report.model import Headline, Section
from balance.report.words import fair_of, write_percent

ORDER = 105
WON = {"win_share": "100 * win_share"}
SHARES = means(WON, [*CELL, "line"], top=100)
HALVES = means(WON, [*CELL, "line", "half"], top=100)
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


def judges(context: ReportContext) -> int:
    """Return 1: the comparisons of lines with a fair share are one family."""
    return 1


def questions(context: ReportContext) -> Sequence[Question]:
    """Return win shares by line, also by half of the deals, and means of what happens to each line."""
    return [SHARES, HALVES, FATES, Played()]


def write(context: ReportContext, answers: Answers) -> Section:
    """Write win shares with verdicts, and a table of what happens to each line."""
    shares = judge_shares(_named(answers[SHARES]), "line", context.thresholds.seats, context.families)
    shares = withhold(shares, answers[Played()])
    figure = draw_intervals("lines", "Win share by line.", shares, "line", context.colours)
    fates = _named(answers[FATES]).rename(columns={"measure": "mean"})
    tables = [
        share_table("lines", "Win share by line.", shares, "line", context.shared),
        side_by_side("lines-fates", "What happens to each line.", fates, ["variant", "mean", "line"]),
    ]
    furthest = remeasure_best(_named(answers[HALVES]), "line", furthest=True)
    headlines = _verdicts(context, shares, furthest)
    extension = context.extension(shares)
    return Section(
        "lines", "Lines", [TEXT], headlines, figures=[figure], tables=tables, extension=extension
    )


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with lines by their display names."""
    return table.assign(line=[written(line) for line in table["line"]])


def _verdicts(context: ReportContext, shares: pd.DataFrame, furthest: pd.DataFrame) -> list[Headline]:
    """Return a verdict for each cell; its line furthest from fair was selected on half of the deals."""
    found = []
    cells = dict(iter(shares.groupby(["variant", "players"], sort=False)))
    for row in context.of_shown(furthest).itertuples():
        size = (
            f"the furthest, {row.line}, wins {write_percent(row)} (n = {row.n:,} seats on held-out deals, fair is "
            f"{fair_of(row.players)} %)"
        )
        cell, limit = cells[row.variant, row.players], context.thresholds.seats
        if text := write_share_verdict(cell, "lines", size, limit, _tilted(cell)):
            found.append(Headline(f"{row.variant}, {row.players} players: {text}.", str(row.variant)))
    return found


def _tilted(cell: pd.DataFrame) -> str:
    """Return the favoured and disfavoured lines in words."""
    parts = [
        f"{listed(rows['line'])} {verdict}"
        for verdict in (FAVOURED, DISFAVOURED)
        if len(rows := cell[cell["verdict"] == verdict])
    ]
    return "; ".join(parts)
