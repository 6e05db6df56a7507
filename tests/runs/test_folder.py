"""A run folder: its content in `run.json` and tables, read by the Python API, under any name."""

import json
import os
import shutil
from pathlib import Path

import pandas as pd
import pytest
from support.errors import refused
from support.runs import digest, edit_info, play, read_info, read_rows, resume

import balance
from balance.analysis.notable import find_notable
from balance.contract.game import get_game
from balance.foundation.errors import BalanceError
from balance.report import write_report
from balance.report.replay import open_replay
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")


def test_run_json_keeps_base_and_tiers(tmp_path):
    """Base's resolved rules are stored even if only another variant was played."""
    run = play(tmp_path / "run", variants=["krzyzacy-hard"], games=4)
    info = read_info(run)
    assert info["schema_version"] == 4
    assert info["tiers"] == ["main"]
    assert list(info["variants"]) == ["krzyzacy-hard"]
    assert info["base"]["krzyzacy"]["bonus"] == {"2": 2, "3": 4, "4": 6}
    opened = RunFolder.open(run).plan.base
    assert opened.model_dump(by_alias=True) == info["base"]


def test_what_a_variant_changes_is_said_against_the_runs_own_base(tmp_path):
    """A report does not read the package's TOML, so a later change of base does not affect an old run."""
    run = play(tmp_path / "run", variants=["base"], games=8)
    path = run / "run.json"
    info = json.loads(path.read_text(encoding="utf-8"))
    info["base"]["start"]["ducats"] = 9
    path.write_text(json.dumps(info), encoding="utf-8")
    write_report([RunFolder.open_finished(run)], tmp_path / "out")
    rules = pd.read_csv(tmp_path / "out" / "tables" / "rules.csv")
    (changed,) = rules.to_dict("records")
    assert changed == {"variant": "base", "rule": "start.ducats", "base": 9, "here": 3}


def test_what_a_turn_draws_belongs_to_its_round(tmp_path):
    """The last seat's draws come before the round's number increases (Polska; schema 3)."""
    profiles = get_game("polska").shipped("profiles")
    keys = {"game": "polska", "players": [3], "strategies": profiles, "games": 12}
    trace = read_rows(play(tmp_path / "run", log="trace", **keys), "trace")
    trace = trace.sort_values(["game_id", "step"])
    drawing = (trace["seat"] < 0) & trace["label"].str.startswith("draw")
    taken = trace["round"].where(trace["seat"] >= 0).groupby(trace["game_id"]).ffill()
    last_seat = trace["seat"].where(trace["seat"] >= 0).groupby(trace["game_id"]).ffill() == 2
    assert (drawing & last_seat).sum() > 20
    assert (trace["round"] == taken)[drawing].all()
    assert (trace.groupby("game_id")["round"].diff().dropna() >= 0).all()


def test_tables_and_sql(traced_run):
    """Frames equal the rows of the files, for filters and SQL too."""
    run = balance.open_run(traced_run)
    everything = len(read_rows(traced_run, "games"))
    assert len(run.games()) == everything == run.query("SELECT count(*) AS n FROM games")["n"][0]
    part = run.seats(variant="krzyzacy-hard", players=3)
    assert set(part["variant"]) == {"krzyzacy-hard"}
    assert len(part) == 24 * 3
    assert run.query("SELECT * FROM trace LIMIT 3").shape[0] == 3
    assert run.info["game"] == "na-grunwald"


def test_a_run_still_being_written_can_be_looked_into(traced_run, tmp_path):
    """Finished parts are visible; temporary files do not count as parts."""
    run = tmp_path / "run"
    shutil.copytree(traced_run, run)
    edit_info(run, status="running")
    (run / "games" / ".cell000-000000009.parquet.tmp").write_bytes(b"PAR1")
    assert len(balance.open_run(run).games()) == 6 * 24


def test_mistakes_are_one_line(traced_run, tmp_path):
    """No run, no such variant and wrong SQL give one line each."""
    with pytest.raises(BalanceError, match="is not a run folder"):
        balance.open_run(tmp_path)
    run = balance.open_run(traced_run)
    with pytest.raises(BalanceError, match="unknown variant 'bass'; did you mean 'base'"):
        run.games(variant="bass")
    with refused("crowns"):
        run.query("SELECT crowns FROM seats")


NAMES = ["run*", "r[un]1", "[run1", "run?", "~", "~root", "players=9", "it's", "**", "{run1}"]
WANDERER = """
import os

class Bot:
    def choose(self, observation, options):
        os.chdir({elsewhere!r})
        return 0
"""


@pytest.fixture(scope="module")
def neighbours(tmp_path_factory):
    """Return a folder with runs whose names a pattern would match."""
    folder = tmp_path_factory.mktemp("neighbours")
    for name in ("run1", "ru1", "n", "rxn1"):
        play(folder / name, games=4)
    return folder


@pytest.mark.parametrize(
    "name", [*NAMES, pytest.param("r\\*n1", marks=pytest.mark.skipif(os.name == "nt", reason="a separator"))]
)
def test_a_name_is_read_literally(name, neighbours, tmp_path, monkeypatch):
    """Neighbours whose names a pattern would match are not counted, and the folder has the given name."""
    if os.name == "nt" and set(name) & set("*?"):
        pytest.skip("no such names there")
    monkeypatch.chdir(neighbours)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    relative, run = Path(name), neighbours / name
    play(relative, games=6, log="trace")
    assert {path.name for path in (tmp_path / "home").glob("*")} <= {".cache"}
    tables = sorted(path.name for path in run.iterdir() if path.is_dir())
    assert tables == ["games", "rounds", "seats", "trace"]
    opened = balance.open_run(relative)
    assert list(opened.games().columns[:4]) == ["game_id", "tier", "variant", "players"]
    assert opened.query("SELECT count(*) AS n, min(players) AS p FROM games").values.tolist() == [[6, 4]]
    assert set(opened.seat_shares()["n"]) == {6}
    assert find_notable(RunFolder.open(relative), "closest").why.endswith("margin of 6 games")
    (tmp_path / "scratch").mkdir()
    assert len(open_replay(relative, 5, tmp_path / "scratch").trace)


def test_a_stop_rule_looks_at_its_own_run(tmp_path):
    """It reads its own files while the run continues."""
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
    run = play(tmp_path / "[a]", games=8)
    before = digest(run)
    moved = shutil.move(run, tmp_path / "b")
    next(moved.glob("seats/*.parquet")).unlink()
    resume(moved)
    assert digest(moved) == before
