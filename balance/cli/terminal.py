"""The console of printed tables: 80 columns where there is no terminal that says how many it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from balance.report.escaping import escape_controls

_WIDTH = 80
_NAME = 20  # letters of a name that stay on one line, however many columns there are
_HEADING = 13

TEXT, NAME, NUMBER, ESTIMATE = "text", "name", "number", "estimate"
"""What stands in a column. Where a table is too wide its cells are broken into lines, names last; an estimate
never is, for half of an interval reads like another one."""


def plain(text: str, style: str = "") -> Text:
    """A text whose letters are all shown, whatever names it holds."""
    return Text(escape_controls(text), style)


class Terminal(Console):
    """A console that leaves it to `one_line_errors` what happens when the reader of a pipe has gone."""

    def on_broken_pipe(self) -> None:
        """Raise it; rich would end the program with status 1."""
        raise BrokenPipeError

    def print_table(
        self, title: str, columns: Mapping[str, str], rows: Iterable[Sequence[str | Text]]
    ) -> None:
        """Print a table that is no wider than the console, and an empty line.

        Parameters
        ----------
        columns : mapping
            Heading to what stands in it: `TEXT`, `NAME`, `NUMBER` or `ESTIMATE`.
        rows : iterable of sequence of str or Text
            A cell for each column.
        """
        rows = list(rows)
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
        for number, (heading, kind) in enumerate(columns.items()):
            longest = max([len(heading), *(len(row[number]) for row in rows)])
            table.add_column(
                plain(heading),
                justify="right" if kind in (NUMBER, ESTIMATE) else "left",
                no_wrap=kind == ESTIMATE,
                width=min(longest, _NAME) if kind == NAME else None,
                overflow="ellipsis" if kind == ESTIMATE else "fold",
            )
        for row in rows:
            table.add_row(*(cell if isinstance(cell, Text) else plain(cell) for cell in row))
        self.print_note(title, "bold")
        self.print(table)
        self.print()

    def print_facts(self, facts: Mapping[str, str]) -> None:
        """Print what there is to say under each heading, side by side, long texts below themselves."""
        grid = Table.grid(Column(min_width=_HEADING), Column(overflow="fold"), padding=(0, 1))
        for heading, text in facts.items():
            grid.add_row(plain(f"  {heading}"), plain(text))
        self.print(grid)

    def print_note(self, text: str, style: str = "") -> None:
        """Print a sentence, whatever it holds, on as many lines as it takes."""
        self.print(plain(text, style))


def print_wrapped(console: Console, text: str) -> None:
    """Print a sentence on as many lines as it takes; a path that is longer than a line stays whole, to be copied."""
    lines = wrap(escape_controls(text), console.width, break_long_words=False, break_on_hyphens=False)
    console.print(Text("\n".join(lines)), soft_wrap=True)


def open_terminal(stderr: bool = False) -> Terminal:
    """The console of standard output, or of standard error."""
    console = Terminal(stderr=stderr)
    return console if console.is_terminal else Terminal(stderr=stderr, width=_WIDTH)
