"""The tree: nodes, shortlists, PUCT selection and back-up. Compiled, and independent of the game."""

from __future__ import annotations

import numpy as np

from balance.engine.buffers import BY_VALUE
from balance.foundation.compiling import compiled, inlined


@inlined
def insert(node, code, value, same, most, group_limit):
    """Put an action on a node's shortlist, best first, if it is among the best `most`.

    `same` is the common number of actions that differ only in an amount (kept in `tried` until the shortlist is
    complete); at most `group_limit` of these actions stay.
    """
    size = node.count
    if size == most and value <= node.prior[size - 1]:
        return
    others = 0
    worst = -1
    for i in range(size):
        if node.tried[i] == same:
            others += 1
            worst = i
    if others >= group_limit:
        if value <= node.prior[worst]:
            return
        hole = worst
    elif size < most:
        hole = size
        node.count = size + 1
    else:
        hole = size - 1
    while hole > 0 and node.prior[hole - 1] < value:
        node.prior[hole] = node.prior[hole - 1]
        node.code[hole] = node.code[hole - 1]
        node.tried[hole] = node.tried[hole - 1]
        hole -= 1
    node.prior[hole] = value
    node.code[hole] = code
    node.tried[hole] = same


@compiled
def finish_shortlist(node, temperature):
    """Turn values into probabilities proportional to exp(value / temperature), and reset the counts of tries."""
    total = 0.0
    best = node.prior[0]
    for i in range(1, node.count):
        best = max(best, node.prior[i])
    for i in range(node.count):
        node.prior[i] = np.exp((node.prior[i] - best) / temperature)
        total += node.prior[i]
    for i in range(node.count):
        node.prior[i] /= total
        node.tried[i] = 0
        node.won[i] = 0.0
        node.child[i] = -1
    node.visits = 0


@compiled
def select(node, exploration):
    """Return the action with the largest upper bound (PUCT: Rosin 2011, Silver et al. 2017).

    An untried action is assumed to have the mean value of the tried ones.
    """
    won = 0.0
    for i in range(node.count):
        won += node.won[i]
    mean = won / node.visits if node.visits > 0 else 0.0
    scale = exploration * np.sqrt(node.visits + 1.0)
    best = 0
    best_bound = -np.inf
    for i in range(node.count):
        worth = node.won[i] / node.tried[i] if node.tried[i] > 0 else mean
        bound = worth + scale * node.prior[i] / (1.0 + node.tried[i])
        if bound > best_bound:
            best_bound = bound
            best = i
    return best


@compiled
def back_up(nodes, desk):
    """Add to every node on the path the reward of its own seat (max^n: Luckhardt and Irani 1986)."""
    for i in range(desk.depth):
        node = nodes[desk.way[i]]
        pick = desk.picked[i]
        node.visits += 1
        node.tried[pick] += 1
        node.won[pick] += desk.reward[node.seat]


@compiled
def is_certain(node, left, rule):
    """Return whether no outcome of `left` more tries can change the final choice."""
    most = second = 0
    for i in range(node.count):
        if node.tried[i] > most:
            most, second = node.tried[i], most
        elif node.tried[i] > second:
            second = node.tried[i]
    return rule != BY_VALUE and most - second > left


@compiled
def choose_finally(node, rule):
    """Return the action to take: the most visited one, or the one with the best mean among those tried enough."""
    best = 0
    best_key = -np.inf
    for i in range(node.count):
        key = float(node.tried[i])
        mean = node.won[i] / node.tried[i] if node.tried[i] > 0 else -1.0
        if rule == BY_VALUE:
            enough = node.tried[i] * node.count * 2 >= node.visits
            key = mean if enough else mean - 2.0
        else:
            key += 0.5 * mean  # breaks ties of whole numbers
        if key > best_key:
            best_key = key
            best = i
    return best
