"""The workbook of a report has the numbers of its CSV tables, and text stays text."""

import openpyxl
import pandas as pd
import pytest

from balance.report.model import Chapter, Section, Table
from balance.report.workbook import write_workbook


def make_chapter(tables):
    return Chapter("A game", "a run", [Section("one", "One", tables=tables)])


def test_it_has_every_table_and_no_formula(tmp_path):
    raw = pd.DataFrame({"name": ["=1+1", "http://x", "\x1b[2J"], "value": [1.5, float("nan"), -2], "n": [1, 2, 3]})
    long = "a-table-whose-name-is-longer-than-a-sheet-may-be"
    tables = [Table("first", "First.", raw), Table(long, "Long.", raw), Table(long + "-2", "Longer.", raw)]
    path = write_workbook([make_chapter(tables)], tmp_path)
    book = openpyxl.load_workbook(path)
    contents = list(book["contents"].iter_rows(min_row=2, values_only=True))
    assert [row[2] for row in contents] == ["First.", "Long.", "Longer."]
    assert [row[0] for row in contents] == book.sheetnames[1:] and len(set(book.sheetnames)) == 4
    cells = list(book["first"].iter_rows(values_only=True))
    assert cells[0] == ("name", "value", "n")
    assert cells[1:] == [("=1+1", 1.5, 1), ("http://x", None, 2), ("\\x1b[2J", -2, 3)]
    assert all(cell.data_type == "s" for cell in book["first"]["A"])


def test_a_text_longer_than_a_cell_is_cut_and_the_rows_below_it_stay(tmp_path):
    raw = pd.DataFrame({"x" * 40_000: ["a", "b" * 40_000, "c"]})
    path = write_workbook([make_chapter([Table("first", "F" * 40_000, raw)])], tmp_path)
    sheet = openpyxl.load_workbook(path)["first"]
    cells = [cell.value for cell in sheet["A"]]
    assert [len(each) for each in cells] == [32_767, 1, 32_767, 1] and cells[2].endswith("b…")


@pytest.mark.slow
def test_a_report_writes_it_when_asked(whole_run, tmp_path, cli):
    cli("report", whole_run, "--out", tmp_path / "page", "--xlsx", "--quiet", status=0)
    book = openpyxl.load_workbook(tmp_path / "page" / "tables.xlsx")
    seats = pd.DataFrame(list(book["seats"].values)[1:], columns=[cell.value for cell in book["seats"][1]])
    csv = pd.read_csv(tmp_path / "page" / "tables" / "seats.csv")
    pd.testing.assert_frame_equal(seats, csv, check_dtype=False, rtol=1e-6)


@pytest.fixture
def whole_run(tmp_path):
    from support.runs import play

    return play(tmp_path / "run", players=[2], games=40)
