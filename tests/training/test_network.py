"""Training of networks: gradients, advantages, what is learnt, and a training that is killed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.networks import GAME, drawn_weights

from balance.experiments.networks import ARRAYS
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.training import network
from balance.training.arena import Arena
from balance.training.network import NetworkTraining, label_gradient, train_network
from balance.training.network_fit import Adam, Batch, chances_of, gradient, make_batch, scores_of
from balance.training.network_play import Sampled, Table, advantages

SMALL = NetworkTraining("na-grunwald", "base", (2,), "champion", ("champion",), 50, 4, 2, 3)


def some_batch(rng: np.random.Generator) -> Batch:
    kind = GAME.records.network
    shape = (12, 10, kind["action"].shape[1])
    return Batch(
        np.repeat([4, 5, 7], 4),
        np.full(12, 6),
        rng.normal(size=(12, kind["context"].shape[0])),
        rng.normal(size=shape),
    )


def test_a_gradient_is_the_slope_of_the_loss():
    """Each array's gradient agrees with finite differences, in float64."""
    rng = np.random.default_rng(1)
    batch, wanted = some_batch(rng), rng.dirichlet(np.ones(10), 12)
    wanted[:, 6:] = 0
    wanted /= wanted.sum(1, keepdims=True)
    weights = {name: rng.normal(0, 0.2, GAME.records.network[name].shape) for name in ARRAYS}

    def loss() -> float:
        chances = chances_of(scores_of(weights, batch).astype("f8"))[:, :6]
        return float(-(wanted[:, :6] * np.log(chances)).sum())

    found = gradient(weights, batch, lambda scores, part: chances_of(scores) - wanted[part])
    for name in ARRAYS:
        index = np.unravel_index(np.abs(found[name]).argmax(), found[name].shape)
        step, kept = 1e-2, weights[name][index]
        weights[name][index] = kept + step
        above = loss()
        weights[name][index] = kept - step
        slope = (above - loss()) / (2 * step)
        weights[name][index] = kept
        assert found[name][index] == pytest.approx(slope, rel=0.02), name


def test_advantages_are_gains_of_win_chance():
    """A game of three checkpoints: what a round gains belongs to its choices, later rounds fade."""
    samples = np.zeros(3, [("game", "i4"), ("checkpoint", "i2"), ("seat", "i1")])
    samples["checkpoint"] = [0, 1, 2]
    values = np.array([[[0.5, 0.5], [0.6, 0.4], [0.4, 0.6], [1.0, 0.0]]], "f4")
    found = advantages(Sampled(samples, values), 0.5)
    assert found == pytest.approx([0.1 + 0.5 * (-0.2 + 0.5 * 0.6), -0.2 + 0.5 * 0.6, 0.6])


def test_labels_are_visits_of_the_searcher():
    """Every choice is labelled with its visits, and values of checkpoints are win chances."""
    table = Table(GAME, load_variant(GAME, "base", Path()).rules, 2)
    strategies = load_strategies(GAME, ["champion", "search-6"], Path())
    found = table.sample(strategies, np.array([[0, 1]] * 60), 1, 0.25)
    visits = found.samples["visits"]
    assert len(found.samples) > 4000 and (visits.sum(1) > 0).mean() > 0.9
    assert set(found.samples["strategy"]) == {0, 1}
    assert found.values.sum(2) == pytest.approx(np.ones(found.values.shape[:2]), abs=1e-5)
    assert np.isin(found.values[:, -1], [0, 0.5, 1]).all()
    again = Table(GAME, table.rules, 2, workers=1).sample(strategies, np.array([[0, 1]] * 60), 1, 0.25)
    assert np.array_equal(again.samples, found.samples)


def test_a_planted_choice_is_learnt():
    """Labels that prefer the last action of every shortlist: the fit finds it."""
    table = Table(GAME, load_variant(GAME, "base", Path()).rules, 2)
    strategies = load_strategies(GAME, ["champion", "search-1"], Path())
    labels = table.sample(strategies, np.zeros((40, 2), int), 1, 0.0).samples
    labels["visits"] = 0
    labels["visits"][np.arange(len(labels)), labels["count"] - 1] = 10
    rng, fitted = np.random.default_rng(1), Adam(drawn_weights())
    for _ in range(150):
        fitted.step(label_gradient(fitted.weights, labels, rng, 256), 8e-3)
    batch, order = make_batch(labels, np.arange(len(labels)))
    assert (scores_of(fitted.mean, batch).argmax(1) == labels["count"][order] - 1).mean() > 0.9


@pytest.mark.slow
def test_a_killed_training_goes_on_to_the_same_result(tmp_path, monkeypatch):
    """Killed in each of its stages; the work folder is gone at the end, and a changed training is refused."""
    train_network(SMALL, tmp_path / "one.toml")
    whole = (tmp_path / "one.npz").read_bytes()
    for stage in ("_fit", "_step"):
        with monkeypatch.context() as patched:

            def kill(*_: object) -> None:
                raise KeyboardInterrupt

            patched.setattr(network.Course, stage, kill)
            with pytest.raises(KeyboardInterrupt):
                train_network(SMALL, tmp_path / "two.toml")
    other = NetworkTraining(**{**vars(SMALL), "seed": 4})
    with pytest.raises(BalanceError, match="belongs to another training"):
        train_network(other, tmp_path / "two.toml")
    train_network(SMALL, tmp_path / "two.toml")
    assert (tmp_path / "two.npz").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "one.npz",
        "one.toml",
        "two.npz",
        "two.toml",
    ]


@pytest.mark.long
def test_a_trained_network_beats_the_profile_that_it_began_with(tmp_path):
    """A minute of training: it wins more than half of its games against the champion."""
    training = NetworkTraining("na-grunwald", "base", (2,), "champion", ("champion",), 1500, 50, 20, 1)
    train_network(training, tmp_path / "net.toml")
    strategies = load_strategies(GAME, [str(tmp_path / "net.toml"), "champion"], tmp_path)
    arena = Arena(GAME, load_variant(GAME, "base", Path()).rules, 2, strategies, lineup=[1])
    assert arena.probe(0, 1000, 5).win_share.mean() > 0.55
