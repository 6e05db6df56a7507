"""The shell around the command line: completion, and outputs with missing letters."""

import os
import subprocess
import sys

import pytest


def _call(*arguments: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", "from balance.cli.commands import main; main(prog_name='balance')", *arguments],
        env={**os.environ, **variables}, capture_output=True, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed(name):
    """The page on installing has the user put this script into the shell's start file."""
    done = _call(_BALANCE_COMPLETE=f"{name}_source")
    assert done.returncode == 0, done.stderr
    assert b"_BALANCE_COMPLETE=" in done.stdout and b"balance" in done.stdout


def test_commands_are_completed():
    """They are completed in the way the script asks for them."""
    done = _call(_BALANCE_COMPLETE="bash_complete", COMP_WORDS="balance re", COMP_CWORD="1")
    assert done.stdout.decode().split() == ["plain,replay", "plain,report", "plain,restrict"]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_a_letter_that_the_output_lacks_ends_nothing(encoding):
    """A file or pipe on Windows may have such an encoding; "ą" and "ł" are missing from all of these."""
    done = _call("games", PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert b"Polska. Gra z histori" in done.stdout
