"""The same parts through a Dask scheduler, whose workers see the run folder under the same path."""

from __future__ import annotations

import threading
from concurrent.futures import Executor
from functools import lru_cache
from pathlib import Path

from balance.batch.worker import Worker
from balance.errors import BalanceError
from balance.log.folder import RunFolder
from balance.plan.plan import Part


def open_cluster(address: str) -> Executor:
    """An executor on the workers of the scheduler at `address`.

    Raises
    ------
    BalanceError
        Dask is not installed, or nothing answers there.
    """
    try:
        from distributed import Client
    except ImportError:
        raise BalanceError("Dask is not installed; install it with: pip install distributed") from None
    try:
        return Client(address, timeout="10s").get_executor()  # type: ignore[no-any-return]
    except (OSError, ValueError) as error:
        raise BalanceError(f"no Dask scheduler at {address}: {error}") from None


@lru_cache(maxsize=4)
def _worker(path: Path, thread: int) -> Worker:
    return Worker(RunFolder.open(path).plan, path, threading.Event())


def play_part(path: Path, part: Part) -> int:
    """Play and write one part, on whatever machine this runs."""
    return _worker(path, threading.get_ident()).play(part)
