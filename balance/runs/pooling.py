"""Pool runs into a new run: copy their parts under new game numbers, with checksums."""

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

from balance.experiments.growth import clash_of_games, differences_in_play, pool
from balance.experiments.plan import Cell, Part, Plan
from balance.experiments.saved_plan import describe_plan
from balance.experiments.variants import hash_rules
from balance.foundation.errors import BalanceError
from balance.foundation.files import exists, read_bytes, reason
from balance.foundation.language import N_, tr
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.text import listed
from balance.runs import lock
from balance.runs.folder import RunFolder
from balance.runs.lock import check_vacant
from balance.runs.manifest import FileFacts, WrittenPart, part_path, read_manifest
from balance.runs.parts import ROW_GROUP, name_part, write_part
from balance.runs.sidecar import DUELS, read_sidecar, write_sidecar
from balance.runs.verify import whole_parts
from balance.runs.writer import RunWriter

_OF_THE_FIRST = ("package_version", "source_hash", "bot_hashes", "machine", "started")
_HASHED = {"source_hash": N_("the package's source"), "bot_hashes": N_("a bot's file")}
_CONTENTS = "contents"
"""Key of `run.json`: a hash of all files of each pooled run."""


class _Placed(NamedTuple):
    """A part of a run and its place in the pooled run: cell and number of its first game."""

    run: RunFolder
    part: WrittenPart
    source: Cell
    cell: Cell
    first: int


def why_apart(runs: Sequence[RunFolder]) -> str:
    """Return why runs can't be pooled, as a clause about them; "" if they can."""
    plan = runs[0].plan
    for number, run in enumerate(runs[1:], 1):
        keys = differences_in_play(plan, run.plan)
        keys += [tr(what) for key, what in _HASHED.items() if run.info[key] != runs[0].info[key]]
        if keys:
            more = ", ..." if len(keys) > 5 else ""
            return tr("they differ in {keys}", keys=", ".join(keys[:5]) + more)
        if clash := clash_of_games(plan, run.plan):
            return clash
        plan = pool([each.plan for each in runs[: number + 1]], _names(runs[: number + 1]))
    return ""


def pool_runs(runs: Sequence[RunFolder], out: Path, progress: Progress = SILENCE) -> RunFolder:
    """Combine several runs into one: runs with different seeds add deals, runs on the same deals add variants.

    The runs stay unchanged; their rows are copied under new game numbers, with constant memory. The finished run has
    the first variant and the thresholds of the first run. If the folder holds this very run, it is kept.
    """
    if why := why_apart(runs):
        raise BalanceError(tr("{runs} can't be pooled: {why}", runs=listed([run.path for run in runs]), why=why))
    plan = pool([run.plan for run in runs], _names(runs))
    if found := _pooled_before(runs, plan, out):
        return found
    written = [whole_parts(run.path, run.bond, checksums=True) for run in runs]
    _check_free(out)
    with _workplace(out) as place:
        kept = {key: runs[0].info[key] for key in _OF_THE_FIRST}
        kept[_CONTENTS] = [_content(parts) for parts in written]
        pooled = RunFolder.create(place, plan, kept)
        writer = RunWriter(pooled)
        copy_parts(writer, list(_placed(runs, written, plan)), progress)
        writer.close("finished")
        _copy_duels(runs[0], pooled)
    return RunFolder(out, pooled.info, plan)


def _copy_duels(run: RunFolder, pooled: RunFolder) -> None:
    """Copy the duels between tiers, which depend neither on seeds nor on variants other than the first."""
    duels = read_sidecar(DUELS, run)
    if duels is not None:
        for tier, rows in duels.groupby("tier"):
            write_sidecar(DUELS, pooled, rows, str(tier))


@contextmanager
def _workplace(out: Path) -> Iterator[Path]:
    """Provide a temporary folder that becomes `out` if the block succeeds and is removed otherwise.

    It lies in a hidden folder next to `out`. A lock protects it, so that a second process that pools into the same
    folder does no harm. Leftovers of a killed process are removed.
    """
    whole = out.absolute()
    temporary = whole.parent / f".{whole.name}.pooling"
    try:
        temporary.mkdir(parents=True, exist_ok=True)
        with lock.hold(temporary):
            try:
                shutil.rmtree(temporary / whole.name, ignore_errors=True)
                yield temporary / whole.name
                _check_free(out)  # another process may have created it meanwhile
                _move(temporary / whole.name, whole)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
    except (OSError, BalanceError) as error:
        cause = error.__cause__ if isinstance(error, BalanceError) else error
        if isinstance(cause, OSError):  # name the user's folder, not the temporary one
            raise BalanceError(tr("cannot write {path}: {why}", path=out, why=reason(cause))) from error
        raise


def _check_free(out: Path) -> None:
    """Check the folder as `check_vacant` does; a pooled run can't be finished with --resume."""
    if exists(out / "run.json"):
        raise BalanceError(tr("{run} already contains a run; remove it, or choose another --out", run=out))
    check_vacant(out)


def _move(run: Path, out: Path) -> None:
    """Move a complete run to its place; if the folder exists, `run.json` comes last."""
    if not out.exists():
        os.replace(run, out)
        return
    for found in sorted(run.iterdir(), key=lambda path: path.name == "run.json"):
        os.replace(found, out / found.name)


