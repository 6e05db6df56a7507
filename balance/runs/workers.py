"""Workers that play: threads of this process or, behind the same interface, those of a Dask cluster."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from balance.contract.game import Game

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers(ABC):
    """Workers that call functions at the same time.

    Attributes
    ----------
    are_remote : bool
        Whether functions and their arguments are sent to other processes.
    """

    are_remote = False

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of calls at the same time; that of a cluster may change."""

    @property
    def ahead(self) -> int:
        """The number of calls to submit ahead: none waits for another, and memory does not grow with their number."""
        return 2 * self.count

    @abstractmethod
    def submit(self, game: Game, call: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Submit a call that needs the sources of this game."""

    def result(self, future: Future[Result], resume: str) -> Result:
        """Return the result of a call; an error of the workers themselves says how to `resume`."""
        return future.result()

    def map(self, game: Game, call: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of `call` for each task, in the order of the tasks.

        The results must not depend on the number of workers.
        """
        queue, under_way = iter(tasks), deque[Future[Result]]()
        try:
            while True:
                for task in islice(queue, max(0, self.ahead - len(under_way))):
                    under_way.append(self.submit(game, call, task))
                if not under_way:
                    return
                yield self.result(under_way[0], "run the command again")
                under_way.popleft()
        finally:
            drop(under_way)


class Threads(Workers):
    """Threads of this process. The compiled loop releases Python's lock, so threads play in parallel.

    Parameters
    ----------
    count : int or None
        None for one on each core.
    """

    def __init__(self, count: int | None = None) -> None:
        self._count = count or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._count, thread_name_prefix="balance")

    @property
    def count(self) -> int:
        """The number of threads."""
        return self._count

    def submit(self, game: Game, call: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Submit a call."""
        return self._pool.submit(call, *arguments)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()


def drop(under_way: Iterable[Future[Any]]) -> None:
    """Cancel calls that have not begun, and wait for those that have."""
    wait([future for future in list(under_way) if not future.cancel()])


@cache
def all_cores() -> Threads:
    """Return the threads that play where no other workers are given, one on each core."""
    return Threads()


@contextmanager
def open_workers(dask: str | None = None, threads: int | None = None) -> Iterator[Workers]:
    """Provide the workers of a Dask scheduler (see `balance.runs.cluster.open_cluster`), or else threads."""
    if dask is not None:
        from balance.runs.cluster import open_cluster  # only here, so that other commands start faster

        with open_cluster(dask) as cluster:
            yield cluster
        return
    here = Threads(threads)
    try:
        yield here
    finally:
        here.close()
