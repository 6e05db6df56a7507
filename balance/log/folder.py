"""The run folder: `run.json`, the parts beside it, and who may write there."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from balance.compiling.sources import source_hash
from balance.errors import BalanceError
from balance.log.info import SCHEMA_VERSION, read_info
from balance.log.parts import TABLES, count_rows, is_whole, name_part, tables_of
from balance.plan.experiment import Thresholds
from balance.plan.plan import Part, Plan
from balance.plan.restore import restore_plan
from balance.settings import validate
from balance.version import __version__


def _bot_hashes(plan: Plan) -> dict[str, str]:
    """Hash of each custom bot's file; of nothing where the file is gone."""
    files = {s.name: Path(s.bot.rpartition(":")[0]) for s in plan.strategies if s.bot}
    contents = {name: path.read_bytes() if path.is_file() else b"" for name, path in files.items()}
    return {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}


def _machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class RunFolder:
    """One run on disk.

    Parameters
    ----------
    path : Path
    info : dict
        The content of `run.json`.
    plan : Plan
    """

    def __init__(self, path: Path, info: dict[str, Any], plan: Plan) -> None:
        self.path, self.info, self.plan = path, info, plan

    @classmethod
    def create(cls, path: Path, plan: Plan) -> RunFolder:
        """Begin a run in a new or empty folder.

        Raises
        ------
        BalanceError
            The folder already holds a run or other files, or can't be written.
        """
        if (path / "run.json").exists():
            raise BalanceError(
                f"{path} already holds a run; finish it with --resume or choose another --out"
            )
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise BalanceError(f"{path} is not an empty folder; choose another --out")
        info = {
            "schema_version": SCHEMA_VERSION,
            "game": plan.game.name,
            "status": "running",
            "package_version": __version__,
            "source_hash": source_hash(plan.game.folder),
            "bot_hashes": _bot_hashes(plan),
            "machine": _machine(),
            "started": _now(),
            "ended": None,
            "rows": {},
            **plan.describe(),
        }
        run = cls(path, info, plan)
        try:
            path.mkdir(parents=True, exist_ok=True)
            for table in tables_of(plan.experiment.log):
                (path / table).mkdir(exist_ok=True)
            run.save()
        except OSError as error:
            raise BalanceError(f"cannot write {path}: {error.strerror or error}") from error
        return run

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Open a run.

        Raises
        ------
        BalanceError
            There is no run, it is of another schema version, or a key of `run.json` is wrong.
        """
        info = read_info(path)
        return cls(path, info, restore_plan(info, str(path / "run.json")))

    @classmethod
    def open_finished(cls, path: Path) -> RunFolder:
        """Open a run that has been played to its end.

        Raises
        ------
        BalanceError
            As `open`; or it is still being written, or was stopped.
        """
        run = cls.open(path)
        if run.info["status"] != "finished":
            with run.locked():  # says so if another process is writing it
                raise BalanceError(
                    f"{path} is not finished; finish it with: balance run --resume {path}"
                )
        return run

    def judge_by(self, seats: float | None, strategies: float | None) -> None:
        """Take other thresholds (percentage points) for verdicts than the experiment's, where given."""
        given = {"seats": seats, "strategies": strategies}
        chosen = self.plan.experiment.thresholds.model_dump()
        chosen |= {name: value for name, value in given.items() if value is not None}
        thresholds = validate(Thresholds, chosen, "thresholds")
        self.plan.experiment = self.plan.experiment.model_copy(update={"thresholds": thresholds})

    def save(self) -> None:
        """Write `run.json`, whole or not at all."""
        temporary = self.path / ".run.json.tmp"
        text = json.dumps(self.info, indent=1, ensure_ascii=False)
        try:
            temporary.write_text(text, encoding="utf-8")
            os.replace(temporary, self.path / "run.json")
        except OSError as error:
            raise BalanceError(f"cannot write {self.path}: {error.strerror or error}") from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing this run inside the block.

        Raises
        ------
        BalanceError
            Another process is writing it.
        """
        lock = FileLock(self.path / ".lock", timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise BalanceError(f"{self.path} is being written by another process") from None
        except OSError as error:
            raise BalanceError(f"cannot write {self.path}: {error.strerror or error}") from error
        try:
            yield
        finally:
            lock.release()

    def changes(self) -> list[str]:
        """What is no longer as it was when the run began, of all that decides how its games go."""
        changed = []
        if self.info["source_hash"] != source_hash(self.plan.game.folder):
            changed.append(f"the package's source (it was {self.info['source_hash']})")
        for name, digest in _bot_hashes(self.plan).items():
            if self.info["bot_hashes"].get(name) != digest:
                changed.append(f"the file of bot {name}")
        return changed

    def check_unchanged(self, other: Plan | None) -> None:
        """Refuse to go on with a run under other rules than it began with.

        Raises
        ------
        BalanceError
            The package, a custom bot or (if `other` is given) the experiment has changed.
        """
        changed = self.changes()
        if other is not None:
            before, now = self.plan.describe(), other.describe()
            changed += [f"{key} of the experiment" for key in _differences(before, now)]
        if changed:
            raise BalanceError(
                f"cannot resume {self.path}: changed since it began: {', '.join(changed)}"
            )

    def has_part(self, part: Part) -> bool:
        """Whether a part is there whole."""
        players = self.plan.cells[part.cell].players
        games = part.last - part.first
        return is_whole(self.path, name_part(part), games, players, tables_of(part.level))

    def remove_leftovers(self) -> None:
        """Remove temporary files of a run that was killed."""
        for table in TABLES:
            for leftover in (self.path / table).glob(".*.tmp"):
                leftover.unlink(missing_ok=True)

    def close(self, status: str) -> None:
        """Note how the run ended and how many rows it has."""
        self.info["status"] = status
        self.info["ended"] = _now()
        self.info["rows"] = {
            table: sum(count_rows(path) or 0 for path in (self.path / table).glob("*.parquet"))
            for table in TABLES
            if (self.path / table).is_dir()
        }
        self.save()


def _differences(before: dict[str, Any], now: dict[str, Any], prefix: str = "") -> list[str]:
    """Dotted keys whose values differ."""
    found = []
    for key in dict.fromkeys([*before, *now]):
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            found += _differences(old, new, f"{prefix}{key}.")
        elif old != new:
            found.append(f"{prefix}{key}")
    return found
