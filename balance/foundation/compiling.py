"""Compilation: decorators, and a cache folder named by a hash of the sources.

Numba's cache on disk checks only the file of the cached function. A function that calls a function in another file
would keep the old rules after an edit there. So the cache folder is named by a hash of the modules that are compiled;
functions of a third-party game have their own folder. With NUMBA_CACHE_DIR these folders are in that directory, in a
folder `balance`. A run logs a hash of the modules that decide its games, and is resumed only with the same hash.

Comments, docstrings, messages, what an error says and the meanings of fields can't change how a game goes. So what is
hashed is the syntax tree without them: other words recompile nothing and keep runs resumable. The trees of all games
take half a second, so a file keeps their hashes.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import platformdirs
from numba import types
from numba.core.dispatcher import Dispatcher

from balance.foundation.compile_errors import explain_failures
from balance.foundation.files import replace_file

PACKAGE = Path(__file__).resolve().parents[1]
COMPILED = (
    "foundation/compiling.py",
    "foundation/streams.py",
    "contract/defaults.py",
    "contract/game.py",  # which functions the loop calls
    "contract/records.py",
    *(f"engine/{name}.py" for name in ("buffers", "code_table", "environments", "giving", "loop", "networks")),
    *(f"engine/{name}.py" for name in ("restricting", "sampling", "vectors")),
    "engine/search",
)
"""What is compiled for every game."""
PLAYED = (
    *COMPILED,
    "contract/actions.py",  # labels and parts of actions in a trace
    "contract/restrictions.py",
    "contract/rule_tables.py",
    "contract/sides.py",  # who wins together
    "contract/view.py",
    *(f"engine/{name}.py" for name in ("bot_main", "custom", "stepper")),
    *(
        f"experiments/{name}.py"
        for name in ("learned", "lineups", "networks", "plan", "profiles", "searchers", "strategies")
    ),
    *(f"runs/{name}.py" for name in ("jobs", "parts", "rows", "worker")),
)
"""What decides the games of every run, and their rows."""
PLAYED_PLAIN = tuple(
    f"plain/{name}.py"
    for name in (
        *("adapter", "chance", "copying", "hidden", "inputs", "interface", "learned", "loop", "results"),
        *("search", "table"),
    )
)
"""What else decides games in plain Python."""
SHOWN = ("display", "analytics", "tests")  # folders of a game that do not affect games


def hash_sources(paths: Iterable[Path]) -> str:
    """Return a hash of Python files and the Python files of folders, names included, as 16 hex digits."""
    named = []
    for path in paths:
        files = path.rglob("*.py") if path.is_dir() else [path]
        named += sorted((file.relative_to(path.parent).as_posix(), file) for file in files)
    return _hash_trees(named, cache_root() / "source-trees.json")


def game_sources(folder: Path) -> list[Path]:
    """Return the sources that decide the games of one game: rules, kernel, heuristics and their helpers."""
    inside = sorted(path for path in folder.iterdir() if path.stem not in SHOWN)
    return [path for path in inside if path.suffix == ".py" or (path.is_dir() and any(path.rglob("*.py")))]


def game_folder(file: Path) -> Path:
    """Return the folder of the game that a source file belongs to; the file's own folder if there is none."""
    packages = [folder for folder in file.parents if (folder / "__init__.py").is_file()]
    return next(filter(_has_kernel, packages), file.parent)


def _has_kernel(folder: Path) -> bool:
    return (folder / "kernel").is_dir() or (folder / "kernel.py").is_file()


@cache
def package_hash() -> str:
    """Return a hash of what is compiled for this package's games, and of Numba; it names the folder of compiled code.

    A version of Numba overwrites what another one compiled, so environments that share a clone would compile in turn.
    """
    games = sorted(folder for folder in (PACKAGE / "games").iterdir() if _has_kernel(folder))
    parts = (part for game in games for part in game_sources(game))
    sources = hash_sources([*(PACKAGE / name for name in COMPILED), *parts])
    return _hash([sources.encode(), numba.__version__.encode()])


def source_hash(folder: Path) -> str:
    """Return a hash of the sources that decide the games of the game in `folder`; logged with every run."""
    shared = PLAYED if _has_kernel(folder) else (*PLAYED, *PLAYED_PLAIN)
    return hash_sources([*(PACKAGE / name for name in shared), *game_sources(folder)])


