"""The experiments that ship with the package: their folder, their descriptions, and copies."""

from __future__ import annotations

from pathlib import Path

from balance.foundation.errors import BalanceError
from balance.foundation.files import writing
from balance.foundation.language import tr

_PACKAGE = Path(__file__).resolve().parents[1]


def _examples_folder() -> Path:
    """Return `data/experiments` of a clone, or its copy in an installed wheel (see `setup.py`)."""
    installed = _PACKAGE / "experiments" / "shipped"
    return installed if installed.is_dir() else _PACKAGE.parent / "data" / "experiments"


def list_examples() -> dict[str, str]:
    """Return the description of each experiment file (its first line, a comment) by the file's name."""
    return {path.name: _first_comment(path) for path in _files()}


def copy_examples(folder: Path) -> list[Path]:
    """Copy all experiments into a folder, created if needed, and return the copies."""
    copies = {folder / path.name: path for path in _files()}
    for copy in copies:
        if copy.exists():
            raise BalanceError(tr("{path} exists already; nothing was copied, choose another folder", path=copy))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for copy, path in copies.items():
            with copy.open("xb") as file:  # never overwrites a file created meanwhile
                file.write(path.read_bytes())
    return list(copies)


def _files() -> list[Path]:
    found = sorted(_examples_folder().glob("*.toml"))
    if not found:
        raise BalanceError(
            tr("the experiments that ship with balance are missing from {folder}", folder=_examples_folder())
        )
    return found


def _first_comment(path: Path) -> str:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""
