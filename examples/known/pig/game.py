"""Pig: roll as often as you dare; a 1 loses the points of the turn. The first to reach the target wins."""

from dataclasses import dataclass

from pydantic import Field

from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    """What a designer may change."""

    target: int = Field(ge=10, le=200, description="points that win")
    sides: int = Field(ge=4, le=12, description="sides of the die")


@dataclass
class State:
    """A position."""

    rules: Rules
    banked: list
    at_risk: int = 0
    seat: int = 0
    round: int = 1


class Pig(PlainGame):
    """Pig."""

    title = "Pig"
    summary = "press your luck with one die; solved by Neller and Presser (2004)"
    players = (2,)
    Rules = Rules
    MOST_ROUNDS = 500
    FEATURES = {"safe": "points banked by holding", "rolling": "rolling once more"}

    def setup(self, rules, players, chance):
        """Begin without points."""
        return State(rules, banked=[0, 0])

    def actions(self, state):
        """Roll; after a roll, hold instead."""
        return ["roll", "hold"] if state.at_risk else ["roll"]

    def apply(self, state, action, chance):
        """Roll or hold; points that reach the target are kept at once."""
        if action == "roll":
            die = chance.randint(1, state.rules.sides)
            chance.note(f"die {die}")
            state.at_risk = 0 if die == 1 else state.at_risk + die
            if die > 1 and state.banked[state.seat] + state.at_risk < state.rules.target:
                return
        state.banked[state.seat] += state.at_risk
        state.at_risk = 0
        if not self.over(state):
            state.round += state.seat
            state.seat = 1 - state.seat

    def over(self, state):
        """Return whether a player has reached the target."""
        return max(state.banked) >= state.rules.target

    def scores(self, state):
        """Return the points."""
        return state.banked

    def features(self, state, action):
        """Return what profiles weigh."""
        return {"safe": state.at_risk} if action == "hold" else {"rolling": 1}

    def kind(self, action):
        """Return one kind for both actions."""
        return "turn"
