"""Tiers on the command line: which are played and which is read."""

import re

import pandas as pd
import pytest
from support.runs import game_of, read_info

import balance

EXPERIMENT = """
game = "na-grunwald"
players = [2]
variants = ["base", "hire-dear"]

[[tiers]]
name = "styles"
strategies = ["generalist", "treasurer"]
games = 40

[[tiers]]
name = "search"
strategies = ["search-2"]
games = 12
"""
TARGETS = '[[targets]]\nmeasure = "decisions"\nleast = 1\n'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(EXPERIMENT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run of both tiers, next to a file of targets."""
    folder = tmp_path_factory.mktemp("tiers")
    (folder / "two.toml").write_text(EXPERIMENT, encoding="utf-8")
    (folder / "targets.toml").write_text(TARGETS, encoding="utf-8")
    balance.play(folder / "two.toml", folder / "run", progress=False)
    return folder / "run"


def games_of(run):
    opened = balance.open_run(run)
    return {tier: len(opened.in_tier(tier).games()) for tier in opened.tiers}


def test_all_tiers_are_played(run):
    """All are played unless some are named; `run.json` names them."""
    assert games_of(run) == {"styles": 80, "search": 24}
    info = read_info(run)
    assert info["tiers"] == ["styles", "search"]
    named = [f"{each['tier']}: {each['name']}" for each in info["strategies"]]
    assert named == ["styles: generalist", "styles: treasurer", "search: search-2"]


def test_a_scale_multiplies_the_games_of_every_tier(cli, file, tmp_path):
    """Each tier keeps its share, in whole deals and at least one; traced games scale too."""
    text = file.read_text(encoding="utf-8").replace("variants", "trace = 10\nvariants", 1)
    file.write_text(text, encoding="utf-8")
    cli("run", file, "--scale", 0.1, "--out", tmp_path / "quick")
    assert games_of(tmp_path / "quick") == {"styles": 8, "search": 4}  # of two variants
    games = balance.open_run(tmp_path / "quick").in_tier("styles").games()
    assert set(games.groupby(["variant", "deal_seed"]).size()) == {2}  # a deal in both seats
    told = read_info(tmp_path / "quick")["experiment"]
    assert told["trace"] == 1


def test_only_the_tiers_that_are_named_are_played(cli, file, tmp_path):
    """They are played in the order of the experiment; its options hold for each."""
    cli("run", file, "--tier", "search", "--out", tmp_path / "one", status=0)
    assert games_of(tmp_path / "one") == {"search": 24}
    cli("run", file, "--tier", "search,styles", "--games", 4, "--out", tmp_path / "two", status=0)
    assert games_of(tmp_path / "two") == {"styles": 8, "search": 8}


def test_a_run_of_one_tier_is_resumed_by_its_file(cli, file, tmp_path):
    """It resumes with the same tier; with another tier it is a different experiment."""
    one = ("run", file, "--tier", "search", "--out", tmp_path / "one")
    cli(*one, status=0)
    cli(*one, "--resume", status=0)
    refused = cli("run", file, "--out", tmp_path / "one", "--resume", status=1)
    assert "experiment.tiers" in refused.output


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--scale", "0.1", "--games", "5"], 2, "--scale multiplies the games of an experiment file"),
        (["--scale", "0"], 2, "0.0 is not in the range"),
        (["--scale", "1000000"], 2, "is not in the range"),
        (["--tier", "serch"], 1, "unknown tier 'serch'; did you mean 'search'? (there are: search, styles)"),
        (["--strategies", "random"], 1, "has [[tiers]], which name the strategies: choose with --tier"),
        (["--lineup", "random,random"], 1, "which name the strategies: choose with --tier"),
        (["--tier", "a,"], 2, "empty name"),
    ],
)
def test_wrong_options_are_one_line(cli, file, tmp_path, options, status, words):
    result = cli("run", file, "--out", tmp_path / "x", *options, status=status)
    assert words in result.output
    assert result.output.strip().splitlines()[-1].startswith("Error: ")
    assert not (tmp_path / "x").exists()


def test_without_a_file_there_is_nothing_to_choose_from(cli, tmp_path):
    """`--tier` needs an experiment, and `plan --tier` a run."""
    played = "run --game na-grunwald --players 2 --strategies random --games 2 --tier x --out"
    assert "[[tiers]] of an experiment file" in cli(played, tmp_path / "x", status=2).output
    assert "--tier needs a RUN" in cli("plan --effect 1 --tier x", status=2).output


def test_reading_is_of_one_tier(cli, run):
    """With few games of stronger players it is the first unless another is named; the output names it."""
    targets = run.parent / "targets.toml"
    for tier, options, n in (("styles", (), 40), ("search", ("--tier", "search"), 12)):
        result = cli("check", run, targets, *options, status=0)
        assert f"Tier {tier} (others: " in result.output
        assert re.search(rf"pass +{n} +\d+ *$", result.output, re.M)
        result = cli("compare", run, "--baseline", "base", "--measure", "score", *options, status=0)
        assert f"Tier {tier} (others: " in result.output
        cli("plan", run, "--effect", 5, *options, status=0)
    for command in ("check", "compare --baseline base", "plan --effect 1"):
        result = cli(f"{command} --tier x", run)
        assert result.exit_code in (1, 2)
        assert "unknown tier 'x'" in result.output


@pytest.mark.usefixtures("undrawn")
def test_the_strongest_with_enough_games_tell(cli, run, tmp_path, monkeypatch):
    """Searchers are no weaker than styles: the page and the checks are theirs; strategies are those of styles."""
    monkeypatch.setattr("balance.runs.strength.TELLING", 12)
    for command in (f"check {{}} {run.parent / 'targets.toml'}", "compare {} --measure score"):
        assert "Tier search (others: styles)" in cli(*command.format(run).split()).output
    assert "Tier styles (" in cli("compare", run, "--measure", "strategy_win_share").output
    cli("report", run, "--out", tmp_path, "--quiet", status=0)
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "the sections show search" in page
    assert "## Strategies, with styles" in page and "## Seats\n" in page
    shares = pd.read_csv(tmp_path / "tables" / "seats.csv")
    assert set(shares["n"]) == {12}


@pytest.mark.long
def test_a_game_of_any_tier_is_told(cli, run):
    """It is found by its number in the run; thoughts of searchers exist only in their tier."""
    result = cli("replay", run, game_of(3, 11), "--thoughts", status=0)
    assert "search-2" in result.output
    assert "considered" in result.output
    plain = cli("replay", run, 3, "--thoughts")
    assert "has no searcher, so there are no thoughts to read" in plain.output
    cli("verify", run, status=0)
