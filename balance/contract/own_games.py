"""Games of the user: a folder with `game.py`, named by its path. Loading one runs its code.

A run names such a game too, so a run from somebody else could name any code on this machine. Therefore the folders that
the user has named are kept in a list, and a run may name only these.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import platformdirs

from balance.foundation.errors import BalanceError, say_error
from balance.foundation.files import resolve_path
from balance.foundation.language import tr

FILE = "game.py"
_bases: dict[type, Callable[[Any, Path], Any]] = {}  # what makes the game of a class derived from each
LOADED: dict[Path, Any] = {}


def is_own_game(name: str) -> bool:
    """Return whether a name is the path of a folder, not the name of a game."""
    return "/" in name or "\\" in name or name in (".", "..")


def has_game(folder: Path) -> bool:
    """Return whether a folder has the file of a game."""
    try:
        return (folder / FILE).is_file()
    except (OSError, ValueError):  # no path: too long, or with a NUL
        return False


def play_derived(base: type, make: Callable[[Any, Path], Any]) -> None:
    """Let the file of a game have a class derived from `base`, of which ``make(class, folder)`` is the game."""
    _bases[base] = make


def load_own_game(name: str, folder: Path) -> Any:
    """Return the game in a folder, see `balance.plain`, and note that the user has named it."""
    path = resolve_path(name, folder).resolve()
    if path not in LOADED:
        if not has_game(path):
            raise BalanceError(
                tr(
                    "there is no game in {path}: {file} is missing; write a game with: {command}",
                    path=path,
                    file=FILE,
                    command="balance new game NAME",
                )
            )
        LOADED[path] = _make_game(path, _import(path))
        _note(path)
    return LOADED[path]


def _import(path: Path) -> ModuleType:
    """Import the file as a package of its own name, so that `from . import other` finds files next to it."""
    name = f"balance_game_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path / FILE, submodule_search_locations=[str(path)])
    assert spec is not None and spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BalanceError:
        raise
    except Exception as error:  # of the user's code
        del sys.modules[name]
        where = str(path / FILE)
        raise BalanceError(tr("the game can't be imported: {why}", why=say_error(error, path, where))) from error
    return module


def _make_game(path: Path, module: ModuleType) -> Any:
    """Return the game of the one class in the file that is one."""
    types = [each for each in vars(module).values() if isinstance(each, type)]
    own = [each for each in types if each.__module__ == module.__name__]
    found = [(make, each) for base, make in _bases.items() for each in own if issubclass(each, base)]
    if len(found) != 1:
        values = {"file": path / FILE, "code": "class NAME(PlainGame)", "line": "from balance.plain import PlainGame"}
        raise BalanceError(
            tr("{file}: has several classes of a game; write one: {code}, with: {line}", **values)
            if found
            else tr("{file}: has no class of a game; write one: {code}, with: {line}", **values)
        )
    make, author = found[0]
    return make(author, path)


class MissingGameError(BalanceError):
    """The code of a run's game is not where it was, or may not run."""


_moved: list[str] = []  # folders that stand in for those that runs name


@contextmanager
def standing_in(folder: Path) -> Iterator[None]:
    """Use the game in a folder in place of those that runs name, because it was moved or renamed."""
    load_own_game(str(folder), Path())
    _moved.append(str(folder.resolve()))
    try:
        yield
    finally:
        _moved.pop()


def place_of_game(name: str) -> str:
    """Return the folder of a run's game; refuse one that is gone, or that the user has never named."""
    if _moved:
        return _moved[-1]
    path = Path(name).resolve()
    if not has_game(path):
        raise MissingGameError(
            tr(
                "the run's game was in {path}, where {file} is missing now: name its folder with {option}",
                path=path, file=FILE, option="--game FOLDER",
            )
        )  # fmt: skip
    if path in LOADED or str(path) in _named():
        return name
    raise MissingGameError(
        tr(
            "the run's game is Python code, {file}: if you trust it, allow it with: {command}",
            file=path / FILE,
            command=f"balance games {shlex.quote(str(path))}",
        )
    )


def list_file() -> Path:
    """Return the file that lists the folders of games that the user has named."""
    return Path(platformdirs.user_data_dir("balance", appauthor=False)) / "own-games.txt"


def _named() -> list[str]:
    with suppress(OSError, UnicodeDecodeError):
        return list_file().read_text(encoding="utf-8").splitlines()
    return []


def _note(path: Path) -> None:
    """Add a folder to the list, and remove those that no longer exist."""
    named = _named()
    if str(path) in named:
        return
    kept = [each for each in named if has_game(Path(each))]
    with suppress(OSError):  # the list is a convenience: this process knows the folder anyway
        list_file().parent.mkdir(parents=True, exist_ok=True)
        list_file().write_text("".join(f"{each}\n" for each in [*kept, path]), encoding="utf-8")
