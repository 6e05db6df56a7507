"""How long games are, and how that is estimated."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.spread import cell_questions, read_cell_means
from balance.analysis.verdicts import box_minutes, pace_range
from balance.experiments.measures import seconds_per_choice
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_bars
from balance.report.kit import side_by_side
from balance.report.model import Section
from balance.report.words import label_of

ORDER = 85
_SHOWN = ("minutes", "decisions", "choices", "choice_blocks", "options")


def judges(context: ReportContext) -> int:
    """Return one family of verdicts: do games fit their stated time?"""
    return 1


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the means of all measures that are not split, such as by seat."""
    return cell_questions(context.whole_measures)


def write(context: ReportContext, answers: Answers) -> Section:
    """Write the estimated minutes, and the decisions behind them."""
    table = read_cell_means(answers, context.whole_measures, _SHOWN)
    label = {name: label_of(context.measures[name]) for name in _SHOWN}
    minutes = table[table["measure"] == "minutes"]
    (low, high), box = seconds_per_choice(context.plan), box_minutes(context.plan)
    quick, slow = pace_range(context.plan)
    figure = draw_bars("length", "Estimated length.", minutes, "minutes", context.colours, box)
    shown = table.assign(measure=table["measure"].map(label))
    text = (
        f"The estimate counts {(low + high) / 2:g} seconds for each choice of the bots; choices that players make at "
        f"the same time count once. The pace of players is {_source(context)}: {low:g} to {high:g} seconds a choice, "
        f"which changes the length by {100 * quick - 100:+.0f} to {100 * slow - 100:+.0f} %."
    )
    if box:
        text += f" A length of {box[0]:g} to {box[1]:g} minutes fits."
    tables = [side_by_side("length", "Length.", shown, ["variant", "measure"])]
    return Section("length", "Length", [text], figures=[figure], tables=tables)


def _source(context: ReportContext) -> str:
    """Return where the seconds of a choice come from."""
    pace = context.people.pace if context.people else None
    return "an assumption" if pace is None else f"measured in {pace.n:,} games of people"
