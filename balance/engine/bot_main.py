"""The script of a bot's own process; `balance.engine.custom` starts it and exchanges messages with it.

It imports only the module of observations from this package, and the game if the bot wants a simulator. Requests arrive
pickled on standard input, each as a length and that number of bytes. Replies are JSON, which can't execute code in the
receiver.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import os
import pickle
import random
import signal
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import BufferedReader
from numbers import Integral
from pathlib import Path
from queue import SimpleQueue
from typing import Any

LENGTH = struct.Struct("<I")
_MOST_LETTERS = 500  # characters of an error
_GRACE = 10.0  # seconds after which the system ends this process if the other side did not


class _Fault(Exception):  # noqa: N818 - sent to the other side, not raised there
    """A bot's mistake, in words that follow its name."""


class _Host:
    """The bot's class, and the bot of the current game."""

    def __init__(self) -> None:
        self._bot: Any = None
        self._class: Any = None
        self._sandbox: Any = None  # the simulator of a bot that wants one

    def prepare(self, path: list[str], module: str) -> None:
        """Import the module of observations, before the bot's limits of time and memory apply."""
        sys.path[:] = path
        if module:
            importlib.import_module(module)

    def load(self, file: str, class_name: str, mebibytes: int) -> bool:
        """Import the file of the bot; return whether it wants a simulator."""
        _limit_memory(mebibytes)
        sys.path.insert(0, str(Path(file).resolve().parent))  # as Python does for a script
        spec = importlib.util.spec_from_file_location(f"custom_bot_{Path(file).stem}", file)
        if spec is None or spec.loader is None:
            raise _Fault("can't be imported")
        module = importlib.util.module_from_spec(spec)
        _seed_shared(0)
        spec.loader.exec_module(module)
        self._class = getattr(module, class_name, None)
        if not isinstance(self._class, type):
            classes = [name for name, value in vars(module).items() if isinstance(value, type)]
            raise _Fault(f"has no class {class_name!r} (there are: {', '.join(classes)})")
        choose = getattr(self._class, "choose", None)
        if not callable(choose):
            raise _Fault(f"has a class {class_name} with no method choose(observation, actions)")
        return "simulator" in inspect.signature(choose).parameters

    def make(self, seed: int) -> None:
        """Create a new bot; a constructor with an argument gets a seeded generator."""
        _seed_shared(seed)
        if inspect.signature(self._class).parameters:
            from numpy.random import default_rng

            self._bot = self._class(default_rng(seed))
        else:
            self._bot = self._class()

    def simulate(self, package: str, rules: dict[str, Any], players: int, seed: int) -> None:
        """Create a simulator for the bot's next game."""
        sandbox = importlib.import_module("balance.engine.sandbox")
        self._sandbox = sandbox.Sandbox(package, rules, players, seed)

    def choose(self, observation: Any, actions: Sequence[str], known: bytes | None) -> int:
        """Return the index that the bot chooses."""
        count = len(actions)
        if known is None:
            index = self._bot.choose(observation, actions)
        else:
            self._sandbox.look(known)
            index = self._bot.choose(observation, actions, simulator=self._sandbox)
        whole = isinstance(index, Integral) and not isinstance(index, bool)
        if not whole or not 0 <= int(index) < count:
            raise _Fault(f"returned {_brief(repr, index)}, not an index below {count}")
        return int(index)


def _seed_shared(seed: int) -> None:
    """Seed the generators that all code of a process shares: a bot that draws from them plays a game alike again."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)


def _limit_memory(mebibytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit = mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _brief(write: Callable[[Any], str], value: Any) -> str:
    """Return a value of the bot as short text; writing it may fail or never end."""
    try:
        return write(value)[:_MOST_LETTERS]
    except BaseException:
        return f"<{type(value).__name__}>"


def _answer(host: _Host, request: bytes) -> dict[str, Any]:
    """Return the reply to a request; anything that a bot raises, even Ctrl-C and an exit, is reported as its fault."""
    try:
        method, seconds, arguments = pickle.loads(request)
        _end_after(seconds + _GRACE)
        return {"answer": getattr(host, method)(*arguments)}
    except _Fault as fault:
        return {"fault": _brief(str, fault)}
    except BaseException as error:
        text = _brief(str, error)
        return {"fault": f"raised {type(error).__name__}" + (f": {text}" if text else "")}
    finally:
        _end_after(0)


def _end_after(seconds: float) -> None:
    """Let the system end this process if it hangs in C code that blocks all Python threads."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _listen(requests: BufferedReader, waiting: SimpleQueue[bytes]) -> None:
    """Receive requests, and end this process when the sender has gone, whatever the bot is doing."""
    while len(head := requests.read(LENGTH.size)) == LENGTH.size:
        waiting.put(requests.read(*LENGTH.unpack(head)))
    os._exit(0)


def main() -> None:
    """Answer requests until there are no more."""
    requests, replies = open(os.dup(0), "rb"), os.dup(1)  # noqa: SIM115, PTH123 - open as long as we are
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # a bot's own output must not mix with replies
    # What the bot forks must not hold the pipes when this process has ended.
    if hasattr(os, "register_at_fork"):
        for pipe in (requests.fileno(), replies):
            os.register_at_fork(after_in_child=partial(os.close, pipe))
    waiting: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    host = _Host()
    while True:
        reply = json.dumps(_answer(host, waiting.get())).encode()
        with suppress(OSError):  # the reader has gone
            os.write(replies, LENGTH.pack(len(reply)) + reply)


if __name__ == "__main__":
    main()
