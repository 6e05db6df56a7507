"""A folder for a new run: made, or taken back so that the next try finds nothing in its way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path

from balance.errors import BalanceError
from balance.log import lock, manifest
from balance.log.files import LEFTOVERS
from balance.log.info import read_info


def check_vacant(run: Path) -> None:
    """Refuse a folder that a new run can't have; one that failed before a part was finished may have it.

    Raises
    ------
    BalanceError
        It already holds a run or other files, or can't be read.
    """
    try:
        begun, vacant = (run / "run.json").exists(), not run.exists() or _is_vacant(run)
        if begun and not (vacant and _has_failed(run)):
            raise BalanceError(
                f"{run} already holds a run; finish it with --resume or choose another --out"
            )
        if not vacant:
            raise BalanceError(f"{run} is not an empty folder; choose another --out")
    except OSError as error:
        raise BalanceError(f"cannot write {run}: {error.strerror or error}") from error


@contextmanager
def new_folder(run: Path) -> Iterator[None]:
    """Make the folder, for the block to write `run.json` and the list of parts there.

    Raises
    ------
    BalanceError
        The folder already holds a run or other files, or can't be written.
    """
    check_vacant(run)
    missing: list[Path] = []
    try:
        missing += [folder for folder in (run, *run.parents) if not folder.exists()]
        run.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _remove(missing)
        raise BalanceError(f"cannot write {run}: {error.strerror or error}") from error
    try:
        yield
    except BaseException as error:
        for name in ("run.json", manifest.NAME):
            with suppress(OSError):
                (run / name).unlink()
        _remove(missing)
        if isinstance(error, OSError):
            raise BalanceError(f"cannot write {run}: {error.strerror or error}") from error
        raise


def _remove(folders: list[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _has_failed(run: Path) -> bool:
    """Whether a run failed, as by a bot that can't play or a game that can't be compiled."""
    with suppress(BalanceError):
        return read_info(run)["status"] == "failed" and not lock.is_held(run)
    return False


def _is_vacant(folder: Path) -> bool:
    """Whether a folder is empty, but for what is left of a run that ended before a part was finished."""
    return folder.is_dir() and all(
        found.name in (lock.NAME, "run.json")
        or fnmatch(found.name, LEFTOVERS)
        or (found.name == manifest.NAME and found.lstat().st_size == 0)
        or (found.name in manifest.TABLES and _is_vacant(found))
        for found in folder.iterdir()
    )
