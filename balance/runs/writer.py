"""Write the parts of a run that this process has locked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager

from balance.experiments.experiment import MOST_GAMES, LogLevel
from balance.experiments.plan import Part
from balance.foundation.errors import DamagedRunError
from balance.foundation.files import LEFTOVERS, writing
from balance.runs.folder import RunFolder, now
from balance.runs.manifest import (
    NAME,
    TABLES,
    Listed,
    WrittenPart,
    append_entry,
    hash_parts,
    part_path,
    read_manifest,
    write_manifest,
)
from balance.runs.parts import name_part, say_resume, tables_of
from balance.runs.store import LISTS
from balance.runs.verify import find_faults, find_other_runs

_PUT_EVERY = 10.0  # seconds between two uploads of the growing list


class RunWriter:
    """Adds parts to a run; its list of parts grows until the run is closed."""

    def __init__(self, run: RunFolder) -> None:
        """Remove the leftovers of a killed run, and keep only the parts that are intact.

        If an extension was begun and is now shorter, parts beyond the new length are removed.
        """
        self.run, self._put_at = run, 0.0
        parts, self._added = read_manifest(run.path, run.bond, skip_damaged=True)
        faulty = {fault.path.stem for fault in find_faults(run.path, parts, run.identity)}
        most = {cell.number: cell.tier.most_games for cell in run.plan.cells}
        beyond = [part for part in parts if part.first >= most.get(part.cell, MOST_GAMES)]
        left = faulty | {part.stem for part in beyond}
        self._parts = {part.stem: part for part in parts if part.stem not in left}
        for fault in find_other_runs(run.path, self._parts, run.identity):
            raise DamagedRunError(str(fault))
        run.info["status"], run.info["ended"] = "running", None
        with self._writing():
            for part in beyond:
                for table in part.files:
                    part_path(run.path, table, part.stem).unlink(missing_ok=True)
            for folder in (run.path, *(run.path / table for table in TABLES)):
                for leftover in folder.glob(LEFTOVERS):
                    leftover.unlink(missing_ok=True)
            self._write_lists()
        self._put(LISTS)

    def has_part(self, part: Part) -> bool:
        """Return whether a part exists with all its tables and rows."""
        found = self._parts.get(name_part(part))
        if found is None or set(found.files) != set(tables_of(part.level, part.luck)):
            return False
        players = self.run.plan.cells[part.cell].players
        games = part.last - part.first
        return found.games == games and found.files["seats"].rows == games * players

    def add_part(self, part: WrittenPart) -> None:
        """Add a written part to the list of parts."""
        with self._writing():
            append_entry(self.run.path, part, self.run.identity)
        self._parts[part.stem] = part
        if time.monotonic() - self._put_at > _PUT_EVERY:
            self._put((NAME,))

    def close(self, status: str) -> None:
        """Record the status of the run and its numbers of rows."""
        plan, info = self.run.plan, self.run.info
        level: LogLevel = "trace" if plan.experiment.trace else plan.experiment.log
        rows = dict.fromkeys(tables_of(level, any(tier.luck for tier in plan.tiers)), 0)
        for part in self._parts.values():
            for table, facts in part.files.items():
                rows[table] += facts.rows
        info |= {"status": status, "ended": now(), "rows": rows}
        info["parts_hash"] = hash_parts(self._parts.values(), self.run.identity)
        with self._writing():
            self._write_lists()
        self._put(LISTS)

    def _writing(self) -> AbstractContextManager[None]:
        return writing(self.run.path, say_resume(self.run.path))

    def _write_lists(self) -> None:
        write_manifest(self.run.path, Listed(list(self._parts.values()), self._added), self.run.identity)
        self.run.write_info()

    def _put(self, names: Sequence[str]) -> None:
        """Put files of a mirror into its store, those that name others last."""
        if self.run.store:
            self.run.store.put_lists(self.run.path, *names)
            self._put_at = time.monotonic()
