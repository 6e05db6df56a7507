"""`balance games`, `balance examples` and `balance new`: what there is, and files to start from, ready to play."""

import json
import re
import shlex
from pathlib import Path

import pytest

import balance
from balance.cli.listing import KINDS
from balance.contract.game import find_games
from balance.experiments import drafts
from balance.experiments.experiment import read_experiment
from balance.experiments.measures import all_measures
from balance.experiments.planning import make_plan
from balance.experiments.rule_keys import list_keys

GAMES = find_games()
SHIPPED = Path(__file__).resolve().parents[2] / "data" / "experiments"


def test_all_games(cli):
    """It lists the names of everything that can be played and chosen."""
    result = cli("games", status=0)
    for game in GAMES.values():
        assert f"{game.name}: {game.title}" in result.output
    assert re.search(r"strategies +random, expert, champion, crown-commander", result.output)


@pytest.mark.parametrize("name", GAMES)
def test_one_game_fits_a_terminal(cli, name):
    """Every key, file and measure begins a line of at most 80 columns without trailing blanks."""
    result = cli("games", name, status=0)
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    starts = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    game = GAMES[name]
    names = [key.name for key in list_keys(game)]
    names += [each for kind in game.data_folders() for each in game.shipped(kind)]
    assert not {*names, "random", *(measure.name for measure in all_measures(game))} - set(starts)


def test_a_key_is_explained(cli):
    """It shows meaning, value in base, range, and whether it may be set by seat or player count."""
    told = " ".join(cli("games", "na-grunwald").output.split())
    assert "krzyzacy.bonus strength added to the two cards of the Krzyżacy (KRZ-1) " in told
    assert "[base: 2, 4, 6 with 2, 3, 4 players; may be: -8 to 50; by player count]" in told
    assert "[base: 3; may be: 0 to 50; also by seat or player count]" in told
    assert "plunder points plundered [points]" in told


def test_for_programs(cli):
    every = json.loads(cli("games", "--json").output)
    assert [game["game"] for game in every] == list(GAMES)
    assert every[0]["variants"] == GAMES[every[0]["game"]].shipped("variants")
    one = json.loads(cli("games", "polska", "--json").output)
    (dice,) = (key for key in one["keys"] if key["key"] == "dice")
    assert (dice["base"], dice["least"], dice["most"], dice["by"]) == (7, 1, 7, [])
    five = {"name": "five-dice", "about": "Five dice are rolled at a time: fewer to choose from."}
    assert five in one["variants"]
    assert "champion" in [strategy["name"] for strategy in one["strategies"]]
    assert {"seat_win_share", "markers"} <= {measure["name"] for measure in one["measures"]}


def test_an_unknown_game_is_one_line(cli):
    result = cli("games", "na-grunwlad", status=1)
    assert result.output.startswith("Error: unknown game 'na-grunwlad'; did you mean 'na-grunwald'?")
    assert len(result.output.splitlines()) == 1


def test_all_experiments_are_listed_with_what_they_are_about(cli):
    """Each has one line, from the comment at the head of the file."""
    result = cli("examples", status=0)
    for path in SHIPPED.glob("*.toml"):
        about = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert len(about) > 20
        assert f"{path.name}: {about}\n" in result.output


def test_copies_of_experiments_are_the_same_and_can_be_played(cli, tmp_path):
    """The folder is made, every copy is named, and its plan can be made at its new place."""
    folder = tmp_path / "a" / "mine"
    result = cli("examples", folder, status=0)
    assert sorted(path.name for path in folder.iterdir()) == sorted(p.name for p in SHIPPED.iterdir())
    for path in folder.iterdir():
        assert f"copied: {path}\n" in result.output
        assert path.read_bytes() == (SHIPPED / path.name).read_bytes()
        assert make_plan(read_experiment(path), folder, str(path)).cells


def test_nothing_is_written_over(cli, tmp_path):
    """If one file exists already, one line is printed and no file changes."""
    (tmp_path / "polska.toml").write_text("mine", encoding="utf-8")
    result = cli("examples", tmp_path, status=1)
    assert result.output.count("\n") == 1
    assert "polska.toml exists already; nothing was copied" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["polska.toml"]
    assert (tmp_path / "polska.toml").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be_made(cli, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = cli("examples", tmp_path / "file" / "mine", status=1)
    assert "cannot write" in result.output and result.output.count("\n") == 1


def test_the_kinds_are_known_to_help():
    """Help lists the kinds without importing the code that writes them."""
    assert (*drafts.KINDS, "game") == KINDS


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in drafts.KINDS if kind != "playtest"])
def test_what_is_written_can_be_played(kind, cli, tmp_path, monkeypatch):
    """The printed command plays it, here with fewer games."""
    monkeypatch.chdir(tmp_path)
    result = cli("new", kind, "mine", "--game", "na-grunwald", status=0)
    written, line = result.stdout.splitlines()
    (path,) = tmp_path.iterdir()
    assert written == f"written: {path.name}"
    words = shlex.split(line.removeprefix("next: balance "))
    out = words[words.index("--out") + 1] if "--out" in words else "runs/mine"
    cli(*words, "--games", 4, "--quiet", status=0)
    run = balance.open_run(tmp_path / out)
    assert set(run.games()["players"]) == {2, 3, 4}
    cell = run.games().groupby("players").size().iloc[0]
    own = {"variant": {"mine"}, "deck": {"event_deck=mine.toml"}}
    variants = {"base", *own.get(kind, ())}
    assert set(run.games()["variant"]) == variants and cell == 4 * len(variants)
    if kind in ("strategy", "bot"):
        assert any("mine" in name.lower() for name in run.seats()["strategy"])


def test_a_file_that_is_there_stays(cli, tmp_path, monkeypatch):
    """A file behind a link stays too; one line reports it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text("mine")
    (tmp_path / "link.toml").symlink_to(tmp_path / "elsewhere")
    for name in ("mine", "link"):
        result = cli("new", "variant", name, "--game", "polska")
        assert (result.exit_code, result.output.count("\n")) == (1, 1)
        assert f"{name}.toml exists already" in result.output
    assert (tmp_path / "mine.toml").read_text() == "mine" and not (tmp_path / "elsewhere").exists()


def test_what_there_is_not(cli, tmp_path, monkeypatch):
    """An unknown kind or game is refused."""
    monkeypatch.chdir(tmp_path)
    assert "did you mean 'polska'" in cli("new", "variant", "mine", "--game", "poslka").output
    cli("new", "varient", "mine", "--game", "polska", status=2)


@pytest.mark.parametrize(("said", "kind"), [("profile", "strategy"), ("rules", "variant"), ("events", "deck")])
def test_a_name_that_other_pages_have_for_a_kind(cli, tmp_path, monkeypatch, said, kind):
    """If other pages use the name for a kind, the line names the command to write."""
    monkeypatch.chdir(tmp_path)
    result = cli("new", said, "mine", "--game", "polska", status=2)
    assert f"'{said}' is called '{kind}' here: balance new {kind} NAME --game GAME" in result.output
    assert not list(tmp_path.iterdir())
