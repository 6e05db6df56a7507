"""Opens workers: threads, or those of a Dask cluster.

The workers of a cluster must have the same sources and, for a run, see its folder under the same path.
"""

from __future__ import annotations

import hashlib
import json
import logging
import platform
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from balance.contract.game import Game, get_game
from balance.experiments.plan import Part
from balance.experiments.saved_plan import describe_plan
from balance.foundation.compiling import source_hash
from balance.foundation.errors import BalanceError, from_extra
from balance.foundation.language import tr
from balance.runs.folder import RunFolder
from balance.runs.manifest import WrittenPart
from balance.runs.store import Store, names_of
from balance.runs.worker import Worker
from balance.runs.workers import Result, Threads, Workers, finished_parts_safe, print_to_stderr

loaded_hash = cache(source_hash)  # of the sources that this process loaded
_LOCAL = re.compile(r"local:([1-9]\d{0,3})")
_COUNTED = 2.0  # seconds until the threads of a cluster are counted again


class Cluster(Workers):
    """The workers of a Dask cluster. Dask gives the call of a worker that ended to another worker."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._pool = client.get_executor(pure=False)  # otherwise Dask hashes all arguments
        self._count, self._counted = 1, -_COUNTED

    def sends(self, game: Game) -> bool:
        """Return True: the workers are other processes."""
        return True

    @property
    def count(self) -> int:
        """The number of threads of all workers, which may join and leave; at least 1."""
        if time.monotonic() - self._counted >= _COUNTED:
            with suppress(OSError):  # TimeoutError is one; the next result reports a lost scheduler
                threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=_COUNTED)
                self._count = max(1, sum(threads.values()))
            self._counted = time.monotonic()
        return self._count

    def submit(self, game: Game, call: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Submit a call to a worker, which refuses it if its sources differ."""
        told = game.name, loaded_hash(game.folder)
        if self._client.status != "running":  # Dask would wait for the scheduler to come back
            lost: Future[Result] = Future()
            lost.cancel()
            lost.set_running_or_notify_cancel()
            return lost
        future: Future[Result] = self._pool.submit(call_there, *told, call, *arguments)
        return future

    def result(self, future: Future[Result], resume: str) -> Result:
        """Return the result of a call; an error of the cluster says how to `resume`."""
        try:
            return future.result()
        except BalanceError:
            raise
        except CancelledError:
            reason = tr("lost the Dask scheduler")
        except Exception as error:
            first = (str(error).splitlines() or [""])[0]
            reason = tr("a Dask worker failed: {why}", why=f"{type(error).__name__}: {first}")
        raise BalanceError(finished_parts_safe(reason, resume)) from None


@contextmanager
def open_cluster(address: str) -> Iterator[Cluster]:
    """Provide the workers of the scheduler at `address`; ``local:4`` starts four processes on this machine."""
    with from_extra("dask"):
        from distributed import Client, LocalCluster
    _silence()
    with ExitStack() as opened:
        scheduler: Any = address
        if address.partition(":")[0] == "local":
            count = _processes(address)
            quiet = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL + 1}
            with _ctrl_c_ignored():
                scheduler = LocalCluster(count, threads_per_worker=1, memory_limit=0, preload=[__name__], **quiet)
            opened.enter_context(scheduler)
        try:
            client = opened.enter_context(Client(scheduler, timeout="10s"))
        except Exception as error:  # each kind of address has its own
            why = str(error).partition("\n")[0]
            raise BalanceError(tr("no Dask scheduler at {address}: {why}", address=address, why=why)) from None
        yield Cluster(client)


@contextmanager
def open_workers(dask: str | None = None, threads: int | None = None) -> Iterator[Workers]:
    """Provide the workers of a Dask scheduler (see `open_cluster`), or else threads."""
    if dask is not None:
        with open_cluster(dask) as cluster:
            yield cluster
        return
    here = Threads(threads)
    try:
        yield here
    finally:
        here.close()


def dask_setup(_: Any) -> None:
    """Prepare a worker process of this machine; Dask calls it, because the module is a preload of the worker."""
    print_to_stderr()


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """Let processes that start inside the block ignore Ctrl-C, which reaches them too; this process ends them."""
    if threading.current_thread() is not threading.main_thread():  # which alone may set handlers
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _processes(address: str) -> int:
    """Return the number of worker processes that an address of this machine asks for."""
    if found := _LOCAL.fullmatch(address):
        return int(found[1])
    raise BalanceError(
        tr("--dask {address}: write local:N for N processes on this machine, such as local:4", address=address)
    )


def _silence() -> None:
    """Silence Dask's own loggers: failures are reported here in one line, not in fifty."""
    for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def this_worker() -> str:
    """Return the name of this worker."""
    from distributed import get_worker

    try:
        address = get_worker().address
    except ValueError:  # called outside a worker
        address = "?"
    return tr("Dask worker {address} on {machine}", address=address, machine=platform.node())


def call_there(game: str, source: str, call: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function on a worker whose sources of a game have this hash; refuse to work for others."""
    loaded = loaded_hash(get_game(game).folder)
    if loaded != source:
        raise BalanceError(
            tr(
                "{worker} has a different version of this package ({its}) than the games began with ({ours}); install "
                "the same version there and restart the worker",
                worker=this_worker(),
                its=loaded,
                ours=source,
            )
        )
    return call(*arguments)


def hash_plan(run: RunFolder) -> str:
    """Return a hash of the plan, by which a worker recognises a run."""
    plan = json.dumps([describe_plan(run.plan), run.info["bot_hashes"]], sort_keys=True, default=str)
    return hashlib.sha256(plan.encode()).hexdigest()[:16]


class Last(threading.local):
    """The run of a thread's last part, the worker that plays it, and a temporary folder if the run is in a store."""

    run: tuple[Path | Store, str] | None = None
    worker: Worker | None = None
    folder: TemporaryDirectory[str] | None = None


LAST = Last()


def _worker(place: Path | Store, plan: str) -> Worker:
    """Return this thread's worker for the run with this plan at a place; that of an earlier run is closed."""
    if LAST.run == (place, plan) and LAST.worker:
        return LAST.worker
    folder = store = None
    if isinstance(place, Store):
        folder, store = TemporaryDirectory(prefix="balance-"), place
        path = Path(folder.name)
        store.get(path, "run.json")
    else:
        path = place
    run = RunFolder.open(path)
    if hash_plan(run) != plan:
        raise BalanceError(
            tr(
                "{worker} finds a different run at {path}; it must see the same files under this path",
                worker=this_worker(),
                path=path,
            )
        )
    if changed := run.changes():
        raise BalanceError(
            tr(
                "{worker} can't play {path}: changed since it began: {changes}",
                worker=this_worker(), path=path, changes=", ".join(changed),
            )
        )  # fmt: skip
    run.plan = replace(run.plan, bots_allowed=True)  # the user who sends parts has allowed them
    if LAST.worker:
        LAST.worker.close()
    if LAST.folder:
        LAST.folder.cleanup()
    LAST.worker = Worker(run.plan, path, run.identity, threading.Event(), store)
    LAST.run, LAST.folder = (place, plan), folder
    return LAST.worker


def play_part(place: Path | Store, plan: str, part: Part) -> WrittenPart:
    """Play one part of the run with this plan (`hash_plan`) on the worker's machine, and write it into the run's place.

    A part for a store is written into a temporary folder first.
    """
    written = _worker(place, plan).play(part)
    if LAST.folder:
        for name in names_of(written):
            (Path(LAST.folder.name) / name).unlink()
    return written
