"""The cache of compiled code follows exactly the sources that affect games, and compiled code is found in it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import numpy as np
import pytest
from numba import int64

from balance.foundation import compiling
from balance.foundation.compiling import PACKAGE, compiled, compiled_entry, hash_sources, package_hash

OH_HELL = Path(__file__).parents[2] / "examples" / "oh_hell"


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
        "print(Path(records.seat_after.stats.cache_path).parent)"
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


def test_another_numba_has_a_folder_of_its_own(monkeypatch):
    """Each version overwrites what another one compiled."""
    monkeypatch.setattr(compiling.numba, "__version__", "0.0.1")
    assert package_hash.__wrapped__() != package_hash()


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
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=root)
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
    opened = Path(compiling.open_cache.__wrapped__(None))
    assert {path.name for path in tmp_path.iterdir()} == {*others, *ours[2:], *games, opened.name}
    compiling.open_cache.__wrapped__(Path(__file__).parent)
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
        done = subprocess.run([*command, *out], env=environment, capture_output=True, text=True, check=True)
        told.append(done.stderr)
    assert "compiling Na Grunwald!" in told[0]
    assert told[1] == ""


COMPILED = [
    "foundation/streams.py",
    "contract/records.py",
    "engine/loop.py",
    "games/na_grunwald/rules/decks.py",
    "games/na_grunwald/kernel/skirmish.py",
    "games/na_grunwald/heuristics/judgement.py",
]
PLAYED = ["experiments/lineups.py", "experiments/strategies.py", "runs/rows.py", "runs/worker.py"]
INDIFFERENT = [
    "foundation/text.py",
    "contract/modules.py",
    "experiments/experiment.py",
    "runs/verify.py",
    "report/templates/report.html.jinja",
    "report/sections/seats.py",
    "analysis/shares.py",
    "cli/commands.py",
    "games/na_grunwald/display/actions.py",
    "games/na_grunwald/analytics/sections/box.py",
    "games/na_grunwald/variants/base.toml",
]


REWORDED = [
    ("experiments/strategies.py", 'tr("it has one")', 'tr("there is one")'),  # in an error
    ("engine/networks.py", "import (\n        action_group,", "import (\n"),  # for checkers alone
    ("engine/custom.py", '"""Return', '"""Give back'),
    ("runs/rows.py", "The name of the rule set.", "The variant that was played."),  # what a column means
    ("games/na_grunwald/kernel/skirmish.py", "@compiled\n", "# as in the rulebook\n@compiled\n"),
    ("games/na_grunwald/heuristics/placing.py", "helpers placed", "placed helpers of the seat"),
]
RULES = [
    ("games/na_grunwald/kernel/skirmish.py", "max(0, ", "max(1, "),
    ("foundation/streams.py", ">> _S32)", ">> _S31)"),
    ("experiments/lineups.py", "np.arange(first, last)", "np.arange(first, last + 1)"),
    ("games/na_grunwald/heuristics/features.py", " + ", " - "),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> Iterator[Path]:
    """Return a copy of what is hashed of this package; a test that edits it puts it back."""
    root = tmp_path_factory.mktemp("copied")
    skipped = shutil.ignore_patterns("__pycache__", "*.npz", "*.po")
    shutil.copytree(compiling.PACKAGE, root / "balance", ignore=skipped)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "PACKAGE", root / "balance")
        patch.setattr(compiling, "cache_root", lambda: root / "cache")
        yield root / "balance"


@contextmanager
def replaced(path: Path, old: str, new: str, count: int = -1) -> Iterator[None]:
    """Replace a text of a file, which must have it; put it back at the end."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, count), "utf-8")
    try:
        yield
    finally:
        path.write_text(text, "utf-8")


def edited(path: Path) -> AbstractContextManager[None]:
    """Add a statement to the end of a Python file that begins with a docstring, or a line to another file."""
    text = path.read_text("utf-8")
    return replaced(path, text, text + "\n_another = 1\n")


def hashes(package: Path) -> tuple[str, str]:
    """Return the hashes of compiled code and of runs of Na Grunwald!"""
    game = package / "games" / "na_grunwald"
    return compiling.package_hash.__wrapped__(), compiling.source_hash(game)


def test_an_edit_of_what_decides_ends_resuming(package):
    """Only what is compiled is compiled again."""
    before = hashes(package)
    for file in COMPILED + PLAYED:
        with edited(package / file):
            after = hashes(package)
        assert (after[0] != before[0]) == (file in COMPILED), file
        assert after[1] != before[1], file


def test_an_edit_elsewhere_recompiles_nothing_and_keeps_runs_resumable(package):
    """Neither hash changes; resolved rules are in run.json and compared there."""
    before = hashes(package)
    for file in INDIFFERENT:
        with edited(package / file):
            assert hashes(package) == before, file


def test_other_words_recompile_nothing_and_keep_runs_resumable(package):
    before = hashes(package)
    for file, old, new in REWORDED:
        with replaced(package / file, old, new):
            assert hashes(package) == before, file


