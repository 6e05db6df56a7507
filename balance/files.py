"""Files that are named by what ships with a game, or by a path of the user's."""

from __future__ import annotations

from pathlib import Path


def find_file(name: str, shipped: Path, folder: Path, suffix: str = ".toml") -> Path | None:
    """The file that `name` means, or None.

    A name with a slash or the suffix is a path, relative to `folder`; anything else is the stem of
    a file in `shipped`.
    """
    if name.endswith(suffix) or "/" in name or "\\" in name:
        path = (folder / Path(name).expanduser()).resolve()
    else:
        path = shipped / f"{name}{suffix}"
    return path if path.is_file() else None
