"""An object store, such as S3, that keeps a run: its files are put and got whole, by name, through fsspec.

A run in a store has a mirror, a run folder on this disk (`balance.runs.mirror`). Nothing lists the store: `run.json`
and `parts.jsonl` name all files. An object appears only when it is whole. The list is put after the files of its parts,
and `run.json` last, so an interrupted upload leaves a run that can be resumed.

Credentials are those that fsspec's file system finds, for S3 in the environment or in AWS's files; none is written.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs

from balance.foundation.errors import BalanceError, pip
from balance.foundation.files import make_folder, read_json, reason, replace_file
from balance.foundation.language import N_, tr
from balance.runs.manifest import NAME, WrittenPart, part_path
from balance.runs.parts import say_resume

NOTE = ".store"
"""File of a mirror that names its store, and has a hash of the lists that were last got or put."""
LISTS = (NAME, "run.json")
PLACE = "BALANCE_MIRRORS"
"""Variable of the environment that names the folder of mirrors."""
_LOCK = ".lock"
RENEWED = 20.0  # seconds between two renewals of a lock
STALE = 90.0  # seconds without a renewal, after which a lock may be taken over
_MOST_NOTE = 10_000  # bytes


_CANNOT = {
    "read": N_("cannot read {path}: {why}"),
    "reach": N_("cannot reach {path}: {why}"),
    "write": N_("cannot write {path}: {why}"),
}


def mirrors() -> Path:
    """Return the folder of mirrors, `balance.runs.mirror`."""
    chosen = os.environ.get(PLACE)
    own = Path(platformdirs.user_cache_dir("balance", appauthor=False), "mirrors")
    return (Path(chosen) if chosen else own).absolute()


@dataclass(frozen=True)
class Store:
    """The place of one run in an object store; its URL is like ``s3://bucket/runs/first-look``."""

    url: str

    @property
    def filesystem(self) -> Any:
        """The file system of fsspec, which keeps one for all stores of a kind."""
        try:
            import fsspec

            with self._able_to("reach"):
                return fsspec.core.url_to_fs(self.url, use_listings_cache=False)[0]
        except ImportError as error:
            text = tr("{address}: {why}; for s3://: {command}", address=self.url, why=error, command=pip("s3"))
            raise BalanceError(text) from None

    @property
    def mirror(self) -> Path:
        """The folder of its mirror."""
        named = re.sub(r"[^\w.-]+", "-", self.url.partition("://")[2])
        return mirrors() / f"{named}-{hashlib.sha256(self.url.encode()).hexdigest()[:8]}"

    def _at(self, name: str) -> str:
        return f"{self.url}/{name}"

    @contextmanager
    def _able_to(self, verb: str, name: str = "", rest: str = "") -> Iterator[None]:
        """Turn an error of the store inside the block into one line, which ends with `rest`."""
        try:
            yield
        except (BalanceError, ImportError, FileExistsError):
            raise
        except Exception as error:  # each kind of store has its own
            what = f"{self.url}/{name}" if name else self.url
            why = f"{reason(error).splitlines()[0]}{rest}"
            raise BalanceError(tr(_CANNOT[verb], path=what, why=why)) from error

    def read(self, name: str) -> bytes | None:
        """Return the content of an object; None if there is none."""
        with self._able_to("read", name):
            try:
                return bytes(self.filesystem.cat_file(self._at(name)))
            except FileNotFoundError:
                return None

    def get(self, folder: Path, name: str) -> bool:
        """Copy an object into the mirror; return whether there is one."""
        content = self.read(name)
        if content is None:
            return False
        make_folder((folder / name).parent)
        replace_file(folder / name, content)
        return True

    def put(self, folder: Path, name: str) -> None:
        """Copy a file of the mirror into the store."""
        with self._able_to("write", name, say_resume(self.url)):
            self.filesystem.put_file(str(folder / name), self._at(name))

    def put_part(self, folder: Path, part: WrittenPart) -> None:
        """Put the files of a part."""
        for name in names_of(part):
            self.put(folder, name)

    def get_part(self, folder: Path, part: WrittenPart) -> None:
        """Get the files of a part; the checksums of the list are verified where it is read."""
        for name in names_of(part):
            self.get(folder, name)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep processes of other machines from writing the run inside the block.

        The lock is an object that only one process can create. It is renewed while the block runs, so that the lock of
        a killed process can be taken over.
        """
        files, place = self.filesystem, self._at(_LOCK)
        content = json.dumps({"machine": platform.node(), "process": os.getpid()}).encode()
        with self._able_to("write", _LOCK):
            try:
                files.pipe_file(place, content, mode="create")
            except FileExistsError:
                self._refuse_held()
                files.pipe_file(place, content)
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(RENEWED):
                with suppress(Exception):  # the next part reports a store that can't be written
                    files.pipe_file(place, content)

        renewing = threading.Thread(target=renew, daemon=True)
        renewing.start()
        try:
            yield
        finally:
            ended.set()
            renewing.join()
            with suppress(Exception):  # a lock that stays may be taken over
                files.rm_file(place)

    def _refuse_held(self) -> None:
        """Refuse to take over a lock that was renewed lately."""
        try:
            age = (datetime.now(UTC) - self.filesystem.modified(self._at(_LOCK))).total_seconds()
        except FileNotFoundError:  # released meanwhile
            return
        if age < STALE:
            raise BalanceError(
                tr(
                    "{address} is being written by another process; if that process was killed, try again in "
                    "{seconds:.0f} seconds",
                    address=self.url,
                    seconds=STALE,
                )
            )

    def put_lists(self, folder: Path, *names: str) -> None:
        """Put files that name others, in this order, and note in the mirror that the store has them."""
        for name in names:
            self.put(folder, name)
        self.note(folder)

    def note(self, folder: Path) -> None:
        """Note in a mirror what the store has: the lists of the mirror."""
        lists = [folder / name for name in LISTS]
        seen = _hash_lists([path.read_bytes() if path.exists() else None for path in lists])
        replace_file(folder / NOTE, json.dumps({"url": self.url, "seen": seen}).encode())

    def check_unchanged(self, folder: Path) -> None:
        """Refuse to write a run that another process has written since the mirror was updated."""
        seen = _hash_lists([self.read(name) for name in LISTS])
        if seen != read_json(folder / NOTE, _MOST_NOTE)["seen"]:
            raise BalanceError(
                tr(
                    "{address} was written by another process since it was read; run the command again",
                    address=self.url,
                )
            )


def _hash_lists(contents: Sequence[bytes | None]) -> str | None:
    """Return a SHA-256 of the lists of a run; None if it has no `run.json`."""
    if contents[-1] is None:
        return None
    return hashlib.sha256(b"".join(content or b"" for content in contents)).hexdigest()


def names_of(part: WrittenPart) -> list[str]:
    """Return the names of the files of a part, ``games`` last."""
    paths = [part_path(Path(), table, part.stem) for table in part.files]
    return [path.as_posix() for path in reversed(paths)]


def store_of(folder: Path) -> Store | None:
    """Return the store of a mirror; None for other folders.

    A run from somebody else may hold such a note too. It counts only in the folder where this machine keeps the mirror
    of this store, so that no other address is asked or written.
    """
    if folder.resolve().parent != mirrors().resolve() or not (folder / NOTE).is_file():
        return None
    store = Store(str(read_json(folder / NOTE, _MOST_NOTE).get("url")))
    return store if store.mirror.name == folder.resolve().name else None
