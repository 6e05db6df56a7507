"""The cache of compiled code follows exactly the sources that affect games, and compiled code is found in it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import int64

from balance.foundation import compiling
from balance.foundation.compiling import PACKAGE, compiled, compiled_entry, hash_sources, package_hash


def test_a_change_in_any_file_changes_the_hash(tmp_path):
    """Numba alone would miss a change in a called function's file."""
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
    """It lies in the user's directory too, if one is set."""
    code = (
        "import balance.contract.records as records; from pathlib import Path;"
        "print(Path(records._record.stats.cache_path).parent)"
    )
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment["XDG_CACHE_HOME"] = str(tmp_path)

    def folder() -> str:
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert folder().endswith(package_hash())
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "own")
    assert folder() == str(tmp_path / "own" / "balance" / package_hash())


def call_edited(root, place, cache):
    """Call a compiled function in a new process, edit its callee in another file, and call it again."""
    (place / "outer.py").write_text(
        f"from balance.foundation.compiling import compiled_entry\nfrom {inner(root, place)} import value\n"
        "@compiled_entry\ndef ask():\n    return value()\n"
    )
    found = []
    for number in (1, 2):
        (place / "inner.py").write_text(
            f"from balance.foundation.compiling import compiled\n@compiled\ndef value():\n    return {number}\n"
        )
        code = f"from {inner(root, place).removesuffix('inner')}outer import ask; print(ask())"
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(root)}
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, cwd=root
        )
        found.append(int(done.stdout))
    return found


def inner(root, place):
    """Return the name of the called module."""
    return ".".join((*place.relative_to(root).parts, "inner"))


@pytest.mark.long
def test_an_edited_game_from_elsewhere_plays_its_new_rules(tmp_path):
    """In the user's directory Numba alone would play the old rules."""
    kernel = tmp_path / "pig" / "kernel"
    kernel.mkdir(parents=True)
    for folder in (kernel, kernel.parent):
        (folder / "__init__.py").write_text("")
    assert call_edited(tmp_path, kernel, tmp_path / "own") == [1, 2]


@pytest.mark.long
def test_an_edited_package_plays_its_new_rules(tmp_path):
    """The same holds for a kernel of this package."""
    shutil.copytree(PACKAGE, tmp_path / "balance", ignore=shutil.ignore_patterns("__pycache__"))
    kernel = tmp_path / "balance" / "games" / "polska" / "kernel"
    (kernel / "__init__.py").write_text("")
    (kernel.parent / "__init__.py").write_text("")
    assert call_edited(tmp_path, kernel, tmp_path / "own") == [1, 2]


@pytest.mark.long
def test_without_a_folder_to_write_nothing_is_cached(tmp_path):
    """Numba's fallback is the folder of the source, which would keep old rules."""
    (tmp_path / "taken").write_text("")
    (tmp_path / "tools").mkdir()
    assert call_edited(tmp_path, tmp_path / "tools", tmp_path / "taken") == [1, 2]


def test_only_folders_of_ours_are_removed(tmp_path, monkeypatch):
    """The oldest beyond each limit are removed; files of the user or Numba stay."""
    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path)
    others = ["kernel_0123456789abcdef", "notes", "0123456789abcde"]
    ours = [f"{number:016x}" for number in range(compiling.KEPT_CACHES + 1)]
    games = [f"{ours[0]}-{number:016x}" for number in range(compiling.KEPT_GAMES + 1)]
    for age, name in enumerate([*others, *ours, *games]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (age, age))
    opened = Path(compiling._open_cache.__wrapped__(None))
    assert {path.name for path in tmp_path.iterdir()} == {*others, *ours[2:], *games, opened.name}
    compiling._open_cache.__wrapped__(Path(__file__).parent)
    assert not {*games[:2]} & {path.name for path in tmp_path.iterdir()}
    assert {*others, *ours[2:], *games[2:]} < {path.name for path in tmp_path.iterdir()}


@pytest.mark.slow
def test_a_second_process_compiles_nothing():
    """It finds the loop in the cache and compiles no function."""
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
@pytest.mark.long
def test_a_cold_start_tells_that_it_compiles(tmp_path):
    """Only the first run prints it; --quiet prints nothing."""
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


