"""Read only regular files of limited size; write files completely or not at all, never through a link."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, time
from pathlib import Path
from typing import Any, BinaryIO

from balance.foundation.errors import BalanceError
from balance.foundation.language import tr

MOST_BYTES = 10_000_000
_MOST_LEVELS = 50
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{_MOST_LEVELS},}}", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_INTEGERS = range(-(2**63), 2**64)  # integers of TOML, and unsigned ones


def reason(error: Exception) -> str:
    """Return the system's reason without the path, which the caller names."""
    text = str(getattr(error, "strerror", None) or error).rstrip(".")
    return text[:1].lower() + text[1:]


@contextmanager
def writing(path: Path, rest: str = "") -> Iterator[None]:
    """Turn an error of the file system inside the block into one line: `path`, the reason, then `rest`."""
    try:
        yield
    except OSError as error:
        raise BalanceError(_unwritable(path, f"{reason(error)}{rest}")) from error


@contextmanager
def _or_say(problem: Callable[[Path, str], str], path: Path) -> Iterator[None]:
    """Turn an error of the file system, or of a path that no system can have, into one line, worded by `problem`."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise BalanceError(problem(path, reason(error))) from error


def _unreadable(path: Path, why: str) -> str:
    return tr("cannot read {path}: {why}", path=path, why=why)


def _unwritable(path: Path, why: str) -> str:
    return tr("cannot write {path}: {why}", path=path, why=why)


def resolve_path(name: str, folder: Path) -> Path:
    """Return the absolute path of a user's `name`, relative to `folder`; `~` is the home folder."""
    try:
        return (folder / Path(name).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise BalanceError(tr("cannot find {name!r}: {why}", name=name, why=reason(error))) from None


def exists(path: Path) -> bool:
    """Return whether a path exists."""
    with _or_say(_unreadable, path):
        return path.exists()


def check_regular(path: Path, most: int | None = None) -> None:
    """Refuse a missing or irregular file, or one of more than `most` bytes, before opening it: a pipe would block."""
    with _or_say(_unreadable, path):
        try:
            found = path.stat()
        except FileNotFoundError:
            raise BalanceError(tr("no such file: {path}", path=path)) from None
    if not stat.S_ISREG(found.st_mode):
        raise BalanceError(_unreadable(path, tr("it is not a regular file")))
    if most is not None and found.st_size > most:
        raise _too_large(path, most)


def _too_large(path: Path, most: int) -> BalanceError:
    return BalanceError(_unreadable(path, tr("it is larger than {size} MB", size=most // 1_000_000)))


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a regular file of at most `most` bytes."""
    check_regular(path, most)
    with _or_say(_unreadable, path), path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise _too_large(path, most)
    return content


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a regular file of at most `most` bytes, without a byte-order mark."""
    content = read_bytes(path, most)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BalanceError(_unreadable(path, tr("not UTF-8 (byte {byte})", byte=error.start))) from None


def read_json(path: Path, most: int) -> dict[str, Any]:
    """Return the object in a JSON file."""
    try:
        data = json.loads(read_text(path, most))
    except RecursionError:
        raise BalanceError(_unreadable(path, tr("nested too deeply"))) from None
    except ValueError as error:
        raise BalanceError(_unreadable(path, tr("not valid JSON: {why}", why=error))) from None
    if not isinstance(data, dict):
        raise BalanceError(_unreadable(path, tr("it must contain a JSON object")))
    check_values(data, str(path))
    return data


def too_deep(where: str) -> BalanceError:
    """Return the error for tables that are nested too deeply."""
    return BalanceError(tr("{where}: nested too deeply (more than {most} levels)", where=where, most=_MOST_LEVELS))


def check_key_lengths(text: str, where: str) -> None:
    """Refuse TOML with a dotted key of more parts than tables may be nested; parsing it takes minutes."""
    if _LONG_KEY.search(text):
        raise too_deep(where)


def check_values(data: Any, where: str) -> None:
    """Refuse values that no key of balance allows and that later code could fail on."""
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
            text = tr("{value} is a date or time; to write text, put it in quotes", value=str(value))
            raise BalanceError(f"{where}: {key}: {text}")
        elif isinstance(value, int) and value not in _INTEGERS:
            raise BalanceError(tr("{where}: a whole number has more than 64 bits", where=where))
        elif isinstance(value, str) and _SURROGATE.search(value):
            raise BalanceError(tr("{where}: a text contains half a character (a lone surrogate)", where=where))


_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
LEFTOVERS = ".*.tmp"
"""Names of the files of `open_fresh`."""


def make_folder(path: Path) -> None:
    """Create a folder inside another if it does not exist; OSError if it can't be created or is a link."""
    if path.name in ("", ".."):
        path = path.resolve()
    path.mkdir(parents=True, exist_ok=True)
    if path.resolve() != path.parent.resolve() / path.name:
        raise OSError(errno.ELOOP, tr("{name} is a link to another folder", name=path.name), str(path))


def open_fresh(folder: Path) -> tuple[Path, BinaryIO]:
    """Open a new file in `folder` under a unique name."""
    path = folder / f".{secrets.token_hex(8)}.tmp"
    return path, os.fdopen(os.open(path, _FRESH, 0o666), "wb")


@contextmanager
def fresh_file(path: Path) -> Iterator[BinaryIO]:
    """Provide a new file that replaces `path` if the block succeeds, and is removed otherwise.

    If `path` is a link, the link is replaced, not its target.
    """
    with _naming(path):
        temporary, file = open_fresh(path.parent)
        try:
            with file:
                yield file
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Make system errors name this file instead of a temporary file or no file."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def replace_file(path: Path, content: bytes) -> None:
    """Write a complete file in place of `path`."""
    with fresh_file(path) as file:
        file.write(content)


def write_file(path: Path, content: bytes) -> None:
    """Write a complete file at the user's path, replacing an existing one, or change nothing."""
    with _or_say(_unwritable, path):
        _refuse_other(path)
    write_files({path: content})


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write complete files, replacing existing ones; if a file can't be written, save all of them elsewhere."""
    for path, content in contents.items():
        try:
            replace_file(path, content)
        except (OSError, ValueError) as error:
            kept = keep_elsewhere(contents)
            raise BalanceError(_unwritable(path, f"{reason(error)}; {kept}")) from error


def keep_elsewhere(contents: Mapping[Path, bytes]) -> str:
    """Write files into a new folder on the first disk with enough space; return a message with the place."""
    for folder in (tempfile.gettempdir(), Path.home(), Path.cwd()):
        try:
            kept = Path(tempfile.mkdtemp(prefix="balance-", dir=folder))
            for path, content in contents.items():
                replace_file(kept / path.name, content)
        except OSError:
            continue
        names = ", ".join(path.name for path in contents)
        return tr("saved instead in {folder}: {names}", folder=kept, names=names)
    return tr("and no other disk has room for it")


def check_file(path: Path, new: bool = False) -> None:
    """Refuse a file that `write_file` (or with `new`, `create_file`) could not write, before any work is done."""
    with _or_say(_unwritable, path):
        if new and os.path.lexists(path):
            raise _taken(path)
        _refuse_other(path)
        if not path.parent.is_dir():
            missing = tr("the folder {folder} does not exist; create it first", folder=path.parent)
            raise BalanceError(_unwritable(path, missing))
        _try_writing(path.parent)


_ADDRESS = re.compile("[A-Za-z][A-Za-z0-9+.:-]+:/")  # a drive of Windows has one letter


def is_address(name: str) -> bool:
    """Return whether a name is written like an address such as ``s3://bucket/run``, right or wrong, not like a path."""
    return _ADDRESS.match(name) is not None


def local_path(name: str | os.PathLike[str]) -> Path:
    """Return a user's path; an address would become a folder of that name."""
    if is_address(text := os.fspath(name)):
        raise BalanceError(tr("{value!r}: only runs may be in an object store; name a folder", value=text))
    return Path(text)


def check_folder(path: Path, files: Sequence[str] = (), folders: Sequence[str] = ()) -> None:
    """Refuse a folder in which these files and folders could not be written, before any work is done.

    The folder may be missing if it could be created.
    """
    try:
        there = next(each for each in (path, *path.absolute().parents) if each.exists())
        _try_writing(there)
        for name in files:
            if (path / name).is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path / name))
        for name in folders:
            if (path / name).exists():
                make_folder(path / name)
                _try_writing(path / name)
    except (OSError, ValueError) as error:
        found = Path(getattr(error, "filename", None) or path)
        named = found if path in found.parents else path
        raise BalanceError(_unwritable(named, reason(error))) from error


def _taken(path: Path) -> BalanceError:
    return BalanceError(tr("{path} exists already; choose another name", path=path))


def _refuse_other(path: Path) -> None:
    """Refuse a link, folder or device in the place of a file."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise BalanceError(tr("{path} is a link or not a file; name another", path=path))


def _try_writing(folder: Path) -> None:
    """Create a file in a folder, and remove it again."""
    with _naming(folder):
        temporary, file = open_fresh(folder)
        file.close()
        temporary.unlink()


def create_file(path: Path, content: bytes) -> None:
    """Write a complete new file; never replace anything."""
    with _or_say(_unwritable, path):
        try:
            file = os.fdopen(os.open(path, _FRESH, 0o666), "wb")
        except FileExistsError:
            raise _taken(path) from None
        try:
            with file:
                file.write(content)
        except OSError:
            path.unlink(missing_ok=True)
            raise


def append_line(path: Path, line: str) -> None:
    """Append a line to a file of balance, completely or not at all."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with _naming(path), os.fdopen(os.open(path, flags, 0o666), "ab", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        content = line.encode() + b"\n"
        if file.write(content) != len(content):
            file.truncate(size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
