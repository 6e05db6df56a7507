"""Hashes of sources: they cover exactly the files that affect games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from balance.foundation import compiling

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
    """Both hashes change."""
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
