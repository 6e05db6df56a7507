"""A study: what it finds, played as its settings ask, and how a terminal, JSON and a page show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import pandas as pd

from balance.foundation.progress import Progress
from balance.report.model import Chapter, Table
from balance.report.page import Files, check_place, write_page
from balance.runs.workers import Workers

Asked = TypeVar("Asked")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Brief:
    """A table as the terminal shows it: some of its columns, heading to kind (`balance.foundation.text.TEXT`)."""

    table: Table
    columns: Mapping[str, str]


@dataclass(frozen=True)
class Study(Generic[Asked, Found]):
    """What every study has; the module of a study, or that of its page, has one as ``STUDY``.

    What a study finds knows the settings and the games that it is about.
    """

    name: str  # of its command and its page
    written: str  # the line that says where the page is
    # Plays games into a folder, or resumes there, and reads them. All mistakes are reported before the first game.
    find: Callable[[Asked, Path, Progress, Workers | None], Found]
    brief: Callable[[Found], Iterator[Brief | str]]  # for the terminal: tables, and sentences
    records: Callable[[Found], pd.DataFrame]  # for JSON
    chapter: Callable[[Found], Chapter]
    add_files: Callable[[Found, Path], object] | None = None  # writes what the page's folder has besides

    @property
    def files(self) -> Files:
        """The names of the page's files."""
        return Files(html=f"{self.name}.html", markdown=f"{self.name}.md", tables=".")

    def check(self, out: Path) -> None:
        """Raise if the page could not be written into the folder."""
        check_place(out, self.files)

    def write(self, found: Found, out: Path) -> Path:
        """Write the page, CSV files and figures into a folder; return the page's path."""
        if self.add_files:
            self.add_files(found, out)
        return write_page([self.chapter(found)], out, self.files)
