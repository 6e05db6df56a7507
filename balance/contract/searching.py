"""What the searcher asks of a game beside the loop: two functions that a game must bring, the rest with defaults.

The defaults make a searcher that looks to the end of the game and lets others be played by the playout policy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from balance.compiling.jit import compiled


@compiled
def checkpoint(rules, state):
    """Rounds begun."""
    return state.round_number


@compiled
def is_secret(rules, state):
    """Nobody's decisions but the searcher's own are in the tree."""
    return True


@compiled
def alike(code):
    """No two actions differ in an amount alone."""
    return code


@compiled
def choice_block(code):
    """Every choice counts on its own towards a game's length; the loop takes it too."""
    return -1


@compiled
def estimate(rules, state, scratch):
    """No features: never called, as playouts go to the end."""
    return 1.0


@compiled
def score_now(rules, state, scratch):
    """Nothing: a searcher that asks for scores is refused where this stands."""
    scratch.scores[0] = 0.0


KERNEL: dict[str, Callable[..., Any]] = {
    "checkpoint": checkpoint,
    "is_secret": is_secret,
    "alike": alike,
}
HEURISTICS: dict[str, Callable[..., Any]] = {"estimate": estimate, "score_now": score_now}
