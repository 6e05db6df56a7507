"""A tug of war: two against two, or one against two."""

from dataclasses import dataclass, field

from pydantic import Field

from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    """What a designer may change."""

    rounds: int = Field(ge=1, le=10, description="rounds")
    steady: int = Field(ge=1, le=6, description="pull of a player who does not jerk")
    giant: int = Field(ge=0, le=10, description="what a player who is alone pulls more each turn")
    start: int = Field(ge=0, le=10, description="what the second team has pulled before it begins")


@dataclass
class State:
    """A position."""

    rules: Rules
    teams: list  # of seats, by number
    pulled: list = field(default_factory=lambda: [0, 0])  # by team
    seat: int = 0
    round: int = 1
    ended: bool = False


class Tug(PlainGame):
    """A tug of war."""

    title = "Tug of war"
    summary = "pull as a team: two against two, or a giant against two; 3-4 players"
    players = (3, 4)
    Rules = Rules
    FEATURES = {"jerk": "jerking"}

    def teams(self, players):
        """Return the team of each seat."""
        return ["giant", "twins", "twins"] if players == 3 else ["north", "south", "north", "south"]

    def setup(self, rules, players, chance):
        """Take the rope."""
        teams = [0, 1, 1] if players == 3 else [0, 1, 0, 1]
        return State(rules, teams, pulled=[0, rules.start])

    def actions(self, state):
        """Pull steadily, or jerk."""
        return ["pull", "jerk"]

    def apply(self, state, action, chance):
        """Pull, and pass the turn."""
        team = state.teams[state.seat]
        state.pulled[team] += state.rules.steady if action == "pull" else chance.randint(1, 6)
        if state.teams.count(team) == 1:
            state.pulled[team] += state.rules.giant
        last = state.seat == len(state.teams) - 1
        state.ended = last and state.round == state.rules.rounds
        if not state.ended:
            state.seat = (state.seat + 1) % len(state.teams)
            state.round += last

    def over(self, state):
        """Return whether all rounds are over."""
        return state.ended

    def scores(self, state):
        """Return what each team has pulled."""
        return state.pulled

    def features(self, state, action):
        """Return what profiles weigh."""
        return {"jerk": action == "jerk"}
