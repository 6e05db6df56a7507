"""Tables that people edit in a spreadsheet: rows of cells from CSV with any usual separator."""

from __future__ import annotations

import csv
import io

from balance.foundation.errors import BalanceError

_SEPARATORS = ",;\t|"
MARK = "\ufeff"
"""The first character of a CSV file that Excel reads as UTF-8."""


def read_rows(text: str, where: str) -> list[tuple[int, list[str]]]:
    """Return the rows of CSV text with the line numbers at which they end.

    Columns are separated by the separator that the first row has most often. Empty rows and rows that begin with # are
    left out.
    """
    text = text.removeprefix(MARK)
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_SEPARATORS, key=first.count))
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise BalanceError(f"{where}, line {reader.line_num}: {error}") from None
    return [(line, row) for line, row in rows if any(map(str.strip, row)) and not row[0].startswith("#")]
