"""The truth about the storm: steps and turns that are left are a Markov chain."""

from functools import cache


def solve(rules, players, strategy):
    """Return how many games the table wins, in percent."""
    slip = rules["slips"] / 6

    @cache
    def win(left, turns):
        if left <= 0 or turns == 0:
            return float(left <= 0)
        walk = win(left - 1, turns - 1)
        run = slip * win(left, turns - 1) + (1 - slip) * win(left - 2, turns - 1)
        if strategy == "random":
            return (walk + run) / 2
        if strategy == "optimal":
            return max(walk, run)
        walks = strategy == "careful" and turns >= left
        return walk if walks else run

    return {"won": 100 * win(rules["climb"] * players, rules["rounds"] * players)}
