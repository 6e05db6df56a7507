"""The compile cache follows the source, and compiled code is found in it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from balance.compiling.sources import hash_sources, package_hash


def test_a_change_in_any_file_changes_the_hash(tmp_path):
    """Numba itself would not notice a change in a called function's file."""
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.py").write_text("y = 1\n")
    before = hash_sources([tmp_path])
    assert before == hash_sources([tmp_path])
    (tmp_path / "sub" / "b.py").write_text("y = 2\n")
    changed = hash_sources([tmp_path])
    assert changed != before
    (tmp_path / "sub" / "b.py").rename(tmp_path / "sub" / "c.py")
    assert hash_sources([tmp_path]) not in (before, changed)


def test_the_cache_folder_is_named_by_the_hash(tmp_path):
    """Unless the user has set one."""
    code = (
        "import balance.contract.news as news; from pathlib import Path;"
        "print(Path(news.announce.stats.cache_path).parent)"
    )
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment["XDG_CACHE_HOME"] = str(tmp_path)

    def folder() -> str:
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert folder().endswith(package_hash())
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "own")
    assert folder() == str(tmp_path / "own")


@pytest.mark.slow
def test_a_second_process_compiles_nothing():
    """The loop is found in the cache: no function is compiled anew."""
    code = (
        "import sys, tempfile; from pathlib import Path; sys.path.insert(0, 'tests');"
        "from numba.core import event; from support.runs import play\n"
        "with event.install_recorder('numba:compile') as recorder:\n"
        "    play(Path(tempfile.mkdtemp()) / 'run', games=1)\n"
        "print(len(recorder.buffer))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == 0


@pytest.mark.slow
def test_a_cold_start_tells_that_it_compiles(tmp_path):
    """A newcomer's first run says what it is doing, and only then; nothing with --quiet."""
    command = [sys.executable, "-m", "balance", "run", "--game", "na-grunwald", "--players", "2"]
    command += ["--strategies", "random", "--games", "4"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    told = []
    for number in range(2):
        out = ["--out", str(tmp_path / str(number))]
        done = subprocess.run(
            [*command, *out], env=environment, capture_output=True, text=True, check=True
        )
        told.append(done.stderr)
    assert "compiling Na Grunwald!" in told[0]
    assert told[1] == ""
