"""How long games are, and how that is estimated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.spread import cell_questions, read_cell_means
from balance.experiments.measures import seconds_per_choice
from balance.foundation.language import tr, trn
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_bars
from balance.report.kit import label_measures, side_by_side
from balance.report.model import Section
from balance.report.rows.length import box_minutes
from balance.report.words import with_players

ORDER = 85
_SHOWN = ("minutes", "decisions", "choices", "choice_blocks", "options")


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the means of all measures that are not split, such as by seat."""
    return cell_questions(context.whole_measures)


def write(context: ReportContext, answers: Answers) -> Section:
    """Write the estimated minutes, and the decisions behind them."""
    table = read_cell_means(answers, context.whole_measures, _SHOWN)
    minutes = table[table["measure"] == "minutes"]
    box = box_minutes(context.plan)
    figure = draw_bars("length", tr("Estimated length."), minutes, tr("minutes"), context.colours, box)
    text = tr(
        "The estimate counts the middle of a range of seconds for each choice of the bots; choices that players make "
        "at the same time count once. The pace of players is {source}: {paces} a choice.",
        source=_source(context),
        paces=_paces(context),
    )
    if box:
        fits = tr("A length of {low:g} to {high:g} minutes fits.", low=box[0], high=box[1])
        text = f"{text} {fits}"
    words = partial(label_measures, [context.measures[name] for name in _SHOWN])
    tables = [side_by_side("length", tr("Length."), table, ["variant", "measure"], words=words)]
    return Section("length", tr("Length"), [text], figures=[figure], tables=tables)


def _paces(context: ReportContext) -> str:
    """Return the seconds of a choice, for each player count where they differ."""
    found = seconds_per_choice(context.plan)
    words = {players: tr("{low:g} to {high:g} seconds", low=low, high=high) for players, (low, high) in found.items()}
    if len({*words.values()}) == 1:
        return words[next(iter(words))]
    return listed(
        [tr("{seconds} with {players}", seconds=each, players=with_players([n])) for n, each in words.items()]
    )


def _source(context: ReportContext) -> str:
    """Return where the seconds of a choice come from."""
    pace = context.people.pace if context.people else None
    if pace is None:
        return tr("an assumption")
    return trn("measured in {n:,} game of people", "measured in {n:,} games of people", pace.n)
