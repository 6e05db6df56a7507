"""The files of a page written into a folder, where an earlier page may have left others.

A hidden list in the folder has every file that a page wrote, with its checksum. The next page of the same name removes
those that it does not write itself and that are as they were written. What the user put there or changed stays, unless
the page has a file of that name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from balance.errors import BalanceError
from balance.files import read_json
from balance.log.files import replace_file

LIST = ".report.json"
_MOST_BYTES = 10_000_000

Written = dict[str, list[str]]
"""File to the checksums that it may have: more than one after a report that was killed."""


def write_page_files(out: Path, page: str, contents: Mapping[str, bytes]) -> None:
    """Write the files of a page, and remove those that an earlier page of this name left.

    Parameters
    ----------
    out : Path
        A folder that is there, with the folders of the files.
    page : str
        File name of the page, by which it is known in the list.
    contents : mapping
        What each file holds, by its name in the folder; no name has more than one folder.

    Raises
    ------
    BalanceError
        The list in the folder is damaged.
    OSError
        A file can't be written or removed.
    """
    listed = _read_list(out)
    own = {name: [hashlib.sha256(content).hexdigest()] for name, content in contents.items()}
    before = listed.get(page, {})
    both = {name: [*before.get(name, []), *own.get(name, [])] for name in {**before, **own}}
    _write_list(
        out, {**listed, page: both}
    )  # a report that is killed from here on is cleaned up by the next
    for name, content in contents.items():
        replace_file(out / name, content)
    others = {name for other, files in listed.items() if other != page for name in files}
    for name in before.keys() - own.keys() - others:
        if _is_as_written(out / name, before[name]):
            (out / name).unlink()
    _write_list(out, {**listed, page: own})


def _is_as_written(path: Path, checksums: list[str]) -> bool:
    """Whether a file is one that a page wrote; no link is followed for that, not the folder's either."""
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() in checksums


def _write_list(out: Path, listed: Mapping[str, Written]) -> None:
    replace_file(out / LIST, json.dumps(listed, indent=1).encode())


def _read_list(out: Path) -> dict[str, Written]:
    path = out / LIST
    if not path.exists():
        return {}
    listed = read_json(path, _MOST_BYTES)
    for files in listed.values():
        for name, checksums in files.items() if isinstance(files, dict) else [("", None)]:
            if not _is_inside(name) or not isinstance(checksums, list):
                raise BalanceError(
                    f"{path} is no list of a report's files; remove it (files of earlier reports then stay)"
                )
    return listed


def _is_inside(name: str) -> bool:
    """Whether a name is that of a file in the folder, or in a folder of it."""
    parts = name.split("/")
    return len(parts) <= 2 and all(
        part not in ("", ".", "..") and Path(part).name == part for part in parts
    )
