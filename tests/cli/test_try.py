"""`balance try`: lines typed or piped, the output for them, and the end of a session."""

import io
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.runs import plan_of

from balance.cli.commands import main
from balance.cli.dialogue import print_seen
from balance.cli.terminal import Terminal
from balance.runs.folder import RunFolder
from balance.studies.trying import Trial

SMALL = "try --game na-grunwald --players 2,4 --strategies generalist,treasurer,champion,random --games 48 --quiet"


def tried(*lines, options=()):
    """Return the result of lines on standard input."""
    return CliRunner().invoke(main, [*SMALL.split(), *options], input="".join(f"{line}\n" for line in lines))


def test_a_grid_for_each_player_count():
    """It shows seats, strategies and measures, the number of games, and the other commands."""
    result = tried()
    assert result.exit_code == 0 and result.stderr == ""
    for shown in ("2 players: 48 games, 24 deals", "4 players: 48 games, 12 deals", "help lists"):
        assert shown in result.stdout
    labels = ("1st seat", "4th seat", "champion", "score", "margin", "comebacks, %", "estimated minutes")
    for label in labels:
        assert re.search(rf"^{label} +[-\d.]+ \([-\d.]+ to [-\d.]+\)", result.stdout, re.M), label
    assert "change" not in result.stdout


def test_a_turned_key_is_held_against_the_start():
    """It shows before, now and the difference; the proposed run plays other deals."""
    result = tried("krzyzacy.bonus.4 = 9", "# a remark", "", "quit", "undo")
    assert result.exit_code == 0 and result.stderr == ""
    shown = result.stdout.partition("> krzyzacy.bonus.4 = 9")[2]
    assert "before: base\nnow:    krzyzacy.bonus.4 = 9\n" in shown
    assert re.search(r"^score +\S+ \(.*\) +\S+ \(.*\) +[-+]\S+ \([-+]\S+ to [-+]\S+\)", shown, re.M)
    assert "balance run --game na-grunwald --players 2,4 --variant base,./mine.toml" in shown
    assert "--seed 2" in shown
    assert shown.endswith("> # a remark\n> \n> quit\n")


def test_options_say_what_to_turn():
    """`--set` works like typed lines; with --once no input is read."""
    options = "--set krzyzacy.bonus.4=9 --set champion.helper=3 --once"
    result = tried("help", options=options.split())
    assert result.exit_code == 0
    assert "now:    krzyzacy.bonus.4 = 9, champion.helper = 3\n" in result.stdout
    assert "Weights are not saved" in result.stdout and "undo  " not in result.stdout


def test_mistakes_are_lines_and_the_script_goes_on():
    """Each mistake gives one line; the status reports that there were some."""
    result = tried("krzyzacy.bonus.4 = 99", "games many", "save", "frob", "undo", "champion.helper = 3")
    assert result.exit_code == 1
    errors = result.stderr.splitlines()
    assert len(errors) == 5 and all(line.startswith("Error: ") for line in errors)
    assert "must be at most 50" in errors[0]
    assert "'many' is not a whole number" in errors[1]
    assert "name a file" in errors[2]
    assert "unknown line 'frob'" in errors[3]
    assert "nothing was changed" in errors[4]
    assert "now:    champion.helper = 3\n" in result.stdout


def test_what_follows_a_word_that_takes_nothing():
    """Extra words are a mistake, except a comment; nothing is done."""
    lines = ["undo 3", "undo nonsense", "keep it up", "reset all", "help me", "quit now", "keep a = b"]
    result = tried("krzyzacy.bonus.4 = 9", *lines, "undo # back", "quit\t# the end", "frob")
    assert [line.removeprefix("Error: ") for line in result.stderr.splitlines()] == [
        f"{line.split()[0]}: takes no argument, got {line.partition(' ')[2]!r}" for line in lines
    ]
    assert result.exit_code == 1
    assert result.stdout.count("before: base\nnow:    krzyzacy.bonus.4 = 9\n") == 1
    assert "change" not in result.stdout.partition("> undo # back")[2].partition("Change a rule")[0]


def test_a_change_is_undone_and_made_again():
    result = tried("krzyzacy.bonus.4 = 9", "undo", "redo", "redo")
    assert result.stdout.count("before: base\nnow:    krzyzacy.bonus.4 = 9\n") == 2
    assert result.stderr.splitlines() == ["Error: redo: nothing was undone"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--set", "krzyzacy.bonus.4=99", "--once"], "must be at most 50"),
        (["--measure", "frobs"], "unknown measure 'frobs'"),
        (["--variant", "nowhere"], "unknown na-grunwald variant 'nowhere'"),
        (["--players", "7"], "no 7-player game"),
        (["--games", "200001"], "games: must be from 1 to 200,000"),
    ],
)
def test_mistakes_of_the_call(options, said):
    result = CliRunner().invoke(main, [*SMALL.split(), *options])
    assert result.exit_code == 1
    assert said in result.stderr and result.stderr.count("\n") == 1 and result.stdout == ""


def test_save_and_go_on(tmp_path, monkeypatch):
    """The output names the file and its run; the file is a variant to start from."""
    monkeypatch.chdir(tmp_path)
    result = tried("krzyzacy.bonus.4 = 9", "save mine.toml", "save mine.toml")
    assert "saved: mine.toml; play it with: balance run " in result.stdout
    assert result.stderr == "Error: save: mine.toml exists already; choose another name\n"
    assert 'extends = "base"' in Path("mine.toml").read_text()
    again = tried("krzyzacy.bonus.4 = 6", options=["--variant", "mine.toml"])
    assert "before: mine\nnow:    krzyzacy.bonus.4 = 6\n" in again.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a backslash parts folders there")
