"""Runs pooled into a run of their own: their parts under other numbers, checksums and all."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from balance.errors import BalanceError
from balance.files import exists, read_bytes
from balance.log import lock
from balance.log.beginning import check_vacant
from balance.log.folder import RunFolder
from balance.log.manifest import FileFacts, WrittenPart, part_path, read_manifest
from balance.log.parts import ROW_GROUP, name_part, write_part
from balance.log.verify import whole_parts
from balance.plan.plan import Cell, Part, Plan
from balance.plan.pooling import clash_of_games, differences_in_play, pool
from balance.plan.variants import hash_rules
from balance.progress import SILENCE, Progress

_OF_THE_FIRST = ("package_version", "source_hash", "bot_hashes", "machine", "started")
_HASHED = {"source_hash": "the package's source", "bot_hashes": "a bot's file"}
_CONTENTS = "contents"
"""Key of `run.json`: for each run that was pooled a hash of all its files."""


class _Placed(NamedTuple):
    """A part of a run, and where it goes: the games of which cell, from which number on."""

    run: RunFolder
    part: WrittenPart
    source: Cell
    cell: Cell
    first: int


def why_apart(runs: Sequence[RunFolder]) -> str:
    """What keeps runs from being pooled, as a clause about them; empty where nothing does."""
    plan = runs[0].plan
    for number, run in enumerate(runs[1:], 1):
        keys = differences_in_play(plan, run.plan)
        keys += [what for key, what in _HASHED.items() if run.info[key] != runs[0].info[key]]
        if keys:
            return f"they differ in {', '.join(keys[:5])}" + (", ..." if len(keys) > 5 else "")
        if clash := clash_of_games(plan, run.plan):
            return clash
        plan = pool([each.plan for each in runs[: number + 1]], _names(runs[: number + 1]))
    return ""


def pool_runs(runs: Sequence[RunFolder], out: Path, progress: Progress = SILENCE) -> RunFolder:
    """Make one run of several: of other seeds, whose decks are added, or of other variants on the same decks.

    The runs stay as they are; their rows are copied under other game numbers, in flat memory.

    Returns
    -------
    RunFolder
        A finished run, whose first variant and thresholds are those of the first.

    Raises
    ------
    BalanceError
        They differ in more than that, one is damaged, or the folder is taken or can't be written.
    """
    if why := why_apart(runs):
        raise BalanceError(f"{' and '.join(str(run.path) for run in runs)} can't be pooled: {why}")
    plan = pool([run.plan for run in runs], _names(runs))
    listed = [whole_parts(run.path, run.bond, checksums=True) for run in runs]
    _check_free(out)
    with _workplace(out) as place:
        kept = {key: runs[0].info[key] for key in _OF_THE_FIRST}
        kept[_CONTENTS] = [_content(parts) for parts in listed]
        pooled = RunFolder.create(place, plan, kept)
        pooled.begin_writing()
        _copy_all(pooled, list(_placed(runs, listed, plan)), progress)
        pooled.close("finished")
    return RunFolder(out, pooled.info, plan)


@contextmanager
def _workplace(out: Path) -> Iterator[Path]:
    """A folder to write a run in, which stands at `out` when the block ends well and is gone otherwise.

    It lies in a hidden folder beside. What a killed process left there is removed, under a lock, so that of two that
    pool into one folder the second does no harm.

    Raises
    ------
    BalanceError
        Another process pools into this folder, or it can't be written.
    """
    whole = out.absolute()
    beside = whole.parent / f".{whole.name}.pooling"
    try:
        beside.mkdir(parents=True, exist_ok=True)
        with lock.hold(beside):
            try:
                shutil.rmtree(beside / whole.name, ignore_errors=True)
                yield beside / whole.name
                _check_free(out)  # another may have been quicker
                _move(beside / whole.name, whole)
            finally:
                shutil.rmtree(beside, ignore_errors=True)
    except (OSError, BalanceError) as error:
        cause = error.__cause__ if isinstance(error, BalanceError) else error
        if isinstance(cause, OSError):  # the user's folder is named, not the one that is gone
            raise BalanceError(f"cannot write {out}: {cause.strerror or cause}") from error
        raise


def _check_free(out: Path) -> None:
    """As `check_vacant`, but that a pooled run can't be finished with --resume."""
    if exists(out / "run.json"):
        raise BalanceError(f"{out} already holds a run; remove it, or choose another --out")
    check_vacant(out)


def _move(run: Path, out: Path) -> None:
    """Give a whole run its place; into a folder that is there, its `run.json` comes last."""
    if not out.exists():
        os.replace(run, out)
        return
    for found in sorted(run.iterdir(), key=lambda path: path.name == "run.json"):
        os.replace(found, out / found.name)


