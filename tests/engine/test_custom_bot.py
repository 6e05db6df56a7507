"""Custom bots in Python: they use the same rules and logs, and failures are safe."""

import json
import re

import pytest
from support.errors import refused
from support.judge import judge_run
from support.runs import play, read_info, read_rows, resume

from balance.foundation.errors import BalanceError

GOOD = """
import sys

class Careful:
    def choose(self, observation, actions):
        assert 0 <= observation.seat < observation.players
        assert len(actions) > 1
        return 0

class Lucky:
    def __init__(self, rng):
        self.rng = rng
    def choose(self, observation, actions):
        choice = self.rng.integers(len(actions))
        print(f"<{observation.seat} {actions[choice]}>", file=sys.stderr)
        return choice
"""


def write(folder, text=GOOD):
    path = folder / "mybot.py"
    path.write_text(text)
    return path


def test_a_custom_bot_plays_by_the_same_rules(tmp_path):
    """Columns are the same, the oracle agrees, and 1 and 2 workers give the same rows."""
    bot = write(tmp_path)
    keys = {"strategies": [f"{bot}:Careful", f"{bot}:Lucky", "generalist", "random"], "log": "trace"}
    one = play(tmp_path / "one", games=8, **keys)
    two = play(tmp_path / "two", games=8, workers=2, **keys)
    assert judge_run(one) == 8
    for table in ("games", "seats", "rounds", "trace"):
        assert read_rows(one, table).equals(read_rows(two, table))
    played = set(read_rows(one, "seats")["strategy"])
    assert played == {"Careful", "Lucky", "generalist", "random"}


def test_what_a_bot_chooses_is_what_it_plays(tmp_path, capfd):
    """The trace has the action of its index wherever there was a choice, in the order of the games."""
    lineups = [[f"{write(tmp_path)}:Lucky", "random"]]
    run = play(tmp_path / "run", games=4, players=[2], strategies=[], lineups=lineups, log="trace")
    seats = read_rows(run, "seats").query("strategy == 'Lucky'")
    trace = read_rows(run, "trace").merge(seats[["game_id", "seat"]]).query("options > 1")
    rows = trace.sort_values(["game_id", "step"])
    assert rows["seat"].nunique() == 2
    chosen = re.findall(r"<(\d) (.*)>", capfd.readouterr().err)
    assert chosen == [(str(row.seat), row.label) for row in rows.itertuples()]


def test_a_failing_bot_is_named_with_game_and_seat(tmp_path):
    text = """
games = 0
class Broken:
    def __init__(self):
        global games
        games += 1
    def choose(self, observation, actions):
        if games > 150:
            raise KeyError("crown")
        return 0
"""
    bot = write(tmp_path, text)
    run = tmp_path / "run"
    with pytest.raises(BalanceError) as failure:
        lineups = [["random", f"{bot}:Broken"]]
        play(run, games=300, players=[2], strategies=[], rotate=False, lineups=lineups)
    line = str(failure.value)
    assert line.startswith("bot Broken, game 150, seat 1")
    assert "raised KeyError" in line
    assert "\n" not in line
    assert len(read_rows(run, "games")) == 100


def test_a_changed_bot_is_not_resumed(tmp_path):
    """The run would contain games of two bots under one name."""
    bot = write(tmp_path)
    run = play(tmp_path / "run", games=4, players=[2], strategies=[f"{bot}:Careful"])
    write(tmp_path, GOOD + "\n# better now\n")
    with pytest.raises(BalanceError, match="the file of bot Careful"):
        resume(run, 1)
    bot.unlink()
    with pytest.raises(BalanceError, match="the file of bot Careful"):
        resume(run, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("class Other: pass", "no class 'Careful' (there are: Other)"),
        ("class Careful: pass", "no method choose"),
        ("import nothing_of_that_name", "ModuleNotFoundError"),
        ("def Careful(: pass", "SyntaxError"),
    ],
)
def test_a_file_without_such_a_bot(tmp_path, text, words):
    """The missing bot is found before the first game."""
    bot = write(tmp_path, text)
    with refused(words):
        play(tmp_path / "run", games=2, players=[2], strategies=[f"{bot}:Careful"])
    assert not (tmp_path / "run").exists()


def test_a_bot_that_fails_at_once_does_not_block_the_folder(tmp_path):
    """No part was finished: the corrected bot plays into the folder, with the rows of a new folder."""
    bot = write(tmp_path, "class Careful:\n    def choose(self, observation, actions):\n        raise ValueError")
    keys = {"strategies": [f"{bot}:Careful", "generalist", "random"], "games": 6}
    with pytest.raises(BalanceError):
        play(tmp_path / "run", **keys)
    assert (tmp_path / "run" / "run.json").exists()
    write(tmp_path)
    again, clean = play(tmp_path / "run", **keys), play(tmp_path / "clean", **keys)
    assert read_rows(again, "seats").equals(read_rows(clean, "seats"))
    with pytest.raises(BalanceError, match="already contains a run"):
        play(tmp_path / "run", **keys)


def test_a_run_that_failed_later_keeps_its_folder(tmp_path):
    run = play(tmp_path / "run", games=4)
    info = read_info(run)
    (run / "run.json").write_text(json.dumps({**info, "status": "failed"}))
    with pytest.raises(BalanceError, match="already contains a run"):
        play(run, games=4)
