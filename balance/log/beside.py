"""Tables beside a run's parts: what was found out by playing some of its games again, tier by tier.

They are no part of the run: a command of its own writes each, and it may be removed. The list of the run's parts has
the checksum of each.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from balance.errors import BalanceError
from balance.log.folder import RunFolder
from balance.log.manifest import read_manifest
from balance.log.parts import RUN_KEY, name_run
from balance.log.verify import Fault, read_added

_CELL = [("tier", pa.string()), ("players", pa.int64()), ("variant", pa.string())]
_ESTIMATE = [
    ("half", pa.int64()),
    ("value", pa.float64()),
    ("low", pa.float64()),
    ("high", pa.float64()),
    ("n", pa.int64()),
    ("clusters", pa.int64()),
    ("error", pa.float64()),
]


class Beside(NamedTuple):
    """A table beside a run: what its file is called, what names a row in a cell, and the command that makes it."""

    command: str
    keys: Mapping[str, pa.DataType]

    @property
    def name(self) -> str:
        """Of the file in the run's folder."""
        return f"{self.command}.parquet"

    @property
    def schema(self) -> pa.Schema:
        """Columns: the cell, the keys, an estimate by half of the decks."""
        return pa.schema([*_CELL, *self.keys.items(), *_ESTIMATE])


COMPONENTS = Beside(
    "components",
    {
        "family": pa.string(),
        "component": pa.string(),
        "given": pa.bool_(),
        "measure": pa.string(),
        "strategy": pa.string(),
    },
)
DECISIONS = Beside(
    "decisions",
    {"judge": pa.string(), "kind": pa.string(), "stage": pa.string(), "measure": pa.string()},
)


def write_beside(what: Beside, run: RunFolder, table: pd.DataFrame, tier: str) -> None:
    """Write a tier's rows in place of those that are there.

    Raises
    ------
    BalanceError
        The file can't be written, what is there can't be read, or the folder holds another run by now.
    """
    with RunFolder.open_locked(run.named) as now:
        if now.identity != run.identity:
            raise BalanceError(f"{run.path} holds another run than when its games were played again")
        kept = read_beside(what, now)
        rows = table.assign(tier=tier)
        if kept is not None:
            rows = pd.concat([kept[kept["tier"] != tier], rows], ignore_index=True)
        content = pa.Table.from_pandas(rows, what.schema, preserve_index=False)
        content = content.replace_schema_metadata({RUN_KEY: name_run(now.identity)})
        written = io.BytesIO()
        pq.write_table(content, written, compression="zstd")
        now.add_table(what.command, len(rows), written.getvalue())


def read_beside(what: Beside, run: RunFolder) -> pd.DataFrame | None:
    """Return the rows of all tiers, or None where there is no such file; only a file that is as written is parsed.

    Raises
    ------
    BalanceError
        It is damaged, or of another run; says how to make it again.
    """
    added = read_manifest(run.path, run.bond).added
    content = read_added(run.path, what.command, added, run.identity)
    if content is None:
        return None
    if isinstance(content, Fault):
        raise BalanceError(str(content))
    found = pq.ParquetFile(io.BytesIO(content)).read()
    if not found.schema.equals(what.schema):
        path = run.path / what.name
        raise BalanceError(
            f"{path} has not the columns that it should; remove it, and make it again with: "
            f"balance {what.command} {run.path}"
        )
    return found.to_pandas()
