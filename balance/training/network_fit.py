"""Fitting a network: chances of the actions on a shortlist, gradients of a loss, and Adam."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, TypeVar

import numpy as np

from balance.contract.records import HIDDEN
from balance.engine.vectors import add_rows, weigh_layer
from balance.experiments.networks import ARRAYS
from balance.foundation.compiling import compiled, compiled_entry

AVERAGING = 3  # the larger, the later are the weights that count in their mean; about the last quarter
CLIP = 0.2  # how far the chance of an action moves away from the chance with which it was taken
# Of a batch, each with a gradient of its own; the result does not depend on the number of threads.
PARTS = 4
Arrays = dict[str, np.ndarray]
_KEPT = ("weights", "first", "second", "mean")  # arrays of `Adam`


class Batch(NamedTuple):
    """Decisions."""

    head: np.ndarray  # int8 (n,): the kind of each decision
    options: np.ndarray  # int8 (n,): actions on its shortlist
    context: np.ndarray  # float32 (n, features)
    described: np.ndarray  # float32 (n, actions, features)


class Lessons(NamedTuple):
    """What to learn from decisions: the slope of the loss by each score is ``weight * (chance - target)``."""

    target: np.ndarray  # float32 (n, actions), rows sum to 1
    weight: np.ndarray  # float32 (n,)
    # float32 (n,): the chance with which the action was taken; 0 for labels, which are not clipped.
    before: np.ndarray


Rows = TypeVar("Rows", Batch, Lessons)


def pick(rows: Rows, own: np.ndarray | slice) -> Rows:
    """Return some rows of a batch or of its lessons, by numbers or as a slice."""
    return type(rows)(*(column[own] for column in rows))


def make_batch(samples: np.ndarray, own: np.ndarray | slice = slice(None)) -> Batch:
    """Return samples, or some of them, as a batch."""
    context, described = (samples[name][own].astype("f4", "C", copy=False) for name in ("context", "described"))
    return Batch(samples["head"][own].copy(), samples["count"][own].copy(), context, described)


def first_weights(shapes: np.dtype, rng: np.random.Generator) -> Arrays:
    """Return the weights of a new network, drawn so that its scores are small."""
    found = {name: np.zeros(shapes[name].shape, "f4") for name in ARRAYS}
    for name, scale in (("context", 0.15), ("action", 0.3), ("out", 0.5 / np.sqrt(HIDDEN))):
        found[name] = rng.normal(0.0, scale, shapes[name].shape).astype("f4")
    return found


def chances_of(weights: Mapping[str, np.ndarray], batch: Batch) -> np.ndarray:
    """Return the softmax of the scores (n, actions) of a batch; actions beyond a shortlist have 0."""
    found = np.zeros(batch.described.shape[:2], "f4")

    def fill(own: slice) -> None:
        _find_chances(_tuple(weights), pick(batch, own), found[own])

    list(_threads().map(fill, _parts(batch)))
    return found


def gradient(weights: Mapping[str, np.ndarray], batch: Batch, lessons: Lessons) -> Arrays:
    """Return the gradient of the loss by the weights, summed over the batch."""

    def learn(own: slice) -> tuple[np.ndarray, ...]:
        slopes = tuple(np.zeros_like(weights[name]) for name in ARRAYS)
        _add_gradient(_tuple(weights), pick(batch, own), pick(lessons, own), slopes)
        return slopes

    parts = list(_threads().map(learn, _parts(batch)))
    return {name: sum(each[1:], each[0]) for name, each in zip(ARRAYS, zip(*parts, strict=True), strict=True)}


def _parts(batch: Batch) -> list[slice]:
    bounds = np.linspace(0, len(batch.head), PARTS + 1).astype(int)
    return [slice(*each) for each in itertools.pairwise(bounds)]


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(PARTS, os.cpu_count() or 1))


def _tuple(weights: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    return tuple(weights[name] for name in ARRAYS)


@compiled
def _space_for(batch):
    """Return space for the numbers of all features."""
    return np.empty(max(batch.context.shape[1], batch.described.shape[2]) + 1, np.uint16)


@compiled
def _forward(weights, batch, n, layer, chances, used):
    """Fill the hidden layer (actions, HIDDEN) and the chances of decision `n`; for `used` see `add_rows`."""
    by_context, by_action, bias, out = weights
    head, count = np.intp(batch.head[n]), np.intp(batch.options[n])
    shared = layer[count]  # the row beyond the last action: what all actions share
    add_rows(shared, bias[head], batch.context[n], by_context, used)
    best = np.float32(-1e30)
    for a in range(count):
        add_rows(layer[a], shared, batch.described[n, a], by_action[head], used)
        for j in range(HIDDEN):
            layer[a, j] = max(np.float32(0), layer[a, j])
        chances[a] = weigh_layer(layer[a], out[head])
        best = max(best, chances[a])
    total = np.float32(0)
    for a in range(count):
        chances[a] = np.exp(chances[a] - best)
        total += chances[a]
    for a in range(count):
        chances[a] /= total


@compiled_entry
def _find_chances(weights, batch, found):
    """Fill `found` (n, actions)."""
    layer, used = np.empty((found.shape[1] + 1, HIDDEN), np.float32), _space_for(batch)
    for n in range(found.shape[0]):
        _forward(weights, batch, n, layer, found[n], used)


@compiled
def _weight_of(lessons, n, chances, count):
    """Return the weight of a lesson; 0 if its action has moved too far already (Schulman et al. 2017)."""
    weight = lessons.weight[n]
    if lessons.before[n] <= 0:
        return weight
    chance = np.float32(0)
    for a in range(count):
        chance += lessons.target[n, a] * chances[a]
    ratio = chance / lessons.before[n]
    free = ratio < 1 + CLIP if weight > 0 else ratio > 1 - CLIP
    return weight * ratio if free else np.float32(0)


@compiled_entry
def _add_gradient(weights, batch, lessons, slopes):
    """Add the gradient of all decisions to `slopes`, in the order of `ARRAYS`."""
    out = weights[3]
    by_context, by_action, by_bias, by_out = slopes
    most = batch.described.shape[1]
    layer, chances = np.empty((most + 1, HIDDEN), np.float32), np.empty(most, np.float32)
    back, summed = np.empty(HIDDEN, np.float32), np.empty(HIDDEN, np.float32)
    used = _space_for(batch)
    for n in range(batch.head.shape[0]):
        head, count = np.intp(batch.head[n]), np.intp(batch.options[n])
        _forward(weights, batch, n, layer, chances, used)
        weight = _weight_of(lessons, n, chances, count)
        if weight == 0:
            continue
        for j in range(HIDDEN):
            summed[j] = 0
        for a in range(count):
            slope = weight * (chances[a] - lessons.target[n, a])
            for j in range(HIDDEN):
                by_out[head, j] += slope * layer[a, j]
                back[j] = slope * out[head, j] if layer[a, j] > 0 else np.float32(0)
                summed[j] += back[j]
            for i in range(batch.described.shape[2]):
                x = batch.described[n, a, i]
                if x != 0:
                    for j in range(HIDDEN):
                        by_action[head, i, j] += x * back[j]
        for j in range(HIDDEN):
            by_bias[head, j] += summed[j]
        for i in range(batch.context.shape[1]):
            x = batch.context[n, i]
            if x != 0:
                for j in range(HIDDEN):
                    by_context[i, j] += x * summed[j]


def under(arrays: Mapping[str, np.ndarray], prefix: str) -> Arrays:
    """Return the arrays whose names begin with a prefix, by the rest of their names."""
    return {name.removeprefix(prefix): each for name, each in arrays.items() if name.startswith(prefix)}


def copy_arrays(arrays: Mapping[str, np.ndarray]) -> Arrays:
    """Return copies of arrays, which may be changed."""
    return {name: np.array(each) for name, each in arrays.items()}


@dataclass
class Adam:
    """Adam (Kingma and Ba 2015), and a mean of the weights with polynomial decay (Shamir and Zhang 2013).

    Attributes
    ----------
    weights : dict
        Changed in place by `step`.
    first, second : dict
        Moving averages of the gradient and of its square.
    mean : dict
        Mean of the weights, in which later steps count more: a network at the end of a training wanders less.
    """

    weights: Arrays
    first: Arrays = field(default_factory=dict)
    second: Arrays = field(default_factory=dict)
    mean: Arrays = field(default_factory=dict)
    steps: int = 0

    def __post_init__(self) -> None:
        for name, values in self.weights.items():
            self.first.setdefault(name, np.zeros_like(values))
            self.second.setdefault(name, np.zeros_like(values))
            self.mean.setdefault(name, values.copy())

    def state(self) -> Arrays:
        """Return all arrays, such as ``first/bias``, and the number of steps, from which `restored` makes a copy."""
        found = {"steps": np.array(self.steps)}
        for part in _KEPT:
            found |= {f"{part}/{name}": values for name, values in getattr(self, part).items()}
        return found

    @classmethod
    def restored(cls, state: Mapping[str, np.ndarray]) -> Adam:
        """Return a copy of the one that had this state."""
        parts = {part: copy_arrays(under(state, f"{part}/")) for part in _KEPT}
        return cls(**parts, steps=int(state["steps"]))

    def step(self, slopes: Mapping[str, np.ndarray], rate: float) -> None:
        """Move the weights against a gradient."""
        self.steps += 1
        size = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        share = (AVERAGING + 1) / (self.steps + AVERAGING)
        for name, slope in slopes.items():
            first, second = self.first[name], self.second[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            self.weights[name] -= np.float32(size) * first / (np.sqrt(second) + 1e-8)
            self.mean[name] += np.float32(share) * (self.weights[name] - self.mean[name])

    def seen(self) -> Arrays:
        """Return the mean weights, without those of features that were always 0: they are still as drawn at first.

        A network that is used with more players than it was fitted with would take them for something learnt.
        """
        return {
            name: np.where(self.second[name].any(-1, keepdims=True), each, np.float32(0))
            for name, each in self.mean.items()
        }
