"""Runs pooled into a run of their own: their parts under other numbers, checksums and all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from balance.errors import BalanceError
from balance.log.beginning import check_vacant
from balance.log.files import make_folder
from balance.log.folder import RunFolder
from balance.log.manifest import WrittenPart, part_path
from balance.log.parts import ROW_GROUP, name_part, write_part
from balance.log.verify import whole_parts
from balance.plan.plan import Cell, Part, Plan
from balance.plan.pooling import apart, pool
from balance.plan.variants import hash_rules
from balance.progress import SILENCE, Progress

_OF_THE_FIRST = ("package_version", "source_hash", "bot_hashes", "machine", "started")
_HASHED = {"source_hash": "the package's source", "bot_hashes": "a bot's file"}


class _Placed(NamedTuple):
    """A part of a run, and where it goes: the games of which cell, from which number on."""

    run: RunFolder
    part: WrittenPart
    source: Cell
    cell: Cell
    first: int


def why_apart(runs: Sequence[RunFolder]) -> list[str]:
    """What keeps runs from being pooled, in words; empty where nothing does."""
    plan = runs[0].plan
    for number, run in enumerate(runs[1:], 1):
        reasons = apart(plan, run.plan)
        reasons += [what for key, what in _HASHED.items() if run.info[key] != runs[0].info[key]]
        if reasons:
            return reasons
        plan = pool([each.plan for each in runs[: number + 1]], _names(runs[: number + 1]))
    return []


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
    if reasons := why_apart(runs):
        listed = ", ".join(reasons[:5]) + (", ..." if len(reasons) > 5 else "")
        raise BalanceError(
            f"{' and '.join(str(run.path) for run in runs)} can't be pooled: they differ in {listed}"
        )
    plan = pool([run.plan for run in runs], _names(runs))
    parts = list(_placed(runs, plan))
    check_vacant(out)
    there = out.exists()
    pooled = RunFolder.create(out, plan)
    pooled.info |= {key: runs[0].info[key] for key in _OF_THE_FIRST}
    try:
        with pooled.locked():
            pooled.begin_writing()
            _copy_all(pooled, parts, progress)
            pooled.close("finished")
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        if there:
            make_folder(out)
        raise
    return pooled


def pool_beside(runs: Sequence[RunFolder], progress: Progress = SILENCE) -> RunFolder:
    """As `pool_runs`, into a folder beside the first, called after all; the one that is there, if it is that run.

    Raises
    ------
    BalanceError
        As `pool_runs`; or what is there is another run.
    """
    out = runs[0].named.parent / "+".join(_names(runs))
    if not (out / "run.json").exists():
        return pool_runs(runs, out, progress)
    found = RunFolder.open_finished(out)
    wanted = pool([run.plan for run in runs], _names(runs))
    if found.plan.describe() != wanted.describe():
        raise BalanceError(
            f"{out} is there already, pooled before these runs became what they are: remove it, or pool into another "
            f"folder with: balance pool"
        )
    return found


def _names(runs: Sequence[RunFolder]) -> list[str]:
    return [run.path.name for run in runs]


def _placed(runs: Sequence[RunFolder], plan: Plan) -> Iterator[_Placed]:
    """Where the parts of all runs go; of cells that several have on the same decks the longest is taken."""
    parts = [whole_parts(run.path, checksums=True) for run in runs]
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
        pooled.add_part(_copy(placed, pooled.path))
        done += placed.part.games
    progress.advance(done, planned)


def _copy(placed: _Placed, out: Path) -> WrittenPart:
    """Write a part again with the numbers of its new cell, batch by batch."""
    source, part, first = placed.source, placed.part, placed.first
    shift = placed.cell.first_id + first - source.first_id - part.first
    stem = name_part(Part(placed.cell.number, first, first + part.games, "games"))
    with write_part(out, stem, tuple(part.files)) as writer:
        for table in part.files:
            file = pq.ParquetFile(part_path(placed.run.path, table, part.stem))
            batches = (
                file.iter_batches(ROW_GROUP)
                if file.metadata.num_rows
                else [file.schema_arrow.empty_table()]
            )
            for batch in batches:
                rows = batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
                writer.write({table: _renamed(rows, shift, placed.cell.variant.name)})
    return writer.written._replace(seconds=part.seconds)


def _renamed(rows: pa.Table, shift: int, variant: str) -> pa.Table:
    """Rows with other game numbers, and the name that their variant has now."""
    numbers = pa.array(rows["game_id"].to_numpy() + shift)
    rows = rows.set_column(0, "game_id", numbers)
    if "variant" not in rows.column_names:
        return rows
    return rows.set_column(
        rows.column_names.index("variant"), "variant", pa.array([variant] * len(rows), pa.string())
    )
