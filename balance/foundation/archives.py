"""Files of numbers that may come from others: limits hold before anything is unpacked, and any fault is one line."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from functools import partial
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from balance.foundation.errors import BalanceError
from balance.foundation.files import MOST_BYTES, read_bytes
from balance.foundation.language import tr

if TYPE_CHECKING:
    import pandas as pd

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def read_arrays(
    path: Path,
    most_unpacked: int,
    check: Callable[[str, tuple[int, ...]], None] = lambda name, shape: None,
    most: int = MOST_BYTES,
) -> dict[str, np.ndarray]:
    """Return the arrays of numbers in an .npz file by name; pickled objects are never loaded.

    Parameters
    ----------
    most_unpacked : int
        Most bytes of all arrays together.
    check : callable
        Refuses an array by its name and shape, before its numbers are read.
    most : int
        Most bytes of the file.
    """
    content = read_bytes(path, most)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > most_unpacked:
                size = tr("its arrays are larger than {size:,} bytes", size=most_unpacked)
                raise BalanceError(tr("cannot read {path}: {why}", path=path, why=size))
            named = [(each.filename.removesuffix(".npy"), each) for each in members]
            return {name: _read_array(archive, each, partial(check, name)) for name, each in named}
    except BalanceError:
        raise
    except Exception:  # a damaged archive raises errors of many kinds
        raise BalanceError(
            tr("{path}: not a NumPy .npz file of numbers; `balance train network` writes one", path=path)
        ) from None


def _read_array(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, check: Callable[[tuple[int, ...]], None]
) -> np.ndarray:
    """Return an array of an archive, whose header may promise no more than the archive holds."""
    with archive.open(member) as file:
        shape, by_column, kind = _HEADERS[np.lib.format.read_magic(file)](file)
        if kind.kind not in "biuf":
            raise ValueError(kind)
        check(shape)
        size = prod(shape) * kind.itemsize
        if not 0 <= size <= member.file_size:
            raise ValueError(shape)
        content = file.read(size)
        if file.read(1):
            raise ValueError("more than an array")
    found = np.frombuffer(content, kind).reshape(shape, order="F" if by_column else "C")
    return found.copy()


def read_rows(content: bytes, path: Path, most_rows: int) -> tuple[pa.Schema, pd.DataFrame]:
    """Return the schema and the rows in the content of a Parquet file; its end says how many rows it has."""
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        rows = file.metadata.num_rows
        if rows <= most_rows:
            table = file.read()
            table.validate(full=True)  # its letters too
            return file.schema_arrow, table.to_pandas()
        why = tr("it has {rows:,} rows, and may have {most:,}", rows=rows, most=most_rows)
    except Exception as error:  # of many kinds
        why = str(error).partition("\n")[0]
    raise BalanceError(tr("cannot read {path}: {why}", path=path, why=why))
