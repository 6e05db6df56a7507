"""Workers that play: threads of this process or, behind the same interface, those of a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from balance.contract.game import Game
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers(ABC):
    """Workers that call functions at the same time."""

    @abstractmethod
    def sends(self, game: Game) -> bool:
        """Return whether functions and their arguments are sent to other processes in order to play a game."""

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

    def abandon(self) -> None:  # noqa: B027 - most workers end calls in other ways
        """Give up calls that have begun, where the workers can."""

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
                yield self.result(under_way[0], tr("run the command again"))
                under_way.popleft()
        finally:
            drop(under_way)


def finished_parts_safe(why: str, resume: str) -> str:
    """Return the text of an error that stops a run, with how to `resume`."""
    return tr("{why}; finished parts are safe, {resume}", why=why, resume=resume)


class Threads(Workers):
    """Threads of this process, by default one on each core.

    The compiled loop releases Python's lock, so threads play in parallel. Plain Python keeps the lock: its games
    are played in as many processes instead, unless one is enough.
    """

    def __init__(self, count: int | None = None) -> None:
        self._count = count or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._count, thread_name_prefix="balance")
        self._processes: ProcessPoolExecutor | None = None  # begun when a game needs them

    def sends(self, game: Game) -> bool:
        """Return whether the game is played in processes."""
        return game.own_loop is not None and self._count > 1

    @property
    def count(self) -> int:
        """The number of threads."""
        return self._count

    def submit(self, game: Game, call: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Submit a call."""
        if not self.sends(game):
            return self._pool.submit(call, *arguments)
        if self._processes is None:
            context = multiprocessing.get_context("spawn")
            self._processes = ProcessPoolExecutor(self._count, context, _begin)
        try:
            with _without_main():  # the first call starts the processes
                return self._processes.submit(_call_for, game, call, *arguments)
        except BrokenExecutor as error:  # as if the call had failed
            failed: Future[Result] = Future()
            failed.set_exception(error)
            return failed

    def result(self, future: Future[Result], resume: str) -> Result:
        """Return the result of a call; if its process has ended, the error says how to `resume`."""
        try:
            return future.result()
        except BrokenExecutor:
            self.abandon()  # later calls start new processes
            ended = tr("a process that played has ended: too little memory, or the game's code ended it")
            raise BalanceError(finished_parts_safe(ended, resume)) from None

    def abandon(self) -> None:
        """End the processes, whatever they are doing; their calls fail. Threads stop in other ways."""
        if self._processes is not None:
            for process in list((self._processes._processes or {}).values()):
                process.kill()
            self._processes.shutdown()
            self._processes = None

    def close(self) -> None:
        """End the threads and processes."""
        self._pool.shutdown()
        if self._processes is not None:
            self._processes.shutdown()


def _begin() -> None:
    """Prepare a process that plays: Ctrl-C is left to the process that waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print_to_stderr()


def print_to_stderr() -> None:
    """Write what games print in this process to standard error: the caller's output may be JSON."""
    sys.stdout = sys.stderr
    with suppress(OSError):  # standard error was closed before the start
        os.dup2(2, 1)  # for code that is not Python


def _call_for(game: Game, call: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function in a process that has loaded the game, since unpickling it does so."""
    return call(*arguments)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the user's script from processes that start inside the block: they would run all of it again."""
    main = vars(sys.modules["__main__"])
    hidden = {name: main.pop(name) for name in ("__file__", "__spec__") if name in main}
    main["__spec__"] = None
    try:
        yield
    finally:
        main.update({"__spec__": None} | hidden)


def drop(under_way: Iterable[Future[Any]]) -> None:
    """Cancel calls that have not begun, and wait for those that have."""
    wait([future for future in list(under_way) if not future.cancel()])


def kept_threads(count: int | None = None) -> Threads:
    """Return the threads that play where no other workers are given, by default one on each core; they are kept."""
    return _keep(count or os.cpu_count() or 1)


@cache
def _keep(count: int) -> Threads:
    return Threads(count)
