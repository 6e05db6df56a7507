"""`balance chances`: games followed round by round, kept in the run, and shown on the page."""

import pytest

import balance
from balance.analysis.chances import ALL, OUT_OF_IT, kept_chances
from balance.report import write_report
from balance.runs.folder import RunFolder
from balance.studies.reruns import follow_chances

pytestmark = pytest.mark.usefixtures("undrawn")
RACE = {
    "game": "examples/known/race",
    "players": [2],
    "strategies": ["random"],
    "seed": 3,
    "log": "rounds",
}


def play(folder, **changes):
    balance.play({**RACE, **changes}, folder, progress=False)
    return RunFolder.open_finished(folder)


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    run = play(tmp_path_factory.mktemp("race") / "run", games=400)
    follow_chances(run, 400)
    return run


def test_followed_games_are_those_of_the_run(followed):
    """Chances learn from scores alone that behind is worse: the loser has less hope than the winner."""
    table = kept_chances(followed).set_index(["measure", "group"])
    assert table["n"][OUT_OF_IT, ALL] == 400
    assert table["value"]["without_hope", "rank 1"] < table["value"]["without_hope", "rank 2"]
    assert balance.open_run(followed.path).chances()["measure"].nunique() == 7


def test_the_page_has_a_row_and_a_section(followed, tmp_path):
    """The row is judged by `hopeless`, the section words the same figure."""
    write_report([followed], tmp_path / "page")
    page = (tmp_path / "page" / "report.md").read_text("utf-8")
    share = kept_chances(followed).set_index(["measure", "group"])["value"][OUT_OF_IT, ALL]
    assert f"a third of the game or more in {share:.1f} (" in page
    assert "Out of it early" in page
    assert (tmp_path / "page" / "tables" / "hope-by-rank.csv").exists()


def test_without_followed_games_the_page_says_how(tmp_path):
    write_report([play(tmp_path / "run", games=20)], tmp_path / "page")
    page = (tmp_path / "page" / "report.md").read_text("utf-8")
    assert "balance chances" in page and "Out of it early" not in page


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": "examples/known/tug", "players": [4]}, "in this game seats win as teams"),
        ({"game": "examples/known/storm"}, "does not apply"),
        ({"game": "examples/known/nim"}, "two rounds or more"),
        ({}, "a cell needs 200 deals"),
    ],
)
def test_what_can_not_be_followed_is_one_line(cli, tmp_path, changes, says):
    run = play(tmp_path / "run", games=10, **changes)
    result = cli("chances", run.path, "--quiet", status=1)
    assert says in result.output and "Traceback" not in result.output
    assert not (run.path / "chances.parquet").exists()


def test_the_command_says_what_it_followed(cli, tmp_path):
    run = play(tmp_path / "run", games=220)
    assert "220 games followed" in cli("chances", run.path, status=0).output.replace("\n", " ")
