"""The run folder: `run.json`, the plan in it, and what may be done with it next: resumed, extended, verified."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from balance.contract.own_games import MissingGameError
from balance.experiments.experiment import BOT_LIMITS
from balance.experiments.growth import extend_plan, is_extension, resume_plan
from balance.experiments.plan import Plan
from balance.experiments.saved_plan import describe_plan, differences, restore_plan
from balance.experiments.targets import Thresholds
from balance.foundation import __version__
from balance.foundation.compiling import source_hash
from balance.foundation.errors import BalanceError
from balance.foundation.files import keep_elsewhere, reason, replace_file
from balance.foundation.language import tr, trn
from balance.foundation.text import listed
from balance.foundation.toml import validate
from balance.runs import lock
from balance.runs.bot_files import hash_bots, name_bot_file
from balance.runs.lock import new_folder
from balance.runs.manifest import (
    NAME,
    SCHEMA_VERSION,
    AddedTable,
    Bond,
    FileFacts,
    Listed,
    added_path,
    append_entry,
    identify,
    read_info,
    read_manifest,
    version_named,
    write_manifest,
)
from balance.runs.store import Store, store_of
from balance.runs.verify import Fault, find_added_faults, find_faults, find_foreign

_OF_LENGTH = ("experiment", "earlier")
"""Keys of `run.json` that change when a run is extended."""
_MOST_NAMED = 4  # changes that an error names


def _machine() -> dict[str, Any]:
    system, python = platform.uname(), sys.version.split()[0]
    return {"system": system.system, "machine": system.machine, "python": python, "cores": os.cpu_count()}


def now() -> str:
    """Return the time of day in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class RunFolder:
    """One run on disk; `info` is the content of `run.json`.

    Printed commands repeat the path as the user named it (`named`).
    """

    def __init__(self, path: Path, info: dict[str, Any], plan: Plan) -> None:
        self.named, self.path = path, path.absolute()  # relative paths may start elsewhere later
        self.info, self.plan = info, plan

    @classmethod
    def create(cls, path: Path, plan: Plan, kept: Mapping[str, Any] | None = None) -> RunFolder:
        """Begin a run in a new or empty folder; keys of `run.json` that are `kept` are not determined here."""
        info = {
            "schema_version": SCHEMA_VERSION,
            "game": plan.game.name,
            "status": "running",
            "package_version": __version__,
            "source_hash": source_hash(plan.game.folder),
            "bot_hashes": hash_bots(plan.strategies),
            "machine": _machine(),
            "started": now(),
            "ended": None,
            "rows": {},
            **describe_plan(plan),
            **(kept or {}),
        }
        run = cls(path, info, plan)
        with new_folder(run.path):
            write_manifest(run.path, Listed([]), run.identity)
            run.write_info()
        return run

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Open a run."""
        info = read_info(path)
        with version_named(path, info):
            plan = restore_plan(info, str(path / "run.json"))
        return cls(path, info, plan)

    @classmethod
    @contextmanager
    def open_locked(cls, path: Path) -> Iterator[RunFolder]:
        """Open a run for writing, locked against other processes inside the block.

        The run is read under the lock, because another process may have written it until then.
        """
        cls.open(path)  # creates no lock if the run can't be read
        with lock.hold(path.absolute()):
            yield cls.open(path)

    @classmethod
    def open_finished(cls, path: Path, tier: str | None = None) -> RunFolder:
        """Open a finished run with an active tier (None: the first)."""
        run = cls.open(path)
        if not run.is_finished:
            if lock.is_held(path):
                raise lock.being_written(path)
            remedy = f"balance run --resume {path}{_way_back(run)}"
            raise BalanceError(tr("{run} is not finished; finish it with: {remedy}", run=path, remedy=remedy))
        return run if tier is None else run.in_tier(tier)

    @cached_property
    def identity(self) -> str:
        """The identity of the run, see `balance.runs.manifest.identify`."""
        return identify(self.info)

    @cached_property
    def store(self) -> Store | None:
        """The object store of which this folder is the mirror; None for other folders."""
        return store_of(self.path)

    @property
    def bond(self) -> Bond:
        """The bond between the run and its list of parts, which grows until the run is finished."""
        return Bond(self.identity, self.info["parts_hash"] if self.is_finished else None)

    @property
    def is_finished(self) -> bool:
        """Whether all games were played when the run was last written."""
        return bool(self.info["status"] == "finished")

    def in_tier(self, name: str) -> RunFolder:
        """Return the run with another active tier."""
        return RunFolder(self.named, self.info, self.plan.in_tier(name, str(self.path)))

    def judge_by(self, **thresholds: Any) -> None:
        """Replace the experiment's thresholds for verdicts, by name, unless they are None."""
        chosen = self.plan.experiment.thresholds.model_dump()
        chosen |= {name: value for name, value in thresholds.items() if value is not None}
        checked = validate(Thresholds, chosen, "thresholds")
        experiment = self.plan.experiment.model_copy(update={"thresholds": checked})
        self.plan = replace(self.plan, experiment=experiment)

    def write_info(self) -> None:
        """Write `run.json`."""
        text = json.dumps(self.info, indent=1, ensure_ascii=False)
        replace_file(self.path / "run.json", text.encode("utf-8"))

    def changes(self) -> list[str]:
        """Return what has changed since the run began among all that decides its games."""
        changed = []
        if self.info["source_hash"] != source_hash(self.plan.game.folder):
            before = self.info["source_hash"]
            changed.append(
                tr("the game's code or the package's (it was {hash})", hash=before)
                if self.plan.game.own_loop
                else tr("the package's source (it was {hash})", hash=before)
            )
        before, now = self.info["bot_hashes"], hash_bots(self.plan.strategies)
        files = [key for key in dict.fromkeys([*before, *now]) if before.get(key) != now.get(key)]
        return [*changed, *map(name_bot_file, files)]

    def go_on_with(self, plan: Plan | None) -> None:
        """Resume a stopped run or extend a finished one; bots and limits of the user's `plan` override the run's."""
        if self.plan.members:
            members = listed([member.run for member in self.plan.members])
            raise BalanceError(
                tr(
                    "{run} was pooled of {members}: pool them again, or resume one of them",
                    run=self.path,
                    members=members,
                )
            )
        changed = self.changes()
        if plan is not None:
            extends = is_extension(plan, self.plan, self.is_finished)
            plan = resume_plan(plan, self.plan, self.is_finished)
            describe = _describe_without_lengths if extends else describe_plan
            of_bots = {f"experiment.{key}" for key in BOT_LIMITS}
            keys = differences(describe(self.plan), describe(plan))
            changed += [tr("{key} of the experiment", key=key) for key in keys if key not in of_bots]
        if changed:
            more = len(changed) - _MOST_NAMED
            named = [*changed[:_MOST_NAMED], *([trn("{n} more", "{n} more", more)] if more > 0 else [])]
            raise BalanceError(
                tr(
                    "cannot resume {run}: changed since it began: {changes}; play into another folder",
                    run=self.path,
                    changes=", ".join(named),
                )
            )
        if plan is not None:
            self.plan = plan
            described = describe_plan(plan)
            self.info |= {key: described[key] for key in _OF_LENGTH}

    def extend(self, games: int, tiers: Sequence[str]) -> Plan:
        """Return the plan with more games in each cell of these tiers, see `balance.experiments.growth.extend_plan`."""
        return extend_plan(self.plan, games, tiers, str(self.named), self.is_finished)

    def faults(self) -> list[Fault]:
        """Return the missing, damaged, swapped and foreign files of the run."""
        return _check_files(self.path, self.info)[0]

    def add_table(self, name: str, rows: int, content: bytes) -> None:
        """Write a table that a command adds to the run, and replace an older one.

        The old file counts until the new one is in place, so that neither is lost if the process is killed.
        """
        facts = FileFacts(rows, len(content), hashlib.sha256(content).hexdigest())
        listed, new = read_manifest(self.path, self.bond), AddedTable(name, facts)
        others = [each for each in listed.added if each.name != name]
        path = added_path(self.path, name)
        try:
            append_entry(self.path, new, self.identity)
            replace_file(path, content)
            write_manifest(self.path, listed._replace(added=[*others, new]), self.identity)
        except OSError as error:
            kept = keep_elsewhere({path: content})
            raise BalanceError(tr("cannot write {path}: {why}", path=path, why=f"{reason(error)}; {kept}")) from error
        if self.store:
            self.store.put_lists(self.path, path.name, NAME)


