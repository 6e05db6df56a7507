"""Sidecar tables of a run: results of playing some of its games again, tier by tier.

They are not part of the run: a separate command writes each table, and it may be removed. The list of the run's parts
has the checksum of each table.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from balance.foundation.errors import BalanceError, DamagedRunError
from balance.foundation.language import tr
from balance.runs.folder import RunFolder
from balance.runs.manifest import read_manifest
from balance.runs.parts import RUN_KEY, name_run
from balance.runs.verify import Fault, read_added

_CELL = [("tier", pa.string()), ("players", pa.int64()), ("variant", pa.string())]
_INTEGERS = ("half", "n", "clusters")
_ESTIMATE = [
    (name, pa.int64() if name in _INTEGERS else pa.float64())
    for name in ("half", "value", "low", "high", "n", "clusters", "error")
]


class SidecarTable(NamedTuple):
    """A sidecar table: its file name, the keys of its rows, and the command that makes it."""

    command: str
    keys: Mapping[str, pa.DataType]

    @property
    def name(self) -> str:
        """Name of the file in the run's folder."""
        return f"{self.command}.parquet"

    @property
    def schema(self) -> pa.Schema:
        """Columns: the cell, the keys, and an estimate by half of the deals."""
        return pa.schema([*_CELL, *self.keys.items(), *_ESTIMATE])


_TEXT = pa.string()
COMPONENTS = SidecarTable(
    "components",
    {"family": _TEXT, "component": _TEXT, "given": pa.bool_(), "measure": _TEXT, "strategy": _TEXT},
)
DECISIONS = SidecarTable("decisions", {"judge": _TEXT, "kind": _TEXT, "stage": _TEXT, "measure": _TEXT})


def write_sidecar(what: SidecarTable, run: RunFolder, table: pd.DataFrame, tier: str) -> None:
    """Replace a tier's rows in the table."""
    with RunFolder.open_locked(run.named) as now:
        if now.identity != run.identity:
            raise BalanceError(
                tr(
                    "{run} contains another run since its games were played again; run the command again",
                    run=run.path,
                )
            )
        kept = read_sidecar(what, now)
        rows = table.assign(tier=tier)
        if kept is not None:
            rows = pd.concat([kept[kept["tier"] != tier], rows], ignore_index=True)
        content = pa.Table.from_pandas(rows, what.schema, preserve_index=False)
        content = content.replace_schema_metadata({RUN_KEY: name_run(now.identity)})
        written = io.BytesIO()
        pq.write_table(content, written, compression="zstd")
        now.add_table(what.command, len(rows), written.getvalue())


def read_sidecar(what: SidecarTable, run: RunFolder) -> pd.DataFrame | None:
    """Return the rows of all tiers, or None if there is no such file; only an intact file is parsed."""
    added = read_manifest(run.path, run.bond).added
    content = read_added(run.path, what.command, added, run.identity)
    if content is None:
        return None
    if isinstance(content, Fault):
        raise DamagedRunError(str(content))
    found = pq.ParquetFile(io.BytesIO(content)).read()
    if not found.schema.equals(what.schema):
        path = run.path / what.name
        raise DamagedRunError(
            tr(
                "{path} has the wrong columns; remove it, and make it again with: {command}",
                path=path,
                command=f"balance {what.command} {run.path}",
            )
        )
    return found.to_pandas()


def read_tier_rows(run: RunFolder, what: SidecarTable) -> pd.DataFrame:
    """Return the rows of the active tier; if the table has none, those of the strongest tier that it has."""
    found = read_sidecar(what, run)
    if found is None:
        return pd.DataFrame(columns=what.schema.names)
    names, tier = set(found["tier"]), run.plan.tier
    if tier.name not in names:
        with_rows = [each for each in run.plan.tiers if each.name in names]
        tier = max(with_rows, key=lambda each: each.strength, default=tier)
    cells = {(cell.players, cell.variant.name) for cell in run.plan.tier_cells}
    places = zip(found["players"], found["variant"], strict=True)
    mine = np.array([place in cells for place in places], bool)
    return found[mine & (found["tier"] == tier.name)].reset_index(drop=True)
