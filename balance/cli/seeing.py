"""What a live table shows, on the terminal: before, now, and the change between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd
from rich.table import Table
from rich.text import Text

from balance.cli.terminal import Terminal, open_terminal, plain
from balance.contract.words import player
from balance.live.asking import BEFORE, CHANGE, KEYS, NOW
from balance.live.keeping import proper_run
from balance.live.table import LiveTable
from balance.live.turning import split
from balance.plan.measures import measures_of

_COLOURS = {
    "balanced": "green", "favoured": "red", "disfavoured": "red", "higher": "bold", "lower": "bold",
    "same": "dim", "slightly higher": "dim", "slightly lower": "dim",
}  # fmt: skip
_OPEN = "yellow"  # all other words: nothing is shown
_SMALL, _LARGE = 10, 100
_GAP = 1  # letters between two columns


class _Cell(NamedTuple):
    estimate: str
    word: str


_Row = tuple[str, list[_Cell]]
"""A label and what each side shows."""


def print_seen(table: LiveTable, console: Terminal | None = None) -> None:
    """Print the answers of a live table, a block for each player count, and how they are to be taken."""
    console = console or open_terminal()
    seen = table.ask()
    sides = [side for side in (BEFORE, NOW, CHANGE) if (seen["side"] == side).any()]
    if BEFORE in sides:
        for name, arm in (("before:", table.before), ("now:", table.now)):
            console.print(plain(f"{name:<7} {arm.name}"), soft_wrap=True)
    labels = {
        measure.name: measure.label + (", %" if measure.is_share else "")
        for measure in measures_of(table.now.plan)
    }
    for players, block in seen.groupby("players", sort=False):
        rows = [
            (_label(labels, *key), [_cell(rows, side) for side in sides])
            for key, rows in block.groupby(KEYS[1:], sort=False)
        ]
        title = f"{players} players: {table.games:,} games, {block['decks'].max():,} decks"
        own = block.loc[block["measure"] == "strategy_win_share", "n"]
        title += f"; of a strategy n ≥ {own.min():,} seats" if len(own) else ""
        console.print(_grid(title, sides, rows, console.width))
    _print_notes(console, table)


def _label(labels: dict[str, str], measure: str, group: str) -> str:
    if measure == "seat_win_share":
        return player(int(group))
    return group or labels[measure]


def _cell(rows: pd.DataFrame, side: str) -> _Cell:
    """The estimate of a side with its interval: one decimal, two where levels are small, none of large ones."""
    own = rows[rows["side"] == side]
    if own.empty:
        return _Cell("", "")
    size = rows.loc[rows["side"] != CHANGE, "value"].abs().max()
    digits = 2 if size < _SMALL else 0 if size >= _LARGE and side != CHANGE else 1
    sign = "+z" if side == CHANGE else "z"  # z: no -0.0
    value, low, high = (f"{own[end].iloc[0]:{sign}.{digits}f}" for end in ("value", "low", "high"))
    return _Cell(f"{value} ({low} to {high})", str(own["verdict"].iloc[0]))


def _grid(title: str, sides: Sequence[str], rows: Sequence[_Row], width: int) -> Table:
    """A table in which words stand beside figures, or under them where the terminal is too narrow."""
    columns = list(zip(*(cells for _, cells in rows), strict=True))
    widths = [max(len(cell.estimate) for cell in column) for column in columns]
    whole = [
        own + 1 + max(len(cell.word) for cell in column)
        for own, column in zip(widths, columns, strict=True)
    ]
    beside = max(len(label) for label, _ in rows) + sum(whole) + _GAP * len(whole) <= width
    grid = Table(
        title=title, title_justify="left", title_style="bold", box=None, padding=(0, _GAP, 0, 0)
    )
    grid.add_column("", overflow="fold")
    for side, own in zip(sides, widths, strict=True):
        grid.add_column(side, min_width=own, no_wrap=True)
    for label, cells in rows:
        between = " " if beside else "\n"
        texts = [_text(cell, own, between) for cell, own in zip(cells, widths, strict=True)]
        grid.add_row(plain(label), *texts)
    return grid


def _text(cell: _Cell, width: int, between: str) -> Text:
    text = Text(cell.estimate.ljust(width))
    if cell.word:
        text.append(between).append(cell.word, _COLOURS.get(cell.word, _OPEN))
    return text


def _print_notes(console: Terminal, table: LiveTable) -> None:
    """How the figures are to be taken, and how to take them further."""
    notes = [
        "Intervals: 95 %, each for its own figure. Words hold together for one grid, not for all that you look at "
        "one after another: of many tries some stand out by chance."
    ]
    rules, weights = split(table.now.plan, table.now.turned)
    if weights:
        notes.append("Weights are not saved: a profile of your own keeps them (docs/strategies.md).")
    if rules:
        notes.append("A proper run, on other decks: save mine.toml, then")
    if not table.now.turned:
        notes.append("Turn a rule with KEY = VALUE; help says what else there is.")
    for note in notes:
        console.print(note, markup=False, highlight=False)
    if rules:  # on one line, to be copied
        console.print(plain(proper_run(table.now, "./mine.toml")), soft_wrap=True)
