"""Files that users name, found and read: regular ones of a sane size; whatever is wrong is one line."""

from __future__ import annotations

import json
import re
import stat
from datetime import date, time
from pathlib import Path
from typing import Any

from balance.errors import BalanceError

MOST_BYTES = 10_000_000
_MOST_LEVELS = 50
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{_MOST_LEVELS},}}", re.ASCII)
_INTEGERS = range(-(2**63), 2**64)  # those of TOML, and unsigned ones


def reason(error: Exception) -> str:
    """Why the system refused, without the path, which the caller names."""
    text = str(getattr(error, "strerror", None) or error).rstrip(".")
    return text[:1].lower() + text[1:]


def resolve_path(name: str, folder: Path) -> Path:
    """The absolute path that a user's `name` means, relative to `folder`; `~` is a home.

    Raises
    ------
    BalanceError
        It can't be a path: an unknown user's home, a loop of links, a NUL.
    """
    try:
        return (folder / Path(name).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise BalanceError(f"cannot find {name!r}: {reason(error)}") from None


def exists(path: Path) -> bool:
    """Whether anything is there.

    Raises
    ------
    BalanceError
        That can't be known: no permission, a name that is too long.
    """
    try:
        return path.exists()
    except (OSError, ValueError) as error:
        raise BalanceError(f"cannot read {path}: {reason(error)}") from None


def check_regular(path: Path, most: int | None = None) -> None:
    """Refuse what is no regular file, or one of more than `most` bytes, before it is opened: a pipe waits for a writer.

    Raises
    ------
    BalanceError
        There is nothing, or a folder, pipe or device; it is too large; or that can't be known.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        raise BalanceError(f"no such file: {path}") from None
    except (OSError, ValueError) as error:
        raise BalanceError(f"cannot read {path}: {reason(error)}") from None
    if not stat.S_ISREG(found.st_mode):
        raise BalanceError(f"cannot read {path}: it is not a regular file")
    if most is not None and found.st_size > most:
        raise _too_large(path, most)


def _too_large(path: Path, most: int) -> BalanceError:
    return BalanceError(f"cannot read {path}: it is larger than {most // 1_000_000} MB")


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    Raises
    ------
    BalanceError
        There is no such file; it is a folder, pipe or device, too large, or not to be read.
    """
    check_regular(path, most)
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise BalanceError(f"cannot read {path}: {reason(error)}") from None
    if len(content) > most:
        raise _too_large(path, most)
    return content


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a regular file of at most `most` bytes.

    Raises
    ------
    BalanceError
        As `read_bytes`; or it is not UTF-8.
    """
    content = read_bytes(path, most)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BalanceError(f"cannot read {path}: not UTF-8 (byte {error.start})") from None


def read_json(path: Path, most: int) -> dict[str, Any]:
    """The object that a JSON file holds.

    Raises
    ------
    BalanceError
        As `read_text`; or it is not JSON, no object, or `check_values` refuses it.
    """
    try:
        data = json.loads(read_text(path, most))
    except RecursionError:
        raise BalanceError(f"cannot read {path}: nested too deeply") from None
    except ValueError as error:
        raise BalanceError(f"cannot read {path}: not valid JSON: {error}") from None
    if not isinstance(data, dict):
        raise BalanceError(f"cannot read {path}: it must hold a JSON object")
    check_values(data, str(path))
    return data


def too_deep(where: str) -> BalanceError:
    """The error for tables within tables without end."""
    return BalanceError(f"{where}: nested too deeply (more than {_MOST_LEVELS} levels)")


def check_key_lengths(text: str, where: str) -> None:
    """Refuse TOML with a dotted key of more parts than tables may be nested, which takes its reader minutes.

    Raises
    ------
    BalanceError
        Names `where`.
    """
    if _LONG_KEY.search(text):
        raise too_deep(where)


def check_values(data: Any, where: str) -> None:
    """Refuse what nothing of ours means, and what code further on could choke on.

    Raises
    ------
    BalanceError
        Tables within tables without end, whole numbers of more than 64 bits, half letters, dates and times.
    """
    waiting = [(data, 0, "")]
    while waiting:
        value, level, key = waiting.pop()
        if level > _MOST_LEVELS:
            raise too_deep(where)
        if isinstance(value, dict):
            waiting += [(part, level + 1, name) for name, each in value.items() for part in (name, each)]
        elif isinstance(value, list):
            waiting += [(part, level + 1, key) for part in value]
        elif isinstance(value, (date, time)):
            raise BalanceError(f"{where}: {key}: {value} is a date or time; put a text in quotes")
        elif isinstance(value, int) and value not in _INTEGERS:
            raise BalanceError(f"{where}: a whole number has more than 64 bits")
        elif isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise BalanceError(f"{where}: a text holds half a letter (a lone surrogate)")
