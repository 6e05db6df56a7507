"""What a game returns is checked while it is played: an error has one line with the file and the line."""

import pytest
from support.errors import refused
from support.own_game import line_of
from support.runs import play
from support.shapes import write_shape

from balance.contract.game import get_game

COLUMNS = 'return {"taken": state.got[seat], "first": None if seat else state.got[0]}'
FAULTS = {
    "a misspelt column": (COLUMNS, 'return {"tooken": 1}', "def columns", "'tooken', which is not in COLUMNS"),
    "text in a column": (COLUMNS, 'return {"taken": "two"}', "def columns", "not 'two' for 'taken'"),
    "no mapping of columns": (COLUMNS, "return 3", "def columns", "must return numbers by name, not 3"),
    "a feature that is not a number": (
        'return {"size": int(action.split()[1])}', 'return {"size": float("nan")}', "def features",
        "of 'take 0' must be numbers by name",
    ),
    "a tie-break that is too short": (
        "    def features", "    def tie_break(self, state):\n        return [1]\n\n    def features",
        "def tie_break", "must return a number for each of 2 seats, not [1]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_result_is_refused_where_it_is_played(fault, tmp_path):
    """The run stops with one line, which names the method's file and line and the game's seeds."""
    old, new, line, says = FAULTS[fault]
    path = write_shape(tmp_path)
    text = (path / "game.py").read_text(encoding="utf-8")
    assert old in text
    (path / "game.py").write_text(text.replace(old, new), encoding="utf-8")
    with refused(says, "deal seed", begin=line_of(path, line)):
        play(tmp_path / "run", game=str(path), players=[2], strategies=["most"], games=2)


@pytest.mark.parametrize("name", ["score", "rounds", "margin", "number", "is_winner", "moves_hash"])
def test_a_column_has_a_name_of_its_own(name, tmp_path):
    """A column with the name of another column of games, seats or analyses would be mistaken for it."""
    path = write_shape(tmp_path)
    text = (path / "game.py").read_text(encoding="utf-8")
    (path / "game.py").write_text(text.replace('"taken"', f'"{name}"'), encoding="utf-8")
    with refused(f"COLUMNS has {name}"):
        get_game(str(path))