DECISIVE = [
    "foundation/streams.py",
    "contract/records.py",
    "engine/loop.py",
    "experiments/lineups.py",
    "runs/rows.py",
    "runs/worker.py",
    "games/na_grunwald/rules/decks.py",
    "games/na_grunwald/kernel/skirmish.py",
    "games/na_grunwald/heuristics/judgement.py",
]
INDIFFERENT = [
    "foundation/text.py",
    "report/templates/report.html.jinja",
    "report/sections/seats.py",
    "analysis/shares.py",
    "cli/commands.py",
    "games/na_grunwald/display/story.py",
    "games/na_grunwald/analytics/sections/box.py",
    "games/na_grunwald/variants/base.toml",
]


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """Return a copy of this package's sources to edit."""
    copy = tmp_path / "balance"
    shutil.copytree(compiling.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compiling, "PACKAGE", copy)
    return copy


def edit(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "\n# another word\n", encoding="utf-8")


def hashes(package: Path) -> tuple[str, str]:
    """Return the hashes of compiled code and of runs of Na Grunwald!"""
    game = package / "games" / "na_grunwald"
    return compiling.package_hash.__wrapped__(), compiling.source_hash(game)


@pytest.mark.parametrize("file", DECISIVE)
def test_an_edit_of_what_decides_recompiles_and_ends_resuming(package, file):
    before = hashes(package)
    edit(package / file)
    assert all(now != then for now, then in zip(hashes(package), before, strict=True))


@pytest.mark.parametrize("file", INDIFFERENT)
def test_a_reworded_page_recompiles_nothing_and_keeps_runs_resumable(package, file):
    """Neither hash changes; resolved rules are in run.json and compared there."""
    before = hashes(package)
    edit(package / file)
    assert hashes(package) == before


def test_another_games_kernel_is_no_matter_to_a_run(package):
    """The code is compiled again, and the run resumes."""
    before = hashes(package)
    edit(package / "games" / "polska" / "kernel" / "turns.py")
    after = hashes(package)
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_a_game_from_elsewhere_has_a_cache_of_its_own(tmp_path, monkeypatch):
    """A hash of its own sources names it, for functions anywhere in its package."""
    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path / "cache")
    game = tmp_path / "pig"
    (game / "kernel").mkdir(parents=True)
    for name in (
        "__init__.py",
        "kernel/__init__.py",
        "kernel/flow.py",
        "rules.py",
        "display.py",
        "dice.py",
    ):
        (game / name).write_text("")
    assert compiling.game_folder(game / "kernel" / "flow.py") == game
    open_cache = compiling._open_cache.__wrapped__
    first = open_cache(game)
    assert first != open_cache(None)
    edit(game / "display.py")
    assert open_cache(game) == first
    for helper in ("kernel/flow.py", "dice.py"):
        before = open_cache(game)
        edit(game / helper)
        assert open_cache(game) != before


def test_a_compiled_function_of_no_game_is_cached_by_its_folder(tmp_path):
    """It may be a bot's helper, or a package that several games share."""
    (tmp_path / "tools.py").write_text("")
    assert compiling.game_folder(tmp_path / "tools.py") == tmp_path
    assert compiling._open_cache.__wrapped__(tmp_path)


@compiled
def one_more(number):
    return number + 1


@compiled_entry
def add_to_each(row):
    """Return sums with fields of 8 and 64 bits, and with a number of the loop."""
    total = one_more(row.small) + one_more(row.large)
    for i in range(2):
        total += one_more(i)
    return total


def test_whole_numbers_of_all_sizes_share_one_version():
    """A seat from a record and a seat from a loop do not compile a function twice; 8 bits don't overflow."""
    row = np.zeros(1, [("small", "i1"), ("large", "i8")]).view(np.recarray)[0]
    row.small, row.large = 127, 10
    assert add_to_each(row) == 128 + 11 + 1 + 2
    add_to_each.recompile()  # it may have come from the cache, with `one_more` in it
    assert [signature[0] for signature in one_more.signatures] == [int64]
