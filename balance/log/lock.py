"""Who may write a run: one process at a time."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from balance.errors import BalanceError

NAME = ".lock"


@contextmanager
def hold(run: Path) -> Iterator[None]:
    """Keep other processes from writing the run in this folder inside the block.

    Raises
    ------
    BalanceError
        Another process is writing it, or no lock can be made there.
    """
    path = run / NAME
    _refuse_link(path)
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise being_written(run) from None
    except OSError as error:
        raise BalanceError(f"cannot write {run}: {error.strerror or error}") from error
    try:
        yield
    finally:
        lock.release()


def being_written(run: Path) -> BalanceError:
    """The error for a run that another process holds."""
    return BalanceError(f"{run} is being written by another process")


def _refuse_link(path: Path) -> None:
    """Refuse a lock that is another file, which taking the lock could empty."""
    try:
        found = path.lstat()
    except OSError:
        return  # there is none, or taking it says what is wrong
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        raise BalanceError(f"{path} is a link or no file of this package; remove it")


def is_held(run: Path) -> bool:
    """Whether a process is writing the run in this folder; asked without writing there."""
    try:
        number = os.open(
            run / NAME, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        )
    except OSError:
        return False
    try:
        return not _try_lock(number)
    finally:
        os.close(number)


if sys.platform == "win32":

    def _try_lock(number: int) -> bool:
        import msvcrt

        try:
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
            msvcrt.locking(number, msvcrt.LK_UNLCK, 1)
        except OSError:
            return False
        return True

else:

    def _try_lock(number: int) -> bool:
        import fcntl

        try:
            fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
