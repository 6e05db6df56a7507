"""All measures, player counts side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.spread import cell_questions, read_cell_means
from balance.foundation.language import tr
from balance.report.context import ReportContext
from balance.report.kit import label_measures, side_by_side
from balance.report.model import Section

ORDER = 200


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the means of all measures that are not split, such as by seat."""
    return cell_questions(context.whole_measures)


def write(context: ReportContext, answers: Answers) -> Section:
    """Write the means of all measures, with player counts side by side."""
    measures = context.whole_measures
    table = read_cell_means(answers, measures)
    text = [tr("The table of measures below explains each measure and names who proposed it.")]
    caption, rows = tr("Means of every measure."), ["variant", "measure"]
    means = side_by_side("counts", caption, table, rows, words=partial(label_measures, measures))
    return Section("counts", tr("Player counts side by side"), text, tables=[means], rest=True)
