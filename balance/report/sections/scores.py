"""Scores: margins and quartiles at the end, and scores round by round for winners and the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.leads import half_time, reached
from balance.analysis.question import Question
from balance.analysis.spread import Spread, quartiles, spread
from balance.contract.sides import SCORED
from balance.foundation.language import N_, tr, write_number
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves, draw_spreads
from balance.report.kit import CELL, figures_by_variant, name_winners, side_by_side, spread_columns, write_headlines
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import by_players, smallest_n, write_median, write_quartiles

ORDER = 62
NEEDS = (SCORED,)
SCORES = spread({"score": "score"}, [*CELL, "strategy"])
MARGINS = spread({"margin": "margin"}, CELL, "seat = 0 AND status = 'finished'")
GAMES = 1_000
"""The first games of each cell whose rounds are read: enough for a median."""
BY = ["players", "variant", "round", "seats"]
TEXT = N_("The margin is the best score less the second best. Half of all values lie between the quartiles.")
TABLE_TEXT = N_("The score is the table's. Half of all values lie between the quartiles.")
ROUNDS_TEXT = N_(
    "The score of a round is the seat's score if the game ended then, in the first {games:,} games of each player "
    "count and variant. The figures show the smallest and the largest player count; the CSV has all."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about how often each score and each margin occurs, and about every column of a round."""
    if not context.has_rivals:
        return [SCORES]
    return [SCORES, MARGINS, *([_rounds_question(context)] if context.has_rounds else [])]


def _rounds_question(context: ReportContext) -> Spread:
    history = context.plan.game.records.log["history"].base
    columns = {name: name for name in history.names or ()}
    by = ["players", "variant", "round", "is_winner"]
    return spread(columns, by, table="round_rows", games=GAMES)


def write(context: ReportContext, answers: Answers) -> Section:
    """Write boxes of scores and margins, each variant next to the first; then the rounds, if they are logged."""
    end = _at_the_end(context, answers)
    follows = context.has_rounds and context.has_rivals
    rounds = _by_round(context, answers) if follows else Part([], [], [])
    text = [tr(TEXT)] if context.has_rivals else [tr(TABLE_TEXT)]
    return Section(
        "scores",
        tr("Scores"),
        [*text, tr(ROUNDS_TEXT, games=GAMES)] if rounds.tables else text,
        [*end.headlines, *rounds.headlines],
        figures=[*end.figures, *rounds.figures],
        tables=[*end.tables, *rounds.tables],
    )


class Part(NamedTuple):
    """A part of the section."""

    headlines: list[Headline]
    figures: list[Figure]
    tables: list[Table]


def _at_the_end(context: ReportContext, answers: Answers) -> Part:
    scores = answers[SCORES]
    cell = scores.drop(columns="strategy").groupby([*CELL, "measure", "level"], sort=False)
    everybody = cell.sum().reset_index()
    found, caption = quartiles(everybody, CELL), tr("Distribution of scores.")
    if context.has_rivals:
        found = pd.concat([found, quartiles(answers[MARGINS], CELL)], ignore_index=True)
        caption = tr("Distribution of scores and margins.")
    figure = draw_spreads("scores", caption, context.of_shown(found), context.colours)
    tables = [spread_table("scores", caption, found, ["variant", "measure"])]
    if context.has_several_strategies:
        parts, rows = quartiles(scores, [*CELL, "strategy"]), ["variant", "strategy"]
        tables.append(spread_table("scores-strategies", tr("Scores by strategy."), parts, rows))
    headlines = write_headlines(context.of_shown(found), _middle_half, by=["measure"])
    return Part(headlines, [figure], tables)


def spread_table(name: str, caption: str, data: pd.DataFrame, rows: Sequence[str]) -> Table:
    """Return a table of medians with intervals and quartiles, with player counts side by side."""
    digits = int((data[["value", "low", "high"]] % 1 > 0).any(axis=None))

    def words(table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(quartiles=[write_quartiles(row) for row in table.itertuples()])

    caption = tr("{caption} Medians; quartiles.", caption=caption)
    return side_by_side(name, caption, data, rows, digits, notes=[N_("quartiles")], words=words)


def _middle_half(rows: pd.DataFrame) -> str:
    """Return the quartiles of scores or of margins of a variant."""
    text = (
        N_("the median score is {medians}; half of the scores lie from {quartiles} ({smallest})")
        if rows["measure"].iloc[0] == "score"
        else N_("the median margin is {medians}; half of the margins lie from {quartiles} ({smallest})")
    )
    ranges = listed([write_quartiles(row) for row in rows.itertuples()])
    return tr(text, medians=by_players(rows, write_median), quartiles=ranges, smallest=smallest_n(rows))


def _by_round(context: ReportContext, answers: Answers) -> Part:
    """Return the scores of every shown variant as curves, and all other columns of a round as a table."""
    sums = answers[_rounds_question(context)].sort_values("is_winner", ascending=False, kind="stable")
    sums = name_winners(sums).drop(columns="is_winner")
    flags = sums.groupby("measure")["level"].max()
    sums = sums[~sums["measure"].isin(flags[flags <= 1].index)]  # yes or no has no quartiles
    data = _reached(quartiles(sums, BY))
    caption = tr("Scores round by round: medians, and bands from the lower to the upper quartile")
    how = Curves("round", (tr("round"), tr("score so far")), curve="seats", bands=N_("quartiles"))
    counts = context.plan.experiment.players
    scores = data[(data["measure"] == "score") & data["players"].isin([min(counts), max(counts)])]
    curves = scores.assign(low=scores["lower"], high=scores["upper"])
    figures = figures_by_variant(context, "course", caption, curves, draw_curves, how)
    halves = _halves(data[data["measure"] == "score"])
    headlines = write_headlines(context.of_shown(halves), _scores_at_half_time)
    return Part(headlines, figures, [_rounds_table(data)] if len(data) else [])


def _reached(data: pd.DataFrame) -> pd.DataFrame:
    """Return the rounds that enough games reach."""
    kept = reached(data.groupby(["players", "variant", "round"], as_index=False)["n"].max())
    return data.merge(kept.drop(columns="n"), on=["players", "variant", "round"])


def _halves(data: pd.DataFrame) -> pd.DataFrame:
    """Return the rows at half time."""
    half = data.groupby(["players", "variant"])["round"].transform(half_time)
    return data[data["round"] == half]


def _rounds_table(data: pd.DataFrame) -> Table:
    """Return a table of half time and the end; its CSV has all rounds."""
    last = data["round"] == data.groupby(["players", "variant"])["round"].transform("max")
    shown = pd.concat([_halves(data), data[last]])
    shown = shown.assign(measure=shown["measure"].str.replace("_", " "))
    rows = ["variant", "players", "round", "measure"]
    frame = spread_columns(shown, rows, "seats", lambda row: f"{write_number(row.value, 'g')}; {write_quartiles(row)}")
    frame = frame[(frame != "–").all(axis=1)]
    caption = tr("Medians and quartiles at half time and at the end; the CSV has every round, and 95 % intervals.")
    return Table("course", caption, frame, {"n": ","}, data)


def _scores_at_half_time(rows: pd.DataFrame) -> str:
    """Return the median scores of winners and the others of a variant."""
    parts = [
        tr("{who} have {scores}", who=tr(who), scores=by_players(part, write_median))
        for who, part in rows.groupby("seats", sort=False)
    ]
    return tr("at half time {parts} (median scores, {smallest})", parts="; ".join(parts), smallest=smallest_n(rows))
