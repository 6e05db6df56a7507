"""Games worth watching: games of the last variant at the largest player count, with the command that shows each."""

from __future__ import annotations

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.notable import TITLES, list_notable
from balance.foundation.language import N_, tr
from balance.report.context import ReportContext
from balance.report.model import Section, Table
from balance.report.words import with_players

ORDER = 215


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a row for each game; only one cell is searched, because its games are read a second time."""
    variant, players = context.shown[-1], max(context.plan.experiment.players)
    found = list_notable(context.run, [variant], [players])
    if not found:
        return None
    rows = [(tr(TITLES[game.kind]), game.why, game.command(context.run.named)) for game in found]
    frame = pd.DataFrame(rows, columns=[N_("game"), N_("why"), N_("to watch it")])
    raw = pd.DataFrame(
        [(game.kind, game.game_id, game.variant, game.players) for game in found],
        columns=["kind", "game_id", "variant", "players"],
    )
    caption = tr("Games of {variant} with {players}.", variant=variant, players=with_players([players]))
    text = tr("Each command writes a page that shows the game move by move.")
    table = Table("watch", caption, frame, raw=raw)
    return Section("watch", tr("Games worth watching"), [text], tables=[table])
