"""Round by round: scores and resources of winners and the others; needs logged rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.leads import half_time, reached
from balance.analysis.question import Question
from balance.analysis.spread import Spread, quartiles, spread
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.model import Headline, Section, Table, write_median, write_quartiles
from balance.report.section import Written, stem
from balance.report.words import by_players

ORDER = 64
GAMES = 1_000
"""The first games of each cell that are read: enough for a median."""
BY = ["players", "variant", "round", "seats"]
WHO = {1: "winners", 0: "the others"}


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the distribution of every column logged in a round, for winners and the others; none without rounds."""
    return [_question(context)] if context.has_rounds else []


def _question(context: ReportContext) -> Spread:
    history = context.plan.game.records.log["history"].base
    columns = {name: name for name in history.names or ()}
    return spread(
        columns, ["players", "variant", "round", "is_winner"], f"number < {GAMES}", "round_rows"
    )


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write the scores of every shown variant as curves, and all other columns of a round as a table."""
    if not context.has_rounds:
        return None
    sums = answers[_question(context)].sort_values("is_winner", ascending=False, kind="stable")
    sums = sums.assign(seats=sums["is_winner"].map(WHO)).drop(columns="is_winner")
    flags = sums.groupby("measure")["level"].max()
    sums = sums[~sums["measure"].isin(flags[flags <= 1].index)]  # yes or no has no quartiles
    data = _reached(quartiles(sums, BY))
    figures = []
    caption = "Scores round by round: medians, and bands from the lower to the upper quartile"
    how = Curves("round", ("round", "score so far"), bands="quartiles")
    counts = context.plan.experiment.players
    scores = data[(data["measure"] == "score") & data["players"].isin([min(counts), max(counts)])]
    for number, variant in enumerate(context.shown):
        part = scores[scores["variant"] == variant]
        curves = part.assign(curve=part["seats"], low=part["lower"], high=part["upper"])
        drawn = draw_curves(stem("course", number), f"{caption}, variant {variant}.", curves, how)
        figures.append(replace(drawn, variant=variant))
    text = [
        f"The score is the seat's score if the game ended then, in the first {GAMES:,} games of each player count "
        "and variant. The figures show the smallest and the largest player count; the CSV has all."
    ]
    says = _says(context.of_shown(data))
    return Written(
        Section("course", "Round by round", text, says, figures=figures, tables=[_table(data)])
    )


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
    keys = ["variant", "players", "round", "measure"]
    rows = []
    for key, cell in shown.groupby(keys, sort=False):
        of = {row.seats: row for row in cell.itertuples()}
        written = [f"{row.value:g}; {write_quartiles(row)}" for row in map(of.get, WHO.values()) if row]
        if len(written) == len(WHO):
            rows.append([*key, *written, min(row.n for row in of.values())])
    frame = pd.DataFrame(rows, columns=[*keys, *WHO.values(), "n"])
    caption = (
        "Medians and quartiles at half time and at the end; the CSV has every round, and 95 % intervals."
    )
    return Table("course", caption, frame, {"n": ","}, data)


def _says(data: pd.DataFrame) -> list[Headline]:
    """Return the median scores of winners and the others at half time."""
    halves = _halves(data[data["measure"] == "score"])
    says = []
    for variant, rows in halves.groupby("variant", sort=False):
        parts = [
            f"{who} have {by_players(part, write_median)}"
            for who, part in ((who, rows[rows["seats"] == who]) for who in WHO.values())
            if len(part)
        ]
        n = int(rows["n"].min())
        text = f"{variant}: at half time {'; '.join(parts)} (median scores, n ≥ {n:,})."
        says.append(Headline(text, str(variant)))
    return says
