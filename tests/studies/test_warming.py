"""`balance warm`: what it compiled is compiled by no later command."""

import subprocess
import sys

import pytest

from balance.studies.warming import warm_game

LATER = """
import sys, tempfile
from pathlib import Path
from numba.core import event
sys.path.insert(0, "tests")
from support.runs import play
folder = Path(tempfile.mkdtemp())
bot = "class First:\\n    def __init__(self, rng): pass\\n    def choose(self, observation, actions): return 0\\n"
(folder / "first.py").write_text(bot)
with event.install_recorder("numba:compile") as recorder:
    for number, name in enumerate([*sys.argv[1:], f"{folder}/first.py:First"]):
        play(folder / str(number), game="polska", players=[2], strategies=[name, "random"], games=2, log="trace")
print(len(recorder.buffer))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("profiles_only", "strategies"),
    [(True, ["champion"]), pytest.param(False, ["champion", "expert", "search-2"], marks=pytest.mark.long)],
)
def test_later_commands_compile_nothing(profiles_only, strategies):
    """These strategies and bots in Python play, with a trace, in a new process."""
    warm_game("polska", profiles_only)
    done = subprocess.run([sys.executable, "-c", LATER, *strategies], capture_output=True, text=True)
    assert done.stdout.strip() == "0", done.stderr


@pytest.mark.slow
def test_what_is_compiled_is_only_loaded(cli):
    """The second time it says so."""
    warm_game("polska", profiles_only=True)
    result = cli("warm --game polska --profiles-only", status=0)
    assert "polska: already compiled" in result.output


def test_an_unknown_game_is_one_line(cli):
    assert "did you mean 'polska'" in cli("warm --game polsk", status=1).output
