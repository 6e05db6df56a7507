"""The same parts through a Dask scheduler, whose workers see the run folder under the same path."""

from __future__ import annotations

import hashlib
import json
import logging
import platform
import threading
from concurrent.futures import CancelledError, Executor, Future
from functools import cache, lru_cache
from pathlib import Path

from balance.batch.worker import Worker
from balance.compiling.sources import source_hash
from balance.errors import BalanceError
from balance.log.folder import RunFolder
from balance.log.manifest import WrittenPart
from balance.plan.plan import Part

_loaded_hash = cache(source_hash)  # of the sources as they were when this process loaded them


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
    _silence()
    try:
        return Client(address, timeout="10s").get_executor()  # type: ignore[no-any-return]
    except (OSError, ValueError) as error:
        raise BalanceError(f"no Dask scheduler at {address}: {error}") from None


def _silence() -> None:
    """Have what fails told by us, in one line, and not by Dask in fifty; its loggers have levels of their own."""
    for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def contents(run: RunFolder) -> tuple[str, str]:
    """By what a worker knows a run again: hashes of its plan and of the sources it is played by."""
    plan = json.dumps([run.plan.describe(), run.info["bot_hashes"]], sort_keys=True, default=str)
    return hashlib.sha256(plan.encode()).hexdigest()[:16], run.info["source_hash"]


def _here() -> str:
    """This worker, in words."""
    from distributed import get_worker

    try:
        return f"Dask worker {get_worker().address} on {platform.node()}"
    except ValueError:  # the call comes from no worker
        return f"Dask worker on {platform.node()}"


@lru_cache(maxsize=4)
def _worker(path: Path, plan: str, source: str, thread: int) -> Worker:
    """A worker for the run of this content at `path`; one a thread, which has room of its own.

    Raises
    ------
    BalanceError
        The sources or the run are others here.
    """
    run = RunFolder.open(path)
    loaded = _loaded_hash(run.plan.game.folder)
    if loaded != source:
        raise BalanceError(
            f"{_here()} has other sources of this package ({loaded}) than the run began with "
            f"({source}); install the same version there and start the worker anew"
        )
    if contents(run) != (plan, source):
        raise BalanceError(f"{_here()} sees another run at {path}; it must see the same files")
    if changed := run.changes():
        raise BalanceError(f"{_here()} can't play {path}: changed since it began: {', '.join(changed)}")
    run.plan.bots_allowed = True  # who sends parts has been asked
    return Worker(run.plan, path, run.identity, threading.Event())


def play_part(path: Path, plan: str, source: str, part: Part) -> WrittenPart:
    """Play and write one part of the run with these `contents`, on whatever machine this runs."""
    return _worker(path, plan, source, threading.get_ident()).play(part)


def await_part(future: Future[WrittenPart], run: Path) -> WrittenPart:
    """What a worker of a cluster wrote.

    Raises
    ------
    BalanceError
        The part failed, or the cluster is gone; one line, whatever it was.
    """
    try:
        return future.result()
    except BalanceError:
        raise
    except CancelledError:
        reason = "the Dask scheduler is gone"
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        reason = f"a Dask worker failed: {type(error).__name__}: {first}"
    raise BalanceError(
        f"{reason}; finished parts are safe, go on with: balance run --resume {run}"
    ) from None
