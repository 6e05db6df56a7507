"""The search: determinize, walk down the tree, roll out to the horizon, estimate, back up.

An information-set tree (Cowling, Powley and Whitehouse 2012, SO-ISMCTS) over the public decisions of a
round. Functions without a decorator are joined to a game's, see `balance.engine.loop`; they call `determinize`,
`checkpoint`, `is_secret`, `action_group`, `estimate`, `score_now` and what the loop calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from balance.engine.buffers import DEPTH, SHARED_DEALS, STAGES, WIN_CHANCE, count_winners
from balance.engine.search.tree import back_up, choose_finally, finish_shortlist, is_certain, select
from balance.foundation.compiling import compiled
from balance.foundation.streams import derive

if TYPE_CHECKING:
    from balance.engine.joined import (
        apply,
        best_action,
        checkpoint,
        conceal,
        count_actions,
        descend,
        determinize,
        estimate,
        expand,
        follow_network,
        is_here,
        is_secret,
        judge,
        legal_actions,
        list_best,
        network_of,
        nth_action,
        play_out,
        score,
        score_now,
        write_result,
    )


# To pass `thinking` costs an atomic count for each of its arrays, so the functions take it apart at once.


def _expand(rules, state, scratch, switches, weights, net, node):
    """Fill a node with the shortlist of the decision in `state`."""
    list_best(rules, state, scratch, node, weights, switches.shortlist, switches.group_limit)
    if switches.network_prior and node.count > 1:
        score(rules, state, scratch, node, net)
    finish_shortlist(node, switches.prior_temperature)


def _is_here(rules, state, scratch, node, pick):
    """Return whether the node's seat is to choose in this deal, and the picked action is legal."""
    if state.seat != node.seat:
        return False
    count = legal_actions(rules, state, scratch, scratch.codes)
    there = False
    for i in range(count):
        there |= scratch.codes[i] == node.code[pick]
    return there


def _descend(rules, scratch, thinking, number, weights, seat, goal):
    """Walk down from the root in the determinized game, and add one node at the end of the tree.

    The tree ends at the horizon, at a chance outcome, at a secret decision of another seat, and at a choice that is not
    legal in this deal. From there the rollout continues. A new node is empty until it is met again: most never are, and
    its shortlist is what costs most.
    """
    state, log, desk, nodes = thinking.state[0], thinking.log[0], thinking.desk[0], thinking.nodes
    switches, net = thinking.searchers[number], network_of(thinking, number)
    place = 0
    desk.depth = 0
    while desk.depth < DEPTH:
        node = nodes[place]
        is_new = node.count == 0
        if is_new:
            expand(rules, state, scratch, switches, weights, net, node)
        pick = select(node, switches.exploration)
        if place > 0 and not is_new and not is_here(rules, state, scratch, node, pick):
            return
        desk.way[desk.depth] = place
        desk.picked[desk.depth] = pick
        desk.depth += 1
        log.entry_count = 0
        apply(rules, state, log, scratch, node.code[pick])
        if state.over or log.entry_count > 0 or checkpoint(rules, state) >= goal:
            return
        if state.seat != seat and is_secret(rules, state):
            return
        place = node.child[pick]
        if place < 0:
            if desk.nodes == nodes.shape[0]:
                return
            place = node.child[pick] = desk.nodes
            nodes[place].count = 0
            desk.nodes += 1
            if count_actions(rules, state, scratch) > 1:
                return


def _play_out(rules, scratch, thinking, number, goal):
    """Play greedily to the horizon or the end."""
    state, log, node = thinking.state[0], thinking.log[0], thinking.shortlist[0]
    weights, net = thinking.playouts[number], network_of(thinking, number)
    networked = thinking.searchers[number].network_playouts
    log.keep_chance = 0
    while state.over == 0 and checkpoint(rules, state) < goal:
        count = count_actions(rules, state, scratch)
        if count == 1:
            code = nth_action(rules, state, scratch, 0)
        elif networked:
            code = follow_network(rules, state, scratch, node, weights, net)
        else:
            code = best_action(rules, state, scratch, weights, count)
        apply(rules, state, log, scratch, code)
    log.keep_chance = 1


