"""How long games are, and how that is estimated."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.verdicts import box_minutes, pace_range
from balance.plan.measures import seconds_per_choice
from balance.report.facts import Facts
from balance.report.figures.bars import draw_bars
from balance.report.layout import label_of, side_by_side
from balance.report.model import Section
from balance.report.section import Written

PLACE = 85
_SHOWN = ("minutes", "decisions", "choices", "choice_blocks", "options")


def judges(facts: Facts) -> int:
    """Whether games fit their time."""
    return 1


def questions(facts: Facts) -> Sequence[Question]:
    """Means of all measures that are not split by seat or strategy."""
    return cell_questions(facts.whole_measures)


def write(facts: Facts, answers: Answers) -> Written:
    """Estimated minutes, and the decisions behind them."""
    table = read_cell_means(answers, facts.whole_measures, _SHOWN)
    label = {name: label_of(facts.measures[name]) for name in _SHOWN}
    minutes = table[table["measure"] == "minutes"]
    (low, high), box = seconds_per_choice(facts.plan), box_minutes(facts.plan)
    quick, slow = pace_range(facts.plan)
    figure = draw_bars("length", "Estimated length.", minutes, "minutes", facts.colours, box)
    shown = table.assign(measure=table["measure"].map(label))
    text = (
        f"Minutes are {(low + high) / 2:g} seconds for each choice, as bots make them; choices that people make "
        f"together count once. What people take is an assumption: {low:g} to {high:g} seconds, from "
        f"{100 * quick - 100:+.0f} to {100 * slow - 100:+.0f} % of what is shown."
    )
    if box:
        text += f" {box[0]:g} to {box[1]:g} minutes fit."
    tables = [side_by_side("length", "Length.", shown, ["variant", "measure"])]
    return Written(Section("length", "Length", [text], figures=[figure], tables=tables))
