"""Round by round: scores and resources of winners and the others; needs logged rounds."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.leads import half_time, reached
from balance.analysis.question import Question
from balance.analysis.spread import Spread, quartiles, spread
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.kit import figures_by_variant, name_winners, spread_columns, write_headlines
from balance.report.model import Section, Table
from balance.report.words import by_players, smallest_n, write_median, write_quartiles

ORDER = 64
GAMES = 1_000
"""The first games of each cell that are read: enough for a median."""
BY = ["players", "variant", "round", "seats"]
TEXT = (
    f"The score is the seat's score if the game ended then, in the first {GAMES:,} games of each player count and "
    "variant. The figures show the smallest and the largest player count; the CSV has all."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the distribution of every column logged in a round, for winners and the others; none without rounds."""
    return [_question(context)] if context.has_rounds else []


def _question(context: ReportContext) -> Spread:
    history = context.plan.game.records.log["history"].base
    columns = {name: name for name in history.names or ()}
    by = ["players", "variant", "round", "is_winner"]
    return spread(columns, by, f"number < {GAMES}", "round_rows")


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the scores of every shown variant as curves, and all other columns of a round as a table."""
    if not context.has_rounds:
        return None
    sums = answers[_question(context)].sort_values("is_winner", ascending=False, kind="stable")
    sums = name_winners(sums).drop(columns="is_winner")
    flags = sums.groupby("measure")["level"].max()
    sums = sums[~sums["measure"].isin(flags[flags <= 1].index)]  # yes or no has no quartiles
    data = _reached(quartiles(sums, BY))
    caption = "Scores round by round: medians, and bands from the lower to the upper quartile"
    how = Curves("round", ("round", "score so far"), curve="seats", bands="quartiles")
    counts = context.plan.experiment.players
    scores = data[(data["measure"] == "score") & data["players"].isin([min(counts), max(counts)])]
    curves = scores.assign(low=scores["lower"], high=scores["upper"])
    figures = figures_by_variant(context, "course", caption, curves, draw_curves, how)
    halves = _halves(data[data["measure"] == "score"])
    headlines = write_headlines(context.of_shown(halves), _scores_at_half_time)
    return Section("course", "Round by round", [TEXT], headlines, figures=figures, tables=[_table(data)])


def _reached(data: pd.DataFrame) -> pd.DataFrame:
    """Return the rounds that enough games reach."""
    kept = reached(data.groupby(["players", "variant", "round"], as_index=False)["n"].max())
    return data.merge(kept.drop(columns="n"), on=["players", "variant", "round"])


def _halves(data: pd.DataFrame) -> pd.DataFrame:
    """Return the rows at half time."""
    half = data.groupby(["players", "variant"])["round"].transform(half_time)
    return data[data["round"] == half]


def _table(data: pd.DataFrame) -> Table:
    """Return a table of half time and the end; its CSV has all rounds."""
    last = data["round"] == data.groupby(["players", "variant"])["round"].transform("max")
    shown = pd.concat([_halves(data), data[last]])
    shown = shown.assign(measure=shown["measure"].str.replace("_", " "))
    rows = ["variant", "players", "round", "measure"]
    frame = spread_columns(shown, rows, "seats", lambda row: f"{row.value:g}; {write_quartiles(row)}")
    frame = frame[(frame != "–").all(axis=1)]
    caption = (
        "Medians and quartiles at half time and at the end; the CSV has every round, and 95 % intervals."
    )
    return Table("course", caption, frame, {"n": ","}, data)


def _scores_at_half_time(rows: pd.DataFrame) -> str:
    """Return the median scores of winners and the others of a variant."""
    parts = [
        f"{who} have {by_players(part, write_median)}" for who, part in rows.groupby("seats", sort=False)
    ]
    return f"at half time {'; '.join(parts)} (median scores, {smallest_n(rows)})"
