"""Custom bots: a class with `choose(observation, actions) -> index` in a user's file.

A bot runs in its own process, so it knows only what it is shown, and can't hang, exhaust, end or change the main
process. Its replies are read as JSON of limited size and never unpickled.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from balance.engine import bot_main
from balance.engine.bot_main import LENGTH
from balance.foundation.errors import BalanceError
from balance.foundation.files import reason
from balance.foundation.language import tr

_TICK = 0.1  # seconds between two checks of a thinking bot
_START_SECONDS = 120.0  # to import a game on a busy machine
_MOST_BYTES = 10_000  # of a reply
_MOST_LETTERS = 600


class BotError(BalanceError):
    """A custom bot failed; the text follows its name."""


@dataclass(frozen=True)
class Limits:
    """The limits of a bot."""

    seconds: float  # time for a decision, for its import and for its constructor
    memory: int  # MiB of its process, if the system can enforce this


@dataclass
class _Turn:
    """The turn of a bot: written by the asking thread only, read by the guard of the process."""

    count: int = 0  # odd while the bot has a question, otherwise even
    seconds: float = 0.0  # time limit of the question
    late: threading.Event = field(default_factory=threading.Event)  # set when the time is up


class BotProcess:
    """A bot's process: creates bots one after another, and asks them.

    Parameters
    ----------
    bot : str
        ``FILE:CLASS``.
    limits : Limits
    module : str
        The module of observations, imported before the time limit applies.
    stop : Event or None
        Set it to end the process, whatever the bot is doing.

    Attributes
    ----------
    close : callable
        Ends the process; so does garbage collection.
    wants_simulator : bool
        Whether `choose` has a parameter `simulator`.

    Raises
    ------
    BotError
        The process can't be started, or the file can't be imported or has no such class with a method
        ``choose``.
    """

    def __init__(self, bot: str, limits: Limits, module: str = "", stop: threading.Event | None = None) -> None:
        self._limits, self._turn = limits, _Turn()
        self.process = process = _start()
        self.close = weakref.finalize(self, _end, process)
        watched = (process, self._turn, stop or threading.Event())
        threading.Thread(target=_guard, args=watched, daemon=True).start()
        file, _, class_name = bot.rpartition(":")
        self._ask(_START_SECONDS, "prepare", sys.path, module)
        self.wants_simulator = self._ask(limits.seconds, "load", file, class_name, limits.memory) is True

    def make(self, seed: int) -> None:
        """Create a new bot for one seat of one game.

        A constructor with an argument gets a NumPy generator seeded for this game and seat.
        """
        self._ask(self._limits.seconds, "make", seed)

    def simulate(self, package: str, rules: dict[str, Any], players: int, seed: int) -> None:
        """Give the bot a simulator, see `balance.engine.sandbox`."""
        self._ask(_START_SECONDS, "simulate", package, rules, players, seed)

    def choose(self, observation: Any, actions: Sequence[str], known: bytes | None = None) -> int:
        """Return the index that the bot chooses; `known` is the start state of its simulator (`Stepper.known`)."""
        index = self._ask(self._limits.seconds, "choose", observation, actions, known)
        if type(index) is not int or not 0 <= index < len(actions):
            raise BotError(tr("sent a reply that can't be read"))
        return index

    def _ask(self, seconds: float, method: str, *arguments: Any) -> Any:
        try:
            return self._answer(seconds, (method, seconds, arguments))
        except BaseException:  # after an error or Ctrl-C it can't be asked again
            self.close()
            raise

    def _answer(self, seconds: float, question: tuple[Any, ...]) -> Any:
        try:
            request = pickle.dumps(question, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise BotError(tr("can't be shown the game: {why}", why=why)) from error
        try:
            reply = self._exchange(request, seconds)
        except (OSError, EOFError):
            raise BotError(self._end_in_words()) from None
        if "fault" in reply:
            text = _one_line(str(reply["fault"]))
            if "MemoryError" in text:
                text += tr(" (it has {memory} MiB; see bot_memory)", memory=self._limits.memory)
            raise BotError(text)
        return reply.get("answer")

    def _exchange(self, request: bytes, seconds: float) -> dict[str, Any]:
        self._turn.seconds = seconds
        self._turn.count += 1
        try:
            _send(self.process.stdin, request)
            return _receive(self.process.stdout)
        finally:
            self._turn.count += 1

    def _end_in_words(self) -> str:
        """Return why no reply arrived."""
        try:
            status = self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return tr("closed the connection to its process")
        if self._turn.late.is_set() or status == -getattr(signal, "SIGALRM", 0):
            return tr(
                "gave no answer within {seconds:g} s (to allow more, set bot_seconds)", seconds=self._turn.seconds
            )
        if status >= 0:
            return tr("ended its process with status {status}", status=status)
        return tr("ended its process by signal {number} ({name})", number=-status, name=signal.strsignal(-status))


def check_bot(bot: str, limits: Limits) -> None:
    """Refuse a bot that can't be loaded, before the first game."""
    try:
        BotProcess(bot, limits).close()
    except BotError as error:
        raise BalanceError(f"{bot.rpartition(':')[0]} {error}") from None


def _start() -> subprocess.Popen[bytes]:
    """Start a process that answers requests, in its own session, so that Ctrl-C does not reach it."""
    # Each worker has such a process: its libraries need no threads for every core. Sets have the same order each time.
    environment = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **os.environ, "PYTHONHASHSEED": "0"}
    try:
        return subprocess.Popen(
            [sys.executable, "-u", "-P", str(Path(bot_main.__file__))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if _has_errors() else subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        raise BotError(tr("can't start its process: {why}", why=reason(error))) from None


def _has_errors() -> bool:
    """Return whether standard error is open."""
    try:
        os.fstat(2)
    except OSError:
        return False
    return True


def _guard(process: subprocess.Popen[bytes], turn: _Turn, stop: threading.Event) -> None:
    """End a process whose bot takes too long, or when `stop` is set.

    Time is counted in checks, so that a command suspended with Ctrl-Z loses no time.
    """
    waited, last = 0.0, turn.count
    while process.poll() is None:
        ended = stop.wait(_TICK)
        waited = waited + _TICK if turn.count == last else 0.0
        last = turn.count
        if last % 2 and waited >= turn.seconds:
            turn.late.set()
        if ended or turn.late.is_set():
            break
    _kill(process)  # also what an ended process has started: it may hold the pipe


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and, on Unix, the processes that it started, also after its own end."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            pipe.close()  # type: ignore[union-attr]


def _send(pipe: IO[bytes] | None, request: bytes) -> None:
    assert pipe is not None
    pipe.write(LENGTH.pack(len(request)) + request)
    pipe.flush()


def _receive(pipe: IO[bytes] | None) -> dict[str, Any]:
    """Return the next reply; an invalid reply was written by the bot."""
    assert pipe is not None
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    if length > _MOST_BYTES:
        raise BotError(tr("sent a reply that can't be read"))
    try:
        reply = json.loads(pipe.read(length))
    except (ValueError, RecursionError):
        raise BotError(tr("sent a reply that can't be read")) from None
    if not isinstance(reply, dict):
        raise BotError(tr("sent a reply that can't be read"))
    return reply


def _one_line(text: str) -> str:
    """Return a bot's text as one safe line for a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:_MOST_LETTERS].strip()