_KEPT_HASHES = 2000  # that the file keeps
_MESSAGES = ("tr", "trn")
_SENTENCE = re.compile(r"\w \w")


def _hash_trees(files: Iterable[tuple[str, Path]], memory: Path) -> str:
    """Return a hash of the syntax trees of named Python files, in their order; `memory` is the file that keeps hashes.

    It is the same in every version of Python. In this package a text of several words is never data, so it is not
    hashed; in another game it may be the name of a card. A file that can't be parsed counts with its bytes.
    """
    form = Path(__file__).read_bytes()
    kept: dict[str, str] = {}
    with suppress(OSError, ValueError):
        kept = json.loads(memory.read_bytes())
    before, parts = len(kept), []
    for name, file in files:
        text, own = file.read_bytes(), file.is_relative_to(PACKAGE)
        key = _hash([form, text, bytes([own])])
        if key not in kept:
            kept[key] = _hash([_write_tree(text, own)])
        parts += [name.encode(), kept[key].encode()]
    if len(kept) > before:
        with suppress(OSError):
            memory.parent.mkdir(parents=True, exist_ok=True)
            replace_file(memory, json.dumps(dict(list(kept.items())[-_KEPT_HASHES:])).encode())
    return _hash(parts)


def _hash(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()[:16]


def _write_tree(source: bytes, own: bool) -> bytes:
    """Return the syntax tree of a source without words, as text; without sentences if it is the package's own."""
    try:
        words = _walk_tree(ast.parse(source))
        return "\n".join(word for word in words if not (own and _SENTENCE.search(word))).encode()
    except (SyntaxError, ValueError):
        return source


def _walk_tree(tree: ast.Module) -> Iterator[str]:
    """Yield the types, fields and values of a tree, parents first; no empty fields: newer Pythons add some."""
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.AST):
            yield type(node).__name__
            for name in reversed(node._fields):
                value = getattr(node, name, None)
                if value is not None and value != []:
                    waiting += [_without_words(value), _Field(name)]
        elif isinstance(node, list):
            decisive = [_without_words(each) for each in node if not _is_words(each)]
            yield str(len(decisive))
            waiting += reversed(decisive)
        else:
            yield node if isinstance(node, _Field) else repr(node)


class _Field(str):
    """The name of a field of a tree, or what stands for a message; no text of the source."""


