"""Write access to a run folder: one process at a time. A new folder is removed again if nothing was written."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from fnmatch import fnmatch
from pathlib import Path

from filelock import FileLock, Timeout

from balance.foundation.errors import BalanceError
from balance.foundation.files import LEFTOVERS, writing
from balance.foundation.language import tr
from balance.runs import manifest
from balance.runs.store import NOTE, store_of

NAME = ".lock"


@contextmanager
def hold(run: Path) -> Iterator[None]:
    """Keep other processes from writing the run in this folder, and in its store if it has one, inside the block."""
    store = store_of(run)
    with hold_folder(run), store.hold() if store else nullcontext():
        if store:
            store.check_unchanged(run)
        yield


@contextmanager
def hold_folder(run: Path) -> Iterator[None]:
    """Keep other processes of this machine from writing into a folder inside the block."""
    path = run / NAME
    _refuse_link(path)
    lock = FileLock(path, timeout=0)
    with writing(run):
        try:
            lock.acquire()
        except Timeout:  # an OSError too
            raise being_written(run) from None
    try:
        yield
    finally:
        lock.release()


def being_written(run: Path) -> BalanceError:
    """Return the error for a run that another process is writing."""
    return BalanceError(tr("{run} is being written by another process", run=run))


def _refuse_link(path: Path) -> None:
    """Refuse a lock file that is a link or another file, which locking could empty."""
    try:
        found = path.lstat()
    except OSError:
        return  # no lock file, or locking it will report the error
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        raise BalanceError(tr("{path} is a link or not a lock file of balance; remove it", path=path))


def is_held(run: Path) -> bool:
    """Return whether a process is writing the run in this folder, without writing there."""
    try:
        number = os.open(run / NAME, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
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


def check_vacant(run: Path) -> None:
    """Refuse a folder that a new run can't use; the folder of a run that failed before its first part may be reused."""
    with writing(run):
        begun, vacant = (run / "run.json").exists(), not run.exists() or _is_vacant(run)
    if begun and not (vacant and _has_failed(run)):
        raise BalanceError(tr("{run} already contains a run; finish it with --resume or choose another --out", run=run))
    if not vacant:
        raise BalanceError(tr("{run} is not an empty folder; choose another --out", run=run))


@contextmanager
def new_folder(run: Path) -> Iterator[None]:
    """Create the folder, for the block to write `run.json` and the list of parts into it."""
    check_vacant(run)
    missing: list[Path] = []
    with writing(run):
        try:
            missing += [folder for folder in (run, *run.parents) if not folder.exists()]
            run.mkdir(parents=True, exist_ok=True)
            yield
        except BaseException:
            for remove in (
                *((run / name).unlink for name in ("run.json", manifest.NAME)),
                *(folder.rmdir for folder in missing),
            ):
                with suppress(OSError):
                    remove()
            raise


def _has_failed(run: Path) -> bool:
    """Return whether a run failed, for example because a bot can't play or a game can't be compiled."""
    with suppress(BalanceError):
        return manifest.read_info(run)["status"] == "failed" and not is_held(run)
    return False


def _is_vacant(folder: Path) -> bool:
    """Return whether a folder is empty, except for leftovers of a run that ended before its first part."""
    return folder.is_dir() and all(
        found.name in (NAME, NOTE, "run.json")
        or fnmatch(found.name, LEFTOVERS)
        or (found.name == manifest.NAME and found.lstat().st_size == 0)
        or (found.name in manifest.TABLES and _is_vacant(found))
        for found in folder.iterdir()
    )
