"""Which source files decide how games go, and a hash of them.

Compiled code is cached, and a run resumed, for as long as these files stay as they are. What only
draws a page or words a message is left out: editing it recompiles nothing and keeps runs resumable.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
SHARED = ("compiling", "contract", "engine", "plan", "log", "batch")
SHOWN = ("display", "analytics", "tests")  # of a game: what only draws and words


def hash_sources(paths: Iterable[Path]) -> str:
    """SHA-256 over Python files and the Python files of folders, names included, as 16 hex digits."""
    digest = hashlib.sha256()
    for path in paths:
        files = path.rglob("*.py") if path.is_dir() else [path]
        named = {file.relative_to(path.parent).as_posix(): file for file in files}
        for name, file in sorted(named.items()):  # names sort alike on every system, paths don't
            digest.update(name.encode() + b"\0")
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def shared_sources() -> list[Path]:
    """What every game is played by."""
    return [PACKAGE / name for name in SHARED]


def game_sources(folder: Path) -> list[Path]:
    """What decides how one game goes: rules, kernel, heuristics and whatever helps them."""
    inside = sorted(path for path in folder.iterdir() if path.stem not in SHOWN)
    return [
        path for path in inside if path.suffix == ".py" or (path.is_dir() and any(path.rglob("*.py")))
    ]


def game_folder(file: Path) -> Path:
    """The folder of the game that a source file belongs to; where there is none, the file's own."""
    packages = [folder for folder in file.parents if (folder / "__init__.py").is_file()]
    return next(filter(_has_kernel, packages), file.parent)


def _has_kernel(folder: Path) -> bool:
    return (folder / "kernel").is_dir() or (folder / "kernel.py").is_file()


@cache
def package_hash() -> str:
    """Hash of all that decides how the games of this package go: names its folder of compiled code."""
    games = sorted(folder for folder in (PACKAGE / "games").iterdir() if _has_kernel(folder))
    return hash_sources([*shared_sources(), *(part for game in games for part in game_sources(game))])


def source_hash(folder: Path) -> str:
    """Hash of all that decides how the games of the game in `folder` go; logged with every run."""
    return hash_sources([*shared_sources(), *game_sources(folder)])
