"""The language that an experiment asks for, and files for programs, which are English in every language."""

import json

import pytest
from support.runs import play

import balance
from balance.foundation.catalogues import using
from balance.foundation.language import current

pytestmark = pytest.mark.usefixtures("undrawn", "english")


@pytest.fixture
def english():
    """Bring the language of the process back after the test."""
    with using("en"):
        yield


@pytest.fixture(scope="module")
def polish_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("polish")
    return play(folder / "run", game="na-grunwald", players=[2], games=12, log="trace", lang="pl")


def test_reports_and_replays_are_in_the_language_of_the_experiment(polish_run, cli, tmp_path):
    """A language on the command line goes before."""
    cli("report --quiet", polish_run, "--out", tmp_path, status=0)
    assert '<html lang="pl">' in (tmp_path / "index.html").read_text("utf-8")
    cli("report --quiet --lang en", polish_run, "--out", tmp_path, status=0)
    assert '<html lang="en">' in (tmp_path / "index.html").read_text("utf-8")
    for which, words, code in (("0", "", "pl"), ("closest", "", "pl"), ("0", "--lang en", "en")):
        cli(f"replay {words}", polish_run, which, "--html", tmp_path / "game.html", status=0)
        assert f'<html lang="{code}">' in (tmp_path / "game.html").read_text("utf-8")


def test_files_for_programs_stay_english(polish_run, cli, tmp_path):
    targets = tmp_path / "targets.toml"
    targets.write_text('[[targets]]\nmeasure = "seat_win_share"\nleast = 40\nmost = 60\n', encoding="utf-8")
    junit, history = tmp_path / "junit.xml", tmp_path / "history.jsonl"
    cli("check --lang pl", polish_run, targets, "--junit", junit, "--history", history)
    assert "seat_win_share 1st: mean" in junit.read_text("utf-8")
    rows = [json.loads(line) for line in history.read_text("utf-8").splitlines()]
    assert {row["group"] for row in rows} == {"1st", "2nd"}


def test_a_program_chooses_the_language():
    balance.use_language("pl")
    assert current().code == "pl"
    with pytest.raises(balance.UnknownNameError, match="xx"):
        balance.use_language("xx")
