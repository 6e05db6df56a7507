"""A searcher for games in plain Python: guess what is hidden, walk down a tree, play on, judge, back up.

As the compiled one (`balance.engine.search.ismcts`) it builds an information-set tree (Cowling, Powley and Whitehouse
2012, SO-ISMCTS) with PUCT. The tree holds the decisions of all seats. A rollout goes to the end of the game, or to the
horizon of a searcher with a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest
from math import exp, sqrt
from operator import mul
from typing import Any

import numpy as np

from balance.contract.records import MOST_SHORTLISTED
from balance.contract.sides import Sides
from balance.engine.buffers import BY_VALUE, SHARED_DEALS, STAGES, WIN_CHANCE, Buffers
from balance.foundation.language import tr
from balance.plain.chance import Chance, derive
from balance.plain.faults import check_actions, fault_in
from balance.plain.results import describe_seats, read_places, read_scores, weigh

_MOST_DECISIONS = 10_000  # of a rollout
_NO_GOAL = 1 << 30
# How far below the best one an action may be to a learned player, which is often all too sure of its choice.
_MOST_BEHIND = 3.0


class _Edge:
    """An action at a node: how often it was tried, what it won, and where it leads."""

    __slots__ = ("child", "prior", "tried", "won")

    def __init__(self, prior: float) -> None:
        self.prior, self.tried, self.won = prior, 0, 0.0
        self.child: _Node | None = None


class _Node:
    """A decision, with all actions that were legal in some guess."""

    __slots__ = ("edges", "seat", "visits")

    def __init__(self, seat: int | None = None) -> None:
        self.seat, self.visits = seat, 0  # None until a search comes here
        self.edges: dict[str, _Edge] = {}


class PlainSearch:
    """One searcher in one seat of a game; after a search, `root` is its decision.

    `number` is that of its strategy in `room`, `seed` that of its own random stream. `learned` is the
    `balance.plain.learned.LearnedPlayer` whose scores are the prior, None for the profile's values.
    """

    def __init__(self, author: Any, players: int, room: Buffers, number: int, seed: int, learned: Any = None) -> None:
        self._author, self._players, self._chance = author, players, Chance(seed)
        self._switches, self._table = room.thinking.searchers[number], room.thinking.tables[number]
        self._goal = _NO_GOAL  # the round at which a rollout stops
        self._learned = learned if self._switches["network_prior"] else None
        self._plays_out = learned if self._switches["network_playouts"] else None
        sides: Sides = author._sides
        self._rivals = [
            [other for other, its in enumerate(sides.of_seats(players)) if its != own]
            for own in sides.of_seats(players)
        ]
        self._seeks_score = not sides.has_wins
        self._uses_all = bool(room.thinking.desk[0]["uses_all"])  # iterations, even if the choice is certain
        self._least, self._span = 0.0, 1.0  # of rewards; scores of a table have any size
        self._prior = _weights(author, room.weights[number])
        self._has_prior = bool(self._prior or self._learned)
        self._playout = _weights(author, room.thinking.playouts[number])
        self.root = _Node(-1)  # no search yet

    def choose(self, position: Any, actions: list[str], seat: int) -> int:
        """Return the index of the action that it takes in a position."""
        if len(actions) == 1:
            return 0
        switches, author = self._switches, self._author
        self.root = _Node(seat)
        self._expand(self.root, position, actions)
        horizon, first = int(switches["horizon"]), self._chance.word
        seen: list[float] = []
        self._goal = _round_of(position) + horizon if horizon else _NO_GOAL
        iterations = int(switches["iterations"])
        for number in range(iterations):
            if not self._uses_all and self._is_certain(iterations - number):
                break
            if switches["deals"] == SHARED_DEALS:
                next_try = self.root.edges[self._select(self.root, list(self.root.edges))].tried
                self._chance.word = derive(first, next_try)
            guess = author.guess(author.clone(position), seat, self._chance)
            way = self._descend(guess)
            self._play_out(guess)
            reward = self._judge(guess)
            if self._seeks_score:
                seen.append(reward[0])
                self._least, self._span = min(seen), (max(seen) - min(seen)) or 1.0
            for node, edge in way:
                node.visits += 1
                edge.tried += 1
                edge.won += reward[node.seat or 0]
        self._chance.word = derive(first, iterations)  # the same after any number of tries
        best = max(self.root.edges.items(), key=lambda each: self._final_key(each[1]))
        return actions.index(best[0])

    @property
    def word(self) -> int:
        """The state of its random stream."""
        return self._chance.word

    @word.setter
    def word(self, word: int) -> None:
        self._chance.word = word

    def second_best(self, best: str) -> str:
        """Return the action other than the best that the last search tried most; "" if there is none."""
        others = {name: edge for name, edge in self.root.edges.items() if name != best and edge.tried}
        return max(
            others, key=lambda name: others[name].tried + 0.5 * others[name].won / others[name].tried, default=""
        )

    def median_of(self, actions: Sequence[str], best: str) -> str:
        """Return the action that half are better than in the last search; those off its shortlist rank below it."""
        edges, better = self.root.edges, len(actions) // 2 - 1  # other than the best
        tried = sorted(
            (name for name in edges if name != best),
            key=lambda name: edges[name].tried + 0.5 * edges[name].won / max(1, edges[name].tried),
            reverse=True,
        )
        if better < len(tried):
            return tried[better]
        rest = [each for each in actions if each not in edges]
        return rest[self._chance.below(len(rest))]

    def weigh(self, position: Any, actions: Sequence[str], playouts: int) -> dict[str, np.ndarray]:
        """Return the reward of the seat to choose after each action in playouts, which share deals and chance."""
        author, seat = self._author, position.seat
        worth = {action: np.zeros(playouts) for action in actions}
        for sample in range(playouts):
            guess = author.guess(author.clone(position), seat, self._chance)
            first = self._chance.word
            for action, found in worth.items():
                state, self._chance.word = author.clone(guess), first
                author.apply(state, action, self._chance)
                self._play_out(state)
                found[sample] = self._judge(state)[seat]
            self._chance.word = derive(first, sample)
        return worth

    def _expand(self, node: _Node, position: Any, actions: Sequence[str]) -> None:
        """Add the actions that a node does not have yet, each with its prior; the root has the best ones only."""
        new = [each for each in actions if each not in node.edges]
        if not self._has_prior:
            for each in new:
                node.edges[each] = _Edge(1 / len(actions))
            return
        if self._learned:
            values = self._learned.weigh(self._author, position, new)
            least = max(values) - _MOST_BEHIND
            values = [max(each, least) for each in values]
        else:
            values = weigh(self._author, position, new, self._prior)
        best, temperature = max(values), float(self._switches["prior_temperature"])
        ranked = sorted(zip(new, values, strict=True), key=lambda each: -each[1])
        ranked = ranked[: int(self._switches["shortlist"])]
        odds = [exp((value - best) / temperature) for _, value in ranked]
        for (each, _), odd in zip(ranked, odds, strict=True):
            node.edges[each] = _Edge(odd / sum(odds))

    def _descend(self, state: Any) -> list[tuple[_Node, _Edge]]:
        """Walk down from the root in a guessed state, and add one node at the end of the tree; return the way."""
        author, node = self._author, self.root
        way: list[tuple[_Node, _Edge]] = []
        while not self._stops(state) and len(way) < _MOST_DECISIONS:
            actions = author.actions(state)
            if not actions:
                check_actions(author, actions)
            if len(actions) == 1:
                author.apply(state, actions[0], self._chance)
                continue
            is_new = node.seat is None
            if is_new:
                node.seat = state.seat
            elif node.seat != state.seat:  # this guess leads to the decision of another seat
                return way
            edge = self._follow(node, state, actions)
            way.append((node, edge))
            if is_new:
                return way
            edge.child = node = edge.child or _Node()
        return way

    def _follow(self, node: _Node, state: Any, actions: list[str]) -> _Edge:
        """Carry out the action of a node with the largest upper bound; return its edge."""
        legal = [each for each in actions if each in node.edges]
        if node is self.root and not legal:
            raise fault_in(self._author.guess, tr("must keep the legal actions of the seat that guesses"))
        if not legal or (node is not self.root and not self._has_prior and len(legal) < len(actions)):
            self._expand(node, state, actions)
            legal = [each for each in actions if each in node.edges]
        action = self._select(node, legal)
        self._author.apply(state, action, self._chance)
        return node.edges[action]

    def _select(self, node: _Node, legal: Sequence[str]) -> str:
        """Return the action with the largest upper bound; an untried one is assumed to have the mean value."""
        edges = [node.edges[each] for each in legal]
        tried = sum(each.tried for each in edges)
        mean = (sum(each.won for each in edges) / tried - self._least) / self._span if tried else 0.0
        scale = float(self._switches["exploration"]) * sqrt(tried + 1.0)
        bounds = [
            (self._value(each) if each.tried else mean) + scale * each.prior / (1.0 + each.tried) for each in edges
        ]
        return legal[bounds.index(max(bounds))]

    def _play_out(self, state: Any) -> None:
        """Play to the end: by a profile or learned player at the prior's temperature, otherwise at random."""
        author, below = self._author, self._chance.below
        temperature = float(self._switches["prior_temperature"])
        for _ in range(_MOST_DECISIONS):
            if self._stops(state):
                return
            actions = author.actions(state)
            if not actions:
                check_actions(author, actions)
            if (self._playout or self._plays_out) and len(actions) > 1:
                values = (
                    self._plays_out.weigh(author, state, actions)
                    if self._plays_out
                    else weigh(author, state, actions, self._playout)
                )
                values = self._chance.add_noise(values, temperature)
                pick = values.index(max(values))
            else:
                pick = below(len(actions)) if len(actions) > 1 else 0
            author.apply(state, actions[pick], self._chance)

    def _stops(self, state: Any) -> bool:
        """Return whether a rollout ends here: the game is over, or the horizon is reached."""
        return bool(self._author.over(state)) or _round_of(state) >= self._goal

    def _share_chances(self, state: Any) -> list[float]:
        """Return win chances by the value's weights: a softmax, interpolated between two stages of the game."""
        progress, seats = describe_seats(self._author, state, self._players)
        at = min(progress, 0.999999) * (STAGES - 1)
        stages = self._table["weights"][self._players]
        weights = stages[int(at)] + (at - int(at)) * (stages[int(at) + 1] - stages[int(at)])
        worth = [sum(map(mul, weights.tolist(), own)) for own in seats]
        odds = [exp(each - max(worth)) for each in worth]
        return [each / sum(odds) for each in odds]

    def _judge(self, state: Any) -> list[float]:
        """Return the reward of every seat, from 0 to 1."""
        if self._switches["reward"] == WIN_CHANCE and self._author.POSITION and not self._author.over(state):
            return self._share_chances(state)
        if self._seeks_score:
            return read_scores(self._author, state, self._players)
        if self._switches["reward"] != WIN_CHANCE:
            scores = read_scores(self._author, state, self._players)
            others = ([scores[other] for other in own] for own in self._rivals)
            gaps = [score - max(own, default=0.0) for score, own in zip(scores, others, strict=True)]
            return [0.5 + 0.5 * gap / (10.0 + abs(gap)) for gap in gaps]
        return [each.win_share for each in read_places(self._author, state, self._players)]

    def _value(self, edge: _Edge) -> float:
        """Return the mean reward of an action that was tried, from 0 to 1."""
        return (edge.won / edge.tried - self._least) / self._span

    def _is_certain(self, left: int) -> bool:
        """Return whether no outcome of `left` more tries can change the final choice."""
        most, second = nlargest(2, (0, 0, *(each.tried for each in self.root.edges.values())))
        return self._switches["final"] != BY_VALUE and most - second > left

    def _final_key(self, edge: _Edge) -> float:
        """Return the key of the final choice: visits, or the mean among the actions tried enough."""
        mean = self._value(edge) if edge.tried else -1.0
        if self._switches["final"] == BY_VALUE:
            enough = edge.tried * len(self.root.edges) * 2 >= self.root.visits
            return mean if enough else mean - 2.0
        return edge.tried + 0.5 * mean


def _round_of(state: Any) -> int:
    return getattr(state, "round", 1)


def _weights(author: Any, row: Any) -> Mapping[str, float]:
    """Return a profile's weights by feature; empty if all are 0."""
    found = {name: float(row[name]) for name in author.FEATURES}
    return found if any(found.values()) else {}


def show_root(search: PlainSearch, nodes: Any, labels: Any) -> None:
    """Write the actions of the last search, most visited first, into the first node of a compiled tree."""
    edges = sorted(search.root.edges.items(), key=lambda each: -each[1].tried)[:MOST_SHORTLISTED]
    node = nodes[0]
    node["count"], node["visits"], node["seat"] = len(edges), search.root.visits, search.root.seat
    for number, (action, edge) in enumerate(edges):
        node["code"][number] = labels.code(action)
        node["prior"][number], node["tried"][number] = edge.prior, edge.tried
        node["won"][number] = edge.won
