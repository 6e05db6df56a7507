"""Questions on the command line: a sweep without a file, targets of an experiment, tables for programs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from balance.cli.commands import main
from balance.cli.options import Sweep

TARGET = '[[targets]]\nmeasure = "score"\nleast = 1\n'
EXPERIMENT = (
    f'game = "na-grunwald"\nplayers = [2]\nstrategies = ["generalist", "random"]\ngames = 80\n{TARGET}'
)
PLAYED = ["run", "--game", "na-grunwald", "--players", "2", "--strategies", "generalist,random"]


def call(*arguments: object, status: int = 0) -> str:
    """Return the output of a command."""
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == status, done.output
    return done.output


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run of an experiment with a target, and its last lines."""
    folder = tmp_path_factory.mktemp("questions")
    (folder / "mine.toml").write_text(EXPERIMENT)
    return folder, call("run", folder / "mine.toml", "--out", folder / "run")


@pytest.mark.parametrize(
    ("values", "points"),
    [
        ("start.ducats=1..3", ["base", "start.ducats=1", "start.ducats=2"]),
        ("start.ducats=1..5..2", ["base", "start.ducats=1", "start.ducats=5"]),
        ("start.ducats=5,1", ["base", "start.ducats=1", "start.ducats=5"]),
    ],
)
def test_a_sweep_needs_no_file(tmp_path, values, points):
    """Every value, the last one too, is a variant next to base; the value of base is not a separate variant."""
    call(*PLAYED, "--games", 40, "--sweep", values, "--out", tmp_path / "run", "--quiet")
    info = json.loads((tmp_path / "run" / "run.json").read_text())
    assert sorted({cell["variant"] for cell in info["cells"]}) == points


@pytest.mark.parametrize(
    "values",
    [
        "start.ducats",
        "=1..3",
        "start.ducats=",
        "start.ducats=3..1",
        "start.ducats=1..2..0",
        "a=1..9999",
        "a=1..2..3..4",
        "event_deck=../mine.toml",
    ],
)
def test_a_sweep_that_is_none(tmp_path, values):
    """One line shows how to write it."""
    said = call(*PLAYED, "--games", 40, "--sweep", values, "--out", tmp_path / "run", status=2)
    assert "is not a rule key with values, such as start.ducats=1..5" in said
    assert not (tmp_path / "run").exists()


def test_a_path_may_be_swept():
    """Its dots are no range."""
    swept = Sweep().convert('event_deck="../mine.toml"', None, None)
    assert swept == ("event_deck", ["../mine.toml"])


def test_targets_of_the_experiment(run, tmp_path):
    """The run's own targets, those of an experiment file and those of a file of targets are the same."""
    folder, _ = run
    (tmp_path / "targets.toml").write_text(TARGET)
    own = call("check", folder / "run", "--quiet")
    assert own == call("check", folder / "run", folder / "mine.toml", "--quiet")
    assert own == call("check", folder / "run", tmp_path / "targets.toml", "--quiet")


def test_no_targets(tmp_path):
    """One line, and the exit status for checks that cannot be made."""
    call(*PLAYED, "--games", 40, "--out", tmp_path / "run", "--quiet")
    assert "has no [[targets]]" in call("check", tmp_path / "run", status=2)
    (tmp_path / "bare.toml").write_text(EXPERIMENT.replace(TARGET, ""))
    assert "targets" in call("check", tmp_path / "run", tmp_path / "bare.toml", status=2)


def test_tables_for_programs(run):
    """The output is JSON records with the columns of the table."""
    folder, _ = run
    (checked,) = json.loads(call("check", folder / "run", "--json", "--quiet"))
    assert checked["verdict"] == "pass"
    assert checked["low"] < checked["value"] < checked["high"]
    planned = json.loads(call("plan", "--effect", "1", "--players", "2", "--json"))
    assert {row["players"] for row in planned} == {2}
    assert all(row["games"] > 0 for row in planned)
    sweep = [
        *PLAYED,
        "--games",
        80,
        "--sweep",
        "start.ducats=1..3",
        "--out",
        folder / "swept",
        "--quiet",
    ]
    call(*sweep)
    effects = json.loads(
        call(
            "compare", folder / "swept", "--baseline", "base", "--measure", "score", "--json", "--quiet"
        )
    )
    assert {row["variant"] for row in effects} == {"start.ducats=1", "start.ducats=2"}
    assert {"players", "measure", "effect", "low", "high"} <= set(effects[0])


def test_a_file_of_ones_own_is_named_with_its_ending(tmp_path, monkeypatch):
    """The line says so if such a file exists there, for rules, strategies and decks."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text('event_deck = "mine"\n')
    said = "to use your own file, add the ending: mine.toml"
    assert said in call(*PLAYED, "--variant", "mine", "--games", 40, status=1)
    assert said in call(*PLAYED[:-1], "generalist,mine", "--games", 40, status=1)
    (tmp_path / "mine.toml").write_text(
        'extends = "base"\ntitle = "M"\ndescription = "M"\nevent_deck = "mine"\n'
    )
    assert said in call(*PLAYED, "--variant", "mine.toml", "--games", 40, status=1)
    (tmp_path / "mine.toml").unlink()
    assert said not in call(*PLAYED, "--variant", "mine", "--games", 40, status=1)
