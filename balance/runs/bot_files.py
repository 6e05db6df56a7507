"""The Python files of custom bots, and a hash of each. Their code is parsed, but never run here."""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Iterator, Sequence
from importlib.machinery import all_suffixes
from pathlib import Path

from balance.experiments.strategies import Strategy
from balance.foundation.files import MOST_BYTES
from balance.foundation.language import tr
from balance.runs.manifest import hash_file

# Calls that import the module named by their first argument.
_IMPORTERS = ("import_module", "__import__")


def hash_bots(strategies: Sequence[Strategy]) -> dict[str, str]:
    """Return a SHA-256 of each custom bot's file, and of each file that it imports from its folder.

    Keys are ``BOT`` and ``BOT: FILE``, see `name_bot_file`. A missing file has the hash of no bytes.
    """
    found: dict[str, list[str]] = {}
    for name, bot in dict.fromkeys((s.name, s.bot.rpartition(":")[0]) for s in strategies if s.bot):
        for path in _files_of(Path(bot)):
            own = path == Path(bot)
            key = name if own else f"{name}: {path.relative_to(Path(bot).parent).as_posix()}"
            found.setdefault(key, []).append(hash_file(path) if path.is_file() else "")
    return {key: hashlib.sha256(" ".join(hashes).encode()).hexdigest() for key, hashes in found.items()}


def name_bot_file(key: str) -> str:
    """Describe a key of `hash_bots` in words."""
    bot, _, file = key.partition(": ")
    if file:
        return tr("{file}, which bot {bot} imports", file=file, bot=bot)
    return tr("the file of bot {bot}", bot=bot)


def _files_of(bot: Path) -> list[Path]:
    """Return a bot's file, and all files below its folder that it imports, directly or not, in any line."""
    found, waiting = {bot: None}, [bot]
    while waiting:
        file = waiting.pop()
        for path in _imported_files(file, bot.parent):
            if path not in found:
                found[path] = None
                waiting.append(path)
    return [bot, *sorted(path for path in found if path != bot)]


def _imported_files(file: Path, folder: Path) -> Iterator[Path]:
    """Yield the files below `folder` that a file imports."""
    for level, module, names in _imports(file):
        roots = [file.parents[level - 1]] if 0 < level <= len(file.parents) else [folder, *folder.parents]
        for root in roots:
            parts = [part for part in module.split(".") if part.isidentifier()]
            for found in _find_module(root, parts, names):
                if found.is_relative_to(folder):
                    yield found


def _imports(file: Path) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the level (folders up), the module and the names of every import of a Python file."""
    try:
        if file.suffix != ".py" or not file.is_file() or file.stat().st_size > MOST_BYTES:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about the bot's code
            tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and node.args and _callee(node) in _IMPORTERS:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield 0, name.value, []


def _callee(call: ast.Call) -> str:
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")


def _find_module(root: Path, parts: Sequence[str], names: Sequence[str]) -> Iterator[Path]:
    """Yield the files that Python runs to import a module below `root`, and names out of it."""
    folder = root
    for part in parts:
        yield from _module_files(folder, part)
        folder /= part
    yield from _module_files(folder, "__init__")
    for name in names:
        if name == "*":
            yield from sorted(folder.glob("*.py")) if parts else ()
        else:
            yield from _module_files(folder, name)


def _module_files(folder: Path, name: str) -> Iterator[Path]:
    """Yield the file of a module in a folder, and that of a package of this name."""
    for stem in (folder / name, folder / name / "__init__"):
        for suffix in all_suffixes():
            path = stem.with_name(stem.name + suffix)
            if path.is_file():
                yield path
