"""Tables as spreadsheets write them: no row is lost, and what is read with a doubt is noted or refused."""

import datetime
import io
import zipfile

import openpyxl
import pytest
from support.errors import refused

from balance.foundation.spreadsheets import read_number, read_table

PLAIN = "game,player,score\n1,Łucja,2\n1,Jan,3\n"
ROWS = [["1", "Łucja", "2"], ["1", "Jan", "3"]]


def read(tmp_path, content, name="table.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return read_table(path)


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n").replace(",", ";"),
        "sep=;\r\n" + PLAIN.replace(",", ";"),
        "# see page 3, please\n" + PLAIN.replace(",", "\t"),
        PLAIN.replace(",", "\t").encode("utf-16"),
        PLAIN.replace("game,player,score", "game , player , score "),
        PLAIN.replace("Łucja", ' "Łucja"'),
    ],
    ids=["plain", "mark", "semicolons", "sep", "tabs", "utf-16", "spaces", "space before a quotation"],
)
def test_the_usual_forms_are_read(tmp_path, content):
    table = read(tmp_path, content)
    assert table.header == ["game", "player", "score"] and table.notes == []
    assert [row for _, row in table.rows] == ROWS


def test_windows_1250_is_read_with_a_note(tmp_path):
    table = read(tmp_path, PLAIN.encode("cp1250"))
    assert [row for _, row in table.rows] == ROWS and "Windows-1250" in table.notes[0]
    with refused("not UTF-8 (byte 32)"):  # UTF-8 with one broken byte
        read(tmp_path, PLAIN.encode("utf-8").replace(b"Jan", b"J\xe1n"))
    with refused("save it as CSV UTF-8"):
        read(tmp_path, PLAIN.encode("utf-16-le"))


def test_a_row_is_named_by_the_line_on_which_it_begins(tmp_path):
    table = read(tmp_path, 'game,player,note\n1,Anna,"first\nsecond"\n\n2,Jan,\n')
    assert [line for line, _ in table.rows] == [2, 5]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("1,Łucja", '1,"Łucja', 2),  # never closed
        ("1,Łucja", '1,"Łucja" B', 2),
        ("1,Łucja,2\n1,Jan,3", '1,"Łucja,2\n1,Jan,3\n2,Ola,4\n2,Ewa",5', 2),  # closed by a later row
    ],
)
def test_a_quotation_mark_swallows_no_rows(tmp_path, old, new, line):
    with refused(f"line {line}", "quotation mark"):
        read(tmp_path, PLAIN.replace(old, new))


def test_a_row_that_begins_with_a_hash_is_read(tmp_path):
    """A comment is a hash and a space; below the header it is noted."""
    table = read(tmp_path, PLAIN.replace("1,Jan", "#7,Jan") + "# 8,Ola,3\n#\n")
    assert table.rows[1] == (3, ["#7", "Jan", "3"]) and len(table.rows) == 2
    assert table.notes == ["not read, because they begin with #: lines 4, 5"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("1,Jan,3", "1,Jan,3,4", "line 3: more cells than columns"),
        ("game,player,score", "game,,score", "line 2: column 2 has no heading"),
        ("player,score", "score, score", "two columns are called 'score'"),
    ],
)
def test_no_cell_is_lost(tmp_path, old, new, says):
    with refused(says):
        read(tmp_path, PLAIN.replace(old, new))


def workbook(rows, **sheets):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for name, more in sheets.items():
        for row in more:
            (book[name] if name in book.sheetnames else book.create_sheet(name)).append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_a_workbook_is_read(tmp_path):
    """Numbers stay numbers: 1.234 of a cell is no thousand. Other sheets are noted."""
    rows = [
        ["game ", "day", "minutes", "score"],
        [1, datetime.datetime(2026, 11, 7), datetime.time(1, 25), 1.234],
        [],
        ["#2", "8.11.2026", 80, 41.0],
    ]
    table = read(tmp_path, workbook(rows, Sums=[["total"], [5]], Empty=[]), "table.xlsx")
    assert table.header == ["game", "day", "minutes", "score"]
    assert table.rows == [(2, ["1", "2026-11-07", "01:25", "1.2340"]), (4, ["#2", "8.11.2026", "80", "41"])]
    assert table.notes == ["not read: the sheets Sums"]


def test_a_workbook_that_cannot_be_read(tmp_path):
    with refused("line 2: a formula has no value yet"):
        read(tmp_path, workbook([["game"], ["=1+1"]]), "table.xlsx")
    with refused("table.xlsx: not a workbook"):
        read(tmp_path, b"PK\x03\x04nonsense", "table.xlsx")
    unsafe = io.BytesIO(workbook([["game"]]))
    with zipfile.ZipFile(unsafe, "a") as parts:
        parts.writestr("xl/more.xml", "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]><x>&y;</x>")
    with refused("not a workbook (<!DOCTYPE)"):
        read(tmp_path, unsafe.getvalue(), "table.xlsx")
    wide = openpyxl.Workbook()
    wide.active.cell(1, 5000, "far")
    content = io.BytesIO()
    wide.save(content)
    with refused("more than 100000 rows or 1000 columns"):
        read(tmp_path, content.getvalue(), "table.xlsx")


@pytest.mark.parametrize(
    ("text", "value"),
    [("41", 41), ("2,0", 2), ("2.5", 2.5), ("−3", -3), ("1 234", 1234), ("1\xa0234,5", 1234.5), ("0,125", 0.125),
     ("1234", 1234), ("12,3456", 12.3456), ("1,2340", 1.234), ("+7", 7), ("1e3", 1000)],
)  # fmt: skip
def test_numbers(text, value):
    assert read_number(text) == value


@pytest.mark.parametrize("text", ["1,234", "1.234", "-12.000"])
def test_a_number_with_two_meanings_is_refused(text):
    with pytest.raises(ValueError, match=r"is either -?\d+ or a fraction; write"):
        read_number(text)


@pytest.mark.parametrize("text", ["l8", "1_000", "1.234,5", "1,234,567", "nan", "inf", "9" * 5000, ""])
def test_no_number(text):
    with pytest.raises(ValueError, match="is not a number"):
        read_number(text)
