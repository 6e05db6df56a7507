"""Factions: whether one of them, such as a dynasty or a role, is favoured, over all strategies and seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, Question, measure_means
from balance.analysis.shares import DISFAVOURED, FAVOURED, share_question
from balance.contract.game import faction_column
from balance.foundation.language import N_, tr
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.kit import CELL, label_measures, share_table, side_by_side, write_share_headlines
from balance.report.model import Section
from balance.report.rows.factions import judged_factions
from balance.report.words import write_fair, write_furthest

ORDER = 45
TEXT = N_(
    "A faction's win share counts only the games in which it was drawn. So its fair share is that of a seat, however "
    "many factions the game has. If factions are drawn at random, every seat and every strategy plays each faction, so "
    "differences are due to the rules."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return win shares by faction, and means of what happens to each faction."""
    share = context.faction_share
    return [share_question(share), _means_question(context)] if share else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write win shares with verdicts, and a table of what happens to each faction."""
    if not context.faction_share:
        return None
    shares = judged_factions(context.evidence(answers))
    caption = tr("Win share by faction.")
    figure = draw_intervals("factions", caption, shares, "faction", context.colours)
    tables = [share_table("factions", caption, shares, "faction", context.shared)]
    means = _named(context, answers[_means_question(context)])

    def words(table: pd.DataFrame) -> pd.DataFrame:
        named = label_measures(context.whole_measures, table)
        return named.assign(mean=named.pop("measure"))

    what, rows = tr("What happens to each faction."), ["variant", "mean", "faction"]
    tables.append(side_by_side("factions-means", what, means, rows, words=words))
    headlines = write_share_headlines(context, shares, tr("factions"), _describe, _beyond)
    extension = context.extension(shares)
    text = [_definition(context), tr(TEXT)]
    return Section("factions", tr("Factions"), text, headlines, figures=[figure], tables=tables, extension=extension)


def _means_question(context: ReportContext) -> Means:
    """Return the question about the score and the game's own measures of seats, by faction."""
    own = {"score", *(measure.name for measure in context.plan.game.analytics.MEASURES)}
    chosen = [each for each in context.whole_measures if each.name in own and not each.per_game]
    return measure_means(chosen, [*CELL, faction_column(context.plan.game)])


def _definition(context: ReportContext) -> str:
    """Return what a faction is, as the game describes its column."""
    column = faction_column(context.plan.game)
    meaning = context.plan.game.column_meanings["seats"].get(column, "")
    return f"{tr('A faction is the {column} of a seat.', column=tr(column))} {tr(meaning)}".strip()


def _named(context: ReportContext, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a column ``faction`` of names on pages, instead of the game's column."""
    table = table.rename(columns={faction_column(context.plan.game): "faction"})
    return table.assign(faction=[context.factions.get(each, each) for each in table["faction"]])


def _describe(row: Any) -> str:
    """Return a clause about the faction furthest from fair."""
    return tr(
        "{faction} wins {share} % (n = {n:,} seats, fair is {fair} %)",
        faction=tr(row.faction),
        share=write_furthest(row),
        n=row.n,
        fair=write_fair(row.fair),
    )


def _beyond(cell: pd.DataFrame) -> str:
    """Return the favoured and disfavoured factions in words."""
    parts = [
        f"{tr(verdict)}: {listed([tr(name) for name in rows['faction']])}"
        for verdict in (FAVOURED, DISFAVOURED)
        if len(rows := cell[cell["verdict"] == verdict])
    ]
    return "; ".join(parts)