@compiled
def _share_chances(table, players, progress, scratch, reward):
    """Return win chances from the features of every seat: a softmax, with weights interpolated between two stages."""
    at = min(progress, 0.999999) * (STAGES - 1)
    stage = int(at)
    part = at - stage
    total = 0.0
    best = -np.inf
    for p in range(players):
        worth = 0.0
        for feature in range(scratch.position.shape[1]):
            early = table.weights[players, stage, feature]
            late = table.weights[players, stage + 1, feature]
            worth += (early + part * (late - early)) * scratch.position[p, feature]
        reward[p] = worth
        best = max(best, worth)
    for p in range(players):
        reward[p] = np.exp(reward[p] - best)
        total += reward[p]
    for p in range(players):
        reward[p] /= total


@compiled
def _lead(players, scratch, reward):
    """Return rewards between 0 and 1 from scores: one half if level with the best other seat."""
    for p in range(players):
        other = -np.inf
        for q in range(players):
            if q != p:
                other = max(other, scratch.scores[q])
        gap = scratch.scores[p] - other
        reward[p] = 0.5 + 0.5 * gap / (10.0 + abs(gap))


def _judge(rules, scratch, thinking, number):
    """Fill `desk.reward` from the end of the rollout."""
    state, log, reward = thinking.state[0], thinking.log[0], thinking.desk[0].reward
    game, seats, table = thinking.game[0], thinking.seats, thinking.tables[number]
    players = rules.players
    if thinking.searchers[number].reward != WIN_CHANCE:
        score_now(rules, state, scratch)
        _lead(players, scratch, reward)
    elif state.over:
        write_result(rules, state, log, scratch, game, seats)
        count_winners(seats, players)
        for p in range(players):
            reward[p] = seats[p].win_share
    else:
        progress = estimate(rules, state, scratch)
        _share_chances(table, players, progress, scratch, reward)


@compiled
def _stream_of_try(first, root, exploration):
    """Return the stream for the next try's deal, the same for the n-th try of every action."""
    return derive(first, np.uint64(root.tried[select(root, exploration)]))


def _search(rules, room, number):
    """Return the code of the action that searcher `number` takes in `room.state`."""
    thinking = room.thinking
    state, scratch, desk = room.state[0], room.scratch[0], thinking.desk[0]
    switches, weights, net = thinking.searchers[number], room.weights[number], network_of(thinking, number)
    seat = state.seat
    goal = checkpoint(rules, state) + switches.horizon if switches.horizon > 0 else 1 << 30
    root = thinking.nodes[0]
    desk.nodes = 1
    thinking.log[0].keep_chance = 1
    expand(rules, state, scratch, switches, weights, net, root)
    if root.count > 1:
        thinking.known[0] = room.state[0]
        conceal(rules, thinking.known[0], scratch)
        first = desk.streams[seat]
        for tries in range(switches.iterations):
            if desk.uses_all == 0 and is_certain(root, switches.iterations - tries, switches.final):
                break
            thinking.state[0] = thinking.known[0]
            if switches.deals == SHARED_DEALS:
                desk.streams[seat] = _stream_of_try(first, root, switches.exploration)
            determinize(rules, thinking.state[0], scratch, desk.streams, seat)
            descend(rules, scratch, thinking, number, weights, seat, goal)
            play_out(rules, scratch, thinking, number, goal)
            judge(rules, scratch, thinking, number)
            back_up(thinking.nodes, desk)
        desk.streams[seat] = derive(first, np.uint64(switches.iterations))  # the same after any number of tries
    return root.code[choose_finally(root, switches.final)]


STEPS = (_expand, _is_here, _descend, _play_out, _judge)
JOINED = (*STEPS, _search)
"""The functions that the loop needs, in the order in which they refer to each other."""
