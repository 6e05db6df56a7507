"""Drawings saved by a second process: the same files as by the first, whatever happens to the second."""

from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib
import pytest
from support.runs import play

from balance.foundation.catalogues import using
from balance.report import write_report
from balance.report.figures import saving
from balance.report.figures.sheet import STYLE, finish, sheet
from balance.runs.folder import RunFolder

second_process = saving.second_process  # before a fixture replaces it


@contextmanager
def helped() -> Iterator[saving.Helper]:
    """Save in a second process, and return it."""
    with second_process():
        helper = saving.HELPER.get()
        assert helper is not None
        yield helper


def drawn(label: str = "score, 1.5 points"):
    """Draw a figure in the style of reports."""
    with matplotlib.rc_context(STYLE):
        drawing, axes = sheet(1, 2, (5, 3))
        axes[0, 0].plot([0.0, 0.5, 1.0], [1.0, 3.5, 2.0], label=label)
        axes[0, 1].bar([1, 2], [3, 4], hatch="///", label="ż")
        return finish(drawing, "figure", "A figure.", "Two panels.")


@pytest.fixture(scope="module", autouse=True)
def two_cores() -> Iterator[None]:
    """Save in two processes on every machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.cpu_count", lambda: 2)
        yield


@pytest.mark.parametrize("language", ["en", "pl"])
def test_a_second_process_writes_the_same_files(language):
    with using(language):
        alone = drawn()
        with helped():
            figure = drawn()
            ordered = figure.saved.ordered
            assert ordered.result(timeout=60) == (alone.svg, alone.png)
        assert (figure.svg, figure.png) == (alone.svg, alone.png)
    assert (b"0,5" in alone.svg) == (language == "pl")


def test_the_style_of_the_user_counts_in_both_processes():
    with matplotlib.rc_context({"font.family": "monospace", "lines.linewidth": 7}):
        alone = drawn()
        with helped():
            assert drawn().saved.ordered.result(timeout=60) == (alone.svg, alone.png)
    assert alone.svg != drawn().svg


def test_what_waits_is_saved_at_once_by_this_process():
    alone = drawn()
    with helped():
        figures = [drawn() for _ in range(3)]
        last = figures[-1].saved
        assert (figures[-1].svg, figures[-1].png) == (alone.svg, alone.png)
        assert last.ordered.cancelled()
        assert {figure.svg for figure in figures} == {alone.svg}


def test_a_second_process_that_ends_early_loses_nothing():
    alone = drawn()
    with helped() as helper:
        helper.process.kill()
        helper.process.wait()
        figures = [drawn() for _ in range(2)]
        assert [(figure.svg, figure.png) for figure in figures] == 2 * [(alone.svg, alone.png)]


def test_what_cannot_be_sent_is_saved_here():
    def figure():
        with matplotlib.rc_context(STYLE):
            drawing, axes = sheet(1, 1, (3, 3))
            axes[0, 0].xaxis.set_major_formatter(lambda x, _: f"<{x:g}>")
            return finish(drawing, "figure", "A figure.", "One panel.")

    alone = figure()
    with helped():
        found = figure()
        assert found.saved.ordered is None
        assert found.svg == alone.svg


def test_a_machine_with_one_core_has_no_second_process(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    with second_process():
        assert saving.HELPER.get() is None


def test_a_machine_that_starts_no_process_saves_in_this_one(monkeypatch):
    monkeypatch.setattr("sys.executable", "/no/such/python")
    with second_process():
        assert saving.HELPER.get() is None
        assert drawn().svg.startswith(b"<?xml")


@pytest.mark.long
def test_a_report_with_two_processes_has_the_files_of_one(tmp_path, monkeypatch):
    run = RunFolder.open(play(tmp_path / "run", strategies=["generalist", "random"], games=48))
    write_report([run], tmp_path / "one")
    monkeypatch.setattr(saving, "second_process", second_process)
    write_report([run], tmp_path / "two")
    one, two = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two
    assert sum(path.suffix == ".svg" for path in one) > 3
