"""Tables beside a run's parts: what was found out by playing some of its games again, tier by tier.

They are no part of the run: a command of its own writes each, and it may be removed.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from balance.errors import BalanceError
from balance.log.files import replace_file

_RUN = b"run started"
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


def write_beside(
    what: Beside, run: Path, info: Mapping[str, Any], table: pd.DataFrame, tier: str
) -> None:
    """Write a tier's rows in place of those that are there.

    Raises
    ------
    BalanceError
        The file can't be written, or what is there can't be read.
    """
    kept = read_beside(what, run, info)
    rows = table.assign(tier=tier)
    if kept is not None:
        rows = pd.concat([kept[kept["tier"] != tier], rows], ignore_index=True)
    content = pa.Table.from_pandas(rows, what.schema, preserve_index=False)
    content = content.replace_schema_metadata({_RUN: str(info["started"]).encode()})
    written = io.BytesIO()
    pq.write_table(content, written, compression="zstd")
    try:
        replace_file(run / what.name, written.getvalue())
    except OSError as error:
        raise BalanceError(f"cannot write {run / what.name}: {error.strerror or error}") from error


def read_beside(what: Beside, run: Path, info: Mapping[str, Any]) -> pd.DataFrame | None:
    """The rows of all tiers, or None where there is no such file.

    Raises
    ------
    BalanceError
        It is damaged, or of another run; says how to make it anew.
    """
    path = run / what.name
    remedy = f"remove it, and make it anew with: balance {what.command} {run}"
    try:
        found = pq.ParquetFile(io.BytesIO(path.read_bytes())).read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BalanceError(f"cannot read {path}: {error.strerror or error}") from error
    except pa.ArrowException:
        raise BalanceError(f"{path} is damaged; {remedy}") from None
    if not found.schema.equals(what.schema):
        raise BalanceError(f"{path} has not the columns that it should; {remedy}")
    if (found.schema.metadata or {}).get(_RUN) != str(info["started"]).encode():
        raise BalanceError(f"{path} is of another run; {remedy}")
    return found.to_pandas()
