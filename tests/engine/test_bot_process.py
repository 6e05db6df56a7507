"""A bot's own process: it gets only the seat's observations, a failure gives one line, and it ends with us."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from support.runs import digest, play, read_info, read_rows, resume

from balance.engine.custom import BotProcess, Limits
from balance.foundation.errors import BalanceError
from balance.runs import worker

BOT = """
import ctypes, gc, json, os, struct, sys, time

{before}

class Bot:
    def __init__(self, rng):
        self.rng = rng
    def choose(self, observation, actions):
        {body}
        return self.rng.integers(len(actions))
"""
LINEUP = {"players": [2], "strategies": [], "rotate": False}


def write(folder: Path, body: str = "pass", before: str = "") -> str:
    """Write a bot that plays at random after running `body`."""
    (folder / "bot.py").write_text(BOT.format(body=body, before=before))
    return f"{folder / 'bot.py'}:Bot"


def failure_of(folder: Path, bot: str, **keys: object) -> str:
    """Return the line with which a run with this bot ends."""
    with pytest.raises(BalanceError) as failure:
        play(folder / "run", games=2, lineups=[["random", bot]], **LINEUP, **keys)
    assert "\n" not in str(failure.value)
    return str(failure.value)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("while True: pass", "gave no answer within 0.5 s (to allow more, set bot_seconds)"),
        pytest.param("sum(range(10**12))", "gave no answer within 0.5 s", marks=pytest.mark.long),
        ("sys.exit(0)", "raised SystemExit: 0"),
        pytest.param("raise KeyboardInterrupt", "raised KeyboardInterrupt", marks=pytest.mark.long),
        ("os._exit(0)", "ended its process with status 0"),
        ("raise ValueError('a\\nb\\x1b[31m')", "raised ValueError: a b [31m"),
        ("return -10**5000", "returned <int>, not an index below"),
        *((f"return {each}", f"returned {each}, not an index below") for each in ("-1", "'pass'", "None")),
        ("return len(actions)", "not an index below"),
        ("os.closerange(3, 20)", "closed the connection to its process"),
        pytest.param(
            "ctypes.string_at(0)",
            "ended its process by signal 11",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix"),
        ),
        pytest.param(
            "bytearray(2**31)",
            "raised MemoryError (it has 512 MiB; see bot_memory)",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux"),
        ),
    ],
)
def test_whatever_a_bot_does_is_one_line(tmp_path, body, words):
    line = failure_of(tmp_path, write(tmp_path, body), bot_seconds=0.5, bot_memory=512)
    assert line.startswith("bot Bot, game 0, seat 1 ")
    assert words in line


FORGE = """
import pickle
class Bomb:
    def __reduce__(self):
        return open, ({marker!r}, "w")
def forge(content):
    for number in range(3, 20):
        try:
            os.write(number, struct.pack("<I", {length}) + content)
        except OSError:
            pass
