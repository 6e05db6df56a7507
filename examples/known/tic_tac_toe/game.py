"""Tic-tac-toe: three in line win. No chance, nothing hidden, and a draw between perfect players."""

from dataclasses import dataclass, field

from pydantic import Field

from balance.plain import PlainGame, RuleSet

SQUARES = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]
LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]


class Rules(RuleSet):
    """What a designer may change."""

    centre_first: bool = Field(description="the first mark may be in the centre")
    blocked: int = Field(ge=0, le=4, description="squares that no player may mark, from a1 on")


@dataclass
class State:
    """A position: the squares of each seat."""

    rules: Rules
    marks: list = field(default_factory=lambda: [[], []])
    seat: int = 0


class TicTacToe(PlainGame):
    """Tic-tac-toe."""

    title = "Tic-tac-toe"
    summary = "three in line; a draw between perfect players"
    players = (2,)
    Rules = Rules

    def setup(self, rules, players, chance):
        """Begin with an empty board."""
        return State(rules)

    def free(self, state):
        """Return the squares without a mark."""
        taken = state.marks[0] + state.marks[1]
        return [square for square in SQUARES[state.rules.blocked :] if square not in taken]

    def actions(self, state):
        """Mark a free square."""
        free = self.free(state)
        if not state.rules.centre_first and not state.marks[0]:
            free.remove("b2")
        return [f"mark {square}" for square in free]

    def apply(self, state, action, chance):
        """Mark a square."""
        state.marks[state.seat].append(action.split()[1])
        state.marks[state.seat].sort()  # equal positions are equal, however they came about
        state.seat = 1 - state.seat

    def has_line(self, state, seat):
        """Return whether a seat has three in line."""
        return any(all(each in state.marks[seat] for each in line.split()) for line in LINES)

    def over(self, state):
        """Return whether the last mark made a line, or no square is free."""
        return self.has_line(state, 1 - state.seat) or not self.free(state)

    def scores(self, state):
        """Return 1 for a line."""
        return [int(self.has_line(state, seat)) for seat in (0, 1)]
