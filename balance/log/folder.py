"""The run folder: `run.json`, the parts beside it, and who may write there."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from balance.compiling.sources import source_hash
from balance.errors import BalanceError
from balance.files import reason
from balance.log import lock
from balance.log.beginning import new_folder
from balance.log.bot_files import hash_bots, name_bot_file
from balance.log.files import LEFTOVERS, keep_elsewhere, replace_file
from balance.log.identity import identify
from balance.log.info import SCHEMA_VERSION, read_info
from balance.log.manifest import (
    TABLES,
    AddedTable,
    Bond,
    FileFacts,
    Listed,
    WrittenPart,
    added_path,
    append_added,
    append_part,
    hash_parts,
    part_path,
    read_manifest,
    write_manifest,
)
from balance.log.parts import name_part, tables_of
from balance.log.verify import (
    Fault,
    find_added_faults,
    find_faults,
    find_foreign,
    find_other_runs,
)
from balance.plan.experiment import BOT_LIMITS, MOST_GAMES, LogLevel
from balance.plan.plan import Part, Plan
from balance.plan.pooling import differences
from balance.plan.restore import restore_plan
from balance.plan.thresholds import Thresholds
from balance.settings import validate
from balance.version import __version__

_OF_LENGTH = ("experiment", "earlier")
"""Keys of `run.json` that change when a run is extended."""


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
        self._added: Sequence[AddedTable] = ()
        self._is_writing = False

    @classmethod
    def create(cls, path: Path, plan: Plan, kept: Mapping[str, Any] | None = None) -> RunFolder:
        """Begin a run in a new or empty folder.

        Parameters
        ----------
        kept : mapping or None
            Keys of `run.json` that are not to be found out here.

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
            "bot_hashes": hash_bots(plan.strategies),
            "machine": _machine(),
            "started": _now(),
            "ended": None,
            "rows": {},
            **plan.describe(),
            **(kept or {}),
        }
        run = cls(path, info, plan)
        with new_folder(run.path):
            write_manifest(run.path, Listed([]), run.identity)
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
    @contextmanager
    def open_locked(cls, path: Path) -> Iterator[RunFolder]:
        """Open a run to write it, and keep other processes from writing it inside the block.

        It is read under the lock: another process may have written it until then.

        Raises
        ------
        BalanceError
            As `open`; or another process is writing it, or no lock can be made there.
        """
        cls.open(path)  # where no run can be read no lock is made
        with lock.hold(path.absolute()):
            yield cls.open(path)

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

    @cached_property
    def identity(self) -> str:
        """What its files are known by, see `balance.log.identity.identify`."""
        return identify(self.info)

    @property
    def bond(self) -> Bond:
        """What binds its list of parts to it; while it is being written, the list grows."""
        finished = self.info["status"] == "finished" and not self._is_writing
        return Bond(self.identity, self.info["parts_hash"] if finished else None)

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

    def changes(self) -> list[str]:
        """What is no longer as it was when the run began, of all that decides how its games go."""
        changed = []
        if self.info["source_hash"] != source_hash(self.plan.game.folder):
            changed.append(f"the package's source (it was {self.info['source_hash']})")
        before, now = self.info["bot_hashes"], hash_bots(self.plan.strategies)
        files = [key for key in dict.fromkeys([*before, *now]) if before.get(key) != now.get(key)]
        return [*changed, *map(name_bot_file, files)]

    def go_on_with(self, plan: Plan | MakePlan | None) -> None:
        """Take up a run that was stopped, or make one longer; a plan is the user's own, whose bots and limits hold.

        It may be made of this run.

        Raises
        ------
        BalanceError
            The package, a custom bot or (if a plan is given) the experiment has changed since it began.
        """
        if callable(plan):
            plan = plan(self)
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
            described = plan.describe()
            self.info |= {key: described[key] for key in _OF_LENGTH}
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
            The folder can't be written, or a file there is of another run: nothing is removed or written then.
        """
        parts, self._added = read_manifest(self.path, self.bond, skip_damaged=True)
        faulty = {fault.path.stem for fault in find_faults(self.path, parts, self.identity)}
        most = {cell.number: cell.tier.most_games for cell in self.plan.cells}
        beyond = [part for part in parts if part.first >= most.get(part.cell, MOST_GAMES)]
        left = faulty | {part.stem for part in beyond}
        self._parts = {part.stem: part for part in parts if part.stem not in left}
        for fault in find_other_runs(self.path, self._parts, self.identity):
            raise BalanceError(str(fault))
        self._is_writing = True
        with self._writing():
            for part in beyond:
                for table in part.files:
                    part_path(self.path, table, part.stem).unlink(missing_ok=True)
            for folder in (self.path, *(self.path / table for table in TABLES)):
                for leftover in folder.glob(LEFTOVERS):
                    leftover.unlink(missing_ok=True)
            write_manifest(self.path, self._listed(), self.identity)
            self._write()

    def _listed(self) -> Listed:
        return Listed(list(self._parts.values()), self._added)

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
            The list of parts is missing, damaged or of another run.
        """
        parts, added = read_manifest(self.path, self.bond)
        finished = self.info["status"] == "finished"
        return [
            *find_faults(self.path, parts, self.identity),
            *find_foreign(self.path, parts, finished),
            *find_added_faults(self.path, added, self.identity),
        ]

    def add_part(self, part: WrittenPart) -> None:
        """Take a part that was written into the list.

        Raises
        ------
        BalanceError
            The list can't be written.
        """
        with self._writing():
            append_part(self.path, part, self.identity)
        self._parts[part.stem] = part

    def add_table(self, name: str, rows: int, content: bytes) -> None:
        """Write a table that a command adds to the run, in place of the one that is there.

        The old file counts until the new one has its place, so that neither is lost if the process is killed.

        Raises
        ------
        BalanceError
            It can't be written; names the folder where the table is instead.
        """
        facts = FileFacts(rows, len(content), hashlib.sha256(content).hexdigest())
        listed, new = read_manifest(self.path, self.bond), AddedTable(name, facts)
        others = [each for each in listed.added if each.name != name]
        path = added_path(self.path, name)
        try:
            append_added(self.path, new, self.identity)
            replace_file(path, content)
            write_manifest(self.path, listed._replace(added=[*others, new]), self.identity)
        except OSError as error:
            kept = keep_elsewhere({path: content})
            raise BalanceError(f"cannot write {path}: {reason(error)}; {kept}") from error

    def close(self, status: str) -> None:
        """Note how the run ended and how many rows it has."""
        self.info["status"] = status
        self.info["ended"] = _now()
        self.info["rows"] = {
            table: sum(part.files[table].rows for part in self._parts.values() if table in part.files)
            for table in tables_of(self._deepest_level(), any(tier.luck for tier in self.plan.tiers))
        }
        self.info["parts_hash"] = hash_parts(self._parts.values(), self.identity)
        with self._writing():
            write_manifest(self.path, self._listed(), self.identity)
            self._write()
        self._is_writing = False

    def _deepest_level(self) -> LogLevel:
        experiment = self.plan.experiment
        return "trace" if experiment.trace else experiment.log


MakePlan = Callable[[RunFolder], Plan]
"""From a run to the plan with which it is resumed."""


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
