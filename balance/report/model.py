"""What a report is made of: chapters of sections with paragraphs, tables and figures."""

from __future__ import annotations

import base64
import html
import math
from dataclasses import dataclass, field
from typing import Any

import pandas as pd


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
    """

    name: str
    caption: str
    data: pd.DataFrame
    formats: dict[str, str] = field(default_factory=dict)
    raw: pd.DataFrame | None = None

    @property
    def columns(self) -> list[str]:
        """Headings."""
        return [str(column) for column in self.data.columns]

    @property
    def is_short(self) -> bool:
        """Whether no cell holds so much text that it should wrap."""
        return all(len(cell) <= 48 for row in self.rows() for cell in row)

    def is_number(self, column: str) -> bool:
        """Whether a column is aligned as numbers."""
        return column in self.formats or pd.api.types.is_numeric_dtype(self.data[column])

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
        return f"{row.value:.{digits}f} (one deck gives no interval)"
    return f"{row.value:.{digits}f} ({row.low:.{digits}f} to {row.high:.{digits}f})"


def write_difference(row: Any, digits: int) -> str:
    """A difference of tiers with its interval, see `balance.analysis.tiers.hold_against`."""
    size = f"{row.difference:+.{digits}f}"
    if not math.isfinite(row.difference_low):
        return size
    return f"{size} ({row.difference_low:+.{digits}f} to {row.difference_high:+.{digits}f})"


def write_half(row: Any) -> str:
    """A value with half its interval; `row` has ``value``, ``low`` and ``high``."""
    half = (row.high - row.low) / 2
    return f"{row.value:.2f} ± {half:.2f}" if math.isfinite(half) else f"{row.value:.2f}"


def write_p(p: float) -> str:
    """A p-value."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


@dataclass(frozen=True)
class Figure:
    """A drawn figure.

    Attributes
    ----------
    name : str
        Stem of its files.
    alt : str
        What it shows, for those who can't see it.
    svg : bytes
    png : bytes
    """

    name: str
    caption: str
    alt: str
    svg: bytes = field(repr=False)
    png: bytes = field(repr=False)

    def _repr_html_(self) -> str:
        """The picture, in a notebook."""
        data = base64.b64encode(self.png).decode()
        return f'<img alt="{html.escape(self.alt)}" width="900" src="data:image/png;base64,{data}">'


Subject = tuple[str | int, ...]
"""What a finding is about, so that other tiers can be asked the same: its kind, player count and what else."""


@dataclass(frozen=True)
class Finding:
    """A sentence that a reader can act on.

    Attributes
    ----------
    text : str
        With size, interval and n.
    anchor : str
        Of the section that holds its evidence.
    weight : float
        The larger, the further up.
    subject : Subject
        Empty if only the bots that played can be asked, for it is about them or chosen by what they did.
    heading : str
        How other tiers stand to it, in front of the text; empty where there are none.
    """

    text: str
    anchor: str
    weight: float
    subject: Subject = ()
    heading: str = ""


@dataclass(frozen=True)
class Section:
    """A heading with what stands under it; findings come first and link to other sections."""

    anchor: str
    title: str
    paragraphs: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


@dataclass(frozen=True)
class Chapter:
    """All about one run."""

    title: str
    subtitle: str
    sections: list[Section]

    def title_of(self, anchor: str) -> str:
        """The heading of the section with that anchor."""
        return next(section.title for section in self.sections if section.anchor == anchor)
