"""Self-play of a game in plain Python, many games at once, and what is learned from it.

Players improve by a policy gradient with clipped ratios (Schulman et al. 2017) on advantages (Schulman et al. 2016).
Where something is hidden, a pull towards a slowly moving copy keeps them from running in circles (magnetic mirror descent:
Sokota et al. 2023). Where all is seen, most games begin with random plies, so that all positions are learned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from balance.contract.game import Game
from balance.contract.records import HIDDEN
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import derive_many
from balance.plain.chance import Chance
from balance.plain.faults import check_actions, raised
from balance.plain.inputs import Inputs
from balance.plain.learned import (
    TABLE_SCALE,
    Arrays,
    Batch,
    BatchLists,
    fill_layers,
    score,
    score_batch,
    shapes_of,
    weights_of,
)
from balance.plain.results import read_places, read_scores
from balance.training.network_fit import CLIP, Adam

LIMIT = 5_000  # decisions of a game of self-play
OPENED = 0.8  # share of the games with random plies first, where all is seen
VALUES = ("context", "bias", "out")  # arrays of the value


class Played(NamedTuple):
    """Decisions of the learner, game by game in the order of play."""

    batch: Batch
    game: np.ndarray
    taken: np.ndarray  # the index of the action taken
    rewards: np.ndarray  # (games, players)
    length: float  # mean number of choices of a game


@dataclass(frozen=True)
class Board:
    """A game at a player count, as it is learned."""

    game: Game
    rules: Any
    players: int
    inputs: Inputs

    @property
    def is_open(self) -> bool:
        """Whether all is seen."""
        return bool(self.inputs.schema["open"])

    def play(
        self, sets: Sequence[Arrays], lineups: np.ndarray, seed: int, openings: float = 0.0, greedy: int = 99
    ) -> Played:
        """Play a game for each line-up, numbers of sets of weights by seat, and return the decisions of set 0.

        Parameters
        ----------
        openings : float
            Most random plies at the start of `OPENED` of the games.
        greedy : int
            From this number on sets take the action with the highest score; the others draw.
        """
        try:
            return _Games(self, lineups, seed, openings).play(sets, greedy)
        except Exception as error:
            raise raised(error, self.game.folder, "self-play") from error

    def first_weights(self, rng: np.random.Generator) -> Arrays:
        """Return the weights of a new player, drawn so that its scores are small."""
        found = {name: np.zeros(shape, "f4") for name, shape in shapes_of(self.inputs).items()}
        for name, scale in (("context", 0.1), ("action", 0.2), ("out", 0.3 / np.sqrt(HIDDEN))):
            found[name] = rng.normal(0.0, scale, found[name].shape).astype("f4")
        return found


class _Game:
    """One of many games that are played at once."""

    __slots__ = ("chance", "choices", "decisions", "number", "plies", "state")

    def __init__(self, number: int, state: Any, chance: Chance, plies: int) -> None:
        self.number, self.state, self.chance, self.plies = number, state, chance, plies
        self.decisions = self.choices = 0


class _Games:
    """Games that are played at once, a choice of each at a time."""

    def __init__(self, board: Board, lineups: np.ndarray, seed: int, openings: float) -> None:
        self._board, self._lineups, self._author = board, lineups, board.game.author  # type: ignore[attr-defined]
        self._rng = np.random.default_rng(seed)
        count = len(lineups)
        plies = self._rng.integers(0, max(1, int(openings)) + 1, count) * (self._rng.random(count) < OPENED)
        seeds = derive_many(seed, np.arange(count)).tolist()
        self._live = []
        for number, own in enumerate(seeds):
            chance = Chance(own)
            state = self._author.setup(board.rules, board.players, chance)
            self._live.append(_Game(number, state, chance, int(plies[number]) if openings else 0))
        self._rewards = np.full((count, board.players), 1.0 / board.players)
        self._choices = 0

    def play(self, sets: Sequence[Arrays], greedy: int) -> Played:
        lists, games, taken = BatchLists(), [], []
        lineups: list[list[int]] = self._lineups.tolist()
        weights = [weights_of(each) for each in sets]
        inputs, author = self._board.inputs, self._author
        while self._live:
            waiting: list[list[tuple[_Game, list[str]]]] = [[] for _ in sets]
            steps = [lists if n == 0 else BatchLists() for n in range(len(sets))]
            firsts = [len(each.seat) for each in steps]
            for each in self._live:
                actions = self._advance(each)
                if not actions:
                    continue
                own = lineups[each.number][each.state.seat]
                steps[own].add(each.state.seat, inputs.describe(author, each.state, actions))
                waiting[own].append((each, actions))
            for own, wait in enumerate(waiting):
                if not wait:
                    continue
                picks = self._pick(weights[own], _tail(steps[own], firsts[own]), own >= greedy)
                for (each, actions), pick in zip(wait, picks, strict=True):
                    author.apply(each.state, actions[pick], each.chance)
                    each.decisions += 1
                    if own == 0:
                        games.append(each.number)
                        taken.append(pick)
                self._choices += len(wait)
            self._live = sorted((each for wait in waiting for each, _ in wait), key=lambda each: each.number)
        length = self._choices / max(1, len(self._lineups))
        return Played(lists.batch(), np.array(games), np.array(taken, np.int32), self._rewards, length)

    def _advance(self, game: _Game) -> list[str]:
        """Play on to a choice; return its actions, none at the end."""
        author, state, chance = self._author, game.state, game.chance
        while not author.over(state) and game.decisions < LIMIT:
            actions: list[str] = author.actions(state)
            if len(actions) > 1 and not game.plies:
                return actions
            if not actions:
                check_actions(author, actions)
            pick = 0
            if len(actions) > 1:
                game.plies -= 1
                pick = int(self._rng.integers(len(actions)))
            author.apply(state, actions[pick], chance)
            game.decisions += 1
        if game.decisions < LIMIT:
            self._rewards[game.number] = reward(author, state, self._board.players)
        return []

    def _pick(self, weights: tuple[np.ndarray, ...], batch: Batch, is_greedy: bool) -> list[int]:
        """Return which actions a player takes."""
        draws = self._rng.random(len(batch.seat)).astype("f4")
        scores = np.empty(len(batch.rows), np.float32)
        picks = np.empty(len(batch.seat), np.int32)
        score_batch(weights, batch, scores)
        _draw(scores, batch.option_first, draws, is_greedy, picks)
        found: list[int] = picks.tolist()
        return found


def _tail(lists: BatchLists, first: int) -> Batch:
    """Return the decisions of lists from one on."""
    context, option = lists.context_first[first], lists.option_first[first]
    column = lists.column_first[option]
    return Batch(
        np.array(lists.seat[first:], np.int32),
        np.array(lists.context_first[first:], np.int32) - np.int32(context),
        np.array(lists.context[context:], np.int32),
        np.array(lists.option_first[first:], np.int32) - np.int32(option),
        np.array(lists.column_first[option:], np.int32) - np.int32(column),
        np.array(lists.columns[column:], np.int32),
        np.array(lists.rows[option:], np.int32),
    )


def reward(author: Any, state: Any, players: int) -> list[float]:
    """Return what each seat has won at the end: its share of the win or, if the author says so, its score."""
    if author.GOAL == "score":
        return read_scores(author, state, players)
    places = read_places(author, state, players)
    best = max(places)
    winners = places.count(best)
    return [1.0 / winners if each == best else 0.0 for each in places]


@compiled_entry
def _draw(scores, first, draws, is_greedy, picks):
    """Fill which action is taken in each decision: the best, or one drawn by the softmax of the scores."""
    for n in range(picks.shape[0]):
        best = first[n]
        for a in range(first[n], first[n + 1]):
            if scores[a] > scores[best]:
                best = a
        picks[n] = best - first[n]
        if is_greedy:
            continue
        total = np.float32(0)
        for a in range(first[n], first[n + 1]):
            total += np.exp(scores[a] - scores[best])
        left = draws[n] * total
        for a in range(first[n], first[n + 1]):
            left -= np.exp(scores[a] - scores[best])
            if left < 0:
                picks[n] = a - first[n]
                break


@compiled_entry
def find_chances(weights, batch, chances):
    """Fill the chances of the actions of all decisions."""
    score_batch(weights, batch, chances)
    for n in range(batch.seat.shape[0]):
        _softmax(chances, batch.option_first[n], batch.option_first[n + 1])


@compiled
def _softmax(scores, first, last):
    """Turn scores into chances, in place."""
    best = scores[first]
    for a in range(first, last):
        best = max(best, scores[a])
    total = np.float32(0)
    for a in range(first, last):
        scores[a] = np.exp(scores[a] - best)
        total += scores[a]
    for a in range(first, last):
        scores[a] /= total


@compiled_entry
def find_values(weights, batch, values):
    """Fill the value of each decision to its seat."""
    by_context, bias, out = weights
    layer = np.empty(HIDDEN, np.float32)
    for n in range(values.shape[0]):
        values[n] = _value(by_context, bias, out, batch, n, layer)


@compiled
def _value(by_context, bias, out, batch, n, layer):
    """Fill the hidden layer of a value, and return the value."""
    seat = batch.seat[n]
    for j in range(HIDDEN):
        layer[j] = bias[seat, j]
    for i in range(batch.context_first[n], batch.context_first[n + 1]):
        row = batch.context[i]
        for j in range(HIDDEN):
            layer[j] += by_context[row, j]
    found = np.float32(0)
    for j in range(HIDDEN):
        layer[j] = max(np.float32(0), layer[j])
        found += layer[j] * out[seat, j]
    return found


@compiled_entry
def add_value_gradient(weights, batch, own, targets, slopes):
    """Add the gradient of half the squared error of the values of some decisions to `slopes`."""
    by_context, bias, out = weights
    layer, back = np.empty(HIDDEN, np.float32), np.empty(HIDDEN, np.float32)
    for k in range(own.shape[0]):
        n = own[k]
        seat = batch.seat[n]
        slope = (_value(by_context, bias, out, batch, n, layer) - targets[n]) / np.float32(own.shape[0])
        for j in range(HIDDEN):
            slopes[2][seat, j] += slope * layer[j]
            back[j] = slope * out[seat, j] if layer[j] > 0 else np.float32(0)
            slopes[1][seat, j] += back[j]
        for i in range(batch.context_first[n], batch.context_first[n + 1]):
            row = batch.context[i]
            for j in range(HIDDEN):
                slopes[0][row, j] += back[j]


class Aim(NamedTuple):
    """What the decisions of a batch teach."""

    taken: np.ndarray  # int32 (n,)
    before: np.ndarray  # float32: the chance with which the action was taken
    gain: np.ndarray  # float32: its advantage
    magnet: np.ndarray  # float32 (actions,): chances towards which those of all actions are pulled


@compiled
def _fill_slopes(chances, n, first, count, aim, entropy, pull, slopes):
    """Fill the slope of the loss by each score of a decision."""
    c = aim.taken[n]
    ratio = chances[c] / aim.before[n]
    gain = aim.gain[n]
    free = ratio < 1 + CLIP if gain > 0 else ratio > 1 - CLIP
    push = gain * ratio if free else np.float32(0)
    mean_log, distance = np.float32(0), np.float32(0)
    for a in range(count):
        log = np.log(chances[a] + np.float32(1e-8))
        mean_log += chances[a] * log
        distance += chances[a] * (log - np.log(aim.magnet[first + a] + np.float32(1e-8)))
    for a in range(count):
        p = chances[a]
        log = np.log(p + np.float32(1e-8))
        slope = push * (p - (np.float32(1) if a == c else np.float32(0)))
        slope += entropy * p * (log - mean_log)
        slope += pull * p * (log - np.log(aim.magnet[first + a] + np.float32(1e-8)) - distance)
        slopes[a] = slope


@compiled_entry
def add_gradient(weights, batch, own, aim, entropy, pull, slopes):
    """Add the mean gradient of the loss over some decisions to `slopes`, in the order of `ARRAYS`."""
    out = weights[3]
    most = 1
    for k in range(own.shape[0]):
        most = max(most, batch.option_first[own[k] + 1] - batch.option_first[own[k]])
    layers, chances = np.empty((most + 1, HIDDEN), np.float32), np.empty(most, np.float32)
    each = np.empty(most, np.float32)
    back, shared = np.empty(HIDDEN, np.float32), np.empty(HIDDEN, np.float32)
    share = np.float32(1.0 / own.shape[0])
    for k in range(own.shape[0]):
        n = own[k]
        seat, first = batch.seat[n], batch.option_first[n]
        count = fill_layers(weights, batch, n, layers)
        for a in range(count):
            chances[a] = score(weights, batch, n, layers, a)
        _softmax(chances, 0, count)
        _fill_slopes(chances, n, first, count, aim, entropy, pull, each)
        for j in range(HIDDEN):
            shared[j] = 0
        for a in range(count):
            slope = share * each[a]
            for j in range(HIDDEN):
                slopes[3][seat, j] += slope * layers[a, j]
                back[j] = slope * out[seat, j] if layers[a, j] > 0 else np.float32(0)
                shared[j] += back[j]
            for i in range(batch.column_first[first + a], batch.column_first[first + a + 1]):
                row = batch.columns[i]
                for j in range(HIDDEN):
                    slopes[1][row, j] += back[j]
            row = batch.rows[first + a]
            if row >= 0:
                slopes[4][row] += np.float32(TABLE_SCALE) * slope
        for j in range(HIDDEN):
            slopes[2][seat, j] += shared[j]
        for i in range(batch.context_first[n], batch.context_first[n + 1]):
            row = batch.context[i]
            for j in range(HIDDEN):
                slopes[0][row, j] += shared[j]


@compiled_entry
def find_gains(game, seat, values, rewards, faded, gains, targets):
    """Fill the advantage and the target of the value of each decision, from the last to the first of a seat."""
    later = np.zeros(rewards.shape)
    following = rewards.copy()
    for n in range(game.shape[0] - 1, -1, -1):
        g, s = game[n], seat[n]
        step = following[g, s] - values[n]
        later[g, s] = step + faded * later[g, s]
        gains[n] = later[g, s]
        targets[n] = later[g, s] + values[n]
        following[g, s] = values[n]


@dataclass(frozen=True)
class Pace:
    """How much a step of learning changes."""

    rate: float
    entropy: float
    pull: float


EPOCHS, MINIBATCH = 3, 1024
FADED = 0.95  # what is left of a gain a choice of the seat earlier


class Learner:
    """A player that learns, and its value.

    Attributes
    ----------
    player, value : Adam
        The weights.
    magnet : dict
        A copy of the player's weights that follows slowly.
    """

    def __init__(self, board: Board, player: Adam, value: Adam, magnet: Arrays, rng: np.random.Generator) -> None:
        self.board, self.player, self.value, self.magnet, self.rng = board, player, value, magnet, rng

    def learn(self, played: Played, pace: Pace, scale: float) -> None:
        """Learn from the decisions of self-play; `scale` is the size of rewards."""
        batch, count = played.batch, len(played.taken)
        if not count:
            return
        values = np.empty(count, np.float32)
        find_values(self._value_weights(), batch, values)
        gains, targets = np.empty(count, np.float32), np.empty(count, np.float32)
        find_gains(played.game, batch.seat, values, played.rewards / scale, FADED, gains, targets)
        chances, magnet = np.empty(len(batch.rows), np.float32), np.empty(len(batch.rows), np.float32)
        find_chances(weights_of(self.player.weights), batch, chances)
        find_chances(weights_of(self.magnet), batch, magnet)
        before = chances[batch.option_first[:-1] + played.taken]
        gains = (gains - gains.mean()) / (gains.std() + np.float32(1e-6))
        aim = Aim(played.taken, before, gains, magnet)
        for _ in range(EPOCHS):
            order = self.rng.permutation(count)
            for first in range(0, count, MINIBATCH):
                own = order[first : first + MINIBATCH]
                self._step(batch, own, aim, targets, pace)

    def _step(self, batch: Batch, own: np.ndarray, aim: Aim, targets: np.ndarray, pace: Pace) -> None:
        slopes = {name: np.zeros_like(each) for name, each in self.player.weights.items()}
        entropy, pull = np.float32(pace.entropy), np.float32(pace.pull)
        add_gradient(
            weights_of(self.player.weights), batch, own, aim, entropy, pull, weights_of(slopes)
        )
        self.player.step(slopes, pace.rate)
        value_slopes = {name: np.zeros_like(each) for name, each in self.value.weights.items()}
        in_order = tuple(value_slopes[name] for name in VALUES)
        add_value_gradient(self._value_weights(), batch, own, targets, in_order)
        self.value.step(value_slopes, pace.rate)

    def _value_weights(self) -> tuple[np.ndarray, ...]:
        return tuple(self.value.weights[name] for name in VALUES)

    def follow(self, share: float) -> None:
        """Move the magnet towards the player."""
        for name, each in self.magnet.items():
            each += np.float32(share) * (self.player.weights[name] - each)


def new_learner(board: Board, start: Mapping[str, np.ndarray] | None, seed: int) -> Learner:
    """Return a learner with new weights or, for the player, those of a start."""
    rng = np.random.default_rng(seed)
    drawn = board.first_weights(rng)
    player = {name: np.array(each, "f4") for name, each in (start or drawn).items()}
    value = board.first_weights(rng)
    magnet = {name: each.copy() for name, each in player.items()}
    return Learner(board, Adam(player), Adam({name: value[name] for name in VALUES}), magnet, rng)
