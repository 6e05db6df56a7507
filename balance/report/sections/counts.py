"""All measures, player counts side by side."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.layout import label_of, side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written

PLACE = 200


def questions(facts: Facts) -> Sequence[Question]:
    """Means of all measures that are not split by seat or strategy."""
    return cell_questions(facts.whole_measures)


def write(facts: Facts, answers: Answers) -> Written:
    """All measures, player counts side by side."""
    measures = facts.whole_measures
    table = read_cell_means(answers, measures)
    label = {measure.name: label_of(measure) for measure in measures}
    shown = table.assign(measure=table["measure"].map(label))
    text = ["What each measure says, and who proposed it, is in the table of measures below."]
    section = Section(
        "counts",
        "Player counts side by side",
        text,
        tables=[side_by_side("counts", "Means of every measure.", shown, ["variant", "measure"])],
    )
    return Written(section, _findings(facts, table))


def _findings(facts: Facts, table: pd.DataFrame) -> list[Finding]:
    """Where the player counts differ most in what makes a game."""
    first = facts.of_first(table)
    if first["players"].nunique() < 2:
        return []
    found = []
    for name, words in (
        ("comeback", "% of winners come from behind"),
        ("minutes", "minutes, estimated"),
    ):
        cells = first[first["measure"] == name]
        if len(cells):
            parts = [f"{write_estimate(row)} with {row.players}" for row in cells.itertuples()]
            text = f"{facts.first}: {words}: {', '.join(parts)} players (n ≥ {int(cells['n'].min()):,} games each)."
            found.append(Finding(text, "counts", 0.3))
    return found
