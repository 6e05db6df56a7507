"""Files written whole or not at all; no write follows a link out of its folder."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from balance.errors import BalanceError
from balance.files import reason

_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
LEFTOVERS = ".*.tmp"
"""What `open_fresh` calls its files."""


def make_folder(path: Path) -> None:
    """Make a folder inside another if it is not there.

    Raises
    ------
    OSError
        It can't be made, or leads elsewhere.
    """
    path.mkdir(parents=True, exist_ok=True)
    if path.resolve() != path.parent.resolve() / path.name:
        raise OSError(errno.ELOOP, f"{path.name} is a link to another folder", str(path))


def open_fresh(folder: Path) -> tuple[Path, BinaryIO]:
    """A new file in `folder`, under a name that nobody else has."""
    path = folder / f".{secrets.token_hex(8)}.tmp"
    return path, os.fdopen(os.open(path, _FRESH, 0o666), "wb")


@contextmanager
def fresh_file(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when the block ends well, and is dropped otherwise.

    Where a link lies at `path`, the link is replaced, and not what it leads to.
    """
    temporary, file = open_fresh(path.parent)
    try:
        with file:
            yield file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def replace_file(path: Path, content: bytes) -> None:
    """Write a whole file in place of what lies at `path`."""
    with fresh_file(path) as file:
        file.write(content)


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file where the user wants it, in place of one that lies there, or leave all as it was.

    Raises
    ------
    BalanceError
        A link, folder or device lies there; or it can't be written.
    """
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise BalanceError(f"{path} is a link or no file; name another")
        replace_file(path, content)
    except (OSError, ValueError) as error:
        raise BalanceError(f"cannot write {path}: {reason(error)}") from error


def create_file(path: Path, content: bytes) -> None:
    """Write a whole file where nothing lies.

    Raises
    ------
    BalanceError
        Something lies there, which stays as it is; or nothing can be written there.
    """
    try:
        file = os.fdopen(os.open(path, _FRESH, 0o666), "wb")
    except FileExistsError:
        raise BalanceError(f"{path} is there already; choose another name") from None
    except (OSError, ValueError) as error:
        raise BalanceError(f"cannot write {path}: {reason(error)}") from error
    try:
        with file:
            file.write(content)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise BalanceError(f"cannot write {path}: {reason(error)}") from error


def append_line(path: Path, line: str) -> None:
    """Add a line to a file of ours, all of it or nothing."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o666), "ab", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        content = line.encode() + b"\n"
        if file.write(content) != len(content):
            file.truncate(size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
