"""Lines: whether one of the dynasties is favoured, whoever plays it and wherever it sits."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question, means
from balance.analysis.shares import BALANCED, DISFAVOURED, FAVOURED, judge_shares, remeasure_best
from balance.analysis.unfinished import WITHHELD, Played, withhold
from balance.contract.words import listed
from balance.games.korona_piastow.display.words import written
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.layout import share_table, side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written
from balance.report.words import fair_of, would_decide
from balance.stats.comparisons import TOO_FEW

PLACE = 105
CELL = ["players", "variant"]
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
    "Lines are drawn by lot, so each sits on every seat and is played by every strategy: a difference is the map's and "
    "the crown's. With 2 or 3 players a ruler has a second line too (SET-4); counted is the first. Seats, apart from "
    "lines, have a section of their own above."
)


def judges(facts: Facts) -> int:
    """Every line against a fair share."""
    return 1


def questions(facts: Facts) -> Sequence[Question]:
    """Win shares by line, in halves of the decks too, and what becomes of each line."""
    return [SHARES, HALVES, FATES, Played()]


def write(facts: Facts, answers: Answers) -> Written:
    """Win shares with verdicts, and each line's fate as a table."""
    shares = judge_shares(_named(answers[SHARES]), "line", facts.thresholds.seats, facts.families)
    shares = withhold(shares, answers[Played()])
    figure = draw_intervals("lines", "Win share by line.", shares, "line", facts.colours)
    fates = _named(answers[FATES]).rename(columns={"measure": "mean"})
    tables = [
        share_table("lines", "Win share by line.", shares, "line", facts.shared),
        side_by_side("lines-fates", "What becomes of a line.", fates, ["variant", "mean", "line"]),
    ]
    furthest = remeasure_best(_named(answers[HALVES]), "line", furthest=True)
    says = _says(facts, shares, furthest)
    longer = facts.longer(shares)
    return Written(
        Section("lines", "Lines", [TEXT], says, figures=[figure], tables=tables, longer=longer)
    )


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Lines as they are written."""
    return table.assign(line=[written(line) for line in table["line"]])


def _says(facts: Facts, shares: pd.DataFrame, furthest: pd.DataFrame) -> list[Said]:
    """A verdict for each cell; the line that it names as furthest was chosen on half of the decks."""
    found = []
    cells = dict(iter(shares.groupby(["variant", "players"], sort=False)))
    for row in facts.of_shown(furthest).itertuples():
        cell = cells[row.variant, row.players]
        verdicts = set(cell["verdict"])
        if WITHHELD in verdicts:
            continue  # told of first, see `balance.report.sections.played`
        size = (
            f"the furthest, {row.line}, wins {write_estimate(row)} % (n = {row.n:,} seats on fresh decks, fair is "
            f"{fair_of(row.players)} %)"
        )
        if TOO_FEW in verdicts:
            text = f"there are too few decks to judge the lines ({int(cell['decks'].max())})"
        elif verdicts == {BALANCED}:
            text = f"all lines are balanced, within {facts.thresholds.seats:g} of fair; {size}"
        elif verdicts & {FAVOURED, DISFAVOURED}:
            text = f"the lines are not balanced: {_tilted(cell)}; {size}"
        else:
            text = f"the lines are undecided: {size}{would_decide(int(cell['more_games'].max()))}"
        found.append(Said(f"{row.variant}, {row.players} players: {text}.", str(row.variant)))
    return found


def _tilted(cell: pd.DataFrame) -> str:
    """The lines whose verdict says that they are."""
    parts = [
        f"{listed(rows['line'])} {verdict}"
        for verdict in (FAVOURED, DISFAVOURED)
        if len(rows := cell[cell["verdict"] == verdict])
    ]
    return "; ".join(parts)
