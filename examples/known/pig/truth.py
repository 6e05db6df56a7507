"""The truth about Pig: the chance to win from every position, by value iteration (Neller and Presser 2004).

`solve` returns it for a way to play; `best_play` returns the positions in which rolling is best.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

PRECISION = 1e-6  # of a chance to win


class Position(NamedTuple):
    """Points of the player who chooses, of the other, and at risk."""

    own: int
    other: int
    at_risk: int


def solve(rules, players, strategy):
    """Return the win share of each seat in percent if both play `strategy`."""
    chances, _ = win_chances(rules["target"], rules["sides"], strategy)
    first = 100 * float(chances[0, 0, 0])
    return {"seat_win_share": [first, 100 - first]}


def best_play(target, sides):
    """Return, for own points, the other's and those at risk, whether rolling is best."""
    return win_chances(target, sides, "Optimal")[1]


@cache
def win_chances(target, sides, strategy):
    """Return the chance of the player who chooses to win, by `Position`, and whether it is right to roll there."""
    chances = np.zeros((target, target, target + sides))
    rolls = np.ones(chances.shape, bool)
    own = np.arange(target)[:, None]
    before = np.ones_like(chances)
    while np.abs(chances - before).max() > PRECISION:
        before = chances.copy()
        lost_turn = 1 - chances[:, :, 0].T  # the other begins a turn
        for at_risk in reversed(range(target)):
            rolled = lost_turn / sides
            for die in range(2, sides + 1):
                reached = own + at_risk + die >= target
                rolled = rolled + np.where(reached, 1, chances[:, :, at_risk + die]) / sides
            kept = np.minimum(own + at_risk, target - 1)[:, 0]
            held = np.where(own + at_risk >= target, 1, 1 - chances[:, kept, 0].T)
            weight = roll_weight(strategy, at_risk, rolled, held)
            rolls[:, :, at_risk] = weight > 0.5
            chances[:, :, at_risk] = weight * rolled + (1 - weight) * held
    return chances, rolls


def roll_weight(strategy, at_risk, rolled, held):
    """Return how often a strategy rolls, with both chances to win; before its first roll of a turn it must."""
    if strategy == "Optimal":
        return np.where((rolled > held) | (at_risk == 0), 1.0, 0.0)
    chance = {"random": 0.5, "hold-20": float(at_risk < 20)}[strategy] if at_risk else 1.0
    return np.full(rolled.shape, chance)
