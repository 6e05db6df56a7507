"""The steps of a draft, which can be undone and done again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from balance.foundation.errors import BalanceError
from balance.foundation.language import tr

State = TypeVar("State")
_MOST = 200


class Steps(Generic[State]):
    """All states of a draft, and the current one. The earliest are forgotten when there are too many.

    `earlier` and `later` raise `BalanceError` if there is no such state; the draft moves only with `go`, so that a
    state that is refused or stopped on the way leaves it unchanged.
    """

    def __init__(self, states: Sequence[State], at: int = 0) -> None:
        self.states, self.at = tuple(states[-_MOST:]), at

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[self.at]

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier state."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Whether a state was undone."""
        return self.at + 1 < len(self.states)

    def earlier(self) -> State:
        """Return the state before the current one."""
        if not self.can_undo:
            raise BalanceError(tr("undo: nothing was changed"))
        return self.states[self.at - 1]

    def later(self) -> State:
        """Return the state that was undone last."""
        if not self.can_redo:
            raise BalanceError(tr("redo: nothing was undone"))
        return self.states[self.at + 1]

    def go(self, by: int) -> None:
        """Go to an earlier (-1) or a later state (1)."""
        self.at += by

    def add(self, state: State, continues: bool = False) -> bool:
        """Make a new state the current one, and return whether it differs; what was undone is forgotten.

        One that continues the current state takes its place, as when a slider is dragged.
        """
        if state == self.state:
            return False
        self.states = (*self.states[: self.at + 1 - continues], state)[-_MOST:]
        self.at = len(self.states) - 1
        return True

    def replace(self, state: State) -> None:
        """Put another state in the place of the current one."""
        self.states = (*self.states[: self.at], state, *self.states[self.at + 1 :])

    def frozen(self) -> Steps[State]:
        """Return the current state alone."""
        return Steps([self.state])
