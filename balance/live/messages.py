"""What the server tells a page: the latest message on each topic."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any


class MessageBoard:
    """The latest message on each topic, for any number of listeners; a slow listener misses older messages only."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._messages: dict[str, tuple[int, str]] = {}
        self._number = 0
        self._listeners: set[Callable[[], None]] = set()

    def publish(self, topic: str, data: Any) -> None:
        """Replace the message on a topic, and wake the listeners."""
        text = json.dumps(data, ensure_ascii=False)
        with self._lock:
            self._number += 1
            self._messages[topic] = (self._number, text)
            listeners = list(self._listeners)
        for wake in listeners:
            wake()

    def since(self, number: int) -> tuple[int, list[tuple[str, str]]]:
        """Return the number of the last message, and the messages after `number` as topics and JSON."""
        with self._lock:
            new = sorted((at, topic, text) for topic, (at, text) in self._messages.items() if at > number)
            return self._number, [(topic, text) for _, topic, text in new]

    def join(self, wake: Callable[[], None]) -> None:
        """Call a function after each message; it must not block."""
        with self._lock:
            self._listeners.add(wake)

    def leave(self, wake: Callable[[], None]) -> None:
        """Call the function no longer."""
        with self._lock:
            self._listeners.discard(wake)

    @property
    def listeners(self) -> int:
        """The number of listeners."""
        return len(self._listeners)
