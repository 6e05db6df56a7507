"""A ladder on the terminal: a table for each player count."""

from __future__ import annotations

from balance.cli.terminal import NAME, NUMBER, open_terminal
from balance.ladder.games import Games
from balance.ladder.page import depth_line, ladder_tables
from balance.ladder.standings import Standings
from balance.stats.rating import ANCHORED_AT


def print_ladder(standings: Standings, games: Games) -> None:
    """Print who is how strong, the strongest first, and what thinking twice as long is worth."""
    depths = {row.players: row for row in standings.depth.itertuples()}
    console = open_terminal()
    for players, table in ladder_tables(standings, games.searcher).items():
        columns = {name: NAME if name == "strategy" else NUMBER for name in table.columns}
        console.print_table(table.caption, columns, table.rows)
        if players in depths:
            console.print_note(f"Skill trace: {depth_line(depths[players])}.")
    console.print_note(
        f"Ratings are set so that {standings.anchor} has {ANCHORED_AT:.0f}; 400 points more is ending above the other "
        "ten times as often as below. Sigma is openskill's own; decisions a second are of one core of this machine."
    )
