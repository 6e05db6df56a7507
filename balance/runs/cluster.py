"""Play parts through a Dask scheduler whose workers see the run folder under the same path."""

from __future__ import annotations

import hashlib
import json
import logging
import platform
import threading
from concurrent.futures import CancelledError, Executor, Future
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

from balance.contract.game import Game
from balance.experiments.plan import Part
from balance.experiments.saved_plan import describe_plan
from balance.foundation.compiling import source_hash
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder
from balance.runs.manifest import WrittenPart
from balance.runs.worker import Worker

Result = TypeVar("Result")
loaded_hash = cache(source_hash)  # of the sources that this process loaded


def open_cluster(address: str) -> Executor:
    """Return an executor on the workers of the scheduler at `address`."""
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
    """Silence Dask's own loggers: failures are reported here in one line, not in fifty."""
    for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def contents(run: RunFolder) -> tuple[str, str]:
    """Return hashes of the plan and the sources, by which a worker recognises a run."""
    plan = json.dumps([describe_plan(run.plan), run.info["bot_hashes"]], sort_keys=True, default=str)
    return hashlib.sha256(plan.encode()).hexdigest()[:16], run.info["source_hash"]


def _here() -> str:
    """Return the name of this worker."""
    from distributed import get_worker

    try:
        return f"Dask worker {get_worker().address} on {platform.node()}"
    except ValueError:  # called outside a worker
        return f"Dask worker on {platform.node()}"


def check_source(game: Game, source: str) -> None:
    """Refuse to work for a process with other sources, given their hash."""
    loaded = loaded_hash(game.folder)
    if loaded != source:
        raise BalanceError(
            f"{_here()} has a different version of this package ({loaded}) than the games began with "
            f"({source}); install the same version there and restart the worker"
        )


@lru_cache(maxsize=4)
def _worker(path: Path, plan: str, source: str, thread: int) -> Worker:
    """Return a worker for the run with these contents at `path`, one for each thread."""
    run = RunFolder.open(path)
    check_source(run.plan.game, source)
    if contents(run) != (plan, source):
        raise BalanceError(
            f"{_here()} finds a different run at {path}; it must see the same files under this path"
        )
    if changed := run.changes():
        raise BalanceError(f"{_here()} can't play {path}: changed since it began: {', '.join(changed)}")
    run.plan.bots_allowed = True  # the user who sends parts has allowed them
    return Worker(run.plan, path, run.identity, threading.Event())


def play_part(path: Path, plan: str, source: str, part: Part) -> WrittenPart:
    """Play and write one part of the run with these `contents`, on the worker's machine."""
    return _worker(path, plan, source, threading.get_ident()).play(part)


def await_result(future: Future[Result], resume: str) -> Result:
    """Return the result of a worker of the cluster; an error says how to resume."""
    try:
        return future.result()
    except BalanceError:
        raise
    except CancelledError:
        reason = "lost the Dask scheduler"
    except Exception as error:
        first = (str(error).splitlines() or [""])[0]
        reason = f"a Dask worker failed: {type(error).__name__}: {first}"
    raise BalanceError(f"{reason}; finished parts are safe, {resume}") from None
