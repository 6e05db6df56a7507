"""All measures, player counts side by side."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.layout import label_of, side_by_side
from balance.report.model import Section
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
    return Written(section)
