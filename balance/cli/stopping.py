"""Ctrl-C from the start of a command. Imports nothing slow."""

from __future__ import annotations

import re
import signal
import time
from threading import Timer
from types import FrameType

STOPPED = 130  # the exit status that shells use for Ctrl-C
_AGAIN = 0.02  # seconds
PATIENCE = 5.0  # seconds; an import may hang
_LOADING = re.compile(r"<frozen importlib|.*\bllvmlite\b")


def listen() -> None:
    """Raise KeyboardInterrupt on Ctrl-C, but not while a module or compiled code is being loaded.

    During loading the exception would be printed, swallowed (by ctypes, through which LLVM calls back) or turned into
    another one.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise SIGINT is to be ignored
        signal.signal(signal.SIGINT, _Listener())


class _Listener:
    """A signal handler that calls itself again later if Ctrl-C comes during loading."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._again: Timer | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if self._again is not None:
            self._again.cancel()
        if is_loading(frame) and now - self._since < PATIENCE:
            self._again = Timer(_AGAIN, signal.raise_signal, [number])
            self._again.daemon = True
            self._again.start()
            return
        self._since = self._again = None
        signal.default_int_handler(number, frame)


def is_loading(frame: FrameType | None) -> bool:
    """Return whether a frame imports a module or loads compiled code, where an interruption would be lost."""
    while frame is not None:
        if _LOADING.match(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False