def pool_beside(runs: Sequence[RunFolder], progress: Progress = SILENCE) -> RunFolder:
    """As `pool_runs`, into a folder beside the first, called after all; the one that is there, if it is that run.

    It is named as the first was: relative to where the user is, or not.

    Raises
    ------
    BalanceError
        As `pool_runs`; or what is there is another run, of other files, or was not pooled to its end.
    """
    folder = _resolved(runs[0]).parent
    folder = folder if runs[0].named.is_absolute() else Path(os.path.relpath(folder))
    out = folder / "+".join(_names(runs))
    if not (out / "run.json").exists():
        return pool_runs(runs, out, progress)
    found = RunFolder.open(out)
    wanted = pool([run.plan for run in runs], _names(runs))
    now = {key: runs[0].info[key] for key in _HASHED}
    now |= {
        "status": "finished",
        _CONTENTS: [_content(read_manifest(run.path, run.bond).parts) for run in runs],
    }
    if found.plan.describe() != wanted.describe() or any(
        found.info.get(key) != value for key, value in now.items()
    ):
        raise BalanceError(
            f"{out} is there already, pooled before these runs became what they are: remove it, or pool into another "
            f"folder with: balance pool"
        )
    return found


def _names(runs: Sequence[RunFolder]) -> list[str]:
    return [_resolved(run).name for run in runs]


def _resolved(run: RunFolder) -> Path:
    """Where a run is, also if it was named `.` or `..`; a link keeps its name."""
    return Path(os.path.normpath(run.path))


def _content(parts: Sequence[WrittenPart]) -> str:
    """Hash of what stands in all files of a run."""
    files = [[part.stem, {table: facts.sha256 for table, facts in part.files.items()}] for part in parts]
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()


def _placed(
    runs: Sequence[RunFolder], parts: Sequence[Sequence[WrittenPart]], plan: Plan
) -> Iterator[_Placed]:
    """Where the parts of all runs go; of cells that several have on the same decks the longest is taken."""
    cells = {(cell.tier.name, cell.variant.name, cell.players): cell for cell in plan.cells}
    longest: dict[tuple[int, int], tuple[int, list[_Placed]]] = {}
    for run, listed in zip(runs, parts, strict=True):
        names = _names_there(run.plan, plan)
        seed = next(iter(run.plan.seeds))
        before = list(plan.seeds)[: list(plan.seeds).index(seed)]
        for source in run.plan.cells:
            own = [part for part in listed if part.cell == source.number]
            cell = cells[source.tier.name, names[source.variant.name], source.players]
            start = sum(plan.seeds[each][source.tier.name] for each in before)
            games = sum(part.games for part in own)
            if games > longest.get((cell.number, start), (0, []))[0]:
                placed = [_Placed(run, part, source, cell, start + part.first) for part in own]
                longest[cell.number, start] = games, placed
    for _, placed in longest.values():
        yield from placed


def _names_there(own: Plan, plan: Plan) -> dict[str, str]:
    """What the variants of a run are called in the pooled one."""
    alike: dict[str, list[str]] = {}
    for variant in plan.variants:
        alike.setdefault(hash_rules(variant.rules), []).append(variant.name)
    names = {}
    for variant in own.variants:
        there = alike[hash_rules(variant.rules)]
        names[variant.name] = variant.name if variant.name in there else there[0]
    return names


def _copy_all(pooled: RunFolder, parts: Sequence[_Placed], progress: Progress) -> None:
    planned, done = sum(placed.part.games for placed in parts), 0
    for placed in parts:
        progress.advance(done, planned)
        pooled.add_part(_copy(placed, pooled))
        done += placed.part.games
    progress.advance(done, planned)


def _copy(placed: _Placed, pooled: RunFolder) -> WrittenPart:
    """Write a part again with the numbers of its new cell, batch by batch.

    Raises
    ------
    BalanceError
        A file is no longer what it was when its run was opened.
    """
    source, part, first = placed.source, placed.part, placed.first
    shift = placed.cell.first_id + first - source.first_id - part.first
    stem = name_part(Part(placed.cell.number, first, first + part.games, "games"))
    with write_part(pooled.path, stem, tuple(part.files), pooled.identity) as writer:
        for table, facts in part.files.items():
            path = part_path(placed.run.path, table, part.stem)
            file = pq.ParquetFile(io.BytesIO(_read_checked(path, facts)))
            batches = (
                file.iter_batches(ROW_GROUP)
                if file.metadata.num_rows
                else [file.schema_arrow.empty_table()]
            )
            for batch in batches:
                rows = batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
                writer.write({table: _renamed(rows, shift, placed.cell.variant.name)})
    return writer.written._replace(seconds=part.seconds)


def _read_checked(path: Path, facts: FileFacts) -> bytes:
    """Return a file's content.

    Raises
    ------
    BalanceError
        It is no longer what it was when its run was opened.
    """
    replaced = f"{path} was replaced while its run was pooled; pool the runs again"
    try:
        content = read_bytes(path, facts.bytes)
    except BalanceError as error:  # removed, or larger now
        raise BalanceError(replaced) from error
    if hashlib.sha256(content).hexdigest() != facts.sha256:
        raise BalanceError(replaced)
    return content


def _renamed(rows: pa.Table, shift: int, variant: str) -> pa.Table:
    """Rows with other game numbers, and the name that their variant has now."""
    numbers = pa.array(rows["game_id"].to_numpy() + shift)
    rows = rows.set_column(0, "game_id", numbers)
    if "variant" not in rows.column_names:
        return rows
    return rows.set_column(
        rows.column_names.index("variant"), "variant", pa.array([variant] * len(rows), pa.string())
    )
