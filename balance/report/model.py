"""The parts of a report: chapters, which have sections with paragraphs, tables and figures."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from balance.foundation.language import tr, write_number
from balance.foundation.text import write_csv
from balance.report.screen import Finding, Screen

if TYPE_CHECKING:
    from balance.analysis.sample_size import RunExtension
    from balance.report.figures.saving import Drawing, Saved


@dataclass(frozen=True)
class Table:
    """A table: text on the page, numbers in the CSV."""

    name: str  # stem of its CSV file
    caption: str
    data: pd.DataFrame
    # Column to a format specification such as ``.1f``; columns without one are text.
    formats: dict[str, str] = field(default_factory=dict)
    # The content of the CSV, if it differs from `data` (for example, if the page shows figure and interval in one
    # cell).
    raw: pd.DataFrame | None = None
    # The value without shade: cells of columns with a format are shaded by their distance from it. None for no
    # shades.
    middle: float | None = None
    # The importance of each row: a long table shows the most important rows first. Empty for the order of the rows.
    importance: Sequence[float] = ()
    # Columns headed by a name, such as that of a tier or a strategy, which no language translates.
    named: Collection[str] = ()

    @property
    def columns(self) -> list[str]:
        """The columns, as in the CSV."""
        return [str(column) for column in self.data.columns]

    @property
    def headings(self) -> list[str]:
        """The headings of the columns as the page shows them."""
        return [column if column in self.named else tr(column) for column in self.columns]

    @property
    def is_short(self) -> bool:
        """Whether all cells are short enough not to wrap."""
        return all(len(cell) <= 48 for row in self.rows for cell in row)

    def variants(self) -> list[str]:
        """Return the variant of each row; "" if the table has no such column."""
        if "variant" not in self.data:
            return [""] * len(self.data)
        return [str(name) for name in self.data["variant"]]

    def ranks(self) -> list[int]:
        """Return the rank of each row by importance, from 0; of equal rows the upper comes first."""
        importance = np.nan_to_num(np.array(self.importance or [0.0] * len(self.data), float))
        order = np.argsort(-importance, kind="stable")
        return [int(place) for place in np.argsort(order)]

    @property
    def numbers(self) -> pd.DataFrame:
        """The table as numbers."""
        return self.data if self.raw is None else self.raw

    @cached_property
    def csv(self) -> str:
        """The table as numbers, in CSV."""
        return write_csv(self.numbers)

    def shades(self) -> list[list[int]]:
        """Return the shade of each cell, -100 to 100; 0 for none."""
        if self.middle is None:
            return [[0] * len(self.columns) for _ in range(len(self.data))]
        away = self.data[list(self.formats)] - self.middle
        most = float(np.nanmax(away.abs().to_numpy())) if away.notna().to_numpy().any() else 0.0
        parts = (60 * away / most if most else 0 * away).fillna(0).round().astype(int)
        return [
            [int(parts[column].iloc[row]) if column in parts else 0 for column in self.columns]
            for row in range(len(self.data))
        ]

    @property
    def numeric(self) -> list[bool]:
        """Whether each column is aligned as numbers."""
        kinds = self.data.dtypes
        return [
            name in self.formats or pd.api.types.is_numeric_dtype(kind)
            for name, kind in zip(self.columns, kinds, strict=True)
        ]

    @cached_property
    def rows(self) -> list[list[str]]:
        """The cells as the page shows them: words such as verdicts are translated, names of variants are not."""
        return [
            [
                write(value, self.formats.get(str(column), ""), str(column) in NAMES)
                for column, value in zip(self.data.columns, row, strict=True)
            ]
            for row in self.data.itertuples(index=False)
        ]


NAMES = (
    "variant", "strategy", "opponent", "tier", "line-up", "game", "key", "file", "name", "rule", "point",
    "dominated by", "to watch it",
)  # fmt: skip
"""Columns of names, which no language translates."""


def write(value: Any, spec: str, is_name: bool = False) -> str:
    """Return a cell as text, in the language in use; a missing number is a dash."""
    if isinstance(value, str):
        return value if is_name else tr(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "–"
    return write_number(value, spec) if spec else str(value)


WIDE = 10.0  # inches


@dataclass(frozen=True)
class Figure:
    """A drawn figure."""

    name: str  # stem of its files
    caption: str
    drawing: Drawing = field(repr=False)
    saved: Saved = field(repr=False)
    above: float = 0.0  # height of its title, in inches
    variant: str = ""  # the only variant that it shows; "" if it shows all

    @property
    def svg(self) -> bytes:
        """The figure as SVG."""
        return self.saved.files[0]

    @property
    def png(self) -> bytes:
        """The figure as PNG."""
        return self.saved.files[1]

    @property
    def alt(self) -> str:
        """Alternative text for readers who can't see the figure."""
        return self.drawing.alt

    @property
    def is_wide(self) -> bool:
        """Whether it needs the full width of the page: half is enough for at most three panels side by side."""
        width = re.search(rb'width="([\d.]+)pt"', self.svg)
        return width is not None and float(width[1]) > 72 * WIDE


@dataclass(frozen=True)
class Headline:
    """A sentence at the top of a section, about one variant or about all ("")."""

    text: str
    variant: str = ""


@dataclass(frozen=True)
class Section:
    """A section of the page: heading, headlines, paragraphs on how to read it, figures and tables."""

    anchor: str
    title: str
    paragraphs: Sequence[str] = ()
    headlines: Sequence[Headline] = ()
    findings: Sequence[Finding] = ()
    notes: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    extension: RunExtension | None = None  # the extended run that would settle the undecided rows
    warnings: Sequence[str] = ()  # warnings that the first screen shows because of this section
    rest: bool = False  # whether the section stands in the part at the end that the reader opens

    def plus(
        self,
        paragraphs: Iterable[str] = (),
        headlines: Iterable[Headline] = (),
        figures: Iterable[Figure] = (),
        tables: Iterable[Table] = (),
    ) -> Section:
        """Return the section with more of its parts, after those that it has."""
        return replace(
            self,
            paragraphs=[*self.paragraphs, *paragraphs],
            headlines=[*self.headlines, *headlines],
            figures=[*self.figures, *figures],
            tables=[*self.tables, *tables],
        )

    @property
    def folded(self) -> Sequence[Table]:
        """Tables that the page shows on demand: all if there is a figure; otherwise those next to shaded tables."""
        if self.figures:
            return self.tables
        plain = [table for table in self.tables if table.middle is None]
        return plain if len(plain) < len(self.tables) else []

    @property
    def open_tables(self) -> list[Table]:
        """Tables that the page shows at once."""
        folded = {table.name for table in self.folded}
        return [table for table in self.tables if table.name not in folded]


@dataclass(frozen=True)
class Chapter:
    """The part of a report about one run."""

    title: str
    subtitle: str
    sections: list[Section]
    screen: Screen | None = None
    variants: list[str] = field(default_factory=list)

    def section(self, anchor: str) -> Section:
        """Return the section with that anchor."""
        return next(section for section in self.sections if section.anchor == anchor)
