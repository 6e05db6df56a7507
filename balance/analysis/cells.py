"""Means of measures in every cell, player counts side by side."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Question, measure_means
from balance.analysis.measures import Measure

COLUMNS = ("players", "variant", "measure", "value", "low", "high", "n", "decks")


def cell_questions(measures: Sequence[Measure]) -> dict[str, Question]:
    """Questions for the means of measures that are not split by seat or strategy."""
    kinds = {"per game": True, "per seat": False}
    chosen = {
        name: [m for m in measures if m.per_game == kind and not m.by] for name, kind in kinds.items()
    }
    return {
        f"cells {name}": measure_means(of_kind, ["players", "variant"])
        for name, of_kind in chosen.items()
        if of_kind
    }


def read_cell_means(answers: dict[str, pd.DataFrame], measures: Sequence[Measure]) -> pd.DataFrame:
    """The answers on these measures as one table with the columns `COLUMNS`, measures in their order."""
    found = [answer for name, answer in answers.items() if name.startswith("cells ")]
    table = pd.concat(found, ignore_index=True).rename(columns={"clusters": "decks"})
    order = [measure.name for measure in measures]
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
