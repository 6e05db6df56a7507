"""Means of measures in every cell, player counts side by side."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, measure_means
from balance.contract.measure import Measure

COLUMNS = ("players", "variant", "measure", "value", "low", "high", "n", "decks")


def cell_questions(measures: Sequence[Measure]) -> list[Means]:
    """The questions for the means of measures that are not split by seat or strategy."""
    whole = [measure for measure in measures if not measure.by]
    kinds = [[m for m in whole if m.per_game == per_game] for per_game in (True, False)]
    return [measure_means(kind, ["players", "variant"]) for kind in kinds if kind]


def read_cell_means(
    answers: Answers, asked: Sequence[Measure], shown: Sequence[str] | None = None
) -> pd.DataFrame:
    """The answers to `cell_questions` on `asked` as one table with the columns `COLUMNS`.

    `shown` are the names of the measures wanted, in their order; None for all that were asked.
    """
    found = [answers[question] for question in cell_questions(asked)]
    table = pd.concat(found, ignore_index=True).rename(columns={"clusters": "decks"})
    order = [measure.name for measure in asked] if shown is None else list(shown)
    table = table[table["measure"].isin(order)].reset_index(drop=True)
    cells = {
        cell: i
        for i, cell in enumerate(dict.fromkeys(zip(table["players"], table["variant"], strict=True)))
    }
    place = pd.DataFrame(
        {
            "cell": [cells[cell] for cell in zip(table["players"], table["variant"], strict=True)],
            "measure": table["measure"].map(order.index),
        }
    )
    ordered = table.loc[place.sort_values(["cell", "measure"], kind="stable").index]
    return ordered[list(COLUMNS)].reset_index(drop=True)
