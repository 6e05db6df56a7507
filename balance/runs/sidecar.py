"""Sidecar tables of a run: results of playing some of its games again, and of duels between its tiers.

They are not part of the run: each is written after its games, and it may be removed. The list of the run's parts has
the checksum of each table.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from balance.foundation.archives import read_rows
from balance.foundation.errors import BalanceError, DamagedRunError
from balance.foundation.language import tr
from balance.runs.folder import RunFolder
from balance.runs.manifest import ADDED, read_manifest
from balance.runs.parts import RUN_KEY, name_run
from balance.runs.verify import Fault, read_added

_MOST_ROWS = 1_000_000
_CELL = [("tier", pa.string()), ("players", pa.int64()), ("variant", pa.string())]
_INTEGERS = ("half", "n", "clusters")
_ESTIMATE = [
    (name, pa.int64() if name in _INTEGERS else pa.float64())
    for name in ("half", "value", "low", "high", "n", "clusters", "error")
]


class SidecarTable(NamedTuple):
    """A sidecar table: its name, one of `balance.runs.manifest.ADDED`, and the keys of its rows."""

    table: str
    keys: Mapping[str, pa.DataType]

    @property
    def name(self) -> str:
        """Name of the file in the run's folder."""
        return f"{self.table}.parquet"

    @property
    def schema(self) -> pa.Schema:
        """Columns: the cell, the keys, and an estimate by half of the deals."""
        return pa.schema([*_CELL, *self.keys.items(), *_ESTIMATE])


_TEXT = pa.string()
COMPONENTS = SidecarTable(
    "components", {"family": _TEXT, "component": _TEXT, "given": pa.bool_(), "measure": _TEXT, "strategy": _TEXT}
)
DECISIONS = SidecarTable("decisions", {"judge": _TEXT, "kind": _TEXT, "stage": _TEXT, "measure": _TEXT})
CHANCES = SidecarTable("chances", {"measure": _TEXT, "group": _TEXT, "networks": pa.int64(), "apart": pa.float64()})
DUELS = SidecarTable("duels", {"other": _TEXT})  # a tier against the tier `other`


def write_sidecar(what: SidecarTable, run: RunFolder, table: pd.DataFrame, tier: str) -> None:
    """Replace a tier's rows in the table."""
    with RunFolder.open_locked(run.named) as now:
        if now.identity != run.identity:
            raise BalanceError(
                tr("{run} contains another run since its games were played again; run the command again", run=run.path)
            )
        kept = read_sidecar(what, now)
        rows = table.assign(tier=tier)
        if kept is not None:
            rows = pd.concat([kept[kept["tier"] != tier], rows], ignore_index=True)
        content = pa.Table.from_pandas(rows, what.schema, preserve_index=False)
        content = content.replace_schema_metadata({RUN_KEY: name_run(now.identity)})
        written = io.BytesIO()
        pq.write_table(content, written, compression="zstd")
        now.add_table(what.table, len(rows), written.getvalue())


def read_sidecar(what: SidecarTable, run: RunFolder) -> pd.DataFrame | None:
    """Return the rows of all tiers, or None if there is no such file; only an intact file is parsed."""
    added = read_manifest(run.path, run.bond).added
    content = read_added(run.path, what.table, added, run.identity)
    if content is None:
        return None
    if isinstance(content, Fault):
        raise DamagedRunError(str(content))
    schema, found = read_rows(content, run.path / what.name, _MOST_ROWS)
    if not schema.equals(what.schema):
        path = run.path / what.name
        raise DamagedRunError(
            tr(
                "{path} has the wrong columns; remove it, and make it again with: {command}",
                path=path,
                command=f"{ADDED[what.table]} {run.path}",
            )
        )
    return found
