"""A report into a used folder removes only the files of the previous report."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest
from support.errors import refused
from support.runs import play

from balance.foundation.errors import BalanceError
from balance.report import page as report_page
from balance.report.model import Chapter, Section, Table
from balance.report.page import Files, write_page

pytestmark = pytest.mark.usefixtures("undrawn")

OTHER = Files(html="other.html", markdown="other.md", tables=".")


def page(out, *names, files=None, text="x"):
    """Write a page with tables of these names."""
    out.mkdir(exist_ok=True)
    tables = [Table(name, name, pd.DataFrame({"value": [text]})) for name in names]
    chapter = Chapter("title", "subtitle", [Section("section", "Section", tables=tables)])
    write_page([chapter], out, *([files] if files else []))


def files_of(out):
    """Return the names of all files but the list."""
    found = (path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir())
    return {name for name in found if name != report_page.LIST}


def of(*names):
    """Return the files of a page with these tables."""
    return {"index.html", "report.md", *(f"tables/{name}.csv" for name in names)}


@pytest.mark.long
def test_a_report_leaves_no_file_of_the_one_before(tmp_path, cli):
    """After a larger run's report the folder equals a new one."""
    large = play(tmp_path / "large", players=[2, 3], variants=["base", "krzyzacy-hard"], games=8)
    small = play(tmp_path / "small", players=[2], games=8)
    for run, out in ((large, "used"), (small, "used"), (small, "fresh")):
        cli("report", run, "--out", tmp_path / out, "--quiet", status=0)
    used, fresh = tmp_path / "used", tmp_path / "fresh"
    assert files_of(used) == files_of(fresh)
    assert (used / "report.md").read_text() == (fresh / "report.md").read_text()


def test_what_the_user_put_there_or_changed_stays(tmp_path):
    """The user's own files, also in our folders, stay, and so do our files that the user changed."""
    page(tmp_path, "one", "two", "three")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "tables" / "mine.csv").write_text("mine")
    (tmp_path / "tables" / "two.csv").write_text("changed")
    page(tmp_path, "three")
    assert files_of(tmp_path) == of("three", "two", "mine") | {"notes.txt"}
    assert (tmp_path / "tables" / "two.csv").read_text() == "changed"
    page(tmp_path, "four")
    assert files_of(tmp_path) == of("four", "two", "mine") | {"notes.txt"}


def test_a_folder_without_a_list_keeps_all(tmp_path):
    """Any file there may be the user's."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "old.csv").write_text("")
    page(tmp_path, "one")
    page(tmp_path, "two")
    assert files_of(tmp_path) == of("two", "old")


def test_pages_of_two_names_keep_each_others_files(tmp_path):
    """A ladder and a report may share a folder."""
    page(tmp_path, "one")
    page(tmp_path, "ladder", files=OTHER)
    page(tmp_path, "two")
    assert files_of(tmp_path) == {*of("two"), "other.html", "other.md", "ladder.csv"}
    page(tmp_path, "more", files=OTHER)
    assert files_of(tmp_path) == {*of("two"), "other.html", "other.md", "more.csv"}


@pytest.mark.parametrize("moment", range(16))
def test_a_report_that_is_killed_can_be_cleaned_up(tmp_path, monkeypatch, moment):
    """After a stop before any of its writes and removals, the next report removes its files."""
    page(tmp_path, "one", "two")
    count = 0

    def killing(function):
        def call(*arguments, **options):
            nonlocal count
            count += 1
            if count == moment + 1:
                raise KeyboardInterrupt
            return function(*arguments, **options)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(report_page, "replace_file", killing(report_page.replace_file))
        patch.setattr(Path, "unlink", killing(Path.unlink))
        try:
            page(tmp_path, "three", "two", text="y")
        except KeyboardInterrupt:
            assert count == moment + 1
    page(tmp_path, "four")
    assert files_of(tmp_path) == of("four")


@pytest.mark.parametrize(
    "name", ["../outside", "tables/../../outside", "/outside", "a/b/c", "tables/link", "linked/outside", "tables"]
)
def test_a_list_leads_nowhere_else(tmp_path, name):
    """A forged list removes no file outside the folder and follows no link."""
    import hashlib

    out = tmp_path / "out"
    page(out, "one")
    (tmp_path / "outside").write_text("mine")
    digest = hashlib.sha256(b"mine").hexdigest()
    if os.name != "nt":
        (out / "tables" / "link").symlink_to(tmp_path / "outside")
        (out / "linked").symlink_to(tmp_path)
    (out / report_page.LIST).write_text(json.dumps({"index.html": {name: [digest]}}))
    try:
        page(out, "two")
    except BalanceError as error:
        assert "is not a list of report files; remove it" in str(error)
    assert (tmp_path / "outside").read_text() == "mine"
    assert os.name == "nt" or (out / "tables" / "link").is_symlink()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"index.html": 3}', '{"index.html": {"x.csv": 3}}'])
def test_a_damaged_list_is_one_line(tmp_path, text):
    page(tmp_path, "one")
    (tmp_path / report_page.LIST).write_text(text)
    with refused(".report.json"):
        page(tmp_path, "two")
    assert files_of(tmp_path) == of("one")
