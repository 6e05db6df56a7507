"""Networks: scores for the shortlist of a decision, from features of the position and of each action.

``h = relu(bias[head] + context @ W + action @ A[head])``, score ``h @ out[head]``, in float32, with one hidden layer of
`HIDDEN` numbers. The context is weighed once a decision; each kind of decision (head) has its own weights of actions.
Sums run in a fixed order, so that a network plays the same games on every machine.

The functions with a leading underscore and no decorator are joined to a game's, see `balance.engine.loop`; they call
`context` and `describe_action`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from balance.contract.defaults import first_best
from balance.engine.restricting import concerns
from balance.engine.search.tree import insert
from balance.engine.vectors import add_rows, weigh_layer
from balance.foundation.compiling import compiled
from balance.foundation.streams import add_noise

if TYPE_CHECKING:
    from balance.engine.joined import (
        action_group,
        context,
        describe,
        describe_action,
        evaluate,
        legal_actions,
        list_best,
        network_of,
        score,
        score_best,
    )

SHORTLIST = 10  # actions that a network scores
ALIKE = 2  # how many of them may differ only in an amount
DEAL_SHIFT = 32
"""A deal's seed without its lowest bits, modulo the networks of a strategy, is the number of the one that plays."""
PRIOR_TEMPERATURE = 1.5  # for the feature `prior`


def _list_best(rules, state, scratch, node, weights, most, alike):
    """Write the shortlist of the decision in `state` to a node, with the values of a profile's weights."""
    count = legal_actions(rules, state, scratch, scratch.codes)
    node.seat = state.seat
    node.count = 0
    if count == 1:
        scratch.values[0] = 0.0
    else:
        evaluate(rules, state, scratch, weights, scratch.codes, count, scratch.values)
    for i in range(count):
        code = scratch.codes[i]
        insert(node, code, scratch.values[i], action_group(code), most, alike)


def _describe(rules, state, scratch, node):
    """Fill `scratch.context` and `scratch.described[:node.count]` for a shortlist; return the head of the decision."""
    for i in range(scratch.context.shape[0]):
        scratch.context[i] = 0.0
    head = context(rules, state, scratch)
    scratch.head = head
    total = 0.0
    for i in range(node.count):
        scratch.values[i] = np.exp((node.prior[i] - node.prior[0]) / PRIOR_TEMPERATURE)
        total += scratch.values[i]
    for i in range(node.count):
        row = scratch.described[i]
        for feature in range(row.shape[0]):
            row[feature] = 0.0
        behind = node.prior[0] - node.prior[i]
        row[0] = behind / (1.0 + behind)
        row[1] = i / SHORTLIST
        row[2] = scratch.values[i] / total
        row[3] = node.count / SHORTLIST
        describe_action(rules, state, scratch, node.code[i], row)
    return head


@compiled
def _index_of(deal, networks):
    """Return which of a strategy's `networks` plays a deal, see `DEAL_SHIFT`."""
    return np.int64((deal >> np.uint64(DEAL_SHIFT)) % np.uint64(networks))


def _network_of(thinking, number):
    """Return the network of a strategy that plays the current deal.

    Callers contain its code: to pass `thinking` costs an atomic count for each of its arrays.
    """
    return thinking.networks[number, _index_of(thinking.desk[0].deal, thinking.searchers[number].networks)]


@compiled
def _weigh_context(scratch, net, head):
    """Fill `scratch.summed` with the part of the hidden layer that all actions share."""
    add_rows(scratch.summed, net.bias[head], scratch.context, net.context, scratch.used)


@compiled
def _weigh_action(scratch, net, head, described):
    """Return the score of one action."""
    add_rows(scratch.layer, scratch.summed, described, net.action[head], scratch.used)
    return weigh_layer(scratch.layer, net.out[head])


def _score(rules, state, scratch, node, net):
    """Replace the values of a shortlist by the network's scores, in place."""
    head = describe(rules, state, scratch, node)
    _weigh_context(scratch, net, head)
    for i in range(node.count):
        node.prior[i] = _weigh_action(scratch, net, head, scratch.described[i])


def _score_best(rules, state, scratch, node, weights, net):
    """Write the shortlist of the decision in `state` to a node, with the network's scores."""
    list_best(rules, state, scratch, node, weights, SHORTLIST, ALIKE)
    if node.count > 1:
        score(rules, state, scratch, node, net)


def _follow_network(rules, state, scratch, node, weights, net):
    """Return the action with the network's highest score."""
    score_best(rules, state, scratch, node, weights, net)
    return node.code[first_best(node.prior, node.count)]


@compiled
def _pick_scored(node, episode, seat):
    """Return the action of a scored shortlist: the best, or drawn with the seat's temperature."""
    temperature = episode.bots[seat].temperature
    if temperature > 0:
        add_noise(node.prior, node.count, temperature, episode.streams, seat)
    return node.code[first_best(node.prior, node.count)]


def _ask_network(rules, state, scratch, episode, node, weights, net):
    """Return the action of a network."""
    score_best(rules, state, scratch, node, weights, net)
    return _pick_scored(node, episode, state.seat)


def _ask_network_free(rules, room, number, restriction, count):
    """Return the action of network `number` among those of `scratch.codes[:count]` that a restricted seat may take."""
    state, scratch, node = room.state[0], room.scratch[0], room.thinking.shortlist[0]
    evaluate(rules, state, scratch, room.weights[number], scratch.codes, count, scratch.values)
    node.seat = state.seat
    node.count = 0
    for i in range(count):
        code = scratch.codes[i]
        if not concerns(room.known_codes, restriction, code):
            insert(node, code, scratch.values[i], action_group(code), SHORTLIST, ALIKE)
    if node.count > 1:
        score(rules, state, scratch, node, network_of(room.thinking, number))
    return _pick_scored(node, room.episode[0], state.seat)


JOINED = (_describe, _score, _score_best, _follow_network, _ask_network, _ask_network_free)
"""The functions that the loop needs, in the order in which they refer to each other."""
