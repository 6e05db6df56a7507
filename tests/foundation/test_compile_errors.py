"""Games that cannot be compiled or do not end: one line with place and mistake, as in docs/games.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from balance.contract.game import Game
from balance.engine.loop import Simulator
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError

PAGE = Path(__file__).parents[2] / "docs" / "games.md"
BLOCK = re.compile(r'```\w+ title="([^"]+)"\n(.*?)```', re.S)

# The file, what stands in it, what is written instead, and what the line says.
FAULTS = {
    "a field": (
        "kernel.py", "state.banked[state.seat] += state.at_risk", "state.bankd[state.seat] += state.at_risk",
        "pig/kernel.py:44: unknown field 'bankd'; did you mean 'banked'?",
    ),
    "a weight": (
        "heuristics.py", "weights.safe", "weights.saf",
        "pig/heuristics.py:14: unknown field 'saf'; did you mean 'safe'?",
    ),
    "a name": (
        "kernel.py", "draw_below(state", "draw_belo(state", "pig/kernel.py:74: the name 'draw_belo' is not defined",
    ),
    "a type": (
        "kernel.py", "log.seats[state.seat].rolls += 1", 'log.seats[state.seat].rolls += "1"',
        "pig/kernel.py:75: not possible with these types: iadd(int16, Literal[str](1))",
    ),
    "two types": (
        "kernel.py", "return 2 if state.at_risk > 0 else 1", 'return 2 if state.at_risk > 0 else "x"',
        "pig/kernel.py:68: Cannot unify Literal[int](2) and Literal[str](x)",
    ),
    "an argument": (
        "kernel.py", "keep_round(state, log)\n    if", "keep_round(state)\n    if",
        "pig/kernel.py:51: missing a required argument: 'log'; the function takes (state, log)",
    ),
    "no compiled Python": (
        "kernel.py", "    codes[1] = HOLD", '    codes[1] = HOLD\n    with open("x") as file:\n        pass',
        "pig/kernel.py:64: The 'with (context manager) as (variable):' construct is not supported",
    ),
    "an import": (
        "kernel.py", "next_word\n", "next_wrd\n",
        "game pig: pig.kernel can't be imported: pig/kernel.py:6: ImportError: cannot import name 'next_wrd'",
    ),
    "a name of the contract": (
        "kernel.py", "def write_result(", "def write_results(",
        "game pig: pig.kernel lacks write_result (see docs/games.md)",
    ),
}  # fmt: skip
CALLS = (sys.executable, "-m", "balance", "run", "--game", "pig", "--players", "2", "--games", "10")


@pytest.fixture
def pig(tmp_path, monkeypatch):
    """Return the game of the page, from its blocks, not imported yet."""
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    info = tmp_path / "pig-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pig\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[balance.games]\npig = pig:GAME\n")
    monkeypatch.syspath_prepend(tmp_path)
    forget_pig()  # the examples of the page import it too
    yield tmp_path / "pig"
    forget_pig()


def forget_pig():
    """Let the next import of the game read its files."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "pig"]:
        del sys.modules[name]


def write_wrong(pig, case):
    """Put a mistake into the game; return the expected line, with the folder of this test."""
    file, right, wrong, says = FAULTS[case]
    path = pig / file
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    return says.replace("pig/", f"{pig}{os.sep}")


QUICK = ("a name", "a name of the contract", "an import")
CASES = [pytest.param(case, marks=[pytest.mark.long] * (case not in QUICK)) for case in FAULTS]


@pytest.mark.parametrize("case", CASES)
def test_a_game_that_cannot_be_compiled_is_one_line(pig, case):
    assert FAULTS[case][-1] in PAGE.read_text(encoding="utf-8")
    says = write_wrong(pig, case)
    game = Game("pig", str(pig), (2, 3, 4), "pig", "")  # joined loops are kept by game
    with pytest.raises(BalanceError) as refused:
        Simulator(game).compile(load_variant(game, "base", pig).rules)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 400 + len(str(pig))


def test_a_function_that_python_calls_is_explained_too(pig):
    """A game that is stepped through, as by replays and bots, is compiled function by function."""
    says = write_wrong(pig, "a name")
    game = Game("pig", str(pig), (2, 3, 4), "pig", "")  # joined loops are kept by game
    stepper = Stepper.deal(game, load_variant(game, "base", pig).rules, 2, 1)
    stepper.options()
    with pytest.raises(BalanceError, match=re.escape(says)):
        stepper.take(0)


def run_pig(pig, folder):
    environment = {**os.environ, "PYTHONPATH": str(pig.parent)}
    command = (*CALLS, "--strategies", "careful,bold", "--out", str(folder))
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.long
@pytest.mark.slow
def test_a_mistake_a_repair_and_a_game_without_end(pig):
    """One line and status 1; the corrected game plays with the same command; broken-off games are counted."""
    folder = pig.parent / "run"
    says = write_wrong(pig, "a field")
    failed = run_pig(pig, folder)
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1].startswith(f"Error: {says}")
    assert "Traceback" not in failed.stderr
    text = (pig / "kernel.py").read_text(encoding="utf-8")
    endless = text.replace("bankd", "banked").replace("state.over = 1", "state.over = 0")
    (pig / "kernel.py").write_text(endless, encoding="utf-8")
    played = run_pig(pig, folder)
    assert played.returncode == 0, played.stderr
    counted = "10 games, 20 seats; all 10 games truncated at the limit of 100,000 decisions"
    assert counted in " ".join(played.stdout.split())
