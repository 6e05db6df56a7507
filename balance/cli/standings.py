"""A ladder on the terminal: a table for each player count."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from balance.cli.terminal import open_terminal
from balance.ladder.games import Games
from balance.ladder.page import depth_line, ladder_tables
from balance.ladder.standings import Standings
from balance.stats.rating import ANCHORED_AT


def print_ladder(standings: Standings, games: Games) -> None:
    """Print who is how strong, the strongest first, and what thinking twice as long is worth."""
    depths = {row.players: row for row in standings.depth.itertuples()}
    console = open_terminal()
    for players, table in ladder_tables(standings, games.searcher).items():
        shown = Table(title=escape(table.caption), title_justify="left", title_style="bold")
        for column in table.columns:
            shown.add_column(escape(column), justify="left" if column == "strategy" else "right")
        for row in table.rows:
            shown.add_row(*map(escape, row))
        console.print(shown)
        if players in depths:
            console.print(f"Skill trace: {depth_line(depths[players])}.", soft_wrap=True)
    console.print(
        f"Ratings are set so that {escape(standings.anchor)} has {ANCHORED_AT:.0f}; 400 points more is ending "
        "above the other ten times as often as below. Sigma is openskill's own; decisions a second are of one "
        "core of this machine.",
        soft_wrap=True,
    )