MakePlan = Callable[[RunFolder], Plan]
"""A function from a locked run to the plan with which it is resumed."""


def _way_back(run: RunFolder) -> str:
    """Return how to cancel an unfinished extension; "" if the run never finished before."""
    if not run.plan.tier.earlier:
        return ""
    games = min(tier.finished_games for tier in run.plan.tiers)
    return tr(" (or cancel the extension with --games {games})", games=str(games))


def _describe_without_lengths(plan: Plan) -> dict[str, Any]:
    """Return the description of a plan without the numbers of games."""
    described = describe_plan(plan)
    del described["earlier"]
    experiment = described["experiment"]
    if experiment["stop"]:
        experiment["stop"]["ceiling"] = None
    else:
        for keys in (experiment, *experiment["tiers"]):
            keys["games"] = None
    return described


class Verified(NamedTuple):
    """What the check of a run's files found."""

    faults: list[Fault]
    is_finished: bool
    games: int  # in the listed files
    planned: int | None  # the most games that the run may have; None if the code of its game is missing


def verify_run(path: Path) -> Verified:
    """Return what a check of the run's files finds; the code of a game in plain Python is not needed."""
    planned = None
    with suppress(MissingGameError):
        plan = RunFolder.open(path).plan  # reports a plan that can't be restored
        planned = sum(cell.tier.most_games for cell in plan.cells)
    info = read_info(path)
    faults, games = _check_files(path.absolute(), info)
    return Verified(faults, info["status"] == "finished", games, planned)


def _check_files(path: Path, info: Mapping[str, Any]) -> tuple[list[Fault], int]:
    """Return the faults of a run's files, and how many games they should hold."""
    identity, is_finished = identify(info), info["status"] == "finished"
    parts, added = read_manifest(path, Bond(identity, info["parts_hash"] if is_finished else None))
    faults = [
        *find_faults(path, parts, identity),
        *find_foreign(path, parts, is_finished),
        *find_added_faults(path, added, identity),
    ]
    return faults, sum(part.games for part in parts)
