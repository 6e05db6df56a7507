"""The console for tables (80 columns wide if there is no terminal) and the progress bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich import box
from rich import progress as rich_progress
from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from balance.cli.output import WIDTH, output, wrap_sentence
from balance.foundation.language import tr, write_number
from balance.foundation.progress import Progress
from balance.foundation.text import ESTIMATE, NAME, NUMBER, escape_controls

if TYPE_CHECKING:
    from balance.report.model import Table


class _Count(ProgressColumn):
    def render(self, task: Task) -> Text:
        total = "?" if task.total is None else write_number(task.total, ",.0f")
        return Text(tr("{done:,.0f}/{total} games", done=task.completed, total=total))


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        digits = 0 if speed and speed >= 10 else 1  # searchers play a few games a second
        return Text(tr("{speed} games/s", speed=write_number(speed, f",.{digits}f") if speed else "–"))


class _GameProgress(Progress):
    """A bar that shows games done."""

    def __init__(self, bar: rich_progress.Progress, work: str) -> None:
        self._bar, self._work = bar, work
        self._task = bar.add_task(work, total=None)
        self._noted = False

    def advance(self, done: int, planned: int) -> None:
        """Move the bar."""
        if self._noted:
            self._noted = False
            self._bar.reset(self._task, description=self._work)  # the rate is measured from here
        self._bar.update(self._task, completed=done, total=planned)

    def note(self, what: str) -> None:
        """Show the current work in the bar, or as a line if there is no terminal."""
        self._noted = True
        self._bar.update(self._task, description=escape_controls(what))
        if self._bar.disable and not self._bar.console.quiet:
            print_wrapped(self._bar.console, f"{what} ...")

    def tell(self, line: str) -> None:
        """Print a line above the bar."""
        if not self._bar.console.quiet:
            print_wrapped(self._bar.console, line)


@contextmanager
def show_progress(quiet: bool, work: str = "", console: Console | None = None) -> Iterator[_GameProgress]:
    """Show a bar on `console` (default standard error) while the block runs; `work` names the task."""
    console = console or Terminal(stderr=True, quiet=quiet)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        _Count(),
        _Rate(),
        TextColumn(tr("left")),
        TimeRemainingColumn(),
    )
    disable = quiet or not console.is_terminal
    with rich_progress.Progress(*columns, console=console, disable=disable, speed_estimate_period=20) as bar:
        yield _GameProgress(bar, work or tr("playing"))


_NAME = 20  # characters of a name that are never broken into lines
_HEADING = 13


def plain(text: str, style: str = "") -> Text:
    """Return a text with its control characters escaped."""
    return Text(escape_controls(text), style)


_COLOURS = {
    "balanced": "green", "pass": "green", "higher": "green", "favoured": "red", "disfavoured": "red", "fail": "red",
    "lower": "red", "same": "dim", "slightly higher": "dim", "slightly lower": "dim",
}  # fmt: skip
_OPEN = "yellow"  # all other words: no clear result


def show_verdict(verdict: str, more: str = "") -> Text:
    """Return a verdict in its colour, followed by `more`."""
    return Text(tr(verdict), _COLOURS.get(verdict, _OPEN)).append(more, "default")


class Terminal(Console):
    """A console that leaves a closed pipe to `one_line_errors`."""

    def on_broken_pipe(self) -> None:
        """Raise the error; rich would end the program with status 1."""
        raise BrokenPipeError

    def print_table(self, table: Table, columns: Mapping[str, str]) -> None:
        """Print these columns of a table of a page: heading to kind, as in `print_rows`."""
        cells: dict[str, list[str | Text]] = {
            name: [row[place] for row in table.rows] for place, name in enumerate(table.columns) if name in columns
        }
        if "verdict" in cells:
            cells["verdict"] = [show_verdict(str(word)) for word in table.data["verdict"]]
        self.print_rows(table.caption, columns, zip(*(cells[name] for name in columns), strict=True))

    def print_rows(self, title: str, columns: Mapping[str, str], rows: Iterable[Sequence[str | Text]]) -> None:
        """Print rows as a table no wider than the console, then an empty line.

        Parameters
        ----------
        columns : mapping
            Heading, which is translated here, to kind: `balance.foundation.text.TEXT` and others.
        rows : iterable of sequence of str or Text
            A cell for each column.
        """
        rows = list(rows)
        table = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
        for number, (declared, kind) in enumerate(columns.items()):
            heading = tr(declared)
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
        """Print headings and texts in two columns; long texts wrap within theirs."""
        grid = Grid.grid(Column(min_width=_HEADING), Column(overflow="fold"), padding=(0, 1))
        for heading, text in facts.items():
            grid.add_row(plain(f"  {tr(heading)}"), plain(text))
        self.print(grid)

    def print_note(self, text: str, style: str = "") -> None:
        """Print a sentence, wrapped, with its control characters escaped."""
        self.print(plain(text, style))


def print_wrapped(console: Console, text: str) -> None:
    """Print a sentence, wrapped to the console."""
    console.print(Text(wrap_sentence(text, console.width)), soft_wrap=True)


def open_terminal(stderr: bool = False) -> Terminal:
    """Return a console for standard output or standard error."""
    stream: dict[str, Any] = {"stderr": True} if stderr else {"file": output()}
    console = Terminal(**stream)
    return console if console.is_terminal else Terminal(**stream, width=WIDTH)
