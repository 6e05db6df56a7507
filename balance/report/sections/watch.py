"""Games worth watching, of the last variant with the most players, and the command that shows each."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.notable import TITLES, list_notable
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.model import Section, Table
from balance.report.section import Written

PLACE = 215


def questions(facts: Facts) -> Sequence[Question]:
    """None: games are looked up one by one."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """A row a game; of one cell alone, as its games are read once more."""
    variant, players = facts.shown[-1], max(facts.plan.experiment.players)
    found = list_notable(facts.run, [variant], [players])
    if not found:
        return None
    rows = [(TITLES[game.kind], game.why, game.command(facts.run.named)) for game in found]
    frame = pd.DataFrame(rows, columns=["game", "why", "to watch it"])
    caption = f"Games of {variant} with {players} players."
    text = "Each command writes a page on which the game is stepped through, told move by move."
    return Written(
        Section("watch", "Games worth watching", [text], tables=[Table("watch", caption, frame)])
    )