def test_the_name_that_is_saved(tmp_path, monkeypatch):
    """The name is saved without quotes and with all its letters; the named run plays it."""
    monkeypatch.chdir(tmp_path)
    names = {
        '"my file.toml"': "my file.toml",
        "'it is #1.toml'  # a remark": "it is #1.toml",
        "my other file.toml # a remark": "my other file.toml",
        "it's#2.toml": "it's#2.toml",
        r'"a\mine.toml"': r"a\mine.toml",
    }
    result = tried("krzyzacy.bonus.4 = 9", *(f"save {typed}" for typed in names))
    assert result.stderr == "" and {path.name for path in tmp_path.iterdir()} == {*names.values()}
    for name in names.values():
        line = result.stdout.partition(f"saved: {name}; play it with: balance ")[2].partition("\n")[0]
        words = shlex.split(line)
        assert words[words.index("--variant") + 1] == f"base,{name}"


def test_measures_may_be_chosen():
    shown = tried(options=["--measure", "plunder,winner_deficit"]).stdout
    assert "points plundered" in shown and "winner's deficit" in shown and "margin" not in shown


def test_other_lines():
    """keep, reset, games and help work."""
    result = tried("krzyzacy.bonus.4 = 9", "keep", "start.ducats = 9", "games 24", "reset", "help")
    assert result.exit_code == 0
    _, kept, changed_keys, fewer, back = re.split(r"> (?:keep|start.*|games 24|reset)\n", result.stdout)
    assert "change" not in kept and "48 games" in kept
    assert "before: krzyzacy.bonus.4 = 9\n" in changed_keys
    assert "before: krzyzacy.bonus.4 = 9\n" in fewer and "24 games" in fewer
    assert "change" not in back.partition("> help")[0] and "undo the last change" in back


def test_input_that_is_no_text():
    result = CliRunner().invoke(main, SMALL.split(), input=b"\xff\xfe\n")
    assert result.exit_code == 1
    assert "standard input is not text" in result.stderr and result.stderr.count("\n") == 1


@pytest.mark.parametrize("width", [80, 120, 160])
def test_it_fits_the_terminal(width):
    """Words move under the figures if there is no room; the command stays on one line, to be copied."""
    strategies = ["generalist", "krzyzacy-hunter", "mercenary-captain", "champion"]
    table = Trial(plan_of(strategies=strategies, games=200, log="rounds"), paced=False)
    table.change("krzyzacy.bonus.4 = 9")
    output = io.StringIO()
    print_seen(table, Terminal(width=width, file=output))
    *lines, command = output.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert command.startswith("balance run ") and command.endswith("runs/mine")
    (row,) = [line for line in lines if line.startswith("1st seat")]
    assert bool(re.search("[a-z]", row.partition("seat")[2].replace(" to ", ""))) == (width >= 120)
    assert "…" not in output.getvalue()


def wait_for(path, text, seconds=60):
    """Wait until a file contains a text."""
    end = time.monotonic() + seconds
    while text not in path.read_text():
        assert time.monotonic() < end, path.read_text()
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_stops_the_play_and_not_the_table(tmp_path):
    """It stops at once, and lines continue from there; at the end of the input it ends the session."""
    shown = tmp_path / "shown"
    with shown.open("w") as output:
        call = [sys.executable, "-m", "balance", *SMALL.split()]
        pipes = {"stdin": subprocess.PIPE, "stdout": output, "stderr": subprocess.PIPE}
        process = subprocess.Popen(call, **pipes, text=True)
        process.stdin.write("krzyzacy.bonus.4 = 9\ngames 200000\n")
        process.stdin.flush()
        wait_for(shown, "> games 200000")
        time.sleep(1)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate("undo\n", timeout=60)
    assert time.monotonic() - began < 10
    assert errors == "stopped; now: krzyzacy.bonus.4 = 9\n"
    assert process.returncode == 0
    assert "48 games" in shown.read_text().partition("> undo")[2]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="terminals of Unix")
def test_a_terminal_is_asked():
    """There is a prompt, a mistake changes nothing, Ctrl-C does not end the session, and Ctrl-D does."""
    import pexpect

    call, plain = ["-m", "balance", *SMALL.split()], {**os.environ, "TERM": "dumb"}
    with pexpect.spawn(sys.executable, call, timeout=120, env=plain) as terminal:
        terminal.expect_exact("\n> ")
        terminal.sendline("frob")
        terminal.expect_exact("unknown line 'frob'")
        terminal.expect_exact("\n> ")
        for _ in range(10):  # Python's `input` misses one that comes before it listens, and hears the next
            terminal.sendintr()
            if terminal.expect_exact(["\n> ", pexpect.TIMEOUT], timeout=5) == 0:
                break
        else:
            pytest.fail("no prompt after Ctrl-C")
        terminal.sendeof()
        terminal.expect_exact(pexpect.EOF)
        assert terminal.wait() == 0


def test_a_variant_with_a_comma_in_its_name(tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    text = 'extends = "base"\ntitle = "m"\ndescription = "m"\nrounds = 7\n'
    (tmp_path / "a,b.toml").write_text(text)
    saved = tried("krzyzacy.bonus.4 = 9", "save mine.toml", options=["--variant", "a,b.toml"]).stdout
    (line,) = (line for line in saved.splitlines() if "play it with: balance " in line)
    words = shlex.split(line.partition("play it with: balance ")[2])
    words[words.index("--games") + 1] = "4"
    cli(*words, "--quiet", status=0)
    plan = RunFolder.open_finished(tmp_path / "runs" / "mine").plan
    assert [variant.name for variant in plan.variants] == ["a,b", "mine"]
