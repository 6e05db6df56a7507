"""A run opened in Python: the user's own means, tables of single sections, points of a sweep."""

import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest
from support.runs import play

import balance
from balance.foundation.errors import BalanceError
from balance.foundation.progress import SILENCE
from balance.report import write_report
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def run(traced_run):
    return balance.open_run(traced_run)


def test_a_mean_of_ones_own_is_that_of_the_rows(run):
    """Any column works, with n and deals; a share is in percent and has an interval at 0."""
    found = run.mean("score", ["strategy"]).set_index(["players", "variant", "strategy"])
    rows = run.seats().merge(run.games()[["game_id", "deal_seed"]])
    expected = rows.groupby(["players", "variant", "strategy"]).agg(
        value=("score", "mean"), n=("score", "size"), decks=("deal_seed", "nunique")
    )
    assert len(found) == len(expected)
    for column in expected:
        assert found[column].to_numpy() == pytest.approx(expected[column].loc[found.index].to_numpy())
    assert ((found["low"] < found["value"]) & (found["value"] < found["high"])).all()
    never = run.mean("(score < -1000)::INT", share=True)
    assert (never["value"] == 0).all()
    assert never["high"].between(0, 100, inclusive="neither").all()


def test_a_seats_mean_is_the_tables(run):
    """The figures equal `seat_shares`; the two halves of the deals divide them."""
    columns = ["players", "variant", "seat", "value", "low", "high", "n"]
    own, table = run.mean("win_share", ["seat"], share=True), run.seat_shares()
    assert own[columns].to_numpy(object).tolist() == table[columns].to_numpy(object).tolist()
    halves = run.mean("win_share", ["seat", "half"], share=True)
    assert set(halves["half"]) == {0, 1}
    assert halves["n"].sum() == own["n"].sum()


def test_what_a_game_has_once_counts_once(run):
    """Seats with a NULL value do not count."""
    margin = run.mean("CASE WHEN seat = 0 THEN margin END")
    table = run.measures(["margin"])
    assert margin["value"].tolist() == table["value"].tolist()
    assert margin["n"].tolist() == table["n"].tolist()


@pytest.mark.parametrize(
    ("value", "by", "words"),
    [
        ("nosuch", [], '"nosuch" not found'),
        ("score", ["nosuch"], '"nosuch" not found'),
        ("score)", [], "syntax error"),
        ("strategy", [], "Could not convert"),
    ],
)
def test_a_mistake_in_sql_is_one_line(run, value, by, words):
    with pytest.raises(BalanceError, match=words) as found:
        run.mean(value, by)
    assert "\n" not in str(found.value)
    assert "resume" not in str(found.value)


def test_what_is_no_share_is_refused(run):
    with pytest.raises(BalanceError, match="score is not a share"):
        run.mean("score", share=True)


@pytest.mark.long
@pytest.mark.slow
def test_tables_of_a_section_are_those_of_the_page(run, traced_run, tmp_path):
    """Their names are those of the CSV files, also for the game's own sections."""
    write_report([RunFolder.open_finished(traced_run)], tmp_path)
    for section in ("scores", "ties", "events", "rules"):
        tables = run.tables(section)
        assert tables
        for name, table in tables.items():
            (csv,) = tmp_path.rglob(f"{name}.csv")
            header, *lines = csv.read_text(encoding="utf-8-sig").splitlines()
            assert header.split(",") == [str(column) for column in table.columns]
            assert len(lines) >= len(table)


def test_points_of_a_sweep(run, tmp_path):
    """Lists are words, numbers are numbers; a run that is not a sweep has none."""
    assert run.points.empty
    sweep = {"start.ducats": [[3, 4], 3], "rounds": [7]}
    swept = balance.open_run(play(tmp_path / "run", players=[2], games=2, sweep=sweep))
    points = swept.points
    assert sorted(points) == ["rounds", "start.ducats", "variant"]
    assert points["rounds"].tolist() == [7, 7]
    assert [str(value) for value in points["start.ducats"]] == ["[3, 4]", "3"]
    merged = swept.seat_shares().merge(points, on="variant")
    assert set(merged["variant"]) == set(points["variant"])


def test_copies_of_an_event_have_their_own_rows(tmp_path):
    """Each has its own effect in every table, also by strategy."""
    path = tmp_path / "run"
    keys = {"strategies": ["random", "treasurer"], "games": 60, "sweep": {"event_deck": ["harsh"]}}
    run = balance.open_run(play(path, players=[2], **keys))
    tables = run.tables("events")
    events = tables["events"].query("variant != 'base' and measure == 'score'")
    assert len(events) == events["event"].nunique() == 10
    assert {"Tax", "Tax, copy 2"} <= set(events["event"])
    assert len(tables["events-strategies"].query("variant != 'base'")) == 2 * 10


@pytest.mark.parametrize("module", ["balance.run", "balance.report.replay.page"])
def test_a_run_opens_without_drawing(module):
    """Drawing code is imported only when something is drawn; a replay is not."""
    code = f"import sys, {module}; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_package_shows_its_public_names_alone():
    """`dir(balance)` and `from balance import *` agree, and every name is there."""
    assert dir(balance) == sorted(balance.__all__)
    assert all(hasattr(balance, name) for name in balance.__all__)


def test_errors_say_what_kind_they_are(traced_run, tmp_path):
    """A wrong name and a damaged run have their own error types."""
    keys = {"game": "na-grunwald", "players": [4], "strategies": ["random"], "games": 2}
    with pytest.raises(balance.UnknownNameError, match="did you mean 'base'"):
        balance.play({**keys, "variants": ["bse"]}, tmp_path / "run")
    damaged = tmp_path / "damaged"
    shutil.copytree(traced_run, damaged)
    next((damaged / "games").glob("*.parquet")).write_bytes(b"")
    with pytest.raises(balance.DamagedRunError):
        write_report([RunFolder.open_finished(damaged)], tmp_path / "out")


def test_progress_can_be_switched_off(tmp_path, monkeypatch):
    """No bar is drawn, even on a terminal."""
    shown = []

    @contextmanager
    def bar(quiet):
        shown.append(not quiet)
        yield SILENCE

    monkeypatch.setattr("balance.cli.terminal.show_progress", bar)
    keys = {"game": "na-grunwald", "players": [2], "strategies": ["random"], "games": 2}
    run = balance.play(keys, tmp_path / "run", progress=False)
    assert run.query("SELECT count(*) AS n FROM games")["n"].tolist() == [2]
    balance.play_on(tmp_path / "run", 4)
    assert shown == [False, True]
