"""Games worth watching: games of the last variant at the largest player count, with the command that shows each."""

from __future__ import annotations

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.notable import TITLES, list_notable
from balance.report.context import ReportContext
from balance.report.model import Section, Table

ORDER = 215


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a row for each game; only one cell is searched, because its games are read a second time."""
    variant, players = context.shown[-1], max(context.plan.experiment.players)
    found = list_notable(context.run, [variant], [players])
    if not found:
        return None
    rows = [(TITLES[game.kind], game.why, game.command(context.run.named)) for game in found]
    frame = pd.DataFrame(rows, columns=["game", "why", "to watch it"])
    table = Table("watch", f"Games of {variant} with {players} players.", frame)
    text = "Each command writes a page that shows the game move by move."
    return Section("watch", "Games worth watching", [text], tables=[table])