def test_a_changed_rule_stream_lineup_or_feature_ends_resuming(package):
    before = hashes(package)
    for file, old, new in RULES:
        with replaced(package / file, old, new, 1):
            assert hashes(package)[1] != before[1], file


def test_another_games_kernel_is_no_matter_to_a_run(package):
    """The code is compiled again, and the run resumes."""
    before = hashes(package)
    with edited(package / "games" / "polska" / "kernel" / "turns.py"):
        after = hashes(package)
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_a_text_of_a_game_from_elsewhere_may_decide(tmp_path):
    """There "red dragon" may be a card; a comment, docstring, error or message is not."""
    game = tmp_path / "game.py"
    body = 'def play(card):\n    "Play."\n    if card != "red dragon":\n        raise ValueError(f"no {card}")\n'
    game.write_text(body)
    before = hash_sources([tmp_path])
    game.write_text("# Cards\n" + body.replace("Play.", "Play a card.").replace("no {card}", "{card}: never"))
    assert hash_sources([tmp_path]) == before
    game.write_text(body.replace("red dragon", "green dragon"))
    assert hash_sources([tmp_path]) != before


def test_a_file_that_cannot_be_parsed_counts_with_its_bytes(tmp_path):
    """Such as a helper for Python 2 in a game's folder."""
    (tmp_path / "old.py").write_text("print 1\n")
    before = hash_sources([tmp_path])
    (tmp_path / "old.py").write_text("print 2\n")
    assert hash_sources([tmp_path]) != before


def test_a_lost_or_damaged_memory_changes_no_hash(tmp_path, monkeypatch):
    """It saves time alone, and it may be impossible to write."""
    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path / "kept")
    source = tmp_path / "a.py"
    source.write_text("x = 1\n")
    before = hash_sources([source])
    (tmp_path / "kept" / "source-trees.json").write_text("{")
    assert hash_sources([source]) == before
    monkeypatch.setattr(compiling, "cache_root", lambda: source / "kept")
    assert hash_sources([source]) == before


READS_ONLY = {"contract/modules.py", "foundation/files.py", "foundation/language.py", "plain/faults.py"}
"""Modules that work while games are played, and that decide nothing: checks of a game, files, words, errors."""


@pytest.mark.parametrize(("game", "strategies"), [("na-grunwald", "generalist,random"), (OH_HELL, "search-2")])
def test_all_that_works_while_games_are_played_is_hashed(tmp_path, game, strategies):
    """So no new module that decides can be forgotten."""
    code = f"""
import sys
from pathlib import Path
from balance.foundation.compiling import PACKAGE
from balance.runs.worker import PartPlayer
seen = set()
def note(frame, event, argument):
    seen.add(frame.f_code.co_filename)
def noted(method):
    def call(*arguments):
        sys.setprofile(note)
        try:
            return method(*arguments)
        finally:
            sys.setprofile(None)
    return call
PartPlayer.__init__ = noted(PartPlayer.__init__)
tables = PartPlayer.tables
PartPlayer.tables = noted(lambda *arguments: list(tables(*arguments)))
from balance import play
experiment = dict(game={str(game)!r}, strategies={strategies!r}.split(","), players=[3], games=6, seed=1, log="trace")
play(experiment, {str(tmp_path / "run")!r}, workers=1)
for file in seen:
    if Path(file).is_relative_to(PACKAGE):
        print(Path(file).relative_to(PACKAGE).as_posix())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    hashed = {*compiling.PLAYED, *compiling.PLAYED_PLAIN}
    worked = {
        name
        for name in done.stdout.split()
        if not name.startswith("games/") and not any(part in hashed for part in (name, str(Path(name).parent)))
    }
    assert "runs/rows.py" in done.stdout.split()
    assert worked <= READS_ONLY


def test_a_game_from_elsewhere_has_a_cache_of_its_own(tmp_path, monkeypatch):
    """A hash of its own sources names it, for functions anywhere in its package."""
    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path / "cache")
    game = tmp_path / "pig"
    (game / "kernel").mkdir(parents=True)
    for name in ("__init__.py", "kernel/__init__.py", "kernel/flow.py", "rules.py", "display.py", "dice.py"):
        (game / name).write_text("")
    assert compiling.game_folder(game / "kernel" / "flow.py") == game
    open_cache = compiling.open_cache.__wrapped__
    first = open_cache(game)
    assert first != open_cache(None)
    (game / "display.py").write_text("_another = 1")
    assert open_cache(game) == first
    for helper in ("kernel/flow.py", "dice.py"):
        before = open_cache(game)
        (game / helper).write_text("_another = 1")
        assert open_cache(game) != before


def test_a_compiled_function_of_no_game_is_cached_by_its_folder(tmp_path):
    """It may be a bot's helper, or a package that several games share."""
    (tmp_path / "tools.py").write_text("")
    assert compiling.game_folder(tmp_path / "tools.py") == tmp_path
    assert compiling.open_cache.__wrapped__(tmp_path)


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