"""


@pytest.mark.parametrize(
    ("content", "length"),
    [
        ("pickle.dumps(Bomb())", "len(content)"),
        ("b''", "2**32 - 1"),
        ("b'[' * 9000", "len(content)"),
        ("b'7'", "len(content)"),
        ("json.dumps(dict(answer=True)).encode()", "len(content)"),
        ("json.dumps(dict(answer=10**6)).encode()", "len(content)"),
    ],
)
def test_forged_replies_run_nothing(tmp_path, content, length):
    """Replies that a bot itself writes to the pipe are neither unpickled nor believed."""
    marker = tmp_path / "marker"
    bot = write(tmp_path, f"forge({content})", FORGE.format(marker=str(marker), length=length))
    assert "sent a reply that can't be read" in failure_of(tmp_path, bot)
    assert not marker.exists()


@pytest.mark.parametrize("before", ["time.sleep(60)", "raise SystemExit", "os._exit(3)"])
def test_a_file_that_can_not_be_imported(tmp_path, before):
    """An import error of any kind is found before the first game."""
    bot = write(tmp_path, before=before)
    assert failure_of(tmp_path, bot, bot_seconds=0.5).startswith(f"{tmp_path / 'bot.py'} ")
    assert not (tmp_path / "run").exists()


def test_what_a_bot_prints_and_changes_is_its_own(tmp_path, capfd):
    """Standard output goes to standard error; the folder and patched functions stay in its process."""
    before = "print('imported')\nos.chdir('/')\njson.loads = time.sleep = os.getcwd = None"
    bot = write(tmp_path, "print('asked' * 20_000)", before)
    folder = Path.cwd()
    play(tmp_path / "run", games=1, lineups=[["random", bot]], **LINEUP)
    assert Path.cwd() == folder
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "imported\n" in shown.err
    assert "asked" in shown.err


PEEK = """
def peek():
    frame, found = sys._getframe(), list(gc.get_objects())
    while frame:
        found += frame.f_locals.values()
        frame = frame.f_back
    return {type(each).__name__ for each in found} & {"Stepper", "Simulator", "Worker", "Room", "recarray"}