def _is_words(node: Any) -> bool:
    """Return whether a statement is a docstring or imports types alone, or an argument describes a field."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.keyword(arg="description"):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=[]):
            return True
    return False


def _without_words(node: Any) -> Any:
    """Return what decides in a node: no message, and of an error only its class."""
    match node:
        case ast.Raise(exc=ast.Call(func=kind)):
            return kind
        case ast.Call(func=ast.Name(id=name)) if name in _MESSAGES:
            return _Field("message")
    return node


KEPT_CACHES = 8  # states of this package, up to a gigabyte each
KEPT_GAMES = 64  # states of third-party games, a few megabytes each
Function = TypeVar("Function", bound=Callable[..., Any])

# NUMBA_CACHE_DIR when this module is imported; `_compile` changes the setting.
_USERS_ROOT = numba.config.CACHE_DIR
_FOLDER = re.compile(r"[0-9a-f]{16}(-[0-9a-f]{16})?")
_LOCK = threading.Lock()  # Numba reads its setting when a function is decorated


def cache_root() -> Path:
    """Return the folder that contains a folder of compiled code for each state of the sources."""
    if _USERS_ROOT:
        return Path(_USERS_ROOT).absolute() / "balance"
    return Path(platformdirs.user_cache_dir("balance", appauthor=False)) / "compiled"


@cache
def open_cache(game: Path | None) -> str | None:
    """Return the cache folder for this package or, with `game`, for a third-party game.

    Returns
    -------
    str or None
        None if no folder can be written: the caches that Numba would use instead don't notice an edited callee.
    """
    own = f"-{hash_sources(game_sources(game))}" if game else ""
    folder = cache_root() / f"{package_hash()}{own}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    with suppress(OSError):  # another process may remove the same folders
        _remove_oldest(bool(own))
    return str(folder) if os.access(folder, os.W_OK) else None


def keeps_code() -> bool:
    """Return whether compiled code of this package can be kept, in `cache_root`."""
    return open_cache(None) is not None


def _remove_oldest(elsewhere: bool) -> None:
    """Remove all folders but the last opened, of this package or of third-party games; no other folder."""
    alike = [
        path for path in cache_root().iterdir() if (name := _FOLDER.fullmatch(path.name)) and bool(name[1]) == elsewhere
    ]
    kept = KEPT_GAMES if elsewhere else KEPT_CACHES
    for path in sorted(alike, key=lambda path: path.stat().st_mtime)[:-kept]:
        shutil.rmtree(path, ignore_errors=True)


def _compile(function: Function, source: Path | None, **options: Any) -> Function:
    file = source or Path(function.__code__.co_filename).resolve()
    folder = open_cache(None if file.is_relative_to(PACKAGE) else game_folder(file))
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}
    options["cache"] = folder is not None
    with _LOCK:  # the setting is global; a user's own functions keep theirs
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, folder or ""
        try:
            done: Function = numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = before
    if isinstance(done, Dispatcher):  # a plain function if Numba is switched off
        _widen(done)
    return done


def _widen(dispatcher: Any) -> None:
    """Let compiled callers share one version of a function for whole numbers of 8 to 64 bits.

    Numba would compile a version for each combination of types: a seat from a record has 8 or 32 bits, one from a loop
    64. That took a third of the time to compile a game.
    """
    resolve = dispatcher.get_call_template

    def resolve_widened(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return resolve(tuple(map(_wide, args)), {name: _wide(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_widened


def _wide(kind: Any) -> Any:
    """Return int64 for every whole number that fits into it, and any other type unchanged."""
    found = types.unliteral(kind)
    fits = isinstance(found, types.Integer) and (found.signed or found.bitwidth < types.int64.bitwidth)
    return types.int64 if fits else kind


def compiled_copy(
    function: Callable[..., Any], names: dict[str, Any], name: str, source: Path, merged: bool = False
) -> Callable[..., Any]:
    """Compile a copy of a function whose globals are `names`, and which Numba caches under `name`.

    A closure over the same functions would work too, but Numba compiles a closure again in every process. `source` is
    as for `compiled_entry`. With `merged`, compiled callers contain the function's code and don't call it: LLVM then
    optimises the functions that it calls once less, because it optimises all callees of a function along with it.
    """
    copy = FunctionType(function.__code__, names)
    copy.__qualname__, copy.__module__ = name, function.__module__
    return compiled_entry(copy, source, inline="always" if merged else "never")


def compiled(function: Function) -> Function:
    """Decorate a function that is only called by compiled code; a call from Python crashes the process."""
    return _compile(function, None, no_cpython_wrapper=True)


def uncompiled(function: Function) -> Function:
    """Return a compiled function as Python runs it, e.g. for a display that takes the code of an action apart."""
    return getattr(function, "py_func", function)


def inlined(function: Function) -> Function:
    """Decorate a compiled function that is inlined into its callers.

    For functions in loops that the compiler should vectorise, or functions with so few callers that a call is wasteful.
    """
    return _compile(function, None, no_cpython_wrapper=True, forceinline=True)


def compiled_entry(function: Function, source: Path | None = None, **options: Any) -> Function:
    """Decorate a compiled function that Python also calls; its wrapper costs compile time.

    `source` is the file whose game decides the cache folder; None for the function's own file. `options` are Numba's.
    """
    done = _compile(function, source, **options)
    if isinstance(done, Dispatcher):  # a plain function if Numba is switched off
        dispatcher: Any = done
        dispatcher._compile_for_args = explain_failures(dispatcher._compile_for_args, function)
    return done


def find_overload(function: Any, args: tuple[Any, ...]) -> Callable[..., Any]:
    """Return a compiled function for arguments of the types of `args`, compiling it if necessary.

    A call of it does not look the types up, which takes 20 µs with records. It must only be called with these types.
    """
    if not isinstance(function, Dispatcher):  # a plain function if Numba is switched off
        return cast(Callable[..., Any], function)
    dispatcher: Any = function
    return cast(Callable[..., Any], dispatcher._compile_for_args(*args))
