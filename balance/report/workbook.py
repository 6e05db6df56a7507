"""All tables of a report as one workbook for a spreadsheet."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from balance.foundation.errors import from_extra
from balance.foundation.files import check_folder, write_file
from balance.foundation.text import escape_controls
from balance.report.model import Chapter, Table

NAME = "tables.xlsx"
_MOST_LETTERS = 32_767  # of a cell
_LONGEST = 31  # letters of a sheet's name, by Excel
_WIDEST = 40  # letters of a column
_EXACT = 2**53  # a larger number, such as a seed, is text: Excel keeps 15 digits
_PLAIN = {"strings_to_formulas": False, "strings_to_urls": False}


def check_workbook(out: Path) -> None:
    """Refuse to begin if the workbook could not be written."""
    with from_extra("xlsx"):
        import xlsxwriter  # noqa: F401
    check_folder(out, files=[NAME])


def write_workbook(chapters: Sequence[Chapter], out: Path) -> Path:
    """Write ``tables.xlsx`` into the folder of a report: a list of the tables, then a sheet for each, as in its CSV."""
    import xlsxwriter

    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {**_PLAIN, "in_memory": True}) as book:
        bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True})
        first = book.add_worksheet("contents")
        first.write_row(0, 0, ["sheet", "section", "table"], bold)
        first.set_column(0, 1, _LONGEST)
        first.set_column(2, 2, 3 * _WIDEST, wrapped)
        names: list[str] = []
        for title, table in _tables(chapters):
            names.append(_name(table.name, names))
            first.write_url(len(names), 0, f"internal:'{names[-1]}'!A1", string=names[-1])
            first.write_row(len(names), 1, [_fitting(title), _fitting(table.caption)])
            _write_sheet(book.add_worksheet(names[-1]), table.numbers, bold)
    path = out / NAME
    write_file(path, content.getvalue())
    return path


def _tables(chapters: Sequence[Chapter]) -> Iterable[tuple[str, Table]]:
    return ((section.title, table) for chapter in chapters for section in chapter.sections for table in section.tables)


def _name(name: str, taken: Sequence[str]) -> str:
    """Return a name that no sheet has yet; Excel ignores case."""
    plain = re.sub(r"[\[\]:*?/\\']", "-", name)[:_LONGEST]
    number, found = 1, plain
    while found.casefold() in {"contents", "history", *map(str.casefold, taken)}:
        number += 1
        found = f"{plain[: _LONGEST - 4]} {number}"
    return found


def _write_sheet(sheet: Any, frame: pd.DataFrame, bold: Any) -> None:
    """Write a table: numbers as numbers, everything else as text, never as formulas."""
    sheet.write_row(0, 0, [_fitting(str(column)) for column in frame.columns], bold)
    for place, column in enumerate(frame.columns):
        values = [_cell(value) for value in frame[column].tolist()]
        sheet.write_column(1, place, values)
        widest = max((len(str(value)) for value in [column, *values]), default=0)
        sheet.set_column(place, place, min(_WIDEST, widest + 2))
    sheet.freeze_panes(1, 0)
    if len(frame):
        sheet.autofilter(0, 0, len(frame), len(frame.columns) - 1)


def _cell(value: Any) -> Any:
    """Return a number, or text; None for a missing value."""
    if value is None or value != value or value is pd.NA:
        return None
    if isinstance(value, float | np.floating) and np.isfinite(value):
        return float(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and abs(int(value)) <= _EXACT:
        return int(value)
    return _fitting(str(value))


def _fitting(text: str) -> str:
    """Return text that fits a cell of Excel, cut at its end if it is longer."""
    text = escape_controls(text)
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…"