"""


def test_a_bot_holds_nothing_but_what_it_was_shown(tmp_path):
    """Neither its frames nor its garbage collector lead to the game."""
    bot = write(tmp_path, "assert not peek(), peek()", PEEK)
    play(tmp_path / "run", games=1, lineups=[["random", bot]], **LINEUP)


def test_two_seats_share_no_module(tmp_path):
    """With the same bot on both seats, one seat cannot find what the other saw."""
    body = "seen.add(observation.seat); assert len(seen) == 1, seen"
    bot = write(tmp_path, body, "seen = set()")
    play(tmp_path / "run", games=1, lineups=[[bot, bot]], **LINEUP)


class Here:
    """The bot in this process, as a reference."""

    wants_simulator = False

    def __init__(self, bot, limits, module, stop):
        file, _, name = bot.rpartition(":")
        space = {}
        exec(compile(Path(file).read_text(), file, "exec"), space)
        self.bot_class = space[name]

    def make(self, seed):
        import numpy as np

        self.bot = self.bot_class(np.random.default_rng(seed))

    def choose(self, observation, actions, known):
        assert known is None, "it was not asked for"
        return int(self.bot.choose(observation, actions))

    def close(self):
        pass


@pytest.mark.parametrize("game", ["na-grunwald", pytest.param("polska", marks=pytest.mark.long)])
def test_the_same_rows_as_in_one_process(tmp_path, monkeypatch, game):
    """Seeds, observations and labels arrive unchanged."""
    body = "assert observation.me == observation.seats[observation.seat]; self.rng.random(len(repr(observation)))"
    strategies = [write(tmp_path, body), "random"]
    keys = {"game": game, "strategies": strategies, "players": [2], "log": "trace"}
    apart = play(tmp_path / "apart", games=4, **keys)
    monkeypatch.setattr(worker, "BotProcess", Here)
    assert digest(apart) == digest(play(tmp_path / "here", games=4, **keys))


def started(folder: Path, body: str) -> tuple[subprocess.Popen, int]:
    """Return a run whose bot hangs, and the id of its process."""
    note = folder / "pid"
    hang = f"open({str(note)!r}, 'w').write(f'{{os.getpid()}}\\n'); {body}"
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{hears}; from balance.__main__ import main; main()"]
    command += ["run", "--game", "na-grunwald", "--players", "2", "--games", "4", "--quiet"]
    command += ["--strategies", f"{write(folder, hang)},random", "--out", folder / "run"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until(lambda: note.exists() and note.read_text().endswith("\n"), 60)
    return process, int(note.read_text())


def until(done, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_a_bot_does_not_outlive_us(tmp_path):
    """It ends after kill -9 while it hangs."""
    process, bot = started(tmp_path, "\n        while True: pass")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    until(lambda: not psutil.pid_exists(bot), 5)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_stopped_while_a_bot_thinks(tmp_path):
    """Ctrl-C to the whole command gives one line soon, and the run can be resumed."""
    process, bot = started(tmp_path, "time.sleep(1000)")
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 130
    assert errors == f"Error: stopped; resume with: balance run --resume {tmp_path / 'run'}\n"
    until(lambda: not psutil.pid_exists(bot), 5)
    assert read_info(tmp_path / "run")["status"] == "interrupted"


def test_the_time_of_a_bot_is_no_part_of_a_run(tmp_path, cli):
    """A run whose bot was too slow resumes with more time, to the same rows."""
    body = "time.sleep(0.5 if observation.seat and slow.exists() else 0)"
    before = f"from pathlib import Path\nslow = Path({str(tmp_path / 'slow')!r})"
    bot = write(tmp_path, body, before)
    keys = {"lineups": [["random", bot]], **LINEUP}
    undisturbed = play(tmp_path / "undisturbed", games=2, **keys)
    (tmp_path / "slow").touch()
    assert "no answer within 0.1 s" in failure_of(tmp_path, bot, bot_seconds=0.1)
    run = tmp_path / "run"
    (tmp_path / "slow").unlink()
    result = cli("run", "--resume", run, "--run-bots", "--bot-seconds", 20, "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    assert digest(run) == digest(undisturbed)
    assert read_info(run)["experiment"]["bot_seconds"] == 20
    cli("run", "--resume", run, "--run-bots", "--seed", 20, status=2)


@pytest.mark.long
def test_a_script_without_a_guard(tmp_path):
    """A bot's process does not run the playing script again."""
    keys = {"game": "na-grunwald", "players": [2], "strategies": [write(tmp_path), "random"], "games": 2}
    script = tmp_path / "play.py"
    script.write_text(f"import balance\nprint(len(balance.play({keys!r}).games()))\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "2\n"), done.stderr


def test_a_forgotten_process_ends(tmp_path):
    """Processes of a worker end if its run is no longer played."""
    bot = BotProcess(write(tmp_path), Limits(60, 4096))
    process = bot.process
    del bot
    assert process.poll() is not None


def test_a_run_of_before_has_the_default_limits(tmp_path):
    """run.json without these keys gets the defaults: the limits do not affect the games."""
    run = play(tmp_path / "run", games=2)
    info = read_info(run)
    del info["experiment"]["bot_seconds"], info["experiment"]["bot_memory"]
    (run / "run.json").write_text(json.dumps(info))
    resume(run)
    assert len(read_rows(run, "games")) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Unix")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("alone", ["", "os.setsid(); "])
@pytest.mark.parametrize(
    ("then", "words"),
    [("os._exit(0)", "ended its process with status 0"), ("time.sleep(100)", "gave no answer within 0.5 s")],
)
def test_a_process_that_a_bot_forks_holds_up_nothing(tmp_path, alone, then, words):
    """It has the bot's pipes, but neither the end of the bot nor its limit waits for it."""
    body = f"if os.fork() == 0: {alone}time.sleep(30); os._exit(0)\n        {then}"
    began = time.perf_counter()
    assert words in failure_of(tmp_path, write(tmp_path, body), bot_seconds=0.5)
    assert time.perf_counter() - began < 20


def test_a_bot_that_draws_from_shared_generators_plays_alike_again(tmp_path):
    """Python's and NumPy's generators are seeded for each game and seat, and sets have the same order each time."""
    body = (
        "return [random.randrange, np.random.randint][len(observation.__class__.__name__) % 2](len(actions)) "
        "if random.random() < 0.5 else list({str(i) for i in range(len(actions))}).index('0')"
    )
    bot = write(tmp_path, body, "import random\nimport numpy as np\nLUCK = random.random()")
    one, two = (digest(play(tmp_path / name, games=4, lineups=[["random", bot]], **LINEUP)) for name in ("one", "two"))
    assert one == two
