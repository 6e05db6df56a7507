"""How this package compiles: two decorators, and a cache folder that follows the source.

Numba's on-disk cache looks only at the file of the function it caches. A function that calls
another file's function would go on playing the old rules after an edit there, so the cache
folder is named by a hash of the source files that decide how games go (`balance.compiling.sources`);
functions of a game from elsewhere get a folder of their own. With NUMBA_CACHE_DIR these folders lie in that
directory, in a folder `balance`.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs
from numba.core.dispatcher import Dispatcher

from balance.compiling.faults import explain_failures
from balance.compiling.sources import PACKAGE, game_folder, game_sources, hash_sources, package_hash

KEPT_CACHES = 8
Function = TypeVar("Function", bound=Callable[..., Any])

_USERS_ROOT = (
    numba.config.CACHE_DIR
)  # NUMBA_CACHE_DIR when this module is imported; `_compile` changes the setting
_FOLDER = re.compile(r"[0-9a-f]{16}(-[0-9a-f]{16})?")
_LOCK = threading.Lock()  # Numba reads its setting when a function is decorated


def cache_root() -> Path:
    """Return the folder that holds a folder of compiled code for each state of the sources."""
    if _USERS_ROOT:
        return Path(_USERS_ROOT).absolute() / "balance"
    return Path(platformdirs.user_cache_dir("balance", appauthor=False)) / "compiled"


@cache
def _open_cache(game: Path | None) -> str | None:
    """Return the folder for this package or, with `game`, for the game that lies elsewhere.

    Returns
    -------
    str or None
        None where no folder can be written: the caches that Numba would use instead don't notice an edited callee.
    """
    own = f"-{hash_sources(game_sources(game))}" if game else ""
    folder = cache_root() / f"{package_hash()}{own}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    with suppress(OSError):  # another process removes the same ones
        _remove_oldest(bool(own))
    return str(folder) if os.access(folder, os.W_OK) else None


def _remove_oldest(elsewhere: bool) -> None:
    """Remove the folders not opened for longest, of this package or of games from elsewhere; no other folder."""
    alike = [
        path
        for path in cache_root().iterdir()
        if (name := _FOLDER.fullmatch(path.name)) and bool(name[1]) == elsewhere
    ]
    for path in sorted(alike, key=lambda path: path.stat().st_mtime)[:-KEPT_CACHES]:
        shutil.rmtree(path, ignore_errors=True)


def _compile(function: Function, source: Path | None, **options: Any) -> Function:
    file = source or Path(function.__code__.co_filename).resolve()
    folder = _open_cache(None if file.is_relative_to(PACKAGE) else game_folder(file))
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}
    options["cache"] = folder is not None
    with _LOCK:  # the setting is the process's: a user's own functions keep theirs
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, folder or ""
        try:
            done: Function = numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = before
    return done


def compiled(function: Function) -> Function:
    """Decorate a function that only compiled code calls; a call from Python ends the process."""
    return _compile(function, None, no_cpython_wrapper=True)


def inlined(function: Function) -> Function:
    """Decorate a compiled function that is to become a part of whatever calls it.

    For what a loop calls that the compiler is to make vector instructions of, or that is called from so
    few places that a call is waste.
    """
    return _compile(function, None, no_cpython_wrapper=True, forceinline=True)


def compiled_entry(function: Function, source: Path | None = None) -> Function:
    """Decorate a compiled function that Python calls too; its wrapper costs compile time.

    `source` is the file whose game decides where it is cached; None for the function's own file.
    """
    done = _compile(function, source)
    if isinstance(done, Dispatcher):  # a plain function where Numba is switched off
        dispatcher: Any = done
        dispatcher._compile_for_args = explain_failures(dispatcher._compile_for_args, function)
    return done
