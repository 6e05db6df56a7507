"""Nim: take from a heap; the player who takes the last thing wins. Solved by Bouton (1901)."""

from dataclasses import dataclass

from pydantic import Field, model_validator

from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    """What a designer may change."""

    first: int = Field(ge=0, le=20, description="things in the first heap")
    second: int = Field(ge=0, le=20, description="things in the second heap")
    third: int = Field(ge=0, le=20, description="things in the third heap")

    @model_validator(mode="after")
    def check(self):
        """Refuse a table without things."""
        if not self.first + self.second + self.third:
            raise ValueError("a heap needs things")
        return self


@dataclass
class State:
    """A position."""

    heaps: list
    last: int = -1  # the seat that took last
    seat: int = 0


class Nim(PlainGame):
    """Nim."""

    title = "Nim"
    summary = "three heaps; the last to take wins"
    players = (2,)
    Rules = Rules
    FEATURES = {"even": "1 if the heaps left have a nim-sum of 0"}

    def setup(self, rules, players, chance):
        """Lay out the heaps."""
        return State([rules.first, rules.second, rules.third])

    def actions(self, state):
        """Take any number from one heap."""
        return [f"take {count} from {heap}" for heap, size in enumerate(state.heaps, 1) for count in range(1, size + 1)]

    def apply(self, state, action, chance):
        """Take from a heap."""
        _, count, _, heap = action.split()
        state.heaps[int(heap) - 1] -= int(count)
        state.last, state.seat = state.seat, 1 - state.seat

    def over(self, state):
        """Return whether all is taken."""
        return not any(state.heaps)

    def scores(self, state):
        """Return 1 for the seat that took last, once all is taken."""
        return [int(self.over(state) and seat == state.last) for seat in (0, 1)]

    def features(self, state, action):
        """Return whether the action leaves a nim-sum of 0."""
        _, count, _, heap = action.split()
        left = list(state.heaps)
        left[int(heap) - 1] -= int(count)
        return {"even": left[0] ^ left[1] ^ left[2] == 0}
