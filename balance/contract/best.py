"""The best of some values, as every bot that weighs its actions means it."""

from __future__ import annotations

from balance.compiling.jit import compiled


@compiled
def first_best(values, count):
    """Index of the highest of `values[:count]`; the first of equals."""
    best = 0
    highest = values[0]
    for i in range(1, count):
        if values[i] > highest:
            best = i
            highest = values[i]
    return best
