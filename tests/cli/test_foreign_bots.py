"""Python files that only a run names are executed only if needed and allowed."""

import shutil

import pytest
from support.runs import digest, play, resume

import balance
from balance.foundation.errors import BalanceError

pytestmark = pytest.mark.usefixtures("undrawn")

BOT = """
from pathlib import Path

Path(__file__).with_name("marker").touch()

class Bot:
    choose = lambda self, observation, actions: 0
"""
TARGETS = '[[targets]]\nmeasure = "score"\nleast = -1000\n'
NEEDED = "allow it with --run-bots"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Return a folder with a run: line-ups with and without a bot, the first two games with a trace."""
    folder = tmp_path_factory.mktemp("found")
    (folder / "bot.py").write_text(BOT)
    (folder / "targets.toml").write_text(TARGETS)
    lineups = [["random", f"{folder / 'bot.py'}:Bot"], ["random", "random"]]
    keys = {"players": [2], "variants": ["base", "no-events"], "rotate": False, "trace": 2}
    play(folder / "run", strategies=[], lineups=lineups, games=8, **keys)
    assert (folder / "marker").exists()
    return folder


@pytest.fixture
def untouched(found):
    """Return the folder before the bot's file was imported."""
    (found / "marker").unlink(missing_ok=True)
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        "report run --out report --quiet", "compare run --baseline base --out effects --quiet",
        "check run targets.toml --quiet", "verify run", "plan run --effect 1", "replay run 0", "replay run 3 --labels",
    ],
)  # fmt: skip
def test_reading_imports_no_bot(untouched, cli, monkeypatch, arguments):
    """A replay of a game with a trace (0), or without a bot (3), imports none either."""
    monkeypatch.chdir(untouched)
    result = cli(arguments)
    assert result.exit_code in (0, 3), result.output  # 3: five decks would be needed for a verdict
    assert not (untouched / "marker").exists()


def test_opening_imports_no_bot(untouched):
    balance.open_run(untouched / "run").seat_shares()
    assert not (untouched / "marker").exists()


def test_a_replay_that_needs_the_bot(untouched, cli):
    """Game 4 has a bot and no trace: one line names the file, until the bot is allowed."""
    result = cli("replay", untouched / "run", 4, status=1)
    assert result.output.count("\n") == 1
    assert f"{untouched / 'bot.py'}:Bot" in result.output
    assert NEEDED in result.output
    assert not (untouched / "marker").exists()
    cli("replay", untouched / "run", 4, "--run-bots", status=0)
    assert (untouched / "marker").exists()


def test_a_run_that_goes_on(untouched, cli, tmp_path):
    """It is refused before anything is written, until the bot is allowed."""
    run = tmp_path / "run"
    shutil.copytree(untouched / "run", run)
    next((run / "games").glob("*.parquet")).unlink()
    info = (run / "run.json").read_text()
    result = cli("run", "--resume", run, status=1)
    assert result.output.count("\n") == 1
    assert NEEDED in result.output
    with pytest.raises(BalanceError, match=NEEDED):
        resume(run)
    assert (run / "run.json").read_text() == info
    assert not (untouched / "marker").exists()
    cli("run", "--resume", run, "--run-bots", "--quiet", status=0)
    assert digest(run) == digest(untouched / "run")


def test_an_experiment_of_the_user_names_its_bots(untouched, cli, tmp_path):
    """Playing and finishing it needs no further permission."""
    (tmp_path / "mine.toml").write_text(
        f'game = "na-grunwald"\nplayers = [2]\nstrategies = ["{untouched / "bot.py"}:Bot", "random"]\ngames = 4\n'
    )
    arguments = ["run", tmp_path / "mine.toml", "--out", tmp_path / "run", "--quiet"]
    cli(*arguments, status=0)
    cli(*arguments, "--resume", status=0)
