"""What decides how games go is hashed, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from balance.compiling import jit, sources

DECISIVE = [
    "compiling/streams.py",
    "contract/records.py",
    "engine/loop.py",
    "plan/lineups.py",
    "log/rows.py",
    "batch/worker.py",
    "games/na_grunwald/rules/decks.py",
    "games/na_grunwald/kernel/skirmish.py",
    "games/na_grunwald/heuristics/judgement.py",
]
INDIFFERENT = [
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
    """A copy of this package's sources to edit."""
    copy = tmp_path / "balance"
    shutil.copytree(sources.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sources, "PACKAGE", copy)
    return copy


def edit(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "\n# another word\n", encoding="utf-8")


def hashes(package: Path) -> tuple[str, str]:
    """Of compiled code, and of runs of Na Grunwald!"""
    game = package / "games" / "na_grunwald"
    return sources.package_hash.__wrapped__(), sources.source_hash(game)


@pytest.mark.parametrize("file", DECISIVE)
def test_an_edit_of_what_decides_recompiles_and_ends_resuming(package, file):
    """Both hashes change."""
    before = hashes(package)
    edit(package / file)
    assert all(now != then for now, then in zip(hashes(package), before, strict=True))


@pytest.mark.parametrize("file", INDIFFERENT)
def test_a_reworded_page_recompiles_nothing_and_keeps_runs_resumable(package, file):
    """Neither changes; resolved rules stand in run.json and are compared there."""
    before = hashes(package)
    edit(package / file)
    assert hashes(package) == before


def test_another_games_kernel_is_no_matter_to_a_run(package):
    """Compiled code is made anew, the run goes on."""
    before = hashes(package)
    edit(package / "games" / "polska" / "kernel" / "turns.py")
    after = hashes(package)
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_a_game_from_elsewhere_has_a_cache_of_its_own(tmp_path, monkeypatch):
    """Named by a hash of its own sources, wherever in its package a function stands."""
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path / "cache")
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
    assert sources.game_folder(game / "kernel" / "flow.py") == game
    open_cache = jit._open_cache.__wrapped__
    first = open_cache(game)
    assert first != open_cache(None)
    edit(game / "display.py")
    assert open_cache(game) == first
    for helper in ("kernel/flow.py", "dice.py"):
        before = open_cache(game)
        edit(game / helper)
        assert open_cache(game) != before


def test_a_compiled_function_of_no_game_is_cached_by_its_folder(tmp_path):
    """A bot's helper, or a package that several games share."""
    (tmp_path / "tools.py").write_text("")
    assert sources.game_folder(tmp_path / "tools.py") == tmp_path
    assert jit._open_cache.__wrapped__(tmp_path)
