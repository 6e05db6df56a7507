"""`components.parquet` in a run's folder: what components are worth, found by playing some of its games again.

No part of the run: `balance components` writes it beside, tier by tier, and it may be removed.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from balance.errors import BalanceError
from balance.log.files import replace_file

NAME = "components.parquet"
SCHEMA = pa.schema(
    [
        ("tier", pa.string()),
        ("players", pa.int64()),
        ("variant", pa.string()),
        ("family", pa.string()),
        ("component", pa.string()),
        ("given", pa.bool_()),
        ("measure", pa.string()),
        ("strategy", pa.string()),
        ("half", pa.int64()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("n", pa.int64()),
        ("clusters", pa.int64()),
        ("error", pa.float64()),
    ]
)
_RUN = b"run started"


def write_components(run: Path, info: Mapping[str, Any], table: pd.DataFrame, tier: str) -> None:
    """Write a tier's rows in place of those that are there.

    Raises
    ------
    BalanceError
        The file can't be written, or what is there can't be read.
    """
    kept = read_components(run, info)
    rows = table.assign(tier=tier)
    if kept is not None:
        rows = pd.concat([kept[kept["tier"] != tier], rows], ignore_index=True)
    content = pa.Table.from_pandas(rows, SCHEMA, preserve_index=False)
    content = content.replace_schema_metadata({_RUN: str(info["started"]).encode()})
    written = io.BytesIO()
    pq.write_table(content, written, compression="zstd")
    try:
        replace_file(run / NAME, written.getvalue())
    except OSError as error:
        raise BalanceError(f"cannot write {run / NAME}: {error.strerror or error}") from error


def read_components(run: Path, info: Mapping[str, Any]) -> pd.DataFrame | None:
    """The rows of all tiers, or None where there is no such file.

    Raises
    ------
    BalanceError
        It is damaged, or of another run; says how to make it anew.
    """
    path = run / NAME
    remedy = f"remove it, and make it anew with: balance components {run}"
    try:
        found = pq.ParquetFile(io.BytesIO(path.read_bytes())).read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BalanceError(f"cannot read {path}: {error.strerror or error}") from error
    except pa.ArrowException:
        raise BalanceError(f"{path} is damaged; {remedy}") from None
    if not found.schema.equals(SCHEMA):
        raise BalanceError(f"{path} has not the columns that it should; {remedy}")
    if (found.schema.metadata or {}).get(_RUN) != str(info["started"]).encode():
        raise BalanceError(f"{path} is of another run; {remedy}")
    return found.to_pandas()
