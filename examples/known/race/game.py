"""A race without decisions: roll and move; the first at the end wins."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from balance.plain import Amount, BySeat, PlainGame, RuleSet, by_seat


class Rules(RuleSet):
    """What a designer may change."""

    length: int = Field(ge=5, le=100, description="spaces to the end")
    sides: int = Field(ge=2, le=12, description="sides of the die")
    start: Annotated[Amount, BySeat(0, 4, (2, 3, 4))] = Field(description="space on which a pawn begins")


@dataclass
class State:
    """A position."""

    rules: Rules
    spaces: list
    seat: int = 0
    round: int = 1


class Race(PlainGame):
    """A race."""

    title = "Race"
    summary = "roll and move; nothing to decide; 2-4 players"
    players = (2, 3, 4)
    Rules = Rules

    def setup(self, rules, players, chance):
        """Put each pawn on its start."""
        return State(rules, spaces=list(by_seat(rules.start, players)))

    def actions(self, state):
        """Roll."""
        return ["roll"]

    def apply(self, state, action, chance):
        """Move by a die."""
        state.spaces[state.seat] += chance.randint(1, state.rules.sides)
        if not self.over(state):
            state.seat = (state.seat + 1) % len(state.spaces)
            state.round += state.seat == 0

    def over(self, state):
        """Return whether a pawn is at the end."""
        return max(state.spaces) >= state.rules.length

    def scores(self, state):
        """Return the spaces."""
        return state.spaces
