"""What a report is made of: chapters of sections with paragraphs, tables and figures."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from balance.report.escaping import write_csv
from balance.report.screen import Screen, Strip

if TYPE_CHECKING:
    from balance.analysis.longer import Longer
    from balance.report.figures.sheet import Drawing


@dataclass(frozen=True)
class Table:
    """A table; numbers stay numbers in the CSV and are written by `write` on the page.

    Attributes
    ----------
    name : str
        Stem of its CSV file.
    caption : str
    data : DataFrame
    formats : dict
        Column to a format specification such as ``.1f``; columns without one are text.
    raw : DataFrame or None
        What the CSV holds, where the page shows figures and intervals in one cell.
    middle : float or None
        Numbers of its columns with a format are shaded by how far they lie from it.
    importance : sequence of float
        How much each row matters: of a long table those that matter most are seen first. Empty where the first
        rows do.
    """

    name: str
    caption: str
    data: pd.DataFrame
    formats: dict[str, str] = field(default_factory=dict)
    raw: pd.DataFrame | None = None
    middle: float | None = None
    importance: Sequence[float] = ()

    @property
    def columns(self) -> list[str]:
        """Headings."""
        return [str(column) for column in self.data.columns]

    @property
    def is_short(self) -> bool:
        """Whether no cell holds so much text that it should wrap."""
        return all(len(cell) <= 48 for row in self.rows for cell in row)

    def variants(self) -> list[str]:
        """The variant of each row; "" where the table has no such column."""
        if "variant" not in self.data:
            return [""] * len(self.data)
        return [str(name) for name in self.data["variant"]]

    def ranks(self) -> list[int]:
        """The place of each row by how much it matters, from 0; of equals the upper comes first."""
        importance = np.nan_to_num(np.array(self.importance or [0.0] * len(self.data), float))
        order = np.argsort(-importance, kind="stable")
        return [int(place) for place in np.argsort(order)]

    @property
    def numbers(self) -> pd.DataFrame:
        """All of it in numbers."""
        return self.data if self.raw is None else self.raw

    def csv(self) -> str:
        """All of it in numbers, as CSV."""
        return write_csv(self.numbers)

    def shades(self) -> list[list[int]]:
        """Of each cell how strongly it is shaded, -100 to 100; 0 where it is not."""
        if self.middle is None:
            return [[0] * len(self.columns) for _ in range(len(self.data))]
        away = self.data[list(self.formats)] - self.middle
        most = float(np.nanmax(away.abs().to_numpy())) if away.notna().to_numpy().any() else 0.0
        parts = (60 * away / most if most else 0 * away).fillna(0).round().astype(int)
        return [
            [int(parts[column].iloc[row]) if column in parts else 0 for column in self.columns]
            for row in range(len(self.data))
        ]

    def is_number(self, column: str) -> bool:
        """Whether a column is aligned as numbers."""
        return column in self.formats or pd.api.types.is_numeric_dtype(self.data[column])

    @cached_property
    def rows(self) -> list[list[str]]:
        """Cells as written on the page."""
        return [
            [
                write(value, self.formats.get(str(column), ""))
                for column, value in zip(self.data.columns, row, strict=True)
            ]
            for row in self.data.itertuples(index=False)
        ]


def write(value: Any, spec: str) -> str:
    """A cell as text; a missing number is a dash."""
    if isinstance(value, float) and not math.isfinite(value):
        return "–"
    return format(value, spec) if spec else str(value)


def write_estimate(row: Any, digits: int = 1) -> str:
    """A value with its interval; `row` has ``value``, ``low`` and ``high``."""
    if not math.isfinite(row.low):
        return f"{row.value:z.{digits}f} (one deck gives no interval)"
    return f"{row.value:z.{digits}f} ({row.low:z.{digits}f} to {row.high:z.{digits}f})"


def write_quartiles(row: Any) -> str:
    """From the lower to the upper quartile; `row` has ``lower`` and ``upper``."""
    return f"{row.lower:g} to {row.upper:g}"


def write_median(row: Any) -> str:
    """A median with its interval, both among the values that occur; `row` as for `write_estimate`."""
    if not math.isfinite(row.low):
        return f"{row.value:g} (one deck gives no interval)"
    return f"{row.value:g} ({row.low:g} to {row.high:g})"


def write_difference(row: Any, digits: int) -> str:
    """A difference of tiers with its interval, see `balance.analysis.tiers.hold_against`."""
    size = f"{row.difference:+z.{digits}f}"
    if not math.isfinite(row.difference_low):
        return size
    return f"{size} ({row.difference_low:+z.{digits}f} to {row.difference_high:+z.{digits}f})"


def write_half(row: Any) -> str:
    """A value with half its interval; `row` has ``value``, ``low`` and ``high``."""
    half = (row.high - row.low) / 2
    return f"{row.value:z.2f} ± {half:.2f}" if math.isfinite(half) else f"{row.value:z.2f}"


WIDE = 10.0  # inches


@dataclass(frozen=True)
class Figure:
    """A drawn figure.

    Attributes
    ----------
    name : str
        Stem of its files.
    drawing : Drawing
        As matplotlib has it.
    svg : bytes
    png : bytes
    above : float
        Height of its title, in inches.
    variant : str
        That it shows alone; "" where it shows all.
    """

    name: str
    caption: str
    drawing: Drawing = field(repr=False)
    svg: bytes = field(repr=False)
    png: bytes = field(repr=False)
    above: float = 0.0
    variant: str = ""

    @property
    def alt(self) -> str:
        """What it shows, for those who can't see it."""
        return self.drawing.alt

    @property
    def is_wide(self) -> bool:
        """Whether it could not be read at half of a page: three panels side by side, at most, can."""
        width = re.search(rb'width="([\d.]+)pt"', self.svg)
        return width is not None and float(width[1]) > 72 * WIDE


