"""Questions on the command line: a sweep without a file, targets of an experiment, tables for programs."""

import json

import pytest
from support.runs import read_info

import balance
from balance.cli.options import Sweep

TARGET = '[[targets]]\nmeasure = "score"\nleast = 1\n'
BARE = 'game = "na-grunwald"\nplayers = [2]\nstrategies = ["generalist", "random"]\ngames = 80\n'
PLAYED = "run --game na-grunwald --players 2 --strategies generalist,random --quiet --games 40"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with an experiment that has a target, and its run."""
    path = tmp_path_factory.mktemp("questions")
    (path / "mine.toml").write_text(BARE + TARGET)
    balance.play(path / "mine.toml", path / "run", progress=False)
    return path


@pytest.mark.parametrize(
    ("values", "points"),
    [
        ("start.ducats=1..3", ["base", "start.ducats=1", "start.ducats=2"]),
        ("start.ducats=1..5..2", ["base", "start.ducats=1", "start.ducats=5"]),
        ("start.ducats=5,1", ["base", "start.ducats=1", "start.ducats=5"]),
    ],
)
def test_a_sweep_needs_no_file(cli, tmp_path, values, points):
    """Every value, the last one too, is a variant next to base; the value of base is not a separate variant."""
    cli(PLAYED, "--sweep", values, "--out", tmp_path / "run", status=0)
    info = read_info(tmp_path / "run")
    assert sorted({cell["variant"] for cell in info["cells"]}) == points


@pytest.mark.parametrize(
    "values",
    [
        "start.ducats", "=1..3", "start.ducats=", "start.ducats=3..1", "start.ducats=1..2..0", "a=1..9999",
        "a=1..2..3..4", "event_deck=../mine.toml",
    ],
)  # fmt: skip
def test_a_sweep_that_is_none(cli, tmp_path, values):
    """One line shows how to write it."""
    result = cli(PLAYED, "--sweep", values, "--out", tmp_path / "run", status=2)
    assert "is not a rule key with values, such as start.ducats=1..5" in result.output
    assert not (tmp_path / "run").exists()


def test_a_path_may_be_swept():
    """Its dots are no range."""
    swept = Sweep().convert('event_deck="../mine.toml"', None, None)
    assert swept == ("event_deck", ["../mine.toml"])


def test_targets_of_the_experiment(cli, folder, tmp_path):
    """The run's own targets, those of an experiment file and those of a file of targets are the same."""
    (tmp_path / "targets.toml").write_text(TARGET)
    own = cli("check --quiet", folder / "run", status=0).output
    for targets in (folder / "mine.toml", tmp_path / "targets.toml"):
        assert cli("check --quiet", folder / "run", targets).output == own


def test_no_targets(cli, tmp_path):
    cli(PLAYED, "--out", tmp_path / "run", status=0)
    assert "has no [[targets]]" in cli("check", tmp_path / "run", status=2).output
    (tmp_path / "bare.toml").write_text(BARE)
    assert "targets" in cli("check", tmp_path / "run", tmp_path / "bare.toml", status=2).output


def test_tables_for_programs(cli, folder):
    """The output is JSON records with the columns of the table."""
    (checked,) = json.loads(cli("check --json --quiet", folder / "run").output)
    assert checked["verdict"] == "pass"
    assert checked["low"] < checked["value"] < checked["high"]
    planned = json.loads(cli("plan --effect 1 --players 2 --json").output)
    assert {row["players"] for row in planned} == {2}
    assert all(row["games"] > 0 for row in planned)
    cli(PLAYED, "--sweep", "start.ducats=1..3", "--out", folder / "swept", status=0)
    asked = "compare --baseline base --measure score --json --quiet"
    effects = json.loads(cli(asked, folder / "swept").output)
    assert {row["variant"] for row in effects} == {"start.ducats=1", "start.ducats=2"}
    assert {"players", "measure", "effect", "low", "high"} <= set(effects[0])


def test_a_file_of_ones_own_is_named_with_its_ending(cli, tmp_path, monkeypatch):
    """The line says so if such a file exists there, for rules, strategies and decks."""
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine.toml"
    mine.write_text('event_deck = "mine"\n')
    said = "to use your own file, add the ending: mine.toml"
    assert said in cli(PLAYED, "--variant", "mine", status=1).output
    assert said in cli(PLAYED, "--strategies", "generalist,mine", status=1).output
    mine.write_text('extends = "base"\ntitle = "M"\ndescription = "M"\nevent_deck = "mine"\n')
    assert said in cli(PLAYED, "--variant", "mine.toml", status=1).output
    mine.unlink()
    assert said not in cli(PLAYED, "--variant", "mine", status=1).output


@pytest.mark.parametrize(
    ("options", "players"),
    [
        (["--lineup", "random,random,random", "--lineup", "random,random"], [2, 3]),
        (["--strategies", "random"], [2, 3, 4]),
    ],
)
def test_player_counts_follow_from_line_ups_or_the_game(cli, tmp_path, options, players):
    cli("run --game na-grunwald --games 6 --quiet", *options, "--out", tmp_path / "run", status=0)
    cells = read_info(tmp_path / "run")["cells"]
    assert sorted({cell["players"] for cell in cells}) == players
