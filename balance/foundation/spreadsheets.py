"""Tables that people edit in a spreadsheet: rows of cells from CSV with any usual separator."""

from __future__ import annotations

import csv
import io

from balance.foundation.errors import BalanceError
from balance.foundation.language import tr

_SEPARATORS = ",;\t|"
MARK = "\ufeff"
"""The first character of a CSV file that Excel reads as UTF-8."""


def read_rows(text: str, where: str) -> list[tuple[int, list[str]]]:
    """Return the rows of CSV text with the line numbers at which they end.

    Columns are separated by the separator that the first row, the header, has most often. Empty rows and rows that
    begin with # are left out. A row with more cells than the header, or a header with a name twice, is an error.
    """
    text = text.removeprefix(MARK)
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_SEPARATORS, key=first.count))
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise BalanceError(f"{_line(where, reader.line_num)}: {error}") from None
    found = [(line, row) for line, row in rows if any(map(str.strip, row)) and row[0][:1] != "#"]
    _check_widths(found, where)
    return found


def _check_widths(rows: list[tuple[int, list[str]]], where: str) -> None:
    head = [name.strip() for name in rows[0][1]] if rows else []
    if twice := [name for name in head if name and head.count(name) > 1]:
        raise BalanceError(
            tr(
                "{where}: two columns are called {name!r}; remove or rename one",
                where=where,
                name=twice[0],
            )
        )
    for line, row in rows:
        if any(map(str.strip, row[len(head) :])):
            text = tr("more cells than columns; put a cell that contains a separator in quotes")
            raise BalanceError(f"{_line(where, line)}: {text}")


def _line(where: str, line: int) -> str:
    return tr("{where}, line {line}", where=where, line=line)
