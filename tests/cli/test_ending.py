"""How commands end if output cannot be written or they are stopped, and with which exit status."""

import _thread
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from support.runs import play

from balance.runs.folder import RunFolder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices of Unix")

FAILS = '[[targets]]\nmeasure = "score"\nleast = 1000\n'
COMPILING = "compiling Na Grunwald! (about half a minute, once after an install or a\nchange) ...\n"
PASSES = '[[targets]]\nmeasure = "score"\nleast = -1000\n'


def ends(arguments, redirect):
    """Return status and standard error of a command whose output goes elsewhere."""
    command = 'exec "$@" ' + redirect
    call = ["sh", "-c", command, "sh", sys.executable, "-m", "balance", *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr, done.stderr
    return done.returncode, done.stderr


def ends_unread(arguments):
    """Return the same with a closed pipe."""
    call = [sys.executable, "-m", "balance", *map(str, arguments)]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    return process.wait(timeout=120), errors


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """Return a run and two files of targets: one passes, one fails."""
    folder = tmp_path_factory.mktemp("ending")
    play(folder / "run", games=40, players=[2])
    (folder / "fails.toml").write_text(FAILS)
    (folder / "passes.toml").write_text(PASSES)
    return folder


@pytest.mark.parametrize("arguments", [["games"], ["--help"], ["check", "--help"]])
def test_a_reader_who_has_gone(arguments):
    """`| head -1` does not make a failure."""
    assert ends_unread(arguments) == (0, "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/dev/full is Linux's")
@pytest.mark.parametrize("arguments", [["games"], ["--help"]])
def test_a_full_disk(arguments):
    """A full disk gives one line, and a status other than 0."""
    status, errors = ends(arguments, "> /dev/full")
    assert status == 1
    assert errors == "Error: cannot write the output: no space left on device\n"


def test_output_that_was_closed():
    """Nothing can be printed, and nothing is wrong."""
    assert ends(["games"], ">&-") == (0, "")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    ("targets", "verdict"), [("fails.toml", 1), pytest.param("passes.toml", 0, marks=pytest.mark.long)]
)
def test_verdicts_that_nobody_reads(checked, targets, verdict):
    """The exit status is that of the verdicts, wherever the table goes."""
    arguments = ["check", checked / "run", checked / targets]
    assert ends_unread(arguments) == (verdict, "")
    if sys.platform.startswith("linux"):
        status, errors = ends(arguments, "> /dev/full")
        assert (status, errors.count("\n")) == (verdict, 1)
        assert "no space left" in errors


def test_errors_of_check_are_no_failed_targets(cli, checked):
    """Status 1 is reserved for a failed target."""
    (checked / "odd.toml").write_text("[[targets]]\nmeasure = 3")
    for run, targets in (("run", "odd.toml"), ("run", "none.toml"), ("none", "passes.toml")):
        cli("check", checked / run, checked / targets, status=2)


@pytest.mark.long
def test_stopped_in_a_query(checked):
    """DuckDB turns Ctrl-C into its own error; the command reports an interruption."""
    from balance.runs.database import connect

    def stop():
        time.sleep(0.3)
        _thread.interrupt_main()

    endless = "SELECT sum(a.range * b.range) FROM range(30000) a, range(30000) b WHERE (a.range + b.range) % 7 = 3"
    threading.Thread(target=stop).start()
    bond = RunFolder.open(checked / "run").bond
    with pytest.raises(KeyboardInterrupt), connect(checked / "run", bond) as connection:
        connection.execute(endless).df()
        time.sleep(1)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError("Query interrupted")])
def test_stopped_while_reading(cli, checked, monkeypatch, error):
    """Any command prints one line and ends with the status of shells."""
    from balance.analysis import gather

    def stopped(*_):
        raise error

    monkeypatch.setattr(gather.Chunk, "load", stopped)
    result = cli("check", checked / "run", checked / "passes.toml", "--quiet")
    assert (result.exit_code, result.output) == (130, "Error: stopped\n")


HEARS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the tests run in the background
"""
SITE = """
import os, sys

class Announce:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["ANNOUNCED"]:
            sys.meta_path.remove(self)
            os.write(1, b"begun")

sys.meta_path.insert(0, Announce())
"""


def begin(*words):
    """Return a process of Python that has printed `begun`."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, *words], **pipes, text=True)
    assert process.stdout.read(5) == "begun"
    return process


def interrupted(process):
    """Return standard error of a process that gets Ctrl-C at this point."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=60)[1]
    finally:
        process.kill()


MODULE, SCRIPT = ["-m", "balance"], ["-c", "from balance.__main__ import main; main()"]


@pytest.mark.parametrize(
    ("command", "module"),
    [
        (MODULE, "click"),
        (SCRIPT, "numba"),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in ((SCRIPT, "balance.cli.commands"), (MODULE, "pyarrow"), (MODULE, "scipy"))
        ),
    ],
)
def test_stopped_while_modules_are_imported(tmp_path, monkeypatch, command, module):
    """It prints one line from the first module on, whatever this module does with the interruption."""
    (tmp_path / "sitecustomize.py").write_text(HEARS + SITE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("ANNOUNCED", module)
    options = ["run", "--game", "na-grunwald", "--players", "4", "--strategies", "random"]
    options += ["--games", "50000000", "--out", str(tmp_path / "run")]
    process = begin(*command, *options)
    errors = interrupted(process)
    begun = (tmp_path / "run" / "run.json").exists()
    told = errors.removeprefix(COMPILING)
    if begun:
        assert (process.returncode, told.count("\n")) == (130, 1)
        assert told.startswith("Error: stopped; resume with: balance run --resume ")
    else:
        assert (process.returncode, errors) == (130, "Error: stopped\n")


def test_an_import_that_hangs_can_be_stopped(tmp_path):
    """Ctrl-C waits for imports, but not forever."""
    (tmp_path / "endless.py").write_text("print('begun', flush=True)\nwhile True: pass\n")
    script = tmp_path / "script.py"
    impatient = "from balance.cli import stopping\nstopping.PATIENCE = 0.2\nstopping.listen()\nimport endless\n"
    script.write_text(HEARS + impatient)
    process = begin(script)
    errors = interrupted(process)
    assert errors.endswith("KeyboardInterrupt\n")


@pytest.mark.parametrize(
    ("file", "loads"),
    [("<frozen importlib._bootstrap>", True), ("/x/llvmlite/binding/ffi.py", True), ("/x/run.py", False)],
)
def test_where_the_exception_would_be_lost(file, loads):
    """An interruption during imports or while compiled code is loaded does not get lost."""
    from balance.cli import stopping

    space = {}
    exec(compile("import sys\nframe = sys._getframe()", file, "exec"), space)
    assert stopping.is_loading(space["frame"]) == loads


def test_several_lines_are_one(cli, tmp_path):
    """A name that contains a line break is printed on one line."""
    name = tmp_path / "a\nb.toml"
    result = cli("run", name, status=1)
    assert result.output.count("\n") == 1


def test_no_path(cli):
    """A NUL, which no shell can pass, is refused."""
    cli("run", "a\0b", status=2)


def test_a_run_folder_of_too_long_a_name(cli, tmp_path):
    """The system names it, and the command prints one line."""
    result = cli("report", tmp_path / ("x" * 300), "--out", tmp_path / "out")
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert "too long" in result.output
