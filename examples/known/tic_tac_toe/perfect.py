"""Perfect play of tic-tac-toe, as a bot: it draws one of the best squares, by `truth.py`."""

from truth import best_squares


class Perfect:
    """Never loses."""

    def __init__(self, rng):
        """Keep the generator of this game and seat."""
        self.rng = rng

    def choose(self, observation, actions):
        """Return the index of the action."""
        rules = vars(observation.rules)
        best = best_squares(rules, frozenset(observation.marks[0]), frozenset(observation.marks[1]))
        return actions.index(f"mark {self.rng.choice(best)}")
