"""Progress of long work: a listener that shows nothing, for others to override."""

from __future__ import annotations


class Progress:
    """A listener to long work; this one is silent."""

    def advance(self, done: int, planned: int) -> None:
        """Report the games done out of those planned so far."""

    def note(self, what: str) -> None:
        """Report the current work before games are played."""

    def tell(self, line: str) -> None:
        """Report a line for the user."""


SILENCE = Progress()
