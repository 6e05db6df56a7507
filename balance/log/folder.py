"""The run folder: `run.json`, the parts beside it, and who may write there."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from balance.compiling.sources import source_hash
from balance.errors import BalanceError
from balance.log import lock
from balance.log.beginning import new_folder
from balance.log.files import LEFTOVERS, replace_file
from balance.log.info import SCHEMA_VERSION, read_info
from balance.log.manifest import (
    NAME,
    TABLES,
    WrittenPart,
    append_part,
    part_path,
    read_manifest,
    write_manifest,
)
from balance.log.parts import name_part, tables_of
from balance.log.verify import Fault, find_faults, find_foreign, play_again
from balance.plan.experiment import BOT_LIMITS, MOST_GAMES, LogLevel
from balance.plan.plan import Part, Plan
from balance.plan.pooling import differences
from balance.plan.restore import restore_plan
from balance.plan.thresholds import Thresholds
from balance.settings import validate
from balance.version import __version__


def _bot_hashes(plan: Plan) -> dict[str, str]:
    """Hash of each custom bot's file; of nothing where the file is gone."""
    files: dict[str, list[Path]] = {}
    for bot in dict.fromkeys((s.name, s.bot.rpartition(":")[0]) for s in plan.strategies if s.bot):
        files.setdefault(bot[0], []).append(Path(bot[1]))  # tiers may have two of one name
    contents = {
        name: b"".join(path.read_bytes() if path.is_file() else b"" for path in paths)
        for name, paths in files.items()
    }
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
        As the user names it, which commands that are told keep (`named`).
    info : dict
        The content of `run.json`.
    plan : Plan
    """

    def __init__(self, path: Path, info: dict[str, Any], plan: Plan) -> None:
        self.named, self.path = path, path.absolute()  # relative paths may start elsewhere later
        self.info, self.plan = info, plan
        self._parts: dict[str, WrittenPart] = {}

    @classmethod
    def create(cls, path: Path, plan: Plan) -> RunFolder:
        """Begin a run in a new or empty folder.

        Raises
        ------
        BalanceError
            The folder already holds a run or other files, or can't be written.
        """
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
        with new_folder(run.path):
            write_manifest(run.path, [])
            run._write()
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
    def open_finished(cls, path: Path, tier: str | None = None) -> RunFolder:
        """Open a run that has been played to its end, to read a tier (None: the first) of it.

        Raises
        ------
        BalanceError
            As `open`; or it is still being written, or was stopped; or it has no such tier.
        """
        run = cls.open(path)
        if run.info["status"] != "finished":
            if lock.is_held(path):
                raise lock.being_written(path)
            raise BalanceError(
                f"{path} is not finished; finish it with: balance run --resume {path}{_way_back(run)}"
            )
        return run if tier is None else run.in_tier(tier)

    def in_tier(self, name: str) -> RunFolder:
        """The same run, with another of its tiers to be read.

        Raises
        ------
        BalanceError
            It has no such tier; names those that it has.
        """
        return RunFolder(self.named, self.info, self.plan.in_tier(name, str(self.path)))

    def judge_by(self, seats: float | None, strategies: float | None) -> None:
        """Take other thresholds (percentage points) for verdicts than the experiment's, where given."""
        given = {"seats": seats, "strategies": strategies}
        chosen = self.plan.experiment.thresholds.model_dump()
        chosen |= {name: value for name, value in given.items() if value is not None}
        thresholds = validate(Thresholds, chosen, "thresholds")
        self.plan.experiment = self.plan.experiment.model_copy(update={"thresholds": thresholds})

    def save(self) -> None:
        """Write `run.json`, whole or not at all."""
        with self._writing():
            self._write()

    def _write(self) -> None:
        text = json.dumps(self.info, indent=1, ensure_ascii=False)
        replace_file(self.path / "run.json", text.encode("utf-8"))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """What goes wrong with files is one line."""
        try:
            yield
        except OSError as error:
            raise BalanceError(
                f"cannot write {self.path}: {error.strerror or error}; finished parts are safe, "
                f"go on with: balance run --resume {self.path}"
            ) from error

    def locked(self) -> AbstractContextManager[None]:
        """Keep other processes from writing this run inside the block, see `balance.log.lock.hold`."""
        return lock.hold(self.path)

    def changes(self) -> list[str]:
        """What is no longer as it was when the run began, of all that decides how its games go."""
        changed = []
        if self.info["source_hash"] != source_hash(self.plan.game.folder):
            changed.append(f"the package's source (it was {self.info['source_hash']})")
        for name, digest in _bot_hashes(self.plan).items():
            if self.info["bot_hashes"].get(name) != digest:
                changed.append(f"the file of bot {name}")
        return changed

    def go_on_with(self, plan: Plan | None) -> None:
        """Take up a run that was stopped, or make one longer; a plan is the user's own, whose bots and limits hold.

        Raises
        ------
        BalanceError
            The package, a custom bot or (if a plan is given) the experiment has changed since it began.
        """
        changed = self.changes()
        if self.plan.members:
            members = " and ".join(member.run for member in self.plan.members)
            raise BalanceError(
                f"{self.path} was pooled of {members}: pool them again, or play on with one of them"
            )
        if plan is not None:
            finished = self.info["status"] == "finished"
            longer = plan.is_longer(self.plan, finished)
            plan = plan.going_on_from(self.plan, finished)
            before, now = (
                (_without_lengths if longer else Plan.describe)(each) for each in (self.plan, plan)
            )
            of_bots = {f"experiment.{key}" for key in BOT_LIMITS}
            changed += [
                f"{key} of the experiment" for key in differences(before, now) if key not in of_bots
            ]
        if changed:
            raise BalanceError(
                f"cannot resume {self.path}: changed since it began: {', '.join(changed)}"
            )
        if plan is not None:
            self.plan = plan
            self.info |= plan.describe()
            if longer:
                self.info["status"], self.info["ended"] = "running", None

    def longer(self, games: int, tiers: Sequence[str]) -> Plan:
        """The plan with so many games in each cell of these tiers, see `balance.plan.plan.Plan.longer`."""
        return self.plan.longer(games, tiers, str(self.named), self.info["status"] == "finished")

    def begin_writing(self) -> None:
        """Remove what a killed run left, and keep those parts alone that are as they were written.

        Where a longer run was begun and is to be shorter now, the parts beyond go.

        Raises
        ------
        BalanceError
            The folder can't be written.
        """
        listed = read_manifest(self.path, skip_damaged=True)
        faulty = {fault.path.stem for fault in find_faults(self.path, listed)}
        most = {cell.number: cell.tier.most_games for cell in self.plan.cells}
        beyond = [part for part in listed if part.first >= most.get(part.cell, MOST_GAMES)]
        left = faulty | {part.stem for part in beyond}
        self._parts = {part.stem: part for part in listed if part.stem not in left}
        with self._writing():
            for part in beyond:
                for table in part.files:
                    part_path(self.path, table, part.stem).unlink(missing_ok=True)
            for folder in (self.path, *(self.path / table for table in TABLES)):
                for leftover in folder.glob(LEFTOVERS):
                    leftover.unlink(missing_ok=True)
            write_manifest(self.path, self._parts.values())
            self._write()

    def has_part(self, part: Part) -> bool:
        """Whether a part is there, with all tables and as many rows as must be."""
        found = self._parts.get(name_part(part))
        if found is None or set(found.files) != set(tables_of(part.level, part.luck)):
            return False
        players = self.plan.cells[part.cell].players
        games = part.last - part.first
        return found.games == games and found.files["seats"].rows == games * players

    def faults(self) -> list[Fault]:
        """What is missing, damaged, swapped or foreign among the files of the run.

        Raises
        ------
        BalanceError
            The list of parts is missing or damaged.
        """
        parts = read_manifest(self.path)
        finished = self.info["status"] == "finished"
        faults = [*find_faults(self.path, parts), *find_foreign(self.path, parts, finished)]
        found, games = sum(part.games for part in parts), self.info["rows"].get("games", 0)
        if finished and found != games:
            what = f"lists {found:,} of the run's {games:,} games"
            faults.append(Fault(self.path / NAME, what, play_again(self.path)))
        return faults

    def add_part(self, part: WrittenPart) -> None:
        """Take a part that was written into the list.

        Raises
        ------
        BalanceError
            The list can't be written.
        """
        with self._writing():
            append_part(self.path, part)
        self._parts[part.stem] = part

    def close(self, status: str) -> None:
        """Note how the run ended and how many rows it has."""
        self.info["status"] = status
        self.info["ended"] = _now()
        self.info["rows"] = {
            table: sum(part.files[table].rows for part in self._parts.values() if table in part.files)
            for table in tables_of(self._deepest_level(), any(tier.luck for tier in self.plan.tiers))
        }
        with self._writing():
            write_manifest(self.path, self._parts.values())
        self.save()

    def _deepest_level(self) -> LogLevel:
        experiment = self.plan.experiment
        return "trace" if experiment.trace else experiment.log


def _way_back(run: RunFolder) -> str:
    """How what a run was before it was to be longer is had again; nothing where it never was finished."""
    if not run.plan.tier.earlier:
        return ""
    games = min(tier.finished_games for tier in run.plan.tiers)
    return f" (or take back that it is to be longer, with --games {games})"


def _without_lengths(plan: Plan) -> dict[str, Any]:
    """What describes a plan, but for how many games its cells may have."""
    described = plan.describe()
    del described["earlier"]
    experiment = described["experiment"]
    if experiment["stop"]:
        experiment["stop"]["ceiling"] = None
    else:
        for keys in (experiment, *experiment["tiers"]):
            keys["games"] = None
    return described
