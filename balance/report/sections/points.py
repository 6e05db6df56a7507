"""Where points come from: mean score by its parts, for each strategy, and winners against the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.analysis.sums import literal
from balance.report.facts import Facts
from balance.report.figures.bars import draw_stacks
from balance.report.model import Section, Table, write_half
from balance.report.section import Written

PLACE = 60


def questions(facts: Facts) -> Sequence[Means]:
    """Means of the score and its parts, of winners and the rest, and of all."""
    first = f"variant = {literal(facts.first)}"
    values = {
        "score": "score",
        **{column: column for column, _ in facts.plan.game.analytics.SCORE_PARTS},
    }
    return [means(values, by, first) for by in (["players", "strategy", "won"], ["players", "strategy"])]


def write(facts: Facts, answers: Answers) -> Written | None:
    """Mean score by its parts, for each strategy, and winners against the rest."""
    variant = facts.first
    parts = facts.plan.game.analytics.SCORE_PARTS
    if not parts:
        return None
    labels = {"score": "score", **dict(parts)}
    by_outcome, by_strategy = questions(facts)
    everybody = answers[by_strategy]
    wide = everybody.pivot(
        index=["players", "strategy"], columns="measure", values="value"
    ).reset_index()
    wide["n"] = everybody.groupby(["players", "strategy"])["n"].first().to_numpy()
    caption = f"Where points come from, variant {variant}."
    figure = draw_stacks("points", caption, wide, parts)
    tables = [_parts_table("points", caption, everybody, ["players", "strategy"], labels)]
    split = answers[by_outcome].copy()
    split["seats"] = split["won"].map({1: "winners", 0: "the rest"})
    caption = f"Where the points of winners and of the rest come from, variant {variant}."
    tables.append(
        _parts_table("points-winners", caption, split, ["players", "strategy", "seats"], labels)
    )
    return Written(Section("points", "Where points come from", [], figures=[figure], tables=tables))


def _parts_table(
    name: str, caption: str, answer: pd.DataFrame, keys: list[str], labels: Mapping[str, str]
) -> Table:
    rows = []
    for key, group in answer.groupby(keys, sort=False):
        cells = {row.measure: write_half(row) for row in group.itertuples()}
        rows.append([*key, *(cells[column] for column in labels), int(group["n"].iloc[0])])
    frame = pd.DataFrame(rows, columns=[*keys, *labels.values(), "n"])
    return Table(name, f"{caption} Means ± half the 95 % interval.", frame, {"n": ","}, answer)
