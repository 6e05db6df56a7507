"""Tables that people edit in a spreadsheet: rows of cells from CSV in any usual form, or from a workbook; numbers."""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.foundation.errors import BalanceError, error_context, from_extra
from balance.foundation.files import read_bytes
from balance.foundation.language import tr

MARK = "\ufeff"
"""The first character of a CSV file that Excel reads as UTF-8."""
SEPARATORS = ",;\t|"
_SHOWN = 5  # lines in a note
_MOST_UNPACKED = 100_000_000  # bytes of a workbook
_MOST_ROWS, _MOST_COLUMNS = 100_000, 1000  # of a workbook
_COMMENT = re.compile(r"#+(\s|$)")
_SEPARATOR_LINE = re.compile(rf'"?sep=(?P<mark>[{SEPARATORS}])"?[ \t]*(\r\n?|\n|$)', re.IGNORECASE)
_MANY_BYTES = re.compile(rb"[\xc3-\xc5][\x80-\xbf]")  # Polish and other Latin letters in UTF-8
_NUMBER = re.compile(r"[-+]?(\d+[.,]?\d*|\d{1,3}([ \xa0\u202f]\d{3})+([.,]\d+)?|[.,]\d+)(e[-+]?\d+)?", re.I)
_AMBIGUOUS = re.compile(r"([-+]?[1-9]\d{0,2})([.,])(\d{3})")
Row = tuple[int, list[str]]
"""The line on which a row begins (in a workbook its number), and its cells."""


@dataclass(frozen=True)
class Table:
    """The header and the rows of a file, and what the reader should know about how they were read."""

    header: list[str]
    rows: list[Row]
    notes: list[str]


def read_table(path: Path) -> Table:
    """Return the table in a CSV file or a workbook (.xlsx).

    Empty rows and lines that begin with # and a space are left out; those below the header are noted. A row that can't
    be read with certainty is an error that names the line on which it begins.
    """
    content, where = read_bytes(path), str(path)
    if content.startswith(b"PK\x03\x04"):
        rows, notes = _read_workbook(content, where)
    else:
        text, notes = decode_text(content, where)
        rows = _read_csv(text, where)
    written = [(line, row) for line, row in rows if any(map(str.strip, row))]
    found = [(line, row) for line, row in written if not _COMMENT.match(row[0])]
    if not found:
        return Table([], [], notes)
    below = [line for line, row in written if _COMMENT.match(row[0]) and line > found[0][0]]
    if below:
        lines = ", ".join(map(str, below[:_SHOWN])) + (" ..." if len(below) > _SHOWN else "")
        notes.append(tr("not read, because they begin with #: lines {lines}", lines=lines))
    header = [" ".join(name.split()) for name in found[0][1]]
    _check_cells(header, found[1:], where)
    return Table(header, found[1:], notes)


def decode_text(content: bytes, where: str) -> tuple[str, list[str]]:
    """Return the text of a file in UTF-8, UTF-16 or the Polish Windows-1250, and a note if it was the last."""
    notes = []
    try:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = content.decode("utf-16")
        else:
            text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        known = None if _MANY_BYTES.search(content) else _decode_windows(content)
        if known is None:
            why = tr("not UTF-8 (byte {byte})", byte=error.start)
            raise BalanceError(tr("cannot read {path}: {why}", path=where, why=why)) from None
        text = known
        notes.append(tr("not UTF-8; read as Windows-1250, the Polish Excel's CSV: check the letters"))
    if "\0" in text:
        why = tr("it is no text; save it as CSV UTF-8")
        raise BalanceError(tr("cannot read {path}: {why}", path=where, why=why))
    return text, notes


def _decode_windows(content: bytes) -> str | None:
    try:
        return content.decode("cp1250")
    except UnicodeDecodeError:
        return None


def _read_csv(text: str, where: str) -> list[Row]:
    """Return the rows; the separator is that of a line ``sep=;``, else the one that the header has most often."""
    named = _SEPARATOR_LINE.match(text)
    lines = text.splitlines()
    first = next((line for line in lines if line.strip() and not _COMMENT.match(line)), "")
    separator = named["mark"] if named else max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True)
    rows: list[Row] = []
    begin = 1
    try:
        for row in reader:
            rows.append((begin, row))
            begin = reader.line_num + 1
    except csv.Error as error:
        raise BalanceError(f"{_line(where, begin)}: {_explain(error)}") from None
    rows = rows[1:] if named else rows
    _check_quotes(rows, separator, where)
    return rows


def _explain(error: csv.Error) -> str:
    if "unexpected end" in str(error) or "expected after" in str(error):
        return tr('the row that begins here has a quotation mark too many; inside a cell write it twice: ""')
    return str(error)


