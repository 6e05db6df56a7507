"""Where points come from: mean score by its parts, for each strategy, and for winners and the rest."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.contract.analytics import literal
from balance.foundation.language import tr
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_stacks
from balance.report.kit import REST, figures_by_variant, name_winners, spread_columns
from balance.report.model import Section, Table
from balance.report.words import write_half

ORDER = 60
KEYS = ["players", "variant", "strategy"]


def questions(context: ReportContext) -> Sequence[Means]:
    """Return the means of the score and its parts, for winners and the rest, and for all."""
    columns = ["score", *(column for column, _ in context.plan.game.analytics.SCORE_PARTS)]
    kept = f"variant IN ({', '.join(map(literal, context.shown))})"
    values = {column: column for column in columns}
    return [means(values, by, kept) for by in ([*KEYS, "is_winner"], KEYS)]


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the mean score by its parts, for each strategy, and for winners and the rest."""
    parts = context.plan.game.analytics.SCORE_PARTS
    if not parts:
        return None
    by_outcome, by_strategy = (answers[question] for question in questions(context))
    wide = by_strategy.pivot(index=KEYS, columns="measure", values="value").reset_index()
    wide = wide.merge(by_strategy.groupby(KEYS, as_index=False)["n"].first())
    longest = float(wide[[column for column, _ in parts]].sum(axis=1).max())
    title = tr("Where points come from")
    figures = figures_by_variant(context, "points", title, wide, draw_stacks, parts, longest)
    labels = dict(parts)
    winners = tr("Where the points of winners and of the rest come from.")
    tables = [
        _table("points", f"{title}.", by_strategy, KEYS, labels),
        _table("points-winners", winners, name_winners(by_outcome, REST), [*KEYS, "seats"], labels),
    ]
    return Section("points", title, figures=figures, tables=tables, rest=True)


def _table(name: str, caption: str, data: pd.DataFrame, rows: list[str], labels: dict[str, str]) -> Table:
    shown = data.assign(part=data["measure"].replace(labels))
    frame = spread_columns(shown, rows, "part", write_half)
    caption = tr("{caption} Means ± half the 95 % interval.", caption=caption)
    return Table(name, caption, frame, {"n": ","}, data)
