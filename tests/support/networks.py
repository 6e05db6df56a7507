"""Small networks for tests."""

from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import get_game
from balance.experiments.networks import ARRAYS
from balance.training.network_files import write_network
from balance.training.network_fit import Arrays, Batch, first_weights

GAME = get_game("na-grunwald")


def drawn_weights(seed: int = 1) -> Arrays:
    """Return weights drawn at random, as float16 keeps them."""
    weights = first_weights(GAME.records.network, np.random.default_rng(seed))
    return {name: weights[name].astype("f2").astype("f4") for name in ARRAYS}


def write_drawn(path: Path, counts: tuple[int, ...] = (2, 3, 4), networks: int = 1, **told: Any) -> Path:
    """Write networks of Na Grunwald! with weights drawn at random."""
    weights = {count: [drawn_weights(count + 10 * n) for n in range(networks)] for count in counts}
    write_network(path, GAME, "champion", weights, told)
    return path


def plain_scores(weights: Arrays, batch: Batch) -> np.ndarray:
    """Return the scores (n, actions) of decisions by NumPy alone; actions beyond a shortlist have -inf."""
    shared = batch.context @ weights["context"] + weights["bias"][batch.head]
    layer = np.einsum("nai,nij->naj", batch.described, weights["action"][batch.head]) + shared[:, None]
    scores = np.einsum("naj,nj->na", np.maximum(layer, 0), weights["out"][batch.head])
    scores[np.arange(scores.shape[1]) >= batch.options[:, None]] = -np.inf
    return scores
