"""Fitting a network in NumPy: scores of shortlists, gradients of a loss on these scores, and Adam."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from balance.contract.records import HIDDEN
from balance.experiments.networks import ARRAYS

AVERAGING = 0.99
Arrays = dict[str, np.ndarray]
Loss = Callable[[np.ndarray, slice], np.ndarray]
"""From scores (decisions, actions) of a slice of the batch to their gradients; masked actions have -inf."""


@dataclass
class Batch:
    """Decisions, sorted by head.

    Attributes
    ----------
    head, count : int array (n,)
        The kind of each decision, and the actions on its shortlist.
    context : float32 array (n, features)
    described : float32 array (n, actions, features)
    """

    head: np.ndarray
    count: np.ndarray
    context: np.ndarray
    described: np.ndarray


def make_batch(samples: np.ndarray, order: np.ndarray) -> tuple[Batch, np.ndarray]:
    """Return the samples with these numbers as a batch, and their numbers in the order of the batch."""
    order = order[np.argsort(samples["head"][order], kind="stable")]
    found = samples[order]
    return Batch(
        found["head"], found["count"], found["context"].astype("f4"), found["described"].astype("f4")
    ), order


def first_weights(shapes: np.dtype, rng: np.random.Generator) -> Arrays:
    """Return the weights of a new network, drawn so that its scores are small."""
    found = {name: np.zeros(shapes[name].shape, "f4") for name in ARRAYS}
    for name, scale in (("context", 0.15), ("action", 0.3), ("out", 0.5 / np.sqrt(HIDDEN))):
        found[name] = rng.normal(0.0, scale, shapes[name].shape).astype("f4")
    return found


def scores_of(weights: Mapping[str, np.ndarray], batch: Batch) -> np.ndarray:
    """Return the scores (n, actions) of a batch; actions beyond a shortlist have -inf."""
    found = np.empty(batch.described.shape[:2], "f4")

    def keep(scores: np.ndarray, part: slice) -> np.ndarray:
        found[part] = scores
        return np.zeros_like(scores)

    _each_head(weights, batch, keep, None)
    return found


def gradient(weights: Mapping[str, np.ndarray], batch: Batch, loss: Loss) -> Arrays:
    """Return the gradient of a loss by the weights, summed over the batch."""
    found = {name: np.zeros_like(weights[name]) for name in ARRAYS}
    _each_head(weights, batch, loss, found)
    return found


def _each_head(
    weights: Mapping[str, np.ndarray], batch: Batch, loss: Loss, found: Arrays | None
) -> None:
    """Compute scores head by head, and with `found` add the gradients there."""
    bounds = np.searchsorted(batch.head, np.arange(len(weights["bias"]) + 1))
    actions = np.arange(batch.described.shape[1])
    for head in range(len(weights["bias"])):
        part = slice(bounds[head], bounds[head + 1])
        if part.start == part.stop:
            continue
        context, described = batch.context[part], batch.described[part]
        flat = described.reshape(-1, described.shape[2])
        shared = context @ weights["context"] + weights["bias"][head]
        layer = (flat @ weights["action"][head]).reshape(*described.shape[:2], HIDDEN)
        layer += shared[:, None]
        np.maximum(layer, 0, out=layer)
        scores = layer @ weights["out"][head]
        scores[actions >= batch.count[part, None]] = -np.inf
        slopes = loss(scores, part)
        if found is None:
            continue
        found["out"][head] = slopes.ravel() @ layer.reshape(-1, HIDDEN)
        back = (layer > 0) * slopes[..., None] * weights["out"][head]
        found["action"][head] = flat.T @ back.reshape(-1, HIDDEN)
        summed = back.sum(1)
        found["bias"][head] = summed.sum(0)
        found["context"] += context.T @ summed


def chances_of(scores: np.ndarray) -> np.ndarray:
    """Return the softmax of scores by row."""
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True))


@dataclass
class Adam:
    """Adam (Kingma and Ba 2015), and a moving average of the weights.

    Attributes
    ----------
    weights : dict
        Changed in place by `step`.
    first, second : dict
        Moving averages of the gradient and of its square.
    mean : dict
        Average of the weights over about the last 100 steps.
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

    def step(self, slopes: Mapping[str, np.ndarray], rate: float) -> None:
        """Move the weights against a gradient."""
        self.steps += 1
        size = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        keep = min(AVERAGING, self.steps / (self.steps + 1))
        for name, slope in slopes.items():
            first, second = self.first[name], self.second[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            self.weights[name] -= np.float32(size) * first / (np.sqrt(second) + 1e-8)
            self.mean[name] += np.float32(1 - keep) * (self.weights[name] - self.mean[name])
