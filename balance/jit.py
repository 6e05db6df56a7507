"""How this package compiles: one decorator, and a cache folder that follows the source.

Numba's on-disk cache looks only at the file of the function it caches. A function that calls
another file's function would go on playing the old rules after an edit there, so the cache
folder is named by a hash of every source file.
"""

from __future__ import annotations

import hashlib
import shutil
from functools import cache, partial
from pathlib import Path

import numba
import platformdirs

PACKAGE = Path(__file__).resolve().parent
KEPT_CACHES = 4


def hash_sources(*folders: Path) -> str:
    """SHA-256 over the Python files of `folders`, their names included, as 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def package_hash() -> str:
    """Hash of this package's own sources; logged with every run."""
    return hash_sources(PACKAGE)


def _open_cache() -> Path:
    root = Path(platformdirs.user_cache_dir("balance", appauthor=False)) / "compiled"
    folder = root / package_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stale = sorted(root.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT_CACHES]
        for path in stale:
            shutil.rmtree(path, ignore_errors=True)
    except OSError:
        pass  # Numba falls back to its own folders, or compiles anew each time
    return folder


if not numba.config.CACHE_DIR:  # a folder that the user set in NUMBA_CACHE_DIR stays
    numba.config.CACHE_DIR = str(_open_cache())

_OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy", "no_cfunc_wrapper": True}

compiled = partial(numba.njit, no_cpython_wrapper=True, **_OPTIONS)
"""Decorator for a function that only compiled code calls."""

compiled_entry = partial(numba.njit, **_OPTIONS)
"""Decorator for a compiled function that Python calls too; its wrapper costs compile time."""
