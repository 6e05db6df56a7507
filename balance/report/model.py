"""What a report is made of: chapters of sections with paragraphs, tables and figures."""

from __future__ import annotations

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
    """

    name: str
    caption: str
    data: pd.DataFrame
    formats: dict[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """Headings."""
        return [str(column) for column in self.data.columns]

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


def write_range(row: Any) -> str:
    """A share with its interval, in percent; `row` has ``value``, ``low`` and ``high``."""
    if not math.isfinite(row.low):
        return f"{100 * row.value:.1f} % (one deck gives no interval)"
    return f"{100 * row.value:.1f} % ({100 * row.low:.1f} to {100 * row.high:.1f})"


def write_mean(row: Any, scale: float = 1) -> str:
    """A mean with half its interval; `row` has ``value``, ``low`` and ``high``."""
    half = scale * (row.high - row.low) / 2
    return f"{scale * row.value:.2f} ± {half:.2f}" if math.isfinite(half) else f"{scale * row.value:.2f}"


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
    svg: bytes
    png: bytes


@dataclass(frozen=True)
class Section:
    """A heading with what stands under it."""

    anchor: str
    title: str
    paragraphs: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


@dataclass(frozen=True)
class Chapter:
    """All about one run."""

    title: str
    subtitle: str
    sections: list[Section]
