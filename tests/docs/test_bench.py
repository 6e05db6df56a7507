"""The figures of docs/speed.md are those measured, and the bench still measures them."""

import subprocess
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest
from bench import against, c_baseline, environments, live, oracles, playing
from bench.record import Figure, Record
from bench.sizes import TINY
from bench.tables import PLAYING, READING, playing_table, reading_table, with_tables

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def kept() -> Record:
    """Return the figures stored in docs."""
    return Record.from_json((ROOT / "docs" / "bench.json").read_text(encoding="utf-8"))


def test_tables_of_the_page_are_made_from_the_figures(kept):
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    assert with_tables(page, kept) == page
    for table in (playing_table(kept), reading_table(kept)):
        assert f"-->\n{table}\n<!-- end -->" in page


def test_every_row_of_a_table_has_its_figure(kept):
    """A renamed figure in the bench would leave cells empty."""
    names = {figure.name for figure in kept.figures}
    assert {row.name for row in (*PLAYING, *READING) if not row.optional} <= names
    assert {row.ratio_from for row in PLAYING if row.ratio_from} <= names


def test_figures_come_back_from_json_as_they_were(kept):
    figures = [Figure("a", 1.5, "s"), Figure("a", 2, "MiB", 0.25, "this / b")]
    record = Record("2026-01-31", "0123abc", 2, "Linux", {"python": "3.11.7"}, figures)
    assert Record.from_json(record.to_json()) == record
    assert Record.from_json(kept.to_json()) == kept


def test_a_record_is_compared_with_the_one_before():
    """A figure that the other lacks has no change."""
    old = Record("2026-01-30", "0000abc", 2, "Linux", {"python": "3.11.7"}, [Figure("a", 2, "s")])
    new = Record(
        "2026-01-31", "0123abc", 2, "Linux", {"python": "3.11.7"}, [Figure("a", 1, "s"), Figure("a", 1, "MiB")]
    )
    found = new.compared_with(old)
    assert [figure.change for figure in found.figures] == [0.5, None]
    assert found.before == "2026-01-30, commit 0000abc"
    assert Record.from_json(found.to_json()) == found


def test_a_table_without_its_markers_is_an_error(kept):
    """An unchanged page would hide the missing markers."""
    with pytest.raises(ValueError, match="one block"):
        with_tables("# balance\n", kept)


@pytest.mark.long
def test_what_plays_is_measured_under_the_names_that_are_kept(kept):
    """A few games of every kind play, so `make bench` does not fail after half an hour."""
    measured = list(
        chain(
            playing.all_levels(TINY),
            oracles.polska_speeds(TINY),
            oracles.na_grunwald_speed(TINY),
            oracles.grody_speeds(TINY),
            oracles.korona_speeds(TINY),
            playing.searchers(TINY),
            playing.thinkers(TINY),
            playing.two_workers(TINY),
        )
    )
    assert all(figure.value > 0 for figure in measured)
    played = [figure for figure in kept.figures if not figure.name.startswith("environment")]
    expected = [each for each in played if each.unit.endswith("/s") and not each.name.endswith(playing.WHOLE)]
    assert names_of(measured) == names_of(each for each in expected if c_baseline.C not in each.name)


def names_of(figures: Iterable[Figure]) -> list[tuple[str, str, str]]:
    """Return the names of figures, with the units and what their ratios are of."""
    return [(each.name, each.unit, each.ratio_of) for each in figures]


@pytest.mark.long
def test_a_revision_is_compared_with_itself(monkeypatch):
    """Its own commands play in a folder of their own, which is gone afterwards."""
    monkeypatch.setattr(against, "PLAYERS", against.PLAYERS[:1])
    (figure,) = against.all_against("HEAD", TINY)
    assert figure.ratio_of == "this / HEAD" and figure.ratio > 0
    listed = subprocess.run(["git", "worktree", "list"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "/before " not in listed.stdout


@pytest.mark.long
@pytest.mark.slow
def test_a_line_of_try_is_timed():
    """The first grid takes longer, because Python starts and code is loaded."""
    first, (line,) = live.grid_times(2, ("champion",), 1)
    assert 0 < line < first


def test_the_command_starts():
    """`make bench` runs it from the folder of the project."""
    done = subprocess.run([sys.executable, "tools/bench", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "make bench" in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["na_grunwald", "polska", "grody", "korona"])
def test_oracles_play(name):
    """The bench answers all their questions, chance included."""
    assert getattr(oracles, f"{name}_oracle")(0.01)() > 0


@pytest.mark.long
def test_environments_are_measured():
    """Each of ours steps; other libraries are measured where they are installed."""
    figures = list(environments.environments(TINY.environment_seconds))
    assert len(figures) >= 9 and all(figure.value > 0 for figure in figures)
