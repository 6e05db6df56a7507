"""Names of folders are read literally, and a run stays in its folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from support.runs import digest, play, resume

import balance
from balance.analysis.notable import find_notable
from balance.report.replay import open_replay
from balance.runs.folder import RunFolder

NAMES = ["run*", "r[un]1", "[run1", "run?", "~", "~root", "players=9", "it's", "**", "{run1}"]
WANDERER = """
import os

class Bot:
    def choose(self, observation, options):
        os.chdir({elsewhere!r})
        return 0
"""


@pytest.mark.parametrize(
    "name",
    [*NAMES, pytest.param("r\\*n1", marks=pytest.mark.skipif(os.name == "nt", reason="a separator"))],
)
def test_a_name_is_read_literally(name, tmp_path, monkeypatch):
    """Neighbours whose names a pattern would match are not counted, and the folder has the given name."""
    if os.name == "nt" and set(name) & set("*?"):
        pytest.skip("no such names there")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for neighbour in ("run1", "ru1", "n", "rxn1"):
        play(tmp_path / neighbour, games=4)
    relative = Path(name)
    play(relative, games=6, log="trace")
    assert not (tmp_path / "home").exists()
    run = tmp_path / name
    assert sorted(path.name for path in run.iterdir() if path.is_dir()) == [
        "games",
        "rounds",
        "seats",
        "trace",
    ]
    opened = balance.open_run(relative)
    assert list(opened.games().columns[:4]) == ["game_id", "tier", "variant", "players"]
    assert opened.query("SELECT count(*) AS n, min(players) AS p FROM games").values.tolist() == [[6, 4]]
    assert set(opened.seat_shares()["n"]) == {6}
    assert find_notable(RunFolder.open(relative), "closest").why.endswith("margin of 6 games")
    (tmp_path / "scratch").mkdir()
    assert len(open_replay(relative, 5, tmp_path / "scratch").trace)


def test_a_stop_rule_looks_at_its_own_run(tmp_path):
    """It reads its own files while the run continues."""
    if os.name == "nt":
        pytest.skip("no such names there")
    stop = {"threshold_points": 0.01, "ceiling": 400}
    play(tmp_path / "run1", games=200)
    run = play(tmp_path / "run*", games=200, stop=stop)
    assert len(balance.open_run(run).games()) == 400


def test_a_bot_that_changes_the_folder_does_not_lose_the_run(tmp_path, monkeypatch):
    """Our own working folder does not change either."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "wanderer.py").write_text(WANDERER.format(elsewhere=str(elsewhere)))
    monkeypatch.chdir(tmp_path)
    keys = {"game": "na-grunwald", "players": [2], "strategies": ["wanderer.py:Bot"], "games": 3}
    run = balance.play(keys, out="run")
    assert len(run.games()) == 3
    assert not list(elsewhere.iterdir())
    assert Path.cwd() == tmp_path  # what a bot changes is its own


def test_a_run_is_the_same_under_another_name(tmp_path):
    """It is moved, and repaired there."""
    run = play(tmp_path / "[a]", games=8)
    before = digest(run)
    moved = shutil.move(run, tmp_path / "b")
    next(moved.glob("seats/*.parquet")).unlink()
    resume(moved)
    assert digest(moved) == before
