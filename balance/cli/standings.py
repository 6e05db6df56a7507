"""A ladder on the terminal: a table for each player count."""

from __future__ import annotations

from balance.cli.terminal import ESTIMATE, NAME, NUMBER, open_terminal
from balance.ladder.games import Games
from balance.ladder.page import depth_line, ladder_tables
from balance.ladder.standings import Standings
from balance.stats.rating import ANCHORED_AT

_ON_THE_PAGE = ("mu ± sigma", "decisions/s")  # alone: with them estimates would not fit 80 columns


def print_ladder(standings: Standings, games: Games) -> None:
    """Print who is how strong, the strongest first, and what thinking twice as long is worth."""
    depths = {row.players: row for row in standings.depth.itertuples()}
    console = open_terminal()
    for players, table in ladder_tables(standings, games.searcher).items():
        shown = [at for at, name in enumerate(table.columns) if name not in _ON_THE_PAGE]
        columns = {table.columns[at]: _kind(table.columns[at]) for at in shown}
        console.print_table(table.caption, columns, [[row[at] for at in shown] for row in table.rows])
        if players in depths:
            console.print_note(f"Skill trace: {depth_line(depths[players])}.")
    console.print_note(
        f"Ratings are set so that {standings.anchor} has {ANCHORED_AT:.0f}; 400 points more is ending above the other "
        "ten times as often as below. Openskill's ratings and decisions a second are on the page."
    )


def _kind(heading: str) -> str:
    """What stands in a column."""
    return NAME if heading == "strategy" else ESTIMATE if heading.endswith("%") else NUMBER
