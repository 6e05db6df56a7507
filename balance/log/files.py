"""Files written whole or not at all; no write follows a link out of its folder."""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
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
    if path.name in ("", ".."):
        path = path.resolve()
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
    """Let errors of the system name this file, where they name a temporary one or none at all."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def replace_file(path: Path, content: bytes) -> None:
    """Write a whole file in place of what lies at `path`."""
    with fresh_file(path) as file:
        file.write(content)


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file where the user wants it, in place of one that lies there, or leave all as it was.

    Raises
    ------
    BalanceError
        A link, folder or device lies there; or it can't be written, see `write_files`.
    """
    try:
        _refuse_other(path)
    except (OSError, ValueError) as error:
        raise BalanceError(f"cannot write {path}: {reason(error)}") from error
    write_files({path: content})


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write whole files in place of what lies there; where one can't be written, keep all of them elsewhere.

    Raises
    ------
    BalanceError
        One can't be written; names the folder where all of them are instead.
    """
    for path, content in contents.items():
        try:
            replace_file(path, content)
        except (OSError, ValueError) as error:
            kept = keep_elsewhere(contents)
            raise BalanceError(f"cannot write {path}: {reason(error)}; {kept}") from error


def keep_elsewhere(contents: Mapping[Path, bytes]) -> str:
    """Write files into a new folder of the first disk that has room; says where they are."""
    for folder in (tempfile.gettempdir(), Path.home(), Path.cwd()):
        try:
            kept = Path(tempfile.mkdtemp(prefix="balance-", dir=folder))
            for path, content in contents.items():
                replace_file(kept / path.name, content)
        except OSError:
            continue
        return f"it is kept in {kept}: {', '.join(path.name for path in contents)}"
    return "no other disk has room for it either"


def check_file(path: Path, new: bool = False) -> None:
    """Refuse a file that `write_file`, or of a `new` one `create_file`, could not write, before the work it is for.

    Raises
    ------
    BalanceError
        A link, folder or device lies there, or where it must be new anything; or its folder is missing or can't be
        written.
    """
    try:
        if new and os.path.lexists(path):
            raise _taken(path)
        _refuse_other(path)
        if not path.parent.is_dir():
            raise BalanceError(f"cannot write {path}: there is no folder {path.parent}; make it first")
        _try_writing(path.parent)
    except (OSError, ValueError) as error:
        raise BalanceError(f"cannot write {path}: {reason(error)}") from error


def check_folder(path: Path, files: Sequence[str] = (), folders: Sequence[str] = ()) -> None:
    """Refuse a folder in which these files and folders could not be written, before the work that they are for.

    The folder may be missing: then it is one that could be made.

    Raises
    ------
    BalanceError
        It is no folder, leads elsewhere, or can't be written; or something else lies where a file or folder belongs.
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
        raise BalanceError(f"cannot write {named}: {reason(error)}") from error


def _taken(path: Path) -> BalanceError:
    return BalanceError(f"{path} is there already; choose another name")


def _refuse_other(path: Path) -> None:
    """Refuse a link, folder or device where a file is to be."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise BalanceError(f"{path} is a link or no file; name another")


def _try_writing(folder: Path) -> None:
    """Make a file in a folder, and remove it."""
    with _naming(folder):
        temporary, file = open_fresh(folder)
        file.close()
        temporary.unlink()


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
        raise _taken(path) from None
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
    with _naming(path), os.fdopen(os.open(path, flags, 0o666), "ab", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        content = line.encode() + b"\n"
        if file.write(content) != len(content):
            file.truncate(size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
