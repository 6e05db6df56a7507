"""Games that cannot be compiled or do not end: one line with place and mistake, as in docs/games.md."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from balance.contract.game import Game
from balance.engine.loop import Simulator
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "games.md"

# The file, what stands in it, what is written instead, and what the line says.
FAULTS = {
    "a field": (
        "kernel.py", "state.score[p] += won", "state.scor[p] += won",
        "crazy_eights/kernel.py:141: unknown field 'scor'; did you mean 'score'?",
    ),
    "a weight": (
        "heuristics.py", "w.follow ", "w.folow ",
        "crazy_eights/heuristics.py:26: unknown field 'folow'; did you mean 'follow'?",
    ),
    "a name": (
        "kernel.py", "record_chance(state, log, DRAWN", "record_chanse(state, log, DRAWN",
        "crazy_eights/kernel.py:210: the name 'record_chanse' is not defined",
    ),
    "a type": (
        "kernel.py", "log.seats[state.seat].drawn += 1", 'log.seats[state.seat].drawn += "1"',
        "crazy_eights/kernel.py:209: not possible with these types: iadd(int16, Literal[str](1))",
    ),
    "two types": (
        "kernel.py", "return count + 1", 'return count + 1 if count else "x"',
        "crazy_eights/kernel.py:182: Cannot unify int64 and Literal[str](x)",
    ),
    "an argument": (
        "kernel.py", "_keep_round(state, log)\n    if", "_keep_round(state)\n    if",
        "crazy_eights/kernel.py:143: missing a required argument: 'log'; the function takes (state, log)",
    ),
    "no compiled Python": (
        "kernel.py", "    codes[count] = DRAW", '    with open("x") as file:\n        pass\n    codes[count] = DRAW',
        "crazy_eights/kernel.py:166: The 'with (context manager) as (variable):' construct is not supported",
    ),
    "an import": (
        "kernel.py", "import shuffle\n", "import shufle\n",
        "game crazy-eights: crazy_eights.kernel can't be imported: crazy_eights/kernel.py:18: "
        "ImportError: cannot import name 'shufle'",
    ),
    "a name of the contract": (
        "kernel.py", "def write_result(", "def write_results(",
        "game crazy-eights: crazy_eights.kernel lacks write_result (see docs/games.md)",
    ),
}  # fmt: skip
CALLS = (sys.executable, "-m", "balance", "run", "--game", "crazy-eights", "--players", "2", "--games", "10")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return the folder of the example's game, copied and not imported yet."""
    example = ROOT / "examples" / "crazy_eights" / "crazy_eights"
    folder = shutil.copytree(example, tmp_path / example.name, ignore=shutil.ignore_patterns("__pycache__"))
    info = tmp_path / "crazy_eights-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: crazy-eights\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[balance.games]\ncrazy-eights = crazy_eights:GAME\n")
    monkeypatch.syspath_prepend(tmp_path)
    forget_game()  # the examples of the page import it too
    yield folder
    forget_game()


def forget_game():
    """Let the next import of the game read its files."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "crazy_eights"]:
        del sys.modules[name]


def write_wrong(package, case):
    """Put a mistake into the game; return the expected line, with the folder of this test."""
    file, right, wrong, says = FAULTS[case]
    path = package / file
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    return says.replace("crazy_eights/", f"{package}{os.sep}")


QUICK = ("a name", "a name of the contract", "an import")
CASES = [pytest.param(case, marks=[pytest.mark.long] * (case not in QUICK)) for case in FAULTS]


def find(package):
    """Return a game of its own for each test: joined loops are kept by game."""
    return Game("crazy-eights", str(package), (2, 3, 4), "crazy_eights", "")


@pytest.mark.parametrize("case", CASES)
def test_a_game_that_cannot_be_compiled_is_one_line(package, case):
    assert FAULTS[case][-1] in PAGE.read_text(encoding="utf-8")
    says = write_wrong(package, case)
    game = find(package)
    with pytest.raises(BalanceError) as refused:
        Simulator(game).compile(load_variant(game, "base", package).rules)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 400 + len(str(package))


def test_a_function_that_python_calls_is_explained_too(package):
    """A game that is stepped through, as by replays and bots, is compiled function by function."""
    says = write_wrong(package, "a name")
    game = find(package)
    stepper = Stepper.deal(game, load_variant(game, "base", package).rules, 2, 1)
    draw = stepper.options().index("draw")
    with pytest.raises(BalanceError, match=re.escape(says)):
        stepper.take(draw)


def run_game(package, folder):
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    command = (*CALLS, "--strategies", "thrifty,hasty", "--out", str(folder))
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.long
@pytest.mark.slow
def test_a_mistake_a_repair_and_a_game_without_end(package):
    """One line and status 1; the corrected game plays with the same command; broken-off games are counted."""
    folder = package.parent / "run"
    says = write_wrong(package, "a field")
    failed = run_game(package, folder)
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1].startswith(f"Error: {says}")
    assert "Traceback" not in failed.stderr
    text = (package / "kernel.py").read_text(encoding="utf-8")
    endless = text.replace("scor[", "score[").replace("state.over = 1", "state.over = 0")
    (package / "kernel.py").write_text(endless, encoding="utf-8")
    played = run_game(package, folder)
    assert played.returncode == 0, played.stderr
    counted = "10 games, 20 seats; all 10 games truncated at the limit of 100,000 decisions"
    assert counted in " ".join(played.stdout.split())
