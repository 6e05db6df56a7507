"""A progress bar for long runs: games done, games a second, time left; nothing off a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from balance.cli.terminal import Terminal, print_wrapped
from balance.report.escaping import escape_controls


class _Count(ProgressColumn):
    def render(self, task: Task) -> Text:
        total = "?" if task.total is None else f"{task.total:,.0f}"
        return Text(f"{task.completed:,.0f}/{total} games")


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        digits = 0 if speed and speed >= 10 else 1  # searchers play a few a second
        return Text(f"{speed:,.{digits}f} games/s" if speed else "– games/s")


class GameProgress:
    """A bar that shows games done (a `balance.progress.Progress`)."""

    def __init__(self, bar: Progress, work: str) -> None:
        self._bar, self._work = bar, work
        self._task = bar.add_task(work, total=None)
        self._noted = False

    def advance(self, done: int, planned: int) -> None:
        """Move the bar."""
        if self._noted:
            self._noted = False
            self._bar.reset(self._task, description=self._work)  # the rate counts from here
        self._bar.update(self._task, completed=done, total=planned)

    def note(self, what: str) -> None:
        """Say what is being done; off a terminal, where there is no bar, as a line."""
        self._noted = True
        self._bar.update(self._task, description=escape_controls(what))
        if self._bar.disable and not self._bar.console.quiet:
            print_wrapped(self._bar.console, f"{what} ...")

    def tell(self, line: str) -> None:
        """A line above the bar."""
        if not self._bar.console.quiet:
            print_wrapped(self._bar.console, line)


@contextmanager
def show_progress(
    quiet: bool, work: str = "playing", console: Console | None = None
) -> Iterator[GameProgress]:
    """A bar on `console` (standard error unless given) while the block runs; `work` names what is done."""
    console = console or Terminal(stderr=True, quiet=quiet)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        _Count(),
        _Rate(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    disable = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=disable, speed_estimate_period=20) as bar:
        yield GameProgress(bar, work)
