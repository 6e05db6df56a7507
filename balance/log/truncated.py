"""How many games of a run were broken off."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from balance.log.folder import RunFolder
from balance.log.manifest import part_path
from balance.log.verify import whole_parts


def count_truncated(run: RunFolder) -> int:
    """Return how many games of all cells were broken off at the limit of decisions.

    Raises
    ------
    BalanceError
        A part is missing or damaged, or there is none.
    """
    parts = whole_parts(run.path, run.bond, checksums=False)
    return sum(_count(part_path(run.path, "games", part.stem)) for part in parts)


def _count(games: Path) -> int:
    with pa.OSFile(str(games)) as file:
        status = pq.ParquetFile(file).read(columns=["status"])["status"].cast(pa.string())
    return int(pc.sum(pc.equal(status, "truncated")).as_py())
