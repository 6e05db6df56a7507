"""Choices of bots in the compiled loop: at random, or by a profile's weights and temperature.

A game may define `count_actions`, `nth_action` and `best_action`, which need no list of the actions. The functions here
use the list for games without them.
"""

from __future__ import annotations

import numpy as np

from balance.contract.searching import first_best
from balance.foundation.streams import draw_unit

# As in `balance.engine.loop`, these functions call a game's, and each other, by names that are bound
# when they are joined.


def _count_actions(rules, state, scratch):
    return legal_actions(rules, state, scratch, scratch.codes)


def _nth_action(rules, state, scratch, n):
    return scratch.codes[n]


def _best_action(rules, state, scratch, weights, count):
    evaluate(rules, state, scratch, weights, scratch.codes, count, scratch.values)
    return scratch.codes[first_best(scratch.values, count)]


def _draw_action(rules, state, scratch, episode, temperature):
    """Draw an action with probability proportional to exp(value / temperature), by adding Gumbel noise."""
    seat = state.seat
    values = scratch.values
    count = legal_actions(rules, state, scratch, scratch.codes)
    evaluate(rules, state, scratch, episode.weights[seat], scratch.codes, count, values)
    for i in range(count):
        noise = -np.log(-np.log(draw_unit(episode.streams, seat) + 1e-300))
        values[i] += temperature * noise
    return scratch.codes[first_best(values, count)]


def _weigh_actions(rules, state, scratch, episode, count):
    """Return the action of the seat's profile among `count`, right after they were counted."""
    seat = state.seat
    temperature = episode.bots[seat].temperature
    if temperature > 0:
        return draw_action(rules, state, scratch, episode, temperature)
    return best_action(rules, state, scratch, episode.weights[seat], count)


JOINED = (_count_actions, _nth_action, _best_action, _draw_action, _weigh_actions)
