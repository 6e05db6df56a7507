"""Mirrors: run folders on this disk of runs in an object store. Commands read and write a mirror as any run folder."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from shutil import rmtree

from filelock import FileLock

from balance.foundation.errors import BalanceError
from balance.foundation.files import is_address, make_folder, writing
from balance.foundation.language import tr
from balance.runs import lock
from balance.runs.manifest import Bond, FileFacts, added_path, hash_file, identify, part_path, read_info, read_manifest
from balance.runs.store import LISTS, Store

_URL = re.compile(r"[a-z][a-z0-9+.-]*://(?P<path>[^/].*)")
_AT_A_TIME = 16  # files


def is_url(name: str) -> bool:
    """Return whether a name is an address in an object store."""
    return _URL.fullmatch(name) is not None


def run_folder(name: str | os.PathLike[str]) -> Path:
    """Return the folder of a run: the path itself; for an address such as ``s3://bucket/run``, its updated mirror."""
    text = os.fspath(name)
    if not is_address(text):
        return Path(name)
    scheme, _, rest = text.partition(":")
    address = f"{scheme.lower()}:{rest}".rstrip("/")
    if not is_url(address) or scheme.lower() in ("file", "local"):
        raise BalanceError(
            tr("{value!r} is no address of a store: write s3://BUCKET/RUN, or the path of a folder", value=text)
        )
    if "@" in address.split("/")[2]:
        raise BalanceError(tr("an address of a store has no user name or password; set them in the environment"))
    store = Store(address)
    folder = store.mirror
    with writing(folder):
        make_folder(folder)
    # Another reader may be getting the same files.
    with FileLock(folder.with_name(f"{folder.name}.update")):
        if not lock.is_held(folder):  # a process of this machine that writes has the newest files
            with lock.hold_folder(folder):
                _update(store, folder)
    return folder


def _update(store: Store, folder: Path) -> None:
    """Get what the store has and the mirror lacks; a file with another size or checksum is got again."""
    *_, exists = [store.get(folder, name) for name in LISTS]
    if not exists:
        _empty(folder)
    store.note(folder)
    if exists:
        # One that the store lacks is reported where the run is read.
        names = [path.relative_to(folder).as_posix() for path in _list_missing(folder)]
        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            list(pool.map(partial(store.get, folder), names))


def _list_missing(folder: Path) -> list[Path]:
    """Return the listed files that the mirror lacks."""
    listed = read_manifest(folder, Bond(identify(read_info(folder))), skip_damaged=True)
    files = [
        (part_path(folder, table, part.stem), facts) for part in listed.parts for table, facts in part.files.items()
    ]
    files += [(added_path(folder, each.name), each.facts) for each in listed.added]
    return [path for path, facts in files if not _has(path, facts)]


def _empty(folder: Path) -> None:
    """Remove what a mirror has of a run that the store lacks."""
    for found in folder.iterdir():
        if found.is_dir():
            rmtree(found)
        elif found.name != lock.NAME:
            found.unlink()


def _has(path: Path, facts: FileFacts) -> bool:
    """Return whether a file of the mirror is the one of the list."""
    return path.is_file() and path.stat().st_size == facts.bytes and hash_file(path) == facts.sha256
