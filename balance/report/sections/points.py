"""Where points come from: mean score by its parts, for each strategy, and for winners and the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, literal, means
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_stacks
from balance.report.model import Section, Table, write_half
from balance.report.section import Written, stem

ORDER = 60


def questions(context: ReportContext) -> Sequence[Means]:
    """Return the means of the score and its parts, for winners and the rest, and for all."""
    values = {
        "score": "score",
        **{column: column for column, _ in context.plan.game.analytics.SCORE_PARTS},
    }
    kept = f"variant IN ({', '.join(map(literal, context.shown))})"
    cell = ["players", "variant", "strategy"]
    return [means(values, by, kept) for by in ([*cell, "is_winner"], cell)]


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write the mean score by its parts, for each strategy, and for winners and the rest."""
    parts = context.plan.game.analytics.SCORE_PARTS
    if not parts:
        return None
    labels = {"score": "score", **dict(parts)}
    by_outcome, by_strategy = questions(context)
    everybody = answers[by_strategy]
    cell = ["players", "variant", "strategy"]
    wide = everybody.pivot(index=cell, columns="measure", values="value").reset_index()
    wide = wide.merge(everybody.groupby(cell, as_index=False)["n"].first())
    longest = float(wide[[column for column, _ in parts]].sum(axis=1).max())
    figures = []
    for number, variant in enumerate(context.shown):
        caption = f"Where points come from, variant {variant}."
        part = wide[wide["variant"] == variant]
        drawn = draw_stacks(stem("points", number), caption, part, parts, longest)
        figures.append(replace(drawn, variant=variant))
    tables = [_parts_table("points", "Where points come from.", everybody, cell, labels)]
    split = answers[by_outcome].copy()
    split["seats"] = split["is_winner"].map({1: "winners", 0: "the rest"})
    caption = "Where the points of winners and of the rest come from."
    tables.append(_parts_table("points-winners", caption, split, [*cell, "seats"], labels))
    return Written(Section("points", "Where points come from", [], figures=figures, tables=tables))


def _parts_table(
    name: str, caption: str, answer: pd.DataFrame, keys: list[str], labels: Mapping[str, str]
) -> Table:
    rows = []
    for key, group in answer.groupby(keys, sort=False):
        cells = {row.measure: write_half(row) for row in group.itertuples()}
        rows.append([*key, *(cells[column] for column in labels), int(group["n"].iloc[0])])
    frame = pd.DataFrame(rows, columns=[*keys, *labels.values(), "n"])
    return Table(name, f"{caption} Means ± half the 95 % interval.", frame, {"n": ","}, answer)
