"""A climb before the storm: all players reach the hut together, or none does."""

from dataclasses import dataclass

from pydantic import Field

from balance.plain import LOST, WON, PlainGame, RuleSet


class Rules(RuleSet):
    """What a designer may change."""

    rounds: int = Field(ge=1, le=20, description="rounds before the storm")
    climb: int = Field(ge=1, le=60, description="steps to the hut for each player")
    slips: int = Field(ge=0, le=5, description="faces of a die of six on which a runner slips")


@dataclass
class State:
    """A position."""

    rules: Rules
    players: int
    left: int  # steps to the hut, of all players together
    turns: int  # before the storm
    seat: int = 0
    round: int = 1


class Storm(PlainGame):
    """A climb."""

    title = "Storm"
    summary = "climb together, walk or run; 1-4 players"
    players = (1, 2, 3, 4)
    Rules = Rules
    FEATURES = {"in_time": "walking on is enough", "running": "running"}

    def setup(self, rules, players, chance):
        """Begin in the valley."""
        return State(rules, players, left=rules.climb * players, turns=rules.rounds * players)

    def actions(self, state):
        """Walk one step, or run two and perhaps slip."""
        return ["walk", "run"]

    def apply(self, state, action, chance):
        """Climb, and pass the turn."""
        if action == "walk":
            state.left -= 1
        elif chance.randint(1, 6) > state.rules.slips:
            state.left -= 2
        state.turns -= 1
        if not self.over(state):
            state.seat = (state.seat + 1) % state.players
            state.round += state.seat == 0

    def over(self, state):
        """Return whether the party is in the hut, or out of time."""
        return state.left <= 0 or state.turns == 0

    def outcome(self, state):
        """Return whether the party was in time."""
        return WON if state.left <= 0 else LOST

    def scores(self, state):
        """Return the steps beyond the hut; negative if some are missing."""
        return [-state.left]

    def features(self, state, action):
        """Return what profiles weigh."""
        return {"in_time": action == "walk" and state.turns >= state.left, "running": action == "run"}