@dataclass(frozen=True)
class Finding:
    """A sentence that a reader can act on.

    Attributes
    ----------
    text : str
    anchor : str
        Of the section that holds its evidence.
    lead : str
        What kind of news it is, in a word; "" without.
    where : str
        Of which variant and player counts.
    evidence : str
        Interval, n, and what other tiers say.
    better : int
        1 for the better, -1 for the worse, 0 neither.
    strip : Strip or None
        Its numbers as a drawing.
    """

    text: str
    anchor: str
    lead: str = ""
    where: str = ""
    evidence: str = ""
    better: int = 0
    strip: Strip | None = None


@dataclass(frozen=True)
class Said:
    """A sentence at the head of a section; of one variant alone, or of all ("")."""

    text: str
    variant: str = ""


@dataclass(frozen=True)
class Section:
    """A heading with what stands under it: what it says first, then how to read it, figures and tables.

    Attributes
    ----------
    longer : Longer or None
        The run that would decide what is undecided here.
    """

    anchor: str
    title: str
    paragraphs: list[str] = field(default_factory=list)
    says: list[Said] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    longer: Longer | None = None

    @property
    def folded(self) -> list[Table]:
        """Tables that a page shows on demand: all under a figure; beside shaded tables, all others."""
        if self.figures:
            return self.tables
        plain = [table for table in self.tables if table.middle is None]
        return plain if len(plain) < len(self.tables) else []

    @property
    def open_tables(self) -> list[Table]:
        """Tables that a page shows at once."""
        folded = {table.name for table in self.folded}
        return [table for table in self.tables if table.name not in folded]


@dataclass(frozen=True)
class Chapter:
    """All about one run."""

    title: str
    subtitle: str
    sections: list[Section]
    screen: Screen | None = None
    variants: list[str] = field(default_factory=list)

    def section(self, anchor: str) -> Section:
        """The section with that anchor."""
        return next(section for section in self.sections if section.anchor == anchor)
