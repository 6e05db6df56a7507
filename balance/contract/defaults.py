"""The functions that a searcher calls in addition to those of the loop: two are required, the others have defaults.

With the defaults, a searcher plays every rollout to the end of the game and leaves the other seats to the playout
policy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from balance.foundation.compiling import compiled


@compiled
def first_best(values, count):
    """Return the index of the highest of `values[:count]`, the first one if tied."""
    best = 0
    highest = values[0]
    for i in range(1, count):
        if values[i] > highest:
            best = i
            highest = values[i]
    return best


@compiled
def checkpoint(rules, state):
    """Return the number of rounds begun."""
    return state.round_number


@compiled
def is_secret(rules, state):
    """Return whether the decision is secret; by default the tree contains only the searcher's own decisions."""
    return True


@compiled
def action_group(code):
    """Return the group of actions that differ only in an amount; by default each action is its own group."""
    return code


@compiled
def choice_block(code):
    """Return the block of a choice; by default every choice counts separately towards a game's length."""
    return -1


@compiled
def estimate(rules, state, scratch):
    """Fill no features; never called, because rollouts continue to the end."""
    return 1.0


@compiled
def score_now(rules, state, scratch):
    """Fill no scores; a searcher that needs scores is refused if the game has no `score_now`."""
    scratch.scores[0] = 0.0


KERNEL: dict[str, Callable[..., Any]] = {"checkpoint": checkpoint, "is_secret": is_secret, "action_group": action_group}
HEURISTICS: dict[str, Callable[..., Any]] = {"estimate": estimate, "score_now": score_now}
