"""A progress bar for long runs: games done, games a second, time left; nothing off a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f} games/s" if speed else "– games/s")


class GameProgress:
    """Shows games done; pass `report` to the runner."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("playing", total=None)

    def report(self, done: int, planned: int) -> None:
        """Move the bar."""
        self._progress.update(self._task, completed=done, total=planned)


@contextmanager
def show_progress(quiet: bool) -> Iterator[GameProgress]:
    """A bar on standard error while the block runs."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} games"),
        _Rate(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    disable = quiet or not sys.stderr.isatty()
    with Progress(*columns, console=console, disable=disable, speed_estimate_period=20) as progress:
        yield GameProgress(progress)
