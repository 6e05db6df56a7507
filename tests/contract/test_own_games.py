"""Games in a folder of the user: how they are named, found and refused."""

import pickle
from pathlib import Path

import pytest
from support.own_game import write
from support.runs import play, read_info

from balance.contract import own_games
from balance.contract.game import get_game
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder


@pytest.fixture
def duel(tmp_path, monkeypatch) -> Path:
    """Return the folder of a draft, with a list of named games of its own."""
    monkeypatch.setattr(own_games, "list_file", lambda: tmp_path / "list" / "own-games.txt")
    return write(tmp_path)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Act as a process that has loaded no game."""
    monkeypatch.setattr(own_games, "LOADED", {})


def test_a_path_is_the_name(duel, monkeypatch):
    """Relative paths start in the current folder, or in that of an experiment file; a pickled game finds itself."""
    monkeypatch.chdir(duel.parent)
    game = get_game("./duel")
    assert game.name == str(duel) and game.title == "Duel" and game.players == (2, 3, 4)
    assert get_game("./duel", duel.parent) is game
    assert pickle.loads(pickle.dumps(game)) is game
    with pytest.raises(BalanceError, match=r"to play the game in this folder, write \./duel"):
        get_game("duel")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = (\n", r"game\.py:1: SyntaxError: '\(' was never closed"),
        ("import nothing_like_it\n", r"game\.py:1: ModuleNotFoundError: No module named"),
        ("x = 1\n", "has no class of a game"),
        ("from balance.plain import PlainGame\nclass A(PlainGame):\n    pass\n", r"class A lacks setup\(\), actions"),
        (None, "there is no game in .*: game.py is missing; write a game with: balance new game NAME"),
    ],
)
def test_a_folder_without_a_whole_game_is_refused_in_one_line(text, says, tmp_path, monkeypatch):
    forget(monkeypatch)
    if text is not None:
        (tmp_path / "game.py").write_text(text)
    with pytest.raises(BalanceError, match=says) as caught:
        get_game(str(tmp_path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("players = (2, 3, 4)", "players = (2, 11)"), r"players must be 1 to 10"),
        (("players = (2, 3, 4)", "players = (1, 2)"), r"one player has no rival: write outcome\(state\)"),
        (("    Rules = Rules\n", "    Rules = dict\n"), "Rules must be a class derived from RuleSet"),
        (("    def features(", "    def features_("), "has FEATURES, but lacks features"),
    ],
)
def test_a_class_that_does_not_fit_is_refused(change, says, tmp_path, monkeypatch):
    forget(monkeypatch)
    with pytest.raises(BalanceError, match=says):
        get_game(str(write(tmp_path, change)))


def test_a_file_next_to_it_can_be_imported(tmp_path, monkeypatch):
    """`from . import` finds the other files of the folder."""
    forget(monkeypatch)
    change = ("from pydantic import Field", "from pydantic import Field\n\nfrom . import words")
    path = write(tmp_path, change, ('title = "Duel"', "title = words.TITLE"))
    (path / "words.py").write_text('TITLE = "Two files"\n')
    assert get_game(str(path)).title == "Two files"


def test_a_run_starts_no_code_of_a_folder_that_the_user_has_not_named(duel, tmp_path, monkeypatch):
    """A run from somebody else is refused until the user names the folder in a command."""
    run = play(tmp_path / "run", game=str(duel), players=[2], games=4)
    forget(monkeypatch)
    RunFolder.open(run)  # by the list
    (tmp_path / "list" / "own-games.txt").unlink()
    forget(monkeypatch)
    (duel / "game.py").write_text("raise SystemExit('started')\n")
    with pytest.raises(BalanceError, match="if you trust it, allow it with: balance games") as caught:
        RunFolder.open(run)
    assert str(duel / "game.py") in str(caught.value)
    assert read_info(run)["game"] == str(duel)


def test_the_list_of_named_games_forgets_folders_that_are_gone(duel, tmp_path):
    """It stays short."""
    get_game(str(duel))
    listed = tmp_path / "list" / "own-games.txt"
    listed.write_text(f"{tmp_path / 'gone'}\n{duel}\n")
    other = write(tmp_path, name="other")
    get_game(str(other))
    assert listed.read_text().splitlines() == [str(duel), str(other)]


def test_rules_that_changed_stop_a_resumption(duel, tmp_path):
    run = RunFolder.open(play(tmp_path / "run", game=str(duel), players=[2], games=4))
    assert run.changes() == []
    (duel / "game.py").write_text((duel / "game.py").read_text() + "\nchanged = 1\n")
    (changed,) = run.changes()
    assert changed.startswith("the game's code or the package's (it was ")
