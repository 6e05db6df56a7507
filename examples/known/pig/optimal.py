"""The best play of Pig, as a bot: it rolls where rolling wins more often, by the table of `truth.py`."""

from truth import Position, best_play


class Optimal:
    """Takes the action with the higher chance to win."""

    def choose(self, observation, actions):
        """Return the index of the action."""
        me = observation.seat
        at = Position(observation.banked[me], observation.banked[1 - me], observation.at_risk)
        rolls = best_play(observation.rules.target, observation.rules.sides)[at]
        return actions.index("roll" if rolls else "hold")