def pool_next_to(runs: Sequence[RunFolder], progress: Progress = SILENCE) -> RunFolder:
    """Pool runs into a folder next to the first, named after all of them; reuse that folder if it is the same run.

    Its path is relative to the current folder if the path of the first run is.
    """
    folder = _resolved(runs[0]).parent
    folder = folder if runs[0].named.is_absolute() else Path(os.path.relpath(folder))
    out = folder / "+".join(_names(runs))
    if not (out / "run.json").exists():
        return pool_runs(runs, out, progress)
    plan = pool([run.plan for run in runs], _names(runs))
    if found := _pooled_before(runs, plan, out):
        return found
    raise BalanceError(
        tr(
            "{folder} exists already, but was not pooled from these runs as they are now: remove it, or pool into "
            "another folder with: balance pool",
            folder=out,
        )
    )


def _pooled_before(runs: Sequence[RunFolder], plan: Plan, out: Path) -> RunFolder | None:
    """Return the run in `out` if it was pooled from these runs as they are now."""
    if not exists(out / "run.json"):
        return None
    found = RunFolder.open(out)
    contents = [_content(read_manifest(run.path, run.bond).parts) for run in runs]
    now = {key: runs[0].info[key] for key in _HASHED} | {"status": "finished", _CONTENTS: contents}
    same = all(found.info.get(key) == value for key, value in now.items())
    return found if same and describe_plan(found.plan) == describe_plan(plan) else None


def _names(runs: Sequence[RunFolder]) -> list[str]:
    return [_resolved(run).name for run in runs]


def _resolved(run: RunFolder) -> Path:
    """Return the path of a run, resolving `.` and `..`; a link keeps its name."""
    return Path(os.path.normpath(run.path))


def _content(parts: Sequence[WrittenPart]) -> str:
    """Return a hash of the content of all files of a run."""
    files = [[part.stem, {table: facts.sha256 for table, facts in part.files.items()}] for part in parts]
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()


def _placed(runs: Sequence[RunFolder], parts: Sequence[Sequence[WrittenPart]], plan: Plan) -> Iterator[_Placed]:
    """Return the places of all parts; if several runs have a cell on the same deals, the longest one is used."""
    cells = {(cell.tier.name, cell.variant.name, cell.players): cell for cell in plan.cells}
    longest: dict[tuple[int, int], tuple[int, list[_Placed]]] = {}
    for run, written in zip(runs, parts, strict=True):
        names = _names_there(run.plan, plan)
        seed = next(iter(run.plan.seeds))
        before = list(plan.seeds)[: list(plan.seeds).index(seed)]
        for source in run.plan.cells:
            own = [part for part in written if part.cell == source.number]
            cell = cells[source.tier.name, names[source.variant.name], source.players]
            start = sum(plan.seeds[each][source.tier.name] for each in before)
            games = sum(part.games for part in own)
            if games > longest.get((cell.number, start), (0, []))[0]:
                placed = [_Placed(run, part, source, cell, start + part.first) for part in own]
                longest[cell.number, start] = games, placed
    for _, placed in longest.values():
        yield from placed


def _names_there(own: Plan, plan: Plan) -> dict[str, str]:
    """Return the names in the pooled run of a run's variants."""
    alike: dict[str, list[str]] = {}
    for variant in plan.variants:
        alike.setdefault(hash_rules(variant.rules), []).append(variant.name)
    names = {}
    for variant in own.variants:
        there = alike[hash_rules(variant.rules)]
        names[variant.name] = variant.name if variant.name in there else there[0]
    return names


def copy_parts(writer: RunWriter, parts: Sequence[_Placed], progress: Progress) -> None:
    """Copy the parts of the members into the pooled run."""
    planned, done = sum(placed.part.games for placed in parts), 0
    for placed in parts:
        progress.advance(done, planned)
        writer.add_part(_copy(placed, writer.run))
        done += placed.part.games
    progress.advance(done, planned)


def _copy(placed: _Placed, pooled: RunFolder) -> WrittenPart:
    """Copy a part with the numbers of its new cell, batch by batch."""
    source, part, first = placed.source, placed.part, placed.first
    shift = placed.cell.first_id + first - source.first_id - part.first
    stem = name_part(Part(placed.cell.number, first, first + part.games, "games"))
    with write_part(pooled.path, stem, tuple(part.files), pooled.identity) as writer:
        for table, facts in part.files.items():
            path = part_path(placed.run.path, table, part.stem)
            file = pq.ParquetFile(io.BytesIO(_read_checked(path, facts)))
            batches = file.iter_batches(ROW_GROUP) if file.metadata.num_rows else [file.schema_arrow.empty_table()]
            for batch in batches:
                rows = batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
                writer.write({table: _renamed(rows, shift, placed.cell.variant.name)})
    return writer.written._replace(seconds=part.seconds)


def _read_checked(path: Path, facts: FileFacts) -> bytes:
    """Return a file's content."""
    replaced = tr("{path} was replaced while its run was pooled; pool the runs again", path=path)
    try:
        content = read_bytes(path, facts.bytes)
    except BalanceError as error:  # removed, or larger now
        raise BalanceError(replaced) from error
    if hashlib.sha256(content).hexdigest() != facts.sha256:
        raise BalanceError(replaced)
    return content


def _renamed(rows: pa.Table, shift: int, variant: str) -> pa.Table:
    """Return rows with new game numbers and the new name of their variant."""
    numbers = pa.array(rows["game_id"].to_numpy() + shift)
    rows = rows.set_column(0, "game_id", numbers)
    if "variant" not in rows.column_names:
        return rows
    return rows.set_column(rows.column_names.index("variant"), "variant", pa.array([variant] * len(rows), pa.string()))
