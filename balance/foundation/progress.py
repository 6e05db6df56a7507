"""Progress of long work: the interface, and a silent implementation."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A listener to long work."""

    def advance(self, done: int, planned: int) -> None:
        """Report the games done out of those planned so far."""

    def note(self, what: str) -> None:
        """Report the current work before games are played."""

    def tell(self, line: str) -> None:
        """Report a line for the user."""


class Silence:
    """A listener that shows nothing."""

    def advance(self, done: int, planned: int) -> None:
        """Do nothing."""

    def note(self, what: str) -> None:
        """Do nothing."""

    def tell(self, line: str) -> None:
        """Do nothing."""


SILENCE = Silence()
