"""How long work tells how far it is: what it calls, and a listener that says nothing."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Listens to work that takes long."""

    def advance(self, done: int, planned: int) -> None:
        """So many games are done of those planned so far."""

    def note(self, what: str) -> None:
        """What is being done before any game can be."""

    def tell(self, line: str) -> None:
        """Something to know beside."""


class Silence:
    """Listens and says nothing."""

    def advance(self, done: int, planned: int) -> None:
        """Nothing."""

    def note(self, what: str) -> None:
        """Nothing."""

    def tell(self, line: str) -> None:
        """Nothing."""


SILENCE = Silence()
