"""What is learned from decisions of self-play: advantages, gradients of the policy and of its value, and steps.

A policy gradient with clipped ratios (Schulman et al. 2017) on advantages (Schulman et al. 2016). Where something is
hidden, a pull towards a slowly moving copy keeps players from running in circles (magnetic mirror descent: Sokota et
al. 2023).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance.contract.records import HIDDEN
from balance.foundation.compiling import compiled, compiled_entry
from balance.plain.learned import TABLE_SCALE, Arrays, Batch, fill_layers, score, score_batch, weights_of
from balance.training.network_fit import CLIP, Adam

VALUES = ("context", "bias", "out")  # arrays of the value


class Played(NamedTuple):
    """Decisions of the learner, game by game in the order of play."""

    batch: Batch
    game: np.ndarray
    taken: np.ndarray  # the index of the action taken
    rewards: np.ndarray  # (games, players)
    scores: np.ndarray  # (games,): how close a table was that wins or loses; 0 in other games
    length: float  # mean number of choices of a game


@compiled_entry
def draw_actions(scores, first, draws, is_greedy, picks):
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
    faded: float  # what is left of a gain a choice of the seat earlier


EPOCHS, MINIBATCH = 3, 1024


class Learner:
    """A player that learns, and its value.

    Attributes
    ----------
    player, value : Adam
        The weights.
    magnet : dict
        A copy of the player's weights that follows slowly.
    """

    def __init__(self, player: Adam, value: Adam, magnet: Arrays, rng: np.random.Generator) -> None:
        self.player, self.value, self.magnet, self.rng = player, value, magnet, rng

    def learn(self, played: Played, rewards: np.ndarray, pace: Pace) -> None:
        """Learn from the decisions of self-play, for rewards of about size 1."""
        batch, count = played.batch, len(played.taken)
        if not count:
            return
        values = np.empty(count, np.float32)
        find_values(self._value_weights(), batch, values)
        gains, targets = np.empty(count, np.float32), np.empty(count, np.float32)
        find_gains(played.game, batch.seat, values, rewards, pace.faded, gains, targets)
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
        add_gradient(weights_of(self.player.weights), batch, own, aim, entropy, pull, weights_of(slopes))
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
