"""Games worth watching: games of the last variant at the largest player count, with the command that shows each."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.notable import TITLES, list_notable
from balance.analysis.question import Question
from balance.report.context import ReportContext
from balance.report.model import Section, Table
from balance.report.section import Written

ORDER = 215


def questions(context: ReportContext) -> Sequence[Question]:
    """Return no question: games are looked up one by one."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write a row for each game; only one cell is searched, because its games are read a second time."""
    variant, players = context.shown[-1], max(context.plan.experiment.players)
    found = list_notable(context.run, [variant], [players])
    if not found:
        return None
    rows = [(TITLES[game.kind], game.why, game.command(context.run.named)) for game in found]
    frame = pd.DataFrame(rows, columns=["game", "why", "to watch it"])
    caption = f"Games of {variant} with {players} players."
    text = "Each command writes a page that shows the game move by move."
    return Written(
        Section("watch", "Games worth watching", [text], tables=[Table("watch", caption, frame)])
    )