def _check_quotes(rows: Sequence[Row], separator: str, where: str) -> None:
    """Refuse a cell that contains lines like those of rows: its quotation mark was closed by that of a later row."""
    plain = [row for _, row in rows if row and not any("\n" in cell or "\r" in cell for cell in row)]
    least = max(1, min((len(row) - 1 for row in plain if not _COMMENT.match(row[0])), default=1))
    for line, row in rows:
        for cell in row:
            if any(part.count(separator) >= least for part in cell.splitlines()[1:]):
                text = tr("a quotation mark opens a cell that contains further rows; close it where the cell ends")
                raise BalanceError(f"{_line(where, line)}: {text}")


def _check_cells(header: Sequence[str], rows: Sequence[Row], where: str) -> None:
    """Refuse a heading that stands twice, and cells below no heading."""
    if twice := [name for name in header if name and header.count(name) > 1]:
        raise BalanceError(
            tr("{where}: two columns are called {name!r}; remove or rename one", where=where, name=twice[0])
        )
    for line, row in rows:
        if any(map(str.strip, row[len(header) :])):
            text = tr("more cells than columns; put a cell that contains a separator in quotes")
            raise BalanceError(f"{_line(where, line)}: {text}")
        for at, (name, cell) in enumerate(zip(header, row, strict=False), 1):
            if cell.strip() and not name:
                text = tr("column {n} has no heading; write one, or empty the column", n=at)
                raise BalanceError(f"{_line(where, line)}: {text}")


def _line(where: str, line: int) -> str:
    return tr("{where}, line {line}", where=where, line=line)


def _read_workbook(content: bytes, where: str) -> tuple[list[Row], list[str]]:
    """Return the rows of the first sheet that has any; name the other sheets."""
    with error_context(where), from_extra("xlsx"):
        import openpyxl
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > _MOST_UNPACKED:
                size = tr("it is larger than {size} MB", size=_MOST_UNPACKED // 1_000_000)
                raise BalanceError(tr("cannot read {path}: {why}", path=where, why=size))
            if any(b"<!DOCTYPE" in parts.read(name).replace(b"\0", b"") for name in parts.namelist()):
                raise ValueError("<!DOCTYPE")  # it could name other files, or grow without end
        books = [openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=kept) for kept in (True, False)]
        sheets = {sheet.title: list(_read_sheet(sheet, books[1][sheet.title], where)) for sheet in books[0].worksheets}
    except BalanceError:
        raise
    except Exception as error:  # a damaged workbook raises errors of many kinds
        why = str(error).partition("\n")[0] or type(error).__name__
        raise BalanceError(tr("{path}: not a workbook ({reason})", path=where, reason=why)) from None
    name, *others = [title for title, rows in sheets.items() if rows] or [""]
    notes = [tr("not read: the sheets {names}", names=", ".join(others))] if others else []
    return sheets.get(name, []), notes


def _read_sheet(sheet: Any, formulas: Any, where: str) -> Iterator[Row]:
    """Yield the rows of a sheet that have any cell, without the empty cells at their ends."""
    sheet.reset_dimensions()
    formulas.reset_dimensions()
    both = zip(sheet.iter_rows(values_only=True), formulas.iter_rows(values_only=True), strict=True)
    for number, (values, written) in enumerate(both, 1):
        if number > _MOST_ROWS or len(values) > _MOST_COLUMNS:
            raise BalanceError(
                tr(
                    "{place}: more than {rows} rows or {columns} columns; remove those that are empty",
                    place=where, rows=_MOST_ROWS, columns=_MOST_COLUMNS,
                )
            )  # fmt: skip
        if any(value is None and text is not None for value, text in zip(values, written, strict=True)):
            text = tr("a formula has no value yet; open the workbook and save it, or write the value")
            raise BalanceError(f"{_line(where, number)}: {text}")
        cells = list(map(_write_cell, values))
        if any(map(str.strip, cells)):
            yield number, cells


def _write_cell(value: Any) -> str:
    """Return a workbook's value as it would stand in a CSV file."""
    if value is None:
        return ""
    if isinstance(value, float):
        text = str(int(value)) if value.is_integer() else repr(value)
        return f"{text}0" if _AMBIGUOUS.fullmatch(text) else text
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ")
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds() / 60:g}"
    if isinstance(value, datetime.time):
        return f"{value:%H:%M}"
    return str(value)


def read_number(text: str) -> float:
    """Return a number with a decimal point or comma, or raise a ValueError whose text says what to write."""
    plain = text.strip().replace("\N{MINUS SIGN}", "-")
    if found := _AMBIGUOUS.fullmatch(plain):
        whole, mark, rest = found.groups()
        raise ValueError(
            tr(
                "{value!r} is either {whole} or a fraction; write {whole} or {fraction}",
                value=text, whole=whole + rest, fraction=f"{whole}{mark}{rest}0",
            )
        )  # fmt: skip
    found = _NUMBER.fullmatch(plain)
    number = float(re.sub(r"[ \xa0\u202f]", "", plain).replace(",", ".")) if found else float("inf")
    if not abs(number) < float("inf"):
        raise ValueError(tr("{value!r} is not a number", value=text))
    return number
